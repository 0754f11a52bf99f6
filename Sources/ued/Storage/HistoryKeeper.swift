import Glibc
import TextBuffer

/// Keeps the history of the text on disk. Failures do not stop editing: they become notices, and
/// editing continues without storage.
struct HistoryKeeper {
  /// Whether and how a run keeps histories.
  struct Policy {
    var isOn: Bool
    /// Whether the user has asked for it, which includes private files.
    var isAskedFor: Bool
    /// Whether nothing may be written whose history can't be kept.
    var isRequired: Bool
    /// Whether an existing history is only read, in a run that writes nothing.
    var isReadOnly: Bool
    /// Whether changes by other programs become a group of this run.
    var recordsOthers = false
    /// Whether the run goes on after a failure, and tries again: a person's, or a dialogue.
    var retries = false
    /// Whether a person enters the commands.
    var isForPerson: Bool
    /// Whether an opened history stays open until the run stores its groups or releases it.
    var staysOpen = false
    /// The index of all histories, which has the tag of this run.
    var index: HistoryIndex
  }

  /// Where the history is.
  enum State {
    /// It is not stored.
    case off
    /// Nothing is stored yet; the first group creates the database. Without a place, the text has
    /// no file name: a person's history then goes to one of `HistoryPlace.unnamed`, a script's
    /// waits for a name. `after` is the old history of a text named later, deleted once this one is
    /// stored.
    case waiting(HistoryPlace?, after: HistoryStore? = nil)
    /// There is a database, which is open, or has been closed by `suspend`.
    case open(HistorySession)
  }

  /// This run, as far as the history has to know it.
  struct OwnRun {
    /// The revision at which it began.
    var start = 0
    /// The revision with the text of the file as it was read.
    var unchanged = 0
    /// The position after opening: with no other changes than those, nothing needs to be stored.
    var settled = HistorySession.Position()
    /// The effect of the run on the file itself, once it writes.
    var effect: RunEffect = []
    /// Whether the run has written the text, or is about to.
    var hasWrites = false
    /// Whether the history is deleted when the run commits.
    var forgetsAtEnd = false
    /// Whether a text that has got a name keeps its history as one without a name.
    var staysUnnamed = false
    /// The content hashes of texts that it has saved, or that it found in the file.
    var hashes: [Int: ContentHash] = [:]
    /// The opened file; nil once the index knows it.
    var opened: FileStamp?
  }

  /// The stored revisions of earlier runs.
  struct Earlier {
    let reader: RevisionReader
    /// The revisions made of the lines of cut-off commands, with the runs that entered the lines.
    var recovered: [Int: Int] = [:]
    /// The number of all these revisions.
    var count: Int { reader.count + recovered.count }
  }

  let policy: Policy
  var state = State.off
  var own = OwnRun()
  var earlier: Earlier?
  /// Notices not yet shown.
  var notices: [HistoryNotice] = []
  /// All lines entered into the command that reads now.
  var entered: [EnteredLines] = []
  /// A save that the history has, but not yet the file.
  var preparedSave: PreparedSave?
  /// The reason why the history is not stored, or why its last write failed; a notice has reported
  /// it.
  var failure: StorageError?

  init(_ policy: Policy) { self.policy = policy }

  /// The database in use; nil without one.
  var session: HistorySession? { if case .open(let session) = state { session } else { nil } }

  /// The place of the history; nil if it has none, or none yet.
  var place: HistoryPlace? {
    switch state {
    case .off: nil
    case .waiting(let place, _): place
    case .open(let session): session.store.place
    }
  }

  var isOpen: Bool { session?.store.isOpen ?? false }

  /// Whether the history is stored, now or later.
  var isKept: Bool { if case .off = state { false } else { true } }

  /// Whether data of the text may be stored on disk: neither the file nor, for a text without a
  /// name, the folder is private.
  var keepsSomewhere: Bool {
    if case .waiting(nil, _) = state {
      return !HistoryPlace.unnamed(isAskedFor: policy.isAskedFor).isEmpty
    }
    return isKept
  }

  /// Whether the history is not stored because another run has it locked.
  var isInUse: Bool { failure == .inUse }

  /// Why the text must not be written; nil if it may.
  var obstacle: EditorError? {
    guard policy.isRequired, !policy.isReadOnly, failure != nil || !isKept else { return nil }
    return .historyNotKept(failure)
  }

  /// Notes that the text is about to be written; throws ``obstacle``.
  mutating func beginWrite() throws(EditorError) {
    own.hasWrites = true
    if let obstacle { throw obstacle }
  }

  /// Whether the history is written to disk, now or later.
  var isStored: Bool { isKept && !policy.isReadOnly }

  /// Whether there is a database that has anything stored.
  var isOnDisk: Bool { session.map { $0.store.count > 0 || !$0.store.isEmpty } ?? false }

  /// Whether the run makes or removes the file, and the history does not say so yet.
  var hasUnstoredEffect: Bool {
    own.hasWrites && !own.effect.isEmpty && session?.store.hasRun != true
  }

  mutating func takeNotices() -> [HistoryNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: - Beginning and ending

  /// Resets all state but the notices; nothing is stored until `open`.
  mutating func startOver() {
    // A copy of the previous text may still have the database open.
    session?.store.close()
    let notices = notices
    self = HistoryKeeper(policy)
    self.notices = notices
  }

  /// Starts over with the notices, and returns a keeper of the history so far, which stays open.
  mutating func handOver() -> HistoryKeeper {
    var (left, new) = (self, HistoryKeeper(policy))
    (left.notices, new.notices) = ([], notices)
    self = new
    return left
  }

  /// Stops storing the history. Emptying the log takes three syncs.
  mutating func stop(emptiesLog: Bool = true) {
    session?.store.staysOpen = false
    if emptiesLog { session?.store.finish() } else { session?.store.close(isBrief: true) }
    state = .off
  }

  /// Stops storing the history, with a notice.
  mutating func stop(because error: StorageError) {
    note(error)
    stop()
  }

  /// Stops storing the history, with a notice, unless a person can go on and the cause may pass:
  /// then the next write tries again.
  mutating func fail(_ error: StorageError) {
    note(error)
    if !(error.isTransient || policy.retries && error.mayPass) { stop() }
  }

  private mutating func note(_ error: StorageError) {
    var error = error
    // SQLite reports a lost race for a lock and a file system without locks alike.
    if error == .inUse, let folder = PrivateFolder.state, !FileLock.works(in: folder) {
      error = .noLocks
    }
    if failure != error { notices.append(.trouble(error)) }
    failure = error
  }

  /// Repeats `body` while other runs have the history locked, up to two seconds; only shortly if
  /// that was in vain before.
  func waiting<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try body()
    } catch {
      if error != .inUse { throw error }
    }
    // The other run may wait for the index.
    policy.index.endGathering()
    return try (failure == .inUse ? Patience.brief : .long).wait(body)
  }

  /// Whether another file can get its own history: the present one is stored, or the text saved.
  mutating func canLeave(_ text: EditedText) -> Bool {
    if place != nil && text.document.changeCount == 0 || !text.document.isModified { return true }
    if case .waiting(nil, _) = state { stop(because: .textWithoutName) }
    return false
  }

  /// Throws `historyShared` while other processes use the history, which then can't be deleted.
  func refuseToForget() throws(EditorError) {
    guard isOnDisk, let store = session?.store else { throw .noHistoryOnDisk }
    var others: [String] = policy.index.isShared(store.place) ? ["another ued"] : []
    _ = try? waiting { () throws(StorageError) in
      try store.open()
      var named: [String] = []
      _ = try store.unfinishedRuns {
        named.append("run \($0.tag.shownName), since \(SystemClock.text($0.tag.time, "%H:%M")),")
      }
      if !named.isEmpty { others = named }
    }
    if !others.isEmpty { throw .historyShared(others) }
  }

  mutating func forget() throws(EditorError) {
    guard let store = session?.store else { throw .noHistoryOnDisk }
    do throws(SystemError) {
      try store.forgetAll()
    } catch {
      throw .historyNotDeleted(error.code)
    }
    startOver()
    notices.append(.forgotten)
  }

  /// Deletes the history on disk at the end of a run that has suspended it; a failure becomes a
  /// notice.
  mutating func forgetNow(_ text: inout EditedText) {
    guard resume(&text) == .unchanged, let store = session?.store else { return }
    do throws(SystemError) {
      try store.forgetAll()
      startOver()
      notices.append(.forgotten)
    } catch {
      stop(because: .folder(store.place.folder, code: error.code))
    }
  }
}

// MARK: - Runs

/// Runs and the groups that they made.
extension HistoryKeeper {
  /// The number of this run.
  var currentRun: Int { session?.store.run ?? (earlier?.reader.runs.last?.number ?? 0) + 1 }

  /// The number of the earlier run that made a revision; nil if this run made it.
  func earlierRun(of id: Int) -> Int? {
    if let run = session?.adopted[id] ?? earlier?.recovered[id] { return run }
    guard let earlier, id < earlier.reader.count else { return nil }
    return earlier.reader.run(of: id)
  }

  func isStart(_ id: Int) -> Bool { id == own.start || earlier?.reader.isStart(id) ?? false }

  /// All runs, in order.
  var runs: [StoredRun] {
    var runs = session?.runs ?? earlier?.reader.runs ?? []
    let current = currentRun
    if !runs.contains(where: { $0.number == current }) {
      runs.append(StoredRun(number: current, tag: policy.index.run))
    }
    return runs
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

  /// The stored revision whose text has a content hash, and which the text has; nil without one.
  func revision(with hash: ContentHash, in text: EditedText) -> Int? {
    let found = try? waiting { () throws(StorageError) in
      try session?.store.open()
      return try session?.store.revision(with: hash)
    }
    return found.flatMap { $0 }.flatMap { text.isRevision($0) ? $0 : nil }
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
  /// The groups in order that may match a pattern, as far as rows of earlier runs can tell,
  /// including some no longer in the tree; nil if all groups must be checked. The text stays the
  /// same.
  func candidates(for pattern: Pattern, in text: EditedText) -> [Int]? {
    // Only a stored history knows its changes since the last write.
    guard isStored, session != nil, let reader = earlier?.reader,
      let rows = reader.candidates(for: pattern, isBinary: text.isBinary)
    else { return nil }
    let count = text.history.revisions.count
    let others = Set(text.document.changedRevisions).union(reader.count..<max(count, reader.count))
    return others.union(rows).filter { $0 < count }.sorted()
  }
}

// MARK: - Suspending

/// Releasing a history to other runs for a while.
extension HistoryKeeper {
  /// The result of resuming a suspended history.
  enum Resumption: Equatable, Sendable {
    /// The history is open, and the text has all of its revisions; or no history is kept.
    case unchanged
    /// The open group has to end first.
    case later
    /// Another process has replaced the history. Nothing more is stored. The run can report that,
    /// or start over with `open`.
    case changed
    /// The history can't be used, as a notice says. Nothing more is stored; editing can go on.
    case notKept
  }

  /// Closes the database, so that this run holds no lock and no descriptor; briefly if it soon
  /// opens it again. The state stays in memory; a database without content is deleted. Does nothing
  /// without an open database.
  mutating func suspend(isBrief: Bool = false) {
    guard let session else { return }
    let isEmpty = session.store.isEmpty
    session.store.close(isBrief: isBrief)
    if isEmpty { state = .waiting(session.store.place, after: session.replaced) }
  }

  /// Opens a suspended history again, waits until other runs release it, and adds what they have
  /// stored to the text. Does nothing if the history is open or not kept.
  mutating func resume(_ text: inout EditedText) -> Resumption {
    do throws(StorageError) {
      switch state {
      case .off: return .unchanged
      case .waiting(let place, let old):
        guard let place, place.exists, let store = try openStore(at: place) else {
          return .unchanged
        }
        state = .open(HistorySession(store, replacing: old))
      case .open(let session):
        try waiting { () throws(StorageError) in try session.store.open() }
      }
      return try readNews(for: &text) ? .unchanged : .later
    } catch {
      if error == .changedMeanwhile {
        stop()
        return .changed
      }
      fail(error)
      return .notKept
    }
  }

  /// Adds to the text the groups that other runs have stored since this one suspended the history.
  /// With `keepsLock`, it stays locked until the next `record`, so that numbers of new groups are
  /// final.
  mutating func refresh(_ text: inout EditedText, keepsLock: Bool) {
    guard isStored else { return }
    switch state {
    case .off, .waiting(nil, _): return
    case .waiting(let place?, _): if !place.exists { return }
    case .open(let session):
      // `record` stores all of it again.
      if policy.retries && !session.store.place.exists { return }
      if !keepsLock && (session.store.isOpen || !session.store.isWritten) { return }
    }
    if resume(&text) == .changed { stop(because: .changedMeanwhile) }
    // Other processes may go on from the last group, so the next command begins another one.
    if let place, policy.index.isShared(place), !text.document.isInTransaction {
      text.document.closeGroup()
    }
    if !keepsLock { suspend(isBrief: true) }
  }
}

// MARK: - Texts without a name

/// Histories of texts without a name, at a terminal. Each session has its own history, and deletes
/// it when a command ends the session. The next session without a file name in the same folder
/// opens a history left by a kill. Its text is empty until `redo`.
extension HistoryKeeper {
  /// Opens the first unnamed history with unsaved groups that no other session has open.
  mutating func openUnnamed(_ text: inout EditedText) {
    guard policy.isForPerson, !policy.isReadOnly, text.buffer.isEmpty else { return }
    for place in HistoryPlace.unnamed(isAskedFor: policy.isAskedFor) where place.exists {
      do throws(StorageError) {
        let store = try HistoryStore(opening: place, index: policy.index)
        guard let found = try store.load() else { continue }
        // Another session is there.
        if !found.others.isEmpty || policy.index.isShared(place) { continue }
        let isLeft = found.unfinished.contains {
          $0.entered != nil || ![nil, 0, found.saved].contains($0.current)
        }
        if !isLeft {
          try? store.discard()
          continue
        }
        return try adopt(found, of: store, in: &text, isMissing: false)
      } catch {
        // Another session has it, or a newer ued.
        if error.isDamage { giveUp(place, because: error) }
      }
    }
  }

  /// Creates the database for a text without a name; nil if no history is kept.
  func makeUnnamedStore() throws(StorageError) -> HistoryStore? {
    guard policy.isForPerson else { return nil }
    let places = HistoryPlace.unnamed(isAskedFor: policy.isAskedFor)
    for place in places where !place.exists {
      do throws(StorageError) {
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
  /// there. If the file has a history, it belongs to another text. A person's text then keeps its
  /// history as one without a name.
  mutating func locateNamed(_ fileName: [UInt8], of text: EditedText) {
    if fileName.isEmpty || own.staysUnnamed { return }
    switch state {
    case .waiting(nil, _) where !policy.isForPerson:
      state = place(of: fileName, for: text, isNamedLater: true).map { .waiting($0) } ?? .off
    case .waiting(nil, _): move(to: fileName, from: nil, text)
    case .open(let session) where session.store.place.isUnnamed:
      move(to: fileName, from: session.store, text)
    default: return
    }
  }

  private mutating func move(
    to fileName: [UInt8], from store: HistoryStore?, _ text: EditedText
  ) {
    if let found = HistoryPlace(of: fileName), found.exists {
      own.staysUnnamed = true
      notices.append(.staysUnnamed)
      return
    }
    guard let place = place(of: fileName, for: text, isNamedLater: true) else {
      // The history of a file that is private must not stay on disk.
      stop()
      try? store?.discard()
      return
    }
    state = .waiting(place, after: store)
    earlier = nil
  }

  /// Leaves the history of an earlier session as it was, for the next start, once the user enters
  /// another text instead. The new text gets a history of its own.
  mutating func leaveOffer(of text: EditedText) {
    guard let session, let last = session.offered.last,
      !session.offered.contains(text.history.current), session.store.place.isUnnamed
    else { return }
    text.readHistory()
    cutToOffer(session, last)
    session.store.close()
    state = .waiting(nil)
    earlier = nil
  }

  /// Deletes the unnamed history that the user gives up. An earlier session's history is left,
  /// unless the user has moved to one of its revisions.
  mutating func giveUpUnnamed() {
    if case .waiting(_, let old) = state { try? old?.discard() }
    session?.deleteReplaced()
    guard let session, session.store.place.isUnnamed else { return }
    if let last = session.offered.last {
      cutToOffer(session, last)
    } else {
      try? session.store.discard()
    }
    stop()
  }

  private func cutToOffer(_ session: HistorySession, _ last: Int) {
    guard session.store.hasRun, (try? waiting(session.store.open)) != nil else { return }
    try? session.store.cut(to: last + 1, by: earlierRun(of: last) ?? 0)
  }
}

/// A history in use: its database, and how much of the document it has.
final class HistorySession {
  /// The present and the saved revision of a document, and the number of its changes since it was
  /// stored.
  struct Position: Equatable {
    var current: Int
    var saved: Int?
    var changeCount = 0

    init(current: Int = 0, saved: Int? = nil) { (self.current, self.saved) = (current, saved) }

    init(of text: EditedText) {
      (current, saved) = (text.history.current, text.history.saved)
      changeCount = text.document.changeCount
    }
  }

  struct Stored {
    var count = 0
    /// The current and the last saved revision.
    var position = Position()
    /// The revision that this run has saved last, with an open group; that of any run at first.
    var saved: Int?
    /// Whether an open manual group is stored as if it had ended.
    var hasOpenGroup = false
    /// The number of `HistoryKeeper.entered` that are stored.
    var enteredCount = 0
  }

  let store: HistoryStore
  var stored = Stored()
  /// The runs that made the revisions that other runs have stored since this one began, by revision.
  var adopted: [Int: Int] = [:]
  /// Runs that are over, and are settled by the next write; see `UnfinishedRun`.
  var finished: [Int] = []
  /// The revisions that an unnamed text offers from an earlier run, until this run moves to one.
  var offered: [Int] = []
  /// The old history of a text that has got a name; deleted once this one is stored.
  private(set) var replaced: HistoryStore?

  /// A history that this process uses from now on, as others can see. Its database is open. `old`
  /// is the old history of a text named later.
  init(_ store: HistoryStore, replacing old: HistoryStore? = nil) {
    (self.store, replaced) = (store, old)
    store.index.share(store.place)
  }

  deinit { store.index.leave(store.place) }

  /// All runs that have stored anything; nil if they can't be read.
  var runs: [StoredRun]? {
    try? Patience.long.wait { () throws(StorageError) in
      try store.open()
      return store.isEmpty ? [] : try store.runs()
    }
  }

  /// Deletes the history that the text had before it got its name.
  func deleteReplaced() {
    try? replaced?.discard()
    replaced = nil
  }
}

/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(StorageError)
  /// No history of the file is kept, since its content should not linger.
  case notKept(PrivateFiles.Kind)
  /// The history has groups after the content of the file, or groups of a text without a name.
  /// `cutOff` names the last group if its lines were still being entered.
  case unsaved(groups: Int, cutOff: String? = nil, isUnnamed: Bool = false)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued, by this group; `unsaved` is a revision not saved before.
  case changedOutside(Int, unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The file was renamed and keeps its history.
  case renamed(from: [UInt8])
  /// The save overwrote text by another program; this revision has that text.
  case overwrote(Int)
  /// Another session, which began at this time, is editing the file, too.
  case isShared(since: Double)
  /// A text without a name got the name of a file with a history.
  case staysUnnamed
  case keptAgain
  /// Groups of this run that were not stored have new numbers, since the history on disk has others.
  case renumbered(Int, now: Int)
  case forgotten
}
