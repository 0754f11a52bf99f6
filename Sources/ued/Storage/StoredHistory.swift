import TextBuffer

/// A revision as stored in a row of the database.
struct StoredRevision: Sendable {
  var id: Int
  var record: RevisionRecord
  /// Whether an earlier version stored it as a checkpoint; see `namedRecord`.
  var isCheckpoint = false
  /// The run that created it, counted from 1.
  var run: Int
  /// The content hash of its text, if it was saved or is the first revision.
  var hash: ContentHash?
  /// The description of the group in UTF-8.
  ///
  /// The first versions left it empty for a group with a name, and stored the descriptions of the first revision and
  /// of changes made outside ued as names. Later ones added a NUL and the name of a checkpoint.
  var title: ArraySlice<UInt8> = []
  /// The serialized contexts; see `StoredContexts.bytes`.
  var context: ArraySlice<UInt8> = []
  /// The serialized changes, see `StoredChanges`; empty for the first revision.
  var changes: ArraySlice<UInt8> = []
  /// The link of its row, if it was read from one.
  var link = 0
  /// Whether its changes are long, and have not been read with it.
  var lacksChanges = false
}

extension StoredRevision {
  /// The description of the group; empty if none is stored.
  var description: ArraySlice<UInt8> {
    if nameIsDescription, let name = record.name { return Array(name.utf8)[...] }
    let description = title.prefix { $0 != 0 }
    // Descriptions stored by ued have no control characters.
    return description.allSatisfy { 0x20..<0x7F ~= $0 }
      ? description : Array(GroupNames.readable(description).utf8)[...]
  }

  /// The name of the runs that the group has undone; nil for any other group.
  var undoneRuns: String? {
    let prefix = GroupNames.undoRun.utf8
    return description.starts(with: prefix)
      ? String(decoding: description.dropFirst(prefix.count), as: UTF8.self) : nil
  }

  /// The record with the name that the user gave to the group, or else to its checkpoint.
  var namedRecord: RevisionRecord {
    var record = record
    record.name = nameIsDescription ? nil : record.name.map { GroupNames.readable($0.utf8) }
    if isCheckpoint, record.name == nil {
      let name = title.drop { $0 != 0 }.dropFirst()
      record.name = name.isEmpty ? "checkpoint" : GroupNames.readable(name)
    }
    return record
  }

  private var nameIsDescription: Bool {
    guard title.isEmpty, let name = record.name else { return false }
    return id == 0 && name.hasPrefix("Opened ") || name == GroupNames.changedOutside
  }
}

/// The part of a history read when it is opened. A `RevisionReader` reads the revisions later.
struct StoredHistory {
  /// The number of revisions.
  var count: Int
  /// The current revision at the last write.
  var current: Int
  /// The last saved revision.
  var saved: Int?
  /// The version of the file that a prepared last save was to replace; see
  /// `HistoryPlace.fileVersion`.
  var preparedOver: Int?
  /// The lines of a command cut off while it read them; nil if there are none.
  var entered: EnteredText?
  /// The length in bytes of the first text.
  var firstLength: Int
}

/// Changes to a stored history, written in one transaction.
struct HistoryUpdate {
  /// Revisions that are new or have new changes, in order of their ids.
  var revisions: [StoredRevision] = []
  /// Stored revisions with new details, but the same changes.
  var details: [StoredRevision] = []
  /// The number of revisions; stored ones beyond it are deleted.
  var count: Int
  /// The current revision.
  var current: Int
  /// The last saved revision.
  var saved: Int?
  /// The revision at which this run began.
  var start = 0
  /// The effect of this run on the file itself.
  var effect: RunEffect = []
  /// The version of the file that the saved revision is about to replace; nil if it has been saved.
  var preparedOver: Int?
  /// Entered lines that change the text of the current revision; they replace all that are stored.
  var entered: [EnteredLines] = []
  /// The first text, if it is not stored yet.
  var firstText: PieceTable?
  /// The time that the work may still take after a signal.
  var grace = GracePeriod(heedsInterrupts: false)

  /// An update with only the first `limit` revisions.
  func first(_ limit: Int) -> HistoryUpdate {
    var part = self
    part.revisions = Array(revisions.prefix(limit))
    (part.details, part.entered, part.preparedOver) = ([], [], nil)
    guard let last = part.revisions.last else { return part }
    part.count = last.id + 1
    // Later revisions are missing, so no preferred child may refer to them.
    for index in part.revisions.indices
    where part.revisions[index].record.preferredChild ?? 0 >= part.count {
      part.revisions[index].record.preferredChild = nil
    }
    var parents: [Int: Int] = [:]
    for revision in revisions { parents[revision.id] = revision.record.parent }
    while part.current >= part.count { part.current = parents[part.current] ?? 0 }
    return part
  }

  /// The approximate number of bytes to store.
  var byteCount: Int {
    revisions.reduce(firstText?.byteCount ?? 0) { $0 + $1.changes.count }
  }
}

/// Lines that a person has entered into a command still reading: the lines that they replace, in
/// the text with all earlier ones of the command, and the new lines.
///
/// `a` and `i` replace nothing. The first lines of `c` replace all lines that it will delete, and
/// `edit` replaces one line by each.
struct EnteredLines: Equatable, Sendable {
  var replaced: LineRange
  /// Whole lines.
  var text: [UInt8]
  /// When they were entered.
  var time = SystemClock.now
}

/// The lines of a command cut off while it read them.
struct EnteredText: Equatable, Sendable {
  /// The revision whose text they change.
  var base: Int
  /// The entered lines in order; consecutive lines are one element.
  var lines: [EnteredLines] = []

  /// Adds lines behind all others.
  mutating func append(_ new: EnteredLines) {
    guard let last = lines.last, new.replaced.count == 0,
      new.replaced.first == last.replaced.first + last.text.count(where: { $0 == .newline })
    else {
      lines.append(new)
      return
    }
    lines[lines.count - 1].text += new.text
    lines[lines.count - 1].time = new.time
  }
}
