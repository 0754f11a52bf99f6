import TextBuffer

/// Completion of commands: words, file names, revisions and marks.
struct CommandCompletion: Sendable {
  /// The document whose history has the revisions.
  let document: Document<EditorContext>
  /// The letters of the marks that are set.
  var marks: [UInt8] = []
  /// Whether only files of the present folder may be named.
  var isRestricted = false

  func completions(of typed: [UInt8]) -> Completions {
    var parser = CommandParser(line: typed)
    let addresses = parser.parseAddresses()
    if case .fault = addresses.last { return Completions() }
    // If a letter changes the addresses, one is unfinished.
    var longer = CommandParser(line: typed + [UInt8(ascii: "a")])
    if longer.parseAddresses() != addresses {
      guard case .mark = addresses.last else { return Completions() }
      return Completions(candidates: marks.map { Completions.Candidate(text: [$0]) })
    }
    parser.scanner.skipBlanks()
    let command = Array(typed.dropFirst(parser.scanner.position))
    let letters = command.prefix { $0.isLowercase }
    if letters.count == command.count {
      return Self.words(beginningWith: command, afterAddress: !addresses.isEmpty)
    }
    let rest = command.dropFirst(letters.count)
    if let row = CommandTable.word(letters)?.row, rest.first?.isSpace == true {
      return arguments(row.argument, beginningWith: Array(rest.drop { $0.isSpace }))
    }
    return files(of: command)
  }

  /// The words that begin with `typed`; after an address, only those that take addresses.
  private static func words(beginningWith typed: [UInt8], afterAddress: Bool) -> Completions {
    let words = CommandTable.rows.filter { row in
      guard case .word = row.command else { return false }
      return !afterAddress || row.rules.addresses != .none
    }
    return choice(of: words.map(\.name).sorted(), beginningWith: typed)
  }

  private func arguments(_ kind: ArgumentKind, beginningWith typed: [UInt8]) -> Completions {
    switch kind {
    case .topic:
      let topics = CommandTable.rows.map(\.name) + HelpTopic.allCases.map(\.rawValue)
      return Self.choice(of: topics, beginningWith: typed)
    case .historyForm:
      return Self.choice(of: ["all", "git", "json", "patch"], beginningWith: typed)
    case .otherBranch:
      let here = Set([0] + document.history.path(to: 0).back)
      return revisions(beginningWith: typed, or: [], except: here)
    case .revision(let words): return revisions(beginningWith: typed, or: words)
    case .revisions(let words):
      if let blank = typed.lastIndex(where: \.isSpace), typed[..<blank].allSatisfy(\.isDigit) {
        return revisions(beginningWith: Array(typed[(blank + 1)...]), or: [])
      }
      return revisions(beginningWith: typed, or: words)
    case .suffixes, .file, .nothing, .text: return Completions()
    }
  }

  /// The revisions by number, newest first, and by name once a part of the name has been typed.
  private func revisions(
    beginningWith typed: [UInt8], or words: [String], except known: Set<Int> = []
  ) -> Completions {
    var found = Self.choice(of: words, beginningWith: typed)
    for revision in document.history.revisions.reversed()
    where !revision.isDropped && !known.contains(revision.id) {
      let number = Array(String(revision.id).utf8)
      if number.starts(with: typed) {
        let hint = document.title(of: revision.id)
        found.candidates.append(Completions.Candidate(text: number, hint: hint))
      } else if !typed.isEmpty,
        let name = document.names(of: revision.id).first(where: { $0.utf8.starts(with: typed) })
      {
        let isKnown = found.candidates.contains { $0.text == Array(name.utf8) }
        if !isKnown { found.candidates.append(Completions.Candidate(text: Array(name.utf8))) }
      }
      if found.candidates.count == Self.mostRevisions { break }
    }
    return found
  }

  /// The maximum number of listed revisions.
  private static let mostRevisions = 200

  /// The words that begin with `typed`.
  private static func choice(of words: [String], beginningWith typed: [UInt8]) -> Completions {
    let candidates = words.map { Array($0.utf8) }.filter { $0.starts(with: typed) }
    return Completions(
      typedCount: typed.count, candidates: candidates.map { Completions.Candidate(text: $0) })
  }

  /// The files that complete the argument of a command that takes one, including `wq` and `wQ`.
  private func files(of command: [UInt8]) -> Completions {
    let name = command.prefix { !$0.isSpace }
    guard let letter = name.first, name.count < command.count,
      let index = CommandTable.index(ofLetter: letter),
      CommandTable.allRows[index].argument == .file,
      name.count == 1 || name.elementsEqual("wq".utf8) || name.elementsEqual("wQ".utf8)
    else { return Completions() }
    let path = command.dropFirst(name.count).drop { $0.isSpace }
    if path.first == .bang || isRestricted && path.contains(.slash) { return Completions() }
    return FileNames.completions(of: Array(path))
  }
}

/// Completion of file names.
enum FileNames {
  /// The completions of a path. Folders end with a slash. Names that can't be typed are left out,
  /// and so are hidden files unless the typed name begins with a period.
  static func completions(of path: [UInt8]) -> Completions {
    let slash = path.lastIndex(of: .slash)
    let folder = slash.map { Array(path[...$0]) } ?? []
    let typed = Array(path.dropFirst(folder.count))
    let names = FolderListing.names(in: folder.isEmpty ? [.dot] : folder).filter { name in
      name.starts(with: typed) && (name.first != .dot || typed.first == .dot)
        && String(validating: name, as: UTF8.self) != nil && name.allSatisfy { $0 >= 0x20 }
    }
    let candidates = names.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
      Completions.Candidate(text: isFolder(folder + name) ? name + [.slash] : name)
    }
    return Completions(typedCount: typed.count, candidates: candidates)
  }

  private static func isFolder(_ path: [UInt8]) -> Bool {
    OpenFile.status(of: path)?.isFolder == true
  }
}
