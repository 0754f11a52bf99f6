import TextBuffer

/// The part of a history read when it is opened. A `RevisionReader` reads the revisions later.
struct StoredHistory {
  var count: Int
  var saved: Int?
  /// The length in bytes of the first text.
  var firstLength: Int
  /// Runs that have ended, the newest first.
  var unfinished: [UnsettledRun] = []
  /// Other runs still in progress.
  var others: [StoredRun] = []
}

/// A run that has ended. No later run has yet offered the changes that it may have left unsaved.
struct UnsettledRun: Sendable {
  let number: Int
  var current: Int?
  /// The version of the file that a prepared save was to replace; see `HistoryPlace.fileVersion`.
  let replacedVersion: Int?
  /// The lines of a command that was cut off while reading them; nil without any.
  let entered: EnteredText?
}

/// Changes to a stored history, written in one transaction.
struct HistoryUpdate {
  /// Revisions that are new or have changed, in order of their ids.
  var revisions: [StoredRevision] = []
  /// The number of revisions; stored ones beyond it are deleted.
  var count: Int
  var current: Int
  var saved: Int?
  /// Whether this run has saved since its last update, so that `saved` is the last save of all
  /// runs.
  var isSave = true
  /// Earlier runs that are settled now; see `UnsettledRun`.
  var unsettled: [Int] = []
  /// The revision at which this run began.
  var start = 0
  /// The effect of this run on the file itself.
  var effect: RunEffect = []
  /// The version of the file that the saved revision is about to replace; nil if it has been saved.
  var replacedVersion: Int?
  /// Entered lines that change the text of the current revision; they replace all stored ones.
  var entered: [EnteredLines] = []
  /// The first text, if it is not stored yet.
  var firstText: PieceTable?
  /// The time that the work may still take after a signal.
  var grace = GracePeriod(heedsInterrupts: false)

  /// A partial update: only the new revisions among the first `limit`, without entered lines and
  /// without a prepared save.
  func first(_ limit: Int) -> HistoryUpdate {
    var part = self
    part.revisions = revisions.prefix(limit).filter { $0.changes != nil }
    (part.entered, part.replacedVersion) = ([], nil)
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
    revisions.reduce(firstText?.byteCount ?? 0) { $0 + ($1.changes?.count ?? 0) }
  }
}

/// Lines that a person has entered into a command that is still reading, and the lines that they
/// replace. Line numbers include earlier entered lines of the command. `a` and `i` replace
/// nothing. The first lines of `c` replace all lines that it will delete. Each line of `edit`
/// replaces one line.
struct EnteredLines: Equatable, Sendable {
  var replaced: LineRange
  /// Whole lines.
  var text: [UInt8]
  /// When they were entered.
  var time = SystemClock.now
}

/// The lines of a command that was cut off while reading them.
struct EnteredText: Equatable, Sendable {
  /// The revision whose text they change.
  var base: Int
  /// The entered lines in order; consecutive lines are one element.
  var lines: [EnteredLines] = []

  /// Adds lines after all others.
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
