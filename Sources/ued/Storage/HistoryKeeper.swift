import Glibc
import TextBuffer

/// Keeps the history of the text on disk. Failures do not stop editing: they become notices, and
/// editing continues without storage.
struct HistoryKeeper {
  /// Whether and how a run keeps histories.
  struct Policy {
    var isOn: Bool
    /// Whether the user has asked for histories, which are then kept of private files, too.
    var isAskedFor: Bool
    /// Whether a text may be written only if its history is kept.
    var isRequired: Bool
    /// Whether the run writes nothing, and only reads an existing history.
    var isReadOnly: Bool
    /// Whether changes by other programs become a group of this run.
    var recordsOthers = false
    /// Whether the run goes on after a failure to store, and tries again, as a person's session or
    /// a dialogue does.
    var retries = false
    /// Whether a person enters the commands.
    var isForPerson: Bool
    /// Whether an opened history stays open until the run stores its groups or releases it.
    var staysOpen = false
    /// The index of all histories, which also has the tag of this run.
    var index: HistoryIndex
  }

  /// The state of storage.
  enum State {
    /// The history is not stored.
    case off
    /// The database does not exist yet; the first group creates it. Without a place, the text has
    /// no file name: a person's history then goes to one of `HistoryPlace.unnamed`, a script's
    /// waits for a name. If the text had an unnamed history before it got its name, `after` is that
    /// history, deleted once the new one is stored.
    case waiting(HistoryPlace?, after: HistoryStore? = nil)
    /// The database exists; the session has it open, or `suspend` has closed it.
    case open(HistorySession)
  }

  /// Facts about this run.
  struct OwnRun {
    /// The revision that was current when the run began.
    var start = 0
    /// The revision with the text of the file as it was read.
    var unchanged = 0
    /// The revision that `w` last wrote to the file, with the file's name.
    var written: (name: [UInt8], revision: Int)?
    /// The position after opening. While the text is still there and the run has written nothing,
    /// nothing needs to be stored.
    var settled = HistorySession.Position()
    /// The effect of the run on the file itself, once it writes.
    var effect: RunEffect = []
    /// Whether the run has written the text, or is about to.
    var hasWrites = false
    /// Whether the history is deleted when the run commits.
    var forgetsAtEnd = false
    /// Whether the history stays among the unnamed ones although the text now has a file name.
    var staysUnnamed = false
    /// The content hashes, by revision, of texts that the run has saved, or found in the file.
    var hashes: [Int: ContentHash] = [:]
    /// The opened file; nil once the index knows it.
    var opened: FileStamp?
  }

  /// The stored revisions of earlier runs.
  struct Earlier {
    let reader: RevisionReader
    /// For each revision made from the lines of a cut-off command: the run that entered the lines.
    var recovered: [Int: Int] = [:]
    /// The number of stored and recovered revisions.
    var count: Int { reader.count + recovered.count }
  }

  let policy: Policy
  var state = State.off
  var own = OwnRun()
  var earlier: Earlier?
  /// Notices not yet shown.
  var notices: [HistoryNotice] = []
  /// All lines entered so far into the command that is reading its text.
  var entered: [EnteredLines] = []
  /// A save that is in the history, but not yet in the file.
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

  /// Whether data of the text may be stored on disk. A private file, or a private working folder of
  /// a text without a name, forbids that unless the user has asked for a history.
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
    return .historyNotKept(failure, isRecording: policy.recordsOthers)
  }

  /// Notes that the text is about to be written; throws ``obstacle``.
  mutating func beginWrite() throws(EditorError) {
    own.hasWrites = true
    if let obstacle { throw obstacle }
  }

  /// Whether this run writes the history, now or later.
  var isStored: Bool { isKept && !policy.isReadOnly }

  /// Whether the database exists and has content.
  var isOnDisk: Bool { session.map { $0.store.count > 0 || !$0.store.isEmpty } ?? false }

  /// Whether the run creates or removes the file, and has not stored that yet.
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

  /// Starts over but keeps the notices. Returns a keeper with the history so far, which stays open.
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

  /// Adds a notice and stops storing the history. If the error is transient, or the run retries and
  /// the cause may pass, the next write tries again instead.
  mutating func fail(_ error: StorageError) {
    note(error)
    if !(error.isTransient || policy.retries && error.mayPass) { stop() }
  }

  private mutating func note(_ error: StorageError) {
    var error = error
    // SQLite reports a file system without locks as a locked database.
    if error == .inUse, let folder = PrivateFolder.state, !FileLock.works(in: folder) {
      error = .noLocks
    }
    if failure != error { notices.append(.trouble(error)) }
    failure = error
  }

  /// Repeats `body` while another run has the history locked: for up to 2 s, or for 0.1 s if the
  /// last wait ended with the history still locked.
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

  /// Whether the text can be left for another file: its history is stored, or the text is saved.
  /// If not, a text without a name loses its history, with a notice.
  mutating func canLeave(_ text: EditedText) -> Bool {
    if place != nil && text.document.changeCount == 0 || !text.document.isModified { return true }
    if case .waiting(nil, _) = state { stop(because: .textWithoutName) }
    return false
  }

  /// Throws `historyShared` if other processes use the history, since it can't be deleted then.
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

/// Runs, and the groups that each has made.
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

  /// The stored revision with a content hash; nil if the document has no such revision.
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

  /// The numbers of all runs that share the name of the given run; such runs count as one.
  func runs(with number: Int) -> Set<Int> {
    let all = runs
    guard let name = all.first(where: { $0.number == number })?.tag.name else { return [number] }
    return Set(all.filter { $0.tag.name == name }.map(\.number))
  }

  /// The numbers of the runs with `name` as their name or identity, or else as their number.
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
  /// The groups that may match a pattern, in order, including some no longer in the tree; nil if
  /// all groups must be checked. A scan of the stored rows rules out groups of earlier runs.
  func candidates(for pattern: Pattern, in text: EditedText) -> [Int]? {
    // Only a stored history tracks its changes since the last write.
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
    /// The history is open, but the text gets new revisions only after the open group has ended.
    case later
    /// Another process has replaced the history, so storing has stopped. The run can report that,
    /// or start over with `open`.
    case changed
    /// The history can't be used; a notice has the reason. Editing can go on.
    case notKept
  }

  /// Closes the database, so that this run holds no lock and no descriptor. With `isBrief`, the run
  /// will open it again soon. The state stays in memory; a database without content is deleted.
  mutating func suspend(isBrief: Bool = false) {
    guard let session else { return }
    let isEmpty = session.store.isEmpty
    session.store.close(isBrief: isBrief)
    if isEmpty { state = .waiting(session.store.place, after: session.replaced) }
  }

  /// Opens a suspended history again once other runs release it, and adds their new groups to the
  /// text.
  mutating func resume(_ text: inout EditedText) -> Resumption {
    do throws(StorageError) {
      switch state {
      case .off: return .unchanged
      case .waiting(let place, let old):
        guard let place, let store = try openStore(at: place) else { return .unchanged }
        state = .open(HistorySession(store, replacing: old))
      case .open(let session):
        try waiting { () throws(StorageError) in try session.store.open() }
      }
      guard try readNews(for: &text) else { return .later }
      try keepOpenGroup(of: &text)
      return .unchanged
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
  /// With `keepsLock`, the history stays locked until the next `record`, so that numbers of new
  /// groups are final.
  mutating func refresh(_ text: inout EditedText, keepsLock: Bool) {
    guard isStored else { return }
    var isWritten = false
    switch state {
    case .off, .waiting(nil, _): return
    case .waiting(let place?, _): if !place.exists { return }
    case .open(let session):
      // The database was deleted; `record` stores the whole history again.
      if policy.retries && !session.store.place.exists { return }
      isWritten = !session.store.isOpen && session.store.isWritten
      if !keepsLock && !isWritten { return }
    }
    if resume(&text) == .changed { stop(because: .changedMeanwhile) }
    // Others may have built on the last group, or named or saved it, so the next command must not
    // coalesce into it.
    if let place, isWritten || policy.index.isShared(place), !text.document.isInTransaction {
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
        // Another session uses it.
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
        // Without damage, another session uses the history, or a newer ued has made it.
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

  /// Chooses the place of the history when a text without a file name gets one, and moves the
  /// stored groups there. An existing history of the file belongs to another text: a person's text
  /// then keeps its unnamed history.
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
      // The history of a private file must not stay on disk.
      stop()
      try? store?.discard()
      return
    }
    state = .waiting(place, after: store)
    earlier = nil
  }

  /// Gives the text a history of its own when the user enters another text than the one offered
  /// from an earlier session. The earlier history stays as it was, for the next start.
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

  /// Deletes the unnamed history when the user abandons the text. An earlier session's history is
  /// left, unless the user has moved to one of its revisions.
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

/// A history in use: its database, and the part of the document stored in it.
final class HistorySession {
  /// The current and the saved revision of a document, and the number of changes not yet stored.
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
    /// The last saved revision in the database; an open group counts as a revision.
    var saved: Int?
    /// The revision that stores an open manual group as if it had ended. If it is `count`, the text
    /// does not have it, and it has its number only while no other process uses the history.
    var openGroup: Int?
    /// The number of stored elements of `HistoryKeeper.entered`.
    var enteredCount = 0
  }

  let store: HistoryStore
  var stored = Stored()
  /// For each revision that another run has stored since this one began: the number of that run.
  var adopted: [Int: Int] = [:]
  /// Ended runs that may have left unsaved work; the next write settles them. See `UnsettledRun`.
  var unsettled: [Int] = []
  /// The revisions of an earlier session that `redo` offers in an unnamed text; empty once this run
  /// moves to one of them.
  var offered: [Int] = []
  /// The history from before the text got its name; deleted once this one is stored.
  private(set) var replaced: HistoryStore?

  /// Begins to use a history, whose database is open, and announces that to other processes. `old`
  /// is the history from before the text got its name.
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

/// The origin of unsaved groups.
enum UnsavedOrigin: String, Sendable {
  case earlierSession = "from a previous session"
  /// The session has left their text, and opened the file again.
  case thisSession = "of this session"
  case unnamedText = "of a text without a name"
}

/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(StorageError)
  /// No history of the file is kept, since its content should not linger.
  case notKept(PrivateFiles.Kind)
  /// The history has groups after the content of the file, or groups of a text without a name.
  /// `cutOff` names the last group if its lines were still being entered.
  case unsaved(groups: Int, cutOff: String? = nil, UnsavedOrigin = .earlierSession)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued, by this group; `unsaved` has earlier unsaved changes.
  case changedOutside(Int, unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The file was renamed and keeps its history.
  case renamed(from: [UInt8])
  /// The save overwrote text by another program; this revision has that text.
  case overwrote(Int)
  /// Another session, begun at this time, is also editing the file.
  case isShared(since: Double)
  /// A text without a name got the name of a file with a history.
  case staysUnnamed
  case keptAgain
  /// Unstored groups of this run have new numbers, since other groups on disk have the old
  /// ones.
  case renumbered(Int, now: Int)
  case forgotten
}
