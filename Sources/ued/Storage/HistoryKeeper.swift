import Glibc
import TextBuffer

/// Keeps the history of the text on disk.
///
/// Failures do not stop editing: they become notices, and editing continues without storage.
struct HistoryKeeper {
  /// The storage of the history.
  enum Location {
    /// The history is not stored.
    case none
    /// The text has no file name. A person's history is stored with the first group, see
    /// `HistoryPlace.unnamed`; a script's once the text has a name.
    case unnamed
    /// The database is created with the first group.
    case new(HistoryPlace)
    /// The database is open, or has been closed by `suspend`. In a script it is open from the beginning,
    /// even if nothing is stored yet, so that other scripts wait for this one.
    case open(HistoryStore)
  }

  /// The known content of the database.
  struct Stored {
    /// The number of revisions.
    var count = 0
    /// The number of revisions that earlier runs have made.
    var earlierCount = 0
    /// The run that was cut off while it read the lines of the last revision; nil without one.
    var recoveredRun: Int?
    /// The current and the last saved revision.
    var position: (current: Int, saved: Int?) = (0, 0)
    /// Whether an open manual group is stored as if it had ended.
    var hasOpenGroup = false
    /// Whether lines are stored that a command of this run was still reading.
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
  /// Whether changes by other programs become a group of this run.
  var recordsOthers = false
  /// The waiting time for a history that another run has open.
  let patience: Patience
  /// The index of all histories, which has the tag of this run.
  let index: HistoryIndex
  var location = Location.none
  var stored = Stored()
  /// Notices not yet shown.
  var notices: [HistoryNotice] = []
  /// The revisions that are new or have changed since the last write.
  var unstored: Set<Int> = []
  /// The revisions with the lines of a cut-off command, and the revisions changed by them. The next
  /// group stores them; until then the lines stay stored.
  var recovered: Set<Int> = []
  /// The lines entered into the command that reads now and not stored yet.
  var entered: [EnteredLines] = []
  /// All lines entered into that command, for a lost database or a cut-off command.
  var allEntered: [EnteredLines] = []
  /// The revisions of an earlier run that a text without a name offers, until this run moves to one
  /// of them.
  var offered: [Int] = []
  /// The old history of a text that has got a name; deleted once the history is stored under that
  /// name.
  var unnamedStore: HistoryStore?
  /// Whether a text that has got a name keeps its history as one without a name.
  var staysUnnamed = false
  /// Reads the stored revisions of earlier runs.
  var reader: RevisionReader?
  /// The content hashes of texts that this run has saved.
  var hashes: [Int: ContentHash] = [:]
  /// The revisions whose save failed. Unlike saved ones, they may have changed since they were
  /// hashed.
  var failedSaves: Set<Int> = []
  /// The revision that this run made by dropping carriage returns when it read the text.
  var unchangedRevision: Int?
  /// Whether the run has written the text, or is about to.
  var hasWrites = false
  /// Whether the history is deleted when the run commits.
  var forgetsAtEnd = false
  /// A save that the history has, but not yet the file.
  var preparedSave: PreparedSave?
  /// The opened file; nil once the index knows it.
  var opened: FileStamp?
  /// The revision at which this run began.
  var start = 0
  /// The effect of this run on the file itself, once it writes.
  var effect: RunEffect = []
  /// The border at which the last undo stopped.
  private(set) var reportedBorder: Int?
  /// The reason why the history is not stored, or why its last write failed. A notice has reported
  /// it.
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

  /// Whether data of the text may be stored on disk: the file is not private, and a text without a
  /// name is not in a private folder.
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
    // A copy of the previous text may still have the database open.
    if case .open(let store) = location { store.close() }
    self = HistoryKeeper(
      isOn: isOn, isAskedFor: isAskedFor, isRequired: isRequired, isReadOnly: isReadOnly,
      recordsOthers: recordsOthers, patience: patience, index: index, notices: notices)
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

  /// Deletes the history on disk at the end of a run that has suspended it. A failure becomes a
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

// MARK: - Runs

/// Runs and the groups that they made.
extension HistoryKeeper {
  /// The number of this run.
  var currentRun: Int {
    if case .open(let store) = location { return store.run }
    return (reader?.runs.last?.number ?? 0) + 1
  }

  /// The number of the earlier run that made a revision; nil if this run made it.
  func earlierRun(of id: Int) -> Int? {
    guard id < stored.earlierCount, let reader else { return nil }
    return id < reader.count ? reader.run(of: id) : stored.recoveredRun
  }

  /// All runs, this one last.
  var runs: [StoredRun] {
    let current = currentRun
    return (reader?.runs ?? []).filter { $0.number < current }
      + [StoredRun(number: current, tag: index.run)]
  }

  /// The names of the runs that have one, by number.
  var runNames: [Int: String] {
    var names: [Int: String] = [:]
    for run in runs { names[run.number] = run.tag.name }
    return names
  }

  /// The number of the run that made a group; nil for the first revision and for changes outside
  /// ued.
  func run(of id: Int, in document: Document<EditorContext>) -> Int? {
    if id == 0 || document.description(of: id) == GroupNames.changedOutside { return nil }
    return earlierRun(of: id) ?? currentRun
  }

  /// The groups of some runs, in order.
  func groups(of runs: Set<Int>, in document: Document<EditorContext>) -> [Int] {
    document.history.revisions.indices.filter { id in
      !document.history[id].isDropped
        && run(of: id, in: document).map { runs.contains($0) } ?? false
    }
  }

  /// The numbers of all runs with the same name as a run. They count as one run.
  func runs(with number: Int) -> Set<Int> {
    let all = runs
    guard let name = all.first(where: { $0.number == number })?.tag.name else { return [number] }
    return Set(all.filter { $0.tag.name == name }.map(\.number))
  }

  /// The numbers of the runs with a name or an identity, or else of the run with a number.
  func runs(called name: String) -> Set<Int> {
    let all = runs
    let named = all.filter { $0.tag.name == name || $0.tag.identity == name }
    if !named.isEmpty { return Set(named.map(\.number)) }
    return Set(all.filter { String($0.number) == name }.map(\.number))
  }

  /// The title of some runs in a sentence: the name of the last one, or else its number.
  func title(ofRuns numbers: Set<Int>) -> String {
    let last = runs.last { numbers.contains($0.number) }
    return last?.tag.name ?? last.map { String($0.number) } ?? ""
  }
}

// MARK: - Searching

/// Searching the groups of the text.
extension HistoryKeeper {
  /// The groups that may match a pattern. Groups of earlier runs are left out if their rows rule it
  /// out.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - text: The text, which stays the same.
  /// - Returns: The groups in order, including some no longer in the tree; nil if all groups must
  ///   be checked.
  mutating func candidates(for pattern: Pattern, in text: inout EditedText) -> [Int]? {
    // Only a stored history knows its changes since the last write.
    guard isStored, case .open = location, let reader else { return nil }
    unstored.formUnion(text.document.takeChangedRevisions())
    guard let rows = reader.candidates(for: pattern, isBinary: text.isBinary) else { return nil }
    let count = text.history.revisions.count
    let others = unstored.union(recovered).union(reader.count..<max(count, reader.count))
    return others.union(rows).filter { $0 < count }.sorted()
  }
}

// MARK: - Suspending

/// Releasing a history to other runs for a while.
extension HistoryKeeper {
  /// The result of resuming a suspended history.
  enum Resumption: Equatable, Sendable {
    /// The history is open and unchanged, or no history is kept.
    case unchanged
    /// Another process has changed, created or deleted the history, so the state in memory is
    /// stale. Nothing more is stored. The run can report that, or start over with `open`.
    case changed
    /// The history can't be used, as a notice says. Nothing more is stored; editing can go on.
    case notKept
  }

  /// Closes the database, so that this run holds no lock and no descriptor. The state stays in
  /// memory; a database without content is deleted. Does nothing without an open database.
  mutating func suspend() {
    guard case .open(let store) = location else { return }
    let isEmpty = store.isEmpty
    store.close()
    if isEmpty { location = .new(store.place) }
  }

  /// Opens a suspended history again, and waits until other runs release it. Does nothing if the
  /// history is open or not kept.
  mutating func resume() -> Resumption {
    do throws(DatabaseError) {
      switch location {
      case .none, .unnamed: return .unchanged
      case .new(let place):
        guard patience == .long, let store = try openStore(at: place) else { return .unchanged }
        location = .open(store)
        if store.isEmpty { return .unchanged }
      case .open(let store):
        if store.isOpen { return .unchanged }
        let isSame = try patience.wait { () throws(DatabaseError) in
          store.place.exists ? try store.reopen() : false
        }
        if isSame { return .unchanged }
      }
      stop()
      return .changed
    } catch {
      stop(because: error.historyError)
      return .notKept
    }
  }
}

// MARK: - Texts without a name

/// Histories of texts without a name, at a terminal.
///
/// Each session has its own history, and deletes it when a command ends the session. The next
/// session without a file name in the same folder opens a history left by a kill. Its text is empty
/// until `redo`.
extension HistoryKeeper {
  /// Opens the first history of a text without a name that no other session has open and that has
  /// unsaved groups.
  mutating func openUnnamed(_ text: inout EditedText) {
    guard patience == .brief, !isReadOnly, text.buffer.isEmpty else { return }
    for place in HistoryPlace.unnamed(isAskedFor: isAskedFor) where place.exists {
      do throws(DatabaseError) {
        let store = try HistoryStore(opening: place, index: index)
        guard let found = try store.load() else { continue }
        if found.entered == nil && (found.current == 0 || found.current == found.saved) {
          try? store.discard()
          continue
        }
        try adopt(found, of: store, in: &text, isMissing: false)
        location = .open(store)
        return
      } catch {
        // Another session has it, or a newer ued.
        if error.isDamage { giveUp(place, because: error) }
      }
    }
  }

  /// Creates the database for a text without a name; nil if no history is kept.
  func makeUnnamedStore() throws(HistoryError) -> HistoryStore? {
    guard patience == .brief else { return nil }
    let places = HistoryPlace.unnamed(isAskedFor: isAskedFor)
    for place in places where !place.exists {
      do throws(HistoryError) {
        return try makeStore(place)
      } catch {
        // Another session may have taken it just now.
        if case .folder = error { throw error }
      }
    }
    if places.isEmpty { return nil }
    throw .tooManyUnnamed
  }

  /// Chooses the location once a text without a file name gets one, and moves the stored groups
  /// there.
  ///
  /// If the file has a history, it belongs to another text. A person's text then keeps its history
  /// as one without a name.
  mutating func locateNamed(_ fileName: [UInt8], of text: EditedText) {
    if fileName.isEmpty || staysUnnamed { return }
    switch location {
    case .unnamed where patience == .long:
      location =
        place(of: fileName, for: text, isNamedLater: true).map { .new($0) } ?? .none
    case .unnamed: move(to: fileName, from: nil, text)
    case .open(let store) where store.place.isUnnamed: move(to: fileName, from: store, text)
    default: return
    }
  }

  private mutating func move(
    to fileName: [UInt8], from store: HistoryStore?, _ text: EditedText
  ) {
    if let found = HistoryPlace(of: fileName), found.exists {
      staysUnnamed = true
      notices.append(.staysUnnamed)
      return
    }
    unnamedStore = store
    guard let place = place(of: fileName, for: text, isNamedLater: true) else {
      // The history of a file that is private must not stay on disk.
      stop()
      deleteUnnamed()
      return
    }
    location = .new(place)
    (stored, recovered, offered) = (Stored(), [], [])
    unstored = Set(text.history.revisions.indices)
  }

  /// Leaves the history of an earlier session as it was, for the next start, once the user enters
  /// another text instead. The new text gets a history of its own.
  mutating func leaveOffer(of text: EditedText) {
    guard let last = offered.last, !offered.contains(text.history.current),
      case .open(let store) = location, store.place.isUnnamed
    else { return }
    text.readHistory()
    if store.hasRun { try? store.cut(to: stored.earlierCount, current: last) }
    store.close()
    location = .unnamed
    (stored, recovered, offered) = (Stored(), [], [])
    unstored = Set(text.history.revisions.indices)
  }

  /// Deletes the history that a text had before it got its name.
  mutating func deleteUnnamed() {
    guard let store = unnamedStore else { return }
    unnamedStore = nil
    try? store.discard()
  }

  /// Deletes the history of a text without a name that the user gives up. The history of an earlier
  /// session is left as it was, unless the user has moved to one of its revisions.
  mutating func giveUpUnnamed() {
    deleteUnnamed()
    guard case .open(let store) = location, store.place.isUnnamed else { return }
    if let last = offered.last {
      if store.hasRun { try? store.cut(to: stored.earlierCount, current: last) }
    } else {
      try? store.discard()
    }
    stop()
  }
}

/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(HistoryError)
  /// No history of the file is kept, since its content should not linger.
  case notKept(PrivateFiles.Kind)
  /// The history has groups after the content of the file, or groups of a text without a name.
  /// `cutOff` names the last group if its lines were still being entered.
  case unsaved(groups: Int, cutOff: String? = nil, isUnnamed: Bool = false)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued, by the group with this number; `unsaved` is a revision that had
  /// not been saved.
  case changedOutside(Int, unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The file was renamed and keeps its history.
  case renamed(from: [UInt8])
  /// The save overwrote text by another program; this revision has that text.
  case overwrote(Int)
  /// A text without a name got the name of a file with a history.
  case staysUnnamed
  /// The history was deleted.
  case forgotten
}
