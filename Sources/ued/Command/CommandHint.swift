/// The probable intention behind a line that is not a command.
enum CommandHint: Equatable, Sendable {
  /// A command or word with a similar spelling, or with this name elsewhere.
  case command(String)
  /// A letter that `s` does not have as a flag.
  case noFlag(UInt8)
  /// A command with the `!` of vi; the value is the command to use here.
  case forced(String)
  /// The line is probably text; the value is the command of its first letter.
  case text(UInt8?)
  /// The line begins a patch.
  case patch
  /// `y/abc/xyz/`, which maps characters in sed.
  case mapping
  /// `2q`, which keeps the lines up to this one in sed.
  case quitAfter(Int)
  /// A `;` between commands.
  case separator
  /// The command `a`, `c` or `i`, with text on its line.
  case textInLine(UInt8)
  /// The flag `w FILE` that `s` has in sed.
  case writingFlag
  /// A `g`, `s` or `v` with this letter as delimiter. Repeating it runs it.
  case letterDelimiter(UInt8)

  /// Whether the command exists, and the text after it is wrong.
  var isAboutSuffix: Bool {
    switch self {
    case .mapping, .noFlag, .separator, .textInLine, .writingFlag: true
    case .command, .forced, .letterDelimiter, .patch, .quitAfter, .text: false
    }
  }

  /// Whether a line begins a patch of any form.
  static func isPatch(_ line: [UInt8]) -> Bool {
    ["--- ", "diff --git ", "*** Begin Patch", "<<<<<<< SEARCH"].contains {
      line.starts(with: $0.utf8)
    }
  }

  /// The hint for a valid but improbable command: `g`, `s` or `v` with a letter as delimiter.
  init?(doubting line: [UInt8]) {
    guard case (var parser, let start)? = Self.afterAddresses(line),
      "gGsvV".utf8.contains(parser.scanner.take())
    else { return nil }
    let delimiter = parser.scanner.next
    let repeatsLast = line[start] == UInt8(ascii: "s") && "gpr".utf8.contains(delimiter)
    guard delimiter.lowercased.isLowercase, !repeatsLast else { return nil }
    parser.scanner.position = start
    let written = Self.takeLetters(&parser)
    self =
      (Self.keys[written] ?? Self.synonyms[written]).map { .command($0) }
      ?? .letterDelimiter(delimiter)
  }

  /// The parser of a line at its command, and the position of the command; nil if an address is
  /// wrong.
  private static func afterAddresses(_ line: [UInt8]) -> (CommandParser, start: Int)? {
    var parser = CommandParser(line: line)
    if case .fault = parser.parseAddresses().last { return nil }
    parser.scanner.skipBlanks()
    return (parser, parser.scanner.position)
  }

  private static func takeLetters(_ parser: inout CommandParser) -> String {
    let start = parser.scanner.position
    while parser.scanner.next.lowercased.isLowercase || parser.scanner.next == UInt8(ascii: "_") {
      parser.scanner.position += 1
    }
    return String(decoding: parser.scanner.taken(since: start), as: UTF8.self)
  }

  /// The hint for a line with a syntax error; nil without a similar command.
  init?(for line: [UInt8], _ fault: ParseError) {
    guard case (var parser, let start)? = Self.afterAddresses(line) else { return nil }
    let written = Self.takeLetters(&parser)
    let next = parser.scanner.next
    if let command = Self.keys[written] {
      self = .command(command)
    } else if fault == .unexpectedAddress, let form = Self.form(of: line, fault) {
      self = form
    } else if !fault.isOfSpelling {
      return nil
    } else if next == .bang, let forced = Self.forced[written] {
      self = .forced(forced)
    } else if CommandTable.word(written.utf8) != nil {
      // A word must end with a blank.
      let argument = String(decoding: parser.scanner.takeRestOfLine(), as: UTF8.self)
      let isNumber = !argument.isEmpty && argument.utf8.allSatisfy(\.isDigit)
      self = .command(isNumber ? "\(written) \(argument)" : written)
    } else if let command = Self.synonyms[written]
      ?? Self.nearest(to: written, isText: next == .space && !line.contains(UInt8(ascii: "<")))
    {
      self = .command(command)
    } else if let form = Self.form(of: line, fault) {
      self = form
    } else if written.hasPrefix("s"), let flag = Self.unknownFlag(in: line.dropFirst(start)) {
      self = .noFlag(flag)
    } else if written.utf8.count > 1, next == .space, let letter = written.utf8.first {
      self = .text(fault == .unknownCommand || "aci".utf8.contains(letter) ? nil : letter)
    } else {
      return nil
    }
  }

  /// The syntax of another editor in a line.
  private static func form(of line: [UInt8], _ fault: ParseError) -> CommandHint? {
    var parser = CommandParser(line: line)
    let parsed = parser.next()
    if fault == .unexpectedAddress, case .quit = parsed.command,
      case .number(let number)? = parsed.addresses.last,
      parsed.addresses == Addresses([.number(number)])
    {
      return .quitAfter(number)
    }
    guard fault == .invalidSuffix, parsed.fault == fault else { return nil }
    let letter: UInt8
    switch parsed.command {
    case .append: letter = UInt8(ascii: "a")
    case .change: letter = UInt8(ascii: "c")
    case .insert: letter = UInt8(ascii: "i")
    default: letter = 0
    }
    // `<` means a bad here-document.
    if letter > 0 { return line.contains(UInt8(ascii: "<")) ? nil : .textInLine(letter) }
    // The parser has just taken the byte that it refuses.
    guard parser.scanner.position <= line.count else { return nil }
    let refused = parser.scanner.taken(since: parser.scanner.position - 1).first
    switch (parsed.command, refused) {
    case (.substitute, UInt8(ascii: "w")) where parser.scanner.next == .space: return .writingFlag
    case (.yank, .slash): return .mapping
    case (_, UInt8(ascii: ";")): return .separator
    default: return nil
    }
  }

  /// vi's commands with `!`, and their counterparts here.
  private static let forced = ["e": "E", "q": "Q", "quit": "Q", "w": "w", "wq": "wq", "x": "wq"]

  /// Commands for keys of vi, and for names that also parse as a letter and argument.
  private static let keys = [
    "G": "$", "N": "?RE?", "O": "i", "ZQ": "Q", "ZZ": "wq", "dG": ".,$d", "gg": "1",
    "o": "a", "str_replace": "replace", "wz": "wq", "yG": ".,$y",
  ]

  /// The names of commands elsewhere.
  private static let synonyms = [
    "cat": "p", "cp": "t", "goto": "help addresses", "grep": "g/RE/p", "hist": "history",
    "ls": "!ls", "man": "help", "mv": "m", "rename": "f", "rm": "d", "saveas": "w",
    "set": "help settings", "show": "p", "sort": "!sort", "status": "diff",
    "append": "a", "bye": "q", "change": "c", "checkpoint": "name", "compare": "diff", "copy": "t",
    "dd": "d", "delete": "d", "exit": "q", "export": "history patch", "log": "history",
    "find": "/RE/", "insert": "i", "join": "j", "list": "l",
    "move": "m", "open": "e", "paste": "x", "print": "p", "put": "x", "quit": "q", "read": "r",
    "save": "w",
    "search": "/RE/", "substitute": "s/RE/TEXT/", "write": "w", "yank": "y", "yy": "y",
  ]

  /// The only word that can have become `written` by a few typing errors. If the line may be
  /// text, `append`, `change` and `insert` do not count: ordinary words resemble them.
  private static func nearest(to written: String, isText: Bool) -> String? {
    guard written.utf8.count > 2 else { return nil }
    let most = written.utf8.count < 6 ? 1 : 2
    let names = ["quit", "exit", "save", "write"] + (isText ? [] : ["append", "change", "insert"])
    let distances = (CommandTable.words.map(\.row.name) + names).map {
      (word: $0, distance: distance(Array($0.utf8), Array(written.utf8)))
    }
    guard let least = distances.map(\.distance).min(), least <= most else { return nil }
    let found = distances.filter { $0.distance == least }.map(\.word)
    return found.count == 1 ? synonyms[found[0]] ?? found[0] : nil
  }

  /// Counts the letters to add, omit, replace, or swap with the next one to turn one word into the
  /// other; a lower bound if the lengths of the words differ by more than two.
  static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    let least = abs(first.count - second.count)
    if least > 2 { return least }
    var rows = [Array(0...second.count)]
    for i in first.indices {
      var row = [i + 1]
      for j in second.indices {
        var least = min(rows[i][j + 1] + 1, row[j] + 1)
        least = min(least, rows[i][j] + (first[i] == second[j] ? 0 : 1))
        if i > 0 && j > 0 && first[i] == second[j - 1] && first[i - 1] == second[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }

  /// The first byte after a substitution's last delimiter that is not a flag of `s`.
  private static func unknownFlag(in command: ArraySlice<UInt8>) -> UInt8? {
    guard let delimiter = command.dropFirst().first, !delimiter.isLowercase,
      let last = command.lastIndex(of: delimiter), last > command.startIndex + 1
    else { return nil }
    return command[(last + 1)...].first { !$0.isDigit && !"cgIiplnF".utf8.contains($0) }
  }
}
