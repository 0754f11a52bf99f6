import TextBuffer

/// A file that a run has opened or written, for its last answer.
struct TouchedFile: Sendable {
  var path: [UInt8]
  /// Its content before the run; nil if it did not exist, or could not be read.
  var before: PieceTable?
  /// Its content now or, in a run that writes nothing, the one that it would have.
  var after: PieceTable?
  var isWritten = false
  /// The last revision of its text.
  var revision = 0
}

/// The files that a run has touched, each with its first content, in the order in which it has met them.
struct FileLedger: Sendable {
  /// Whether anybody asks for them; otherwise nothing is kept.
  let isKept: Bool
  private(set) var files: [TouchedFile] = []
  private var indices: [[UInt8]: Int] = [:]

  init(isKept: Bool) { self.isKept = isKept }

  /// Whether a file has been met.
  func contains(_ path: [UInt8]) -> Bool { indices[path] != nil }

  /// Adds a file with its content, nil if it does not exist, unless it has been met before.
  mutating func add(_ path: [UInt8], _ content: PieceTable?) {
    guard isKept, indices[path] == nil else { return }
    indices[path] = files.count
    files.append(TouchedFile(path: path, before: content, after: content))
  }

  /// Records what a file contains now, or would contain if it were written; nil for none.
  mutating func update(_ path: [UInt8], to text: PieceTable?, isWritten: Bool) {
    guard let index = indices[path] else { return }
    files[index].after = text
    if isWritten { files[index].isWritten = true }
  }

  /// Records the revision of the text of a file.
  mutating func update(_ path: [UInt8], revision: Int) {
    if let index = indices[path] { files[index].revision = revision }
  }

  /// Forgets all files.
  mutating func clear() { self = FileLedger(isKept: isKept) }
}
