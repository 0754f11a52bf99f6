/// Why a strict run failed on a file.
struct RunFailure: Error, Equatable {
  /// The file; empty when there is none.
  var file: [UInt8]
  /// Where in the script, as `SCRIPT:LINE`; empty when the error is that of no command.
  var place: [UInt8] = []
  var error: EditorError
  /// Whether the file could not be opened.
  var isOpening = false
  /// Whether running the script again may help, and has not been asked for.
  var suggestsRetry = false

  /// The exit status.
  var status: Int32 {
    switch error {
    case .fileUnseen(.changedOutside), .fileIsLocked, .historyChanged, .historyInUse,
      .historyNotKept, .unexpectedContent:
      3
    case .bufferModified where place.isEmpty: 2
    default: isOpening && error != .interrupted ? 2 : 1
    }
  }

  /// Whether the script may succeed when it is run again.
  var isTransient: Bool {
    switch error {
    case .fileUnseen(.changedOutside), .historyChanged: true
    default: false
    }
  }
}
