import Glibc
import TextBuffer

/// What the command line and the environment ask for besides the first file.
extension Editor {
  /// Makes the line at an address the current one: that of a `+LINE`, or of the first match of `+/RE` or the
  /// last of `+?RE`.
  mutating func goToStart(_ address: [UInt8]) throws(EditorError) {
    let line = text.currentLine
    var parser = CommandParser(line: address)
    // From here a search forward begins at the first line, and one backwards at the last.
    text.currentLine = .zero
    do throws(EditorError) {
      let found = try resolve(parser.parseAddresses())
      text.currentLine = try lines(found, .line(or: .current)).last
    } catch {
      let beginsAtTop = !options.isFriendly && address.first == .slash
      text.currentLine = beginsAtTop ? LineNumber(1) : line
      throw error
    }
    if options.isFriendly && !options.isSilent {
      console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
    }
  }

  /// Prints the current line after a command that changes lines without printing any.
  func printChangedLine(after parsed: ParsedCommand) {
    guard text.currentLine > .zero, parsed.format.isEmpty else { return }
    switch parsed.command {
    case .delete, .join, .move, .copy: break
    case .substitute, .repeatSubstitute:
      if !patterns.substitution.format.isEmpty { return }
    default: return
    }
    console.say(.lines(LineRange(text.currentLine), of: text.buffer, as: .plain))
  }

  /// Names the files of the command line that have not been opened yet, if there are any.
  func sayLaterFiles() {
    if !file.later.isEmpty && !options.isSilent { console.say(.laterFiles(file.later)) }
  }

  /// Edits the next file of the command line, which begins empty if it does not exist.
  mutating func openNextFile() throws(EditorError) {
    guard options.isFriendly else { throw .needsTerminal(.next) }
    try text.refuseInGroup()
    guard let name = file.later.first else { throw .noNextFile }
    try refuseToDiscard()
    file.later.removeFirst()
    defer { sayLaterFiles() }
    try checkAccess(name)
    let isShell = name.first == .bang
    try edit(isShell ? .shell(Array(name.dropFirst())) : .file(name), mayBeMissing: true)
  }

  /// A file name with the home folder in the place of a `~` before its first slash, as a person means it.
  func withHomeFolder(_ name: [UInt8]) -> [UInt8] {
    guard options.isFriendly || options.isStrict, name.starts(with: "~/".utf8),
      let home = ProcessArguments.environment("HOME"), !home.isEmpty
    else { return name }
    return home + name.dropFirst()
  }

  /// Warns once when a text that was read from a read-only file is modified.
  mutating func warnOfReadOnlyFile() {
    guard text.isModified, file.name != checkedName, file.known?.path == file.name else { return }
    checkedName = file.name
    if OpenFile.isReadOnly(file.name) { console.say(.warning(.readOnly(file.name))) }
  }
}
