import Foundation
import TextBuffer

/// A document as JSON, to be stored beside its text: the whole tree of revisions.
///
/// This is the simplest possible store: it is rewritten after each step. A store that has to be fast, or to
/// survive a crash, appends the revisions that `Document.takeChangedRevisions()` returns.
struct Journal: Codable {
  var text: [UInt8]
  var current: Int
  var records: [RevisionRecord]
  var changes: [[Change]]

  init(_ document: Document<Void>) {
    // What is being typed is no revision yet.
    text = document.committedBuffer.bytes
    current = document.history.current
    records = document.history.revisions.map { RevisionRecord($0) }
    changes = records.indices.map { document.changes(of: $0) }
  }

  /// The restored document.
  ///
  /// - Throws: `RestoringError` if the file is damaged.
  func document() throws -> Document<Void> {
    try Document(
      restoring: PieceTable(text), records, changes: changes, current: current, saved: current)
  }
}

/// A file with a list of tasks, and its journal in another file.
struct TaskFile {
  let text: URL
  var journal: URL { text.appendingPathExtension("journal") }

  /// The list, with edits that other programs have made to the text since it was written.
  func load(time: Double) throws -> TaskList {
    var list = TaskList()
    if let data = try? Data(contentsOf: journal) {
      list = TaskList(try JSONDecoder().decode(Journal.self, from: data).document())
    }
    list.adopt(PieceTable((try? Data(contentsOf: text)) ?? Data()), time: time)
    return list
  }

  func save(_ list: TaskList) throws {
    try JSONEncoder().encode(Journal(list.document)).write(to: journal, options: .atomic)
    try Data(list.document.buffer.bytes).write(to: text, options: .atomic)
  }
}
