import TextBuffer

/// What may help a program to do better after an error.
struct ErrorHint: Equatable, Sendable {
  /// A line of the text.
  struct Line: Equatable, Sendable {
    var number: LineNumber
    var text: [UInt8]
  }

  /// Where two lines differ first.
  struct Difference: Equatable, Sendable {
    /// The line of the text.
    var line: LineNumber
    var expected: [UInt8]
    var found: [UInt8]
  }

  /// The lines of the text that come nearest to what was asked for.
  var lines: [Line] = []
  /// The first difference between them and what was asked for.
  var difference: Difference?
  /// The revisions that the error is about.
  var revisions: [Int] = []
}

extension EditorError {
  /// What may help; nil if there is nothing that the message does not say.
  var hint: ErrorHint? {
    switch self {
    case .ambiguousRevision(_, let ids): ErrorHint(revisions: ids)
    case .notInText(let id), .revertOverlaps(_, by: let id, named: _): ErrorHint(revisions: [id])
    default: nil
    }
  }
}
