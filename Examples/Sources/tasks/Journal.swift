import Foundation
import TextBuffer

/// A document as JSON, to be stored beside its text: the whole tree of revisions.
///
/// This is the simplest possible store: it is rewritten after each step. A store that has to be fast, or to
/// survive a crash, appends the revisions that `Document.takeChangedRevisions()` returns.
struct Journal: Codable {
  /// One change: an offset and two texts.
  struct StoredChange: Codable {
    var offset: Int
    var removed: [UInt8]
    var inserted: [UInt8]
  }

  /// One revision, with the changes that lead to it from its parent.
  struct StoredRevision: Codable {
    var parent: Int?
    var preferredChild: Int?
    var name: String?
    var time: Double
    var changes: [StoredChange]
  }

  var text: [UInt8]
  var current: Int
  var revisions: [StoredRevision]

  init(_ document: Document<Void>) {
    text = document.buffer.bytes
    current = document.history.current
    revisions = document.history.revisions.map { revision in
      StoredRevision(
        parent: revision.parent, preferredChild: revision.preferredChild, name: revision.name,
        time: revision.time,
        changes: document.changes(of: revision.id).map {
          StoredChange(
            offset: $0.offset.value, removed: $0.removed.bytes, inserted: $0.inserted.bytes)
        })
    }
  }

  /// The restored document.
  ///
  /// - Throws: `RestoringError` if the file is damaged.
  func document() throws -> Document<Void> {
    let buffer = PieceTable(text)
    var maker = Change.Maker(for: buffer)
    let changes = revisions.map { revision in
      revision.changes.map {
        maker.change(
          at: ByteOffset($0.offset), removing: $0.removed.span.bytes,
          inserting: $0.inserted.span.bytes)
      }
    }
    let records = revisions.map {
      RevisionRecord(
        parent: $0.parent, preferredChild: $0.preferredChild, name: $0.name, time: $0.time)
    }
    return try Document(
      restoring: buffer, records, changes: changes, current: current, saved: current)
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
