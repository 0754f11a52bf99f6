import TextBuffer

/// How a command can go on that is being typed: words, file names, revisions.
struct CommandCompletion: Sendable {
  /// The text, whose history names the revisions.
  let document: Document<EditorContext>

  /// The ways to go on from what stands before the cursor.
  func completions(of typed: [UInt8]) -> Completions {
    var parser = CommandParser(line: typed)
    let addresses = parser.parseAddresses()
    if case .fault = addresses.last { return Completions() }
    parser.scanner.skipBlanks()
    let command = Array(typed.dropFirst(parser.scanner.position))
    let letters = command.prefix { $0.isLowercase }
    if letters.count == command.count {
      return Self.words(beginningWith: command, afterAddress: !addresses.isEmpty)
    }
    let rest = command.dropFirst(letters.count)
    if let word = Word(bytes: letters), rest.first?.isSpace == true {
      return arguments(of: word, beginningWith: Array(rest.drop { $0.isSpace }))
    }
    return Self.files(of: command)
  }

  /// The words of ued; before a word with addresses only those that take some.
  private static func words(beginningWith typed: [UInt8], afterAddress: Bool) -> Completions {
    let names = Help.entries.map(\.name).filter { name in
      guard let word = Word(bytes: Array(name.utf8)[...]) else { return false }
      return !afterAddress || word.takesAddresses
    }
    return choice(of: names.sorted(), beginningWith: typed, ending: [])
  }

  private func arguments(of word: Word, beginningWith typed: [UInt8]) -> Completions {
    switch word {
    case .help: Self.choice(of: Help.entries.map(\.name), beginningWith: typed)
    case .history: Self.choice(of: ["all", "json"], beginningWith: typed)
    case .jump: revisions(beginningWith: typed, or: ["saved"])
    case .revert: revisions(beginningWith: typed, or: [])
    case .diff:
      if let blank = typed.lastIndex(where: \.isSpace), typed[..<blank].allSatisfy(\.isDigit) {
        revisions(beginningWith: Array(typed[(blank + 1)...]), or: [])
      } else {
        revisions(beginningWith: typed, or: ["undo", "redo"])
      }
    case .abort, .begin, .checkpoint, .earlier, .edit, .end, .forget, .later, .name, .redo, .undo:
      Completions()
    }
  }

  /// Revisions by number, newest first, and by name where something of that has been typed.
  private func revisions(beginningWith typed: [UInt8], or words: [String]) -> Completions {
    var found = Self.choice(of: words, beginningWith: typed)
    for revision in document.history.revisions.reversed() where !revision.isDropped {
      let name = document.name(of: revision.id)
      let number = Array(String(revision.id).utf8)
      if number.starts(with: typed) {
        found.candidates.append(Completions.Candidate(text: number, note: name))
      } else if !typed.isEmpty && name.utf8.starts(with: typed) {
        let isKnown = found.candidates.contains { $0.text == Array(name.utf8) }
        if !isKnown { found.candidates.append(Completions.Candidate(text: Array(name.utf8))) }
      }
      if found.candidates.count == Self.mostRevisions { break }
    }
    return found
  }

  /// More of them are not shown.
  private static let mostRevisions = 200

  /// The words that begin with what has been typed.
  private static func choice(
    of words: [String], beginningWith typed: [UInt8], ending: [UInt8] = []
  ) -> Completions {
    let candidates = words.map { Array($0.utf8) }.filter { $0.starts(with: typed) }
    return Completions(
      typedCount: typed.count,
      candidates: candidates.map { Completions.Candidate(text: $0, ending: ending) })
  }

  /// The files that can stand behind `e`, `E`, `f`, `r`, `w`, `wq`, `wQ` and `W`.
  private static func files(of command: [UInt8]) -> Completions {
    let name = command.prefix { !$0.isSpace }
    let letters = ["e", "E", "f", "r", "w", "wq", "wQ", "W"]
    guard name.count < command.count, letters.contains(String(decoding: name, as: UTF8.self))
    else { return Completions() }
    let path = command.dropFirst(name.count).drop { $0.isSpace }
    return path.first == .bang ? Completions() : FileNames.completions(of: Array(path))
  }
}
