import Glibc
import TextBuffer

/// Keeps the history of the text on disk.
///
/// Failures do not stop editing: they become notices, and editing continues without storage.
struct HistoryKeeper {
  /// Where the history is stored.
  enum Location {
    /// The history is not stored.
    case none
    /// The text has no file name. For a person the history is stored with the first group, see
    /// `HistoryPlace.unnamed`; otherwise once the text has one.
    case unnamed
    /// The database is created with the first group.
    case new(HistoryPlace)
    /// The database is open, or has been closed by `suspend`. In a script it is open from the beginning,
    /// even if nothing is stored yet, so that other scripts wait for this one.
    case open(HistoryStore)
  }

  /// What is known of the content of the database.
  struct Stored {
    /// The number of revisions.
    var count = 0
    /// The number of revisions that earlier runs have made.
    var earlierCount = 0
    /// The run that was cut off while it read the lines of the last of them; nil if none was.
    var recoveredRun: Int?
    /// The current and the last saved revision.
    var position: (current: Int, saved: Int?) = (0, 0)
    /// Whether an open manual group is stored as if it had ended.
    var hasOpenGroup = false
    /// Whether there are lines of a command of this run that still read when they were stored.
    var hasEntered = false
  }

  /// Whether histories are kept.
  let isOn: Bool
  /// Whether the user has asked for it, which includes private files.
  let isAskedFor: Bool
  /// Whether nothing may be written whose history can't be kept.
  let isRequired: Bool
  /// Whether an existing history is only read, in a run that writes nothing.
  let isReadOnly: Bool
  /// How long this run waits for a history that another one has open.
  let patience: Patience
  /// The index of all histories, which has the tag of this run.
  let index: HistoryIndex
  var location = Location.none
  var stored = Stored()
  /// Notices not yet shown.
  var notices: [HistoryNotice] = []
  /// The revisions that are new or have changed since the last write.
  var unstored: Set<Int> = []
  /// The revisions with the lines of a command that was cut off, and those that have changed by that. They
  /// are stored with the next group, since until then the lines are.
  var recovered: Set<Int> = []
  /// The lines entered into the command that reads now which are not stored yet.
  var entered: [EnteredLines] = []
  /// All lines entered into it, to be stored again if the database is lost, or made a group if it is cut off.
  var allEntered: [EnteredLines] = []
  /// The revisions that a text without a name has got from an earlier run, until the run goes to one of
  /// them.
  var offered: [Int] = []
  /// The history of a text without a name which has got one; it is deleted once the history is stored under
  /// that.
  var unnamedStore: HistoryStore?
  /// Whether the text keeps its history as one without a name although it has got one.
  var staysUnnamed = false
  /// Reads the stored revisions of earlier runs.
  var reader: RevisionReader?
  /// The content hashes of texts that this run has saved.
  var hashes: [Int: ContentHash] = [:]
  /// The revisions whose save failed: unlike saved ones, they may have got further changes since they were hashed.
  var failedSaves: Set<Int> = []
  /// The revision that this run has made of the text by dropping carriage returns when it was read, or by showing or
  /// hiding those of its file.
  var unchangedRevision: Int?
  /// Whether the run has written the text, or is about to.
  var hasWrites = false
  /// Whether the history is deleted when the run commits.
  var forgetsAtEnd = false
  /// The save that is staged.
  var stagedSave: StagedSave?
  /// The file that was opened; nil once the index knows it.
  var opened: FileStamp?
  /// The revision at which this run began.
  var start = 0
  /// What this run does to the file itself, once it writes.
  var effect: RunEffect = []
  /// The border at which the last undo stopped.
  private(set) var reportedBorder: Int?
  /// Why the history is not stored, or why the last write to it failed, both of which a notice has said; nil if neither.
  var failure: HistoryError?

  /// The place of the history; nil if it has none, or none yet.
  var place: HistoryPlace? {
    switch location {
    case .none, .unnamed: nil
    case .new(let place): place
    case .open(let store): store.place
    }
  }

  /// Whether the history is stored, now or later.
  var isKept: Bool { if case .none = location { false } else { true } }

  /// Whether there is a place on disk for what belongs to the text: it is not that of a private file or, without
  /// a name, in a private folder.
  var keepsSomewhere: Bool {
    if case .unnamed = location { return !HistoryPlace.unnamed(isAskedFor: isAskedFor).isEmpty }
    return isKept
  }

  /// Whether the history is not stored because another run has it open.
  var isInUse: Bool { failure == .inUse }

  /// Why the text must not be written; nil if it may.
  var obstacle: EditorError? {
    guard isRequired, !isReadOnly, failure != nil || !isKept else { return nil }
    return .historyNotKept(failure)
  }

  /// Notes that the text is about to be written.
  ///
  /// - Throws: ``obstacle``.
  mutating func beginWrite() throws(EditorError) {
    hasWrites = true
    if let obstacle { throw obstacle }
  }

  /// Whether the history is written to disk, now or later.
  var isStored: Bool { isKept && !isReadOnly }

  /// Whether there is a database that has anything stored.
  var isOnDisk: Bool {
    if case .open(let store) = location { stored.count > 0 || !store.isEmpty } else { false }
  }

  /// Whether the run makes or removes the file, and the history does not say so yet.
  var hasUnstoredEffect: Bool {
    guard hasWrites, !effect.isEmpty else { return false }
    if case .open(let store) = location { return !store.hasRun }
    return true
  }

  /// Removes and returns the notices not yet shown.
  mutating func takeNotices() -> [HistoryNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: - Beginning and ending

  /// Resets all state but the notices; nothing is stored until `open`.
  mutating func startOver() {
    // A copy of the text before may have it open still.
    if case .open(let store) = location { store.close() }
    self = HistoryKeeper(
      isOn: isOn, isAskedFor: isAskedFor, isRequired: isRequired, isReadOnly: isReadOnly,
      patience: patience, index: index, notices: notices)
  }

  /// Stops storing the history.
  mutating func stop() {
    location = .none
    unstored = []
  }

  /// Stops storing the history, with a notice.
  mutating func stop(because error: HistoryError) {
    notices.append(.trouble(error))
    failure = error
    stop()
  }

  /// Whether another file can be edited with a history of its own: the current history is stored, or the
  /// text is saved.
  mutating func canLeave(_ text: EditedText) -> Bool {
    switch location {
    case .new, .open: if unstored.isEmpty { return true }
    case .none, .unnamed: break
    }
    if !text.document.isModified { return true }
    if case .unnamed = location { stop(because: .textWithoutName) }
    return false
  }

  /// Deletes the history on disk.
  mutating func forget() throws(EditorError) {
    guard isOnDisk, case .open(let store) = location else { throw .noHistoryOnDisk }
    // No other run can have it open, since this one does.
    do throws(SystemError) {
      try store.forgetAll()
    } catch {
      throw .historyNotDeleted(error.code)
    }
    startOver()
    notices.append(.forgotten)
  }

  /// Deletes the history on disk at the end of a run that has been suspended meanwhile; a failure becomes a
  /// notice.
  mutating func forgetNow() {
    guard resume() == .unchanged, case .open(let store) = location else { return }
    do throws(SystemError) {
      try store.forgetAll()
      startOver()
      notices.append(.forgotten)
    } catch {
      stop(because: .folder(store.place.folder, code: error.code))
    }
  }

  // MARK: - Borders between runs

  /// Whether a run began at a revision, where undo stops once.
  private func isBorder(_ id: Int) -> Bool {
    id != 0 && (id == start || reader?.isStart(id) ?? false)
  }

  /// Cuts the path of an undo where it would leave a run. An undo that begins at the border where the
  /// last one stopped crosses it.
  ///
  /// - Parameter ids: The revisions on the path, the current one first.
  /// - Returns: The path, or its part up to the first border.
  /// - Throws: `sessionBegins` if the path begins at any other border.
  mutating func pathWithinRun(_ ids: [Int]) throws(EditorError) -> [Int] {
    let mayCross = reportedBorder == ids[0]
    reportedBorder = nil
    guard
      let stop = ids.indices.dropLast().first(where: {
        isBorder(ids[$0]) && !($0 == 0 && mayCross)
      })
    else { return ids }
    reportedBorder = ids[stop]
    if stop == 0 { throw .sessionBegins }
    return Array(ids[...stop])
  }
}
