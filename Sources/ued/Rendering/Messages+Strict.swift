import Glibc

/// Messages of strict runs, for standard error.
extension Messages {
  /// The line about a failed run: `ued: FILE: SCRIPT:LINE: message`.
  static func text(_ failure: RunFailure) -> [UInt8] { program + named(failure) }

  /// The name by which ued was called, in front of a message.
  private static var program: [UInt8] {
    UsageText.shortName(ProcessArguments.programName) + bytes(": ")
  }

  /// Why a run failed, with its file and the place in the script.
  static func named(_ failure: RunFailure) -> [UInt8] {
    let names = [failure.file, failure.place].filter { !$0.isEmpty }
    return names.flatMap { shown($0) + bytes(": ") } + reason(failure)
  }

  /// Why a run failed, without its file and the place in the script.
  static func reason(_ failure: RunFailure) -> [UInt8] {
    var message = strict(failure.error)
    if case .file(let error) = failure.error, error.path == failure.file || error.path.isEmpty {
      let reason = error.shellStatus != 0 ? shellEnded(error.shellStatus) : systemText(error.code)
      message = bytes("\(attempted(error)): \(reason)") + oldTextPlace(error)
    }
    if failure.suggestsRetry { message += bytes("; --retry runs the script again") }
    return message
  }

  /// A message about a file, or about none if its name is empty.
  static func strict(_ message: [UInt8], of file: [UInt8]) -> [UInt8] {
    program + (file.isEmpty ? [] : shown(file) + bytes(": ")) + message
  }

  /// The message for an error.
  static func strict(_ error: EditorError) -> [UInt8] {
    switch error {
    case .bufferModified:
      bytes("unsaved changes; save them with 'w' or -i, or discard them with 'Q'")
    case .endOfInput: bytes("the script ends in the middle of this command")
    case .fileUnseen(let danger): bytes(notOverwritten(danger))
    case .interrupted: interrupted + bytes("; pending writes were dropped")
    case .rangeIsBackwards(let lines) where lines.last == .zero:
      bytes("the text is empty; 'a' adds some")
    default: friendly(error)
    }
  }

  /// What is said of an interrupt at least.
  static let interrupted = bytes("interrupted")

  private static func shown(_ name: [UInt8]) -> [UInt8] { bytes(GroupNames.readable(name)) }

  /// What an answer to a program says of a newline that the text did not end with.
  static let newlineAdded = bytes("the last line had no newline; one was added")

  /// The message for a script that can't be read.
  static func unreadableScript(_ error: FileError) -> [UInt8] {
    let reason =
      error.code == ENOEXEC
      ? "not a script: its first line contains NUL" : systemText(error.code)
    return strict(bytes("can't read the script: \(reason)"), of: error.path)
  }
}
