import TextBuffer

/// Messages for people at a terminal, which also say what to do.
extension Messages {
  /// The message for an error. An error that can't occur in ed has only one message.
  static func friendly(_ error: EditorError) -> [UInt8] {
    switch error {
    case .bufferModified:
      bytes("there are unsaved changes; 'w' saves them, the same command again gives them up")
    case .endOfInput: bytes("given up, since the input has ended")
    case .file(let error): reason(error)
    case .fileNameTooLong: bytes("that file name is too long")
    case .folderRestricted: bytes("only files of this folder, since ued runs restricted")
    case .match(.infiniteSubstitution):
      bytes("that would never end: the pattern matches nothing, again and again")
    case .interrupted: bytes("interrupted; the text is as it was before the command")
    case .invalidDestination: bytes("lines can't be moved into themselves")
    case .invalidMark: bytes("a mark is a letter from a to z")
    case .invalidRedirection: bytes("a command has no file name; 'f NAME' sets one")
    case .markNotSet(let letter):
      bytes(
        "'\(GroupNames.shown([letter]))? no line has that mark; "
          + "'k\(GroupNames.shown([letter]))' sets it")
    case .noCurrentFileName: bytes("there is no file name yet; 'w NAME' or 'f NAME' sets one")
    case .noMatch: bytes("no match")
    case .noPreviousCommand: bytes("there is no command yet to be repeated")
    case .noPreviousPattern: bytes("there is no pattern yet; write one between the slashes")
    case .noPreviousSubstitution: bytes("there is no substitution yet to be repeated")
    case .noSuchLine(let line, .zero):
      bytes("line \(line.value)? the buffer is empty; 'a' appends text")
    case .noSuchLine(let line, let last):
      bytes("line \(line.value)? the last line is \(last.value)")
    case .nothingToPut: bytes("there is nothing to put; 'y' and 'd' take lines")
    case .nothingToUndo: bytes("nothing to undo")
    case .parse(let error): bytes(friendly(error))
    case .match(.invalidPattern(let message)): bytes("bad pattern: ") + message
    case .rangeIsBackwards(let lines):
      bytes(
        "lines \(lines.first.value) to \(lines.last.value)? the first must not come after the last")
    case .shellRestricted: bytes("no shell commands, since ued runs restricted")
    case .shellUnavailable: bytes("the shell can't be started")
    default: text(error)
    }
  }

  private static func friendly(_ error: ParseError) -> String {
    switch error {
    case .destinationExpected: "where to? the line comes last, as in '2,3m10'"
    case .globalInGlobal: "g, v, G and V can't be inside each other"
    case .ignoreCaseOnEmptyPattern: "'I' needs a pattern between the slashes"
    case .invalidAddress: "that is no address; 'help' shows how commands are written"
    case .invalidPatternDelimiter: "the pattern must begin with a delimiter, as in /pattern/"
    case .invalidSuffix: "too much behind the command; only p, l or n may follow"
    case .missingPatternDelimiter: "the delimiter that ends the pattern is missing"
    case .numberOutOfRange: "that number is too large"
    case .trailingBackslash: "the pattern ends in a single backslash"
    case .unbalancedBrackets: "the pattern has a [ without its ]"
    case .unexpectedAddress: "this command takes no line numbers before it"
    case .unexpectedSuffix: "there is no such command, or a blank is missing before a file name"
    case .unknownCommand: "there is no such command; 'help' lists all"
    }
  }

  /// What failed on which file, and why.
  private static func reason(_ error: FileError) -> [UInt8] {
    if error.code == 0 {
      return bytes("\(GroupNames.shown(error.path)): the command did not succeed")
    }
    let name = GroupNames.shown(error.path)
    return bytes("\(name) \(attempted(error)): \(systemText(error.code))") + oldTextPlace(error)
  }

  /// What could not be done with a file.
  static func attempted(_ error: FileError) -> String {
    switch error.attempt {
    case .openInput, .readInput, .closeInput: "can't be read"
    case .openOutput, .writeOutput, .closeOutput: "can't be written"
    }
  }

  /// The name and size of what was read or written.
  static func size(of name: [UInt8], lines: Int, bytes: Int) -> [UInt8] {
    let count = bytes == 1 ? "1 byte" : "\(bytes) bytes"
    return Self.bytes("\(GroupNames.shown(name)): \(GroupNames.count(lines)), \(count)")
  }

  /// The file on the command line does not exist.
  static func newFile(_ name: [UInt8]) -> [UInt8] {
    bytes("\(GroupNames.shown(name)): new file")
  }

  /// The end of a message about a move: the revision, unless mentioned already, and the current line.
  static func place(_ move: Move, line: LineNumber, of lines: Int) -> [UInt8] {
    let place = ", line \(line.value) of \(lines)"
    return switch move {
    case .undone(_, let id), .redone(_, let id), .reverted(_, let id):
      bytes("; now at \(id)" + place)
    case .jumped, .toggled: bytes(place)
    }
  }

  /// A move from one revision to another; of many groups only the last is told.
  static func friendly(_ move: Move) -> [UInt8] {
    switch move {
    case .undone(let titles, _) where titles.count > 3:
      bytes("undid \(titles.count) groups, the last: \(titles[titles.count - 1])")
    case .redone(let titles, _) where titles.count > 3:
      bytes("redid \(titles.count) groups, the last: \(titles[titles.count - 1])")
    default: text(move)
    }
  }

  /// The current revision has got a name, or has become a checkpoint.
  static func named(_ id: Int, _ title: String, isCheckpoint: Bool) -> [UInt8] {
    bytes("\(isCheckpoint ? "checkpoint at" : "named") \(id): \(title)")
  }

  /// A command was interrupted, and what it had done stays.
  static let interruptedAndKept = bytes("interrupted; what was done before stays")

  /// The user's settings for line editing contain an error.
  static let brokenSettings = bytes(
    "the settings for line editing are used only up to a line that is not understood")

  /// What a slow command is doing.
  static func progress(of traits: CommandRules.Traits) -> String {
    traits.contains(.reads) ? "reading" : traits.contains(.writes) ? "writing" : "working"
  }
}
