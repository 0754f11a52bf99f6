import TextBuffer

/// The stored revisions of a text, read and verified on demand.
///
/// SAFETY: a document is `Sendable`, so its source must be, too. Like the database, a reader stays
/// on the thread that opened it.
@safe final class RevisionReader: @unchecked Sendable {
  /// The number of revisions when the history was opened.
  let count: Int
  /// The first failure to read; it ends all reading.
  private(set) var failure: StorageError?
  /// Whether a signal that ends the program also ends reading. While a history is being opened,
  /// nothing is lost by that.
  var endsWithProgram = false

  private let store: HistoryStore
  private var maker: Change.Maker
  /// The facts about the revisions of each block read so far.
  private var blocks: [[Facts]]
  private var latestBlock: (ids: Range<Int>, revisions: [StoredRevision])?
  /// The last revision, with the rows of its block. Its run may extend it in the store, but this
  /// reader keeps the pinned version.
  private var last: (ids: Range<Int>, revisions: [StoredRevision], changes: ArraySlice<UInt8>)?
  /// The last changes read.
  private var latestChanges: (id: Int, bytes: ArraySlice<UInt8>)?
  /// A revision, and the length in bytes of its text.
  private var cursor: (id: Int, length: Int)
  private lazy var storedRuns = try? read { store throws(StorageError) in try store.runs() }

  private static let blockCount = 64

  /// Facts about a revision whose row has been read.
  private struct Facts {
    var parent: Int?
    var isDropped: Bool
    var run: Int
    var link: Int
    var hash: ContentHash?
    /// The growth in bytes from the parent's text to this one, if the changes have been read.
    var growth: Int?

    init(_ revision: StoredRevision, growth: Int? = nil) {
      (parent, isDropped) = (revision.record.parent, revision.record.isDropped)
      (run, link, hash) = (revision.run, revision.link, revision.hash)
      self.growth = growth
    }
  }

  /// A reader of the revisions of a store; `length` is the length in bytes of the text of revision
  /// `id`.
  init(
    _ store: HistoryStore, count: Int, for text: PieceTable = PieceTable(), at id: Int = 0,
    length: Int
  ) {
    (self.store, self.count) = (store, count)
    maker = Change.Maker(for: text)
    cursor = (id, length)
    blocks = Array(repeating: [], count: (count + Self.blockCount - 1) / Self.blockCount)
  }

  /// Reads and keeps the last revision, because its run may extend it later.
  func pinLast() throws(StorageError) {
    _ = try facts(count - 1)
    let changes = try bytes(of: count - 1)
    if let latestBlock { last = (latestBlock.ids, latestBlock.revisions, changes) }
  }

  // MARK: - For documents

  var source: RevisionSource<Change> {
    RevisionSource(count: count) { ids in
      try? self.block(ids).map(\.readableRecord)
    } steps: { id in
      try? self.changes(of: id)
    }
  }

  /// The contexts of revisions; nil if they can't be read.
  func contexts(_ ids: Range<Int>) -> [Document<EditorContext>.Frame]? {
    let frames = try? block(ids).compactMap {
      StoredContexts.frame(from: $0.context, title: $0.description)
    }
    return frames?.count == ids.count ? frames : nil
  }

  /// Whether the lines of a revision end with CR LF in the file, where its text has LF.
  func usesCRLF(_ id: Int) -> Bool { contexts(id..<id + 1)?.first?.after.usesCRLF ?? false }

  // MARK: - Revisions

  /// The run that has made a revision.
  func run(of id: Int) -> Int? { try? facts(id).run }

  /// The content hash of the text of a revision, if it is stored.
  func hash(of id: Int) -> ContentHash? { id < count ? try? facts(id).hash : nil }

  func isInTree(_ id: Int) throws(StorageError) -> Bool {
    try !facts(id).isDropped
  }

  /// The last revision in the tree whose text has a content hash.
  func revision(with hash: ContentHash) -> Int? {
    guard let id = try? read({ store throws(StorageError) in try store.revision(with: hash) })
    else { return nil }
    return self.hash(of: id) == hash ? id : nil
  }

  /// The stored group of a killed run that equals the one this session has recovered; nil if no
  /// session has stored it. `number` turns this session's numbers into stored ones.
  func group(
    of run: Int, like own: Revision, _ number: (Int) -> Int
  ) throws(StorageError) -> Int? {
    let (parent, time) = (own.parent.map(number), StoredTime(own.time).milliseconds)
    for id in ((parent ?? 0)..<count).reversed() {
      let row = try block(id..<id + 1)[0]
      if row.run == run, row.record.parent == parent, !row.record.isDropped,
        StoredTime(row.record.time).milliseconds == time
      {
        return id
      }
    }
    return nil
  }

  /// The groups below `count` that may match a pattern; nil if they can't be read. See
  /// `HistoryStore`.
  func candidates(for pattern: Pattern, isBinary: Bool) -> [Int]? {
    try? read { store throws(StorageError) in
      var facts: [Facts] = []
      return try store.candidates(for: pattern, isBinary: isBinary, below: count) {
        revision, changes in
        facts.append(Facts(revision, growth: StoredChanges.growth(changes)))
        if facts.count == Self.blockCount || revision.id + 1 == count {
          blocks[revision.id / Self.blockCount] = facts
          facts = []
        }
      }
    }
  }

  /// All runs; none if they can't be read.
  var runs: [StoredRun] { storedRuns ?? [] }

  func isStart(_ id: Int) -> Bool {
    let found = try? read { store throws(StorageError) in try store.isStart(id) }
    return id < count && found == true
  }

  /// The path from the first revision to another, without the first.
  private func path(to id: Int) throws(StorageError) -> [Int] {
    var path: [Int] = []
    var next = id
    while let parent = try facts(next).parent {
      path.append(next)
      next = parent
    }
    return path.reversed()
  }

  private func facts(_ id: Int) throws(StorageError) -> Facts {
    let number = id / Self.blockCount
    if !blocks[number].isEmpty { return blocks[number][id % Self.blockCount] }
    let start = number * Self.blockCount
    _ = try block(start..<min(start + Self.blockCount, count))
    return blocks[number][id % Self.blockCount]
  }

  /// Some revisions, without long changes.
  func block(_ ids: Range<Int>) throws(StorageError) -> [StoredRevision] {
    let number = ids.lowerBound / Self.blockCount
    let start = number * Self.blockCount
    let all = start..<min(start + Self.blockCount, count)
    let revisions: [StoredRevision]
    if let last, last.ids == all {
      revisions = last.revisions
    } else if let latestBlock, latestBlock.ids == all {
      revisions = latestBlock.revisions
    } else {
      revisions = try read { store throws(StorageError) in
        try store.revisions(all, of: self.count)
      }
      latestBlock = (all, revisions)
      if blocks[number].isEmpty { blocks[number] = revisions.map { Facts($0) } }
    }
    return Array(revisions[ids.lowerBound - start..<ids.upperBound - start])
  }

  // MARK: - Texts and changes

  /// Notes the length in bytes of a revision's text; the other lengths follow from it.
  func setLength(_ length: Int, of id: Int) { cursor = (id, length) }

  /// The text of a saved revision, made from the first one.
  ///
  /// - Throws: `damaged` if the result is not the saved text.
  func text(of id: Int, from first: PieceTable) throws(StorageError) -> PieceTable {
    var text = first
    maker = Change.Maker(for: text)
    for id in try path(to: id) {
      for change in try changes(of: id) { text.apply(change) }
    }
    guard ContentHash(of: text, usesCRLF: usesCRLF(id)) == hash(of: id) else {
      throw fail(.damaged)
    }
    return text
  }

  /// The changes of a revision; none for the first one, or for one that has left the tree unless
  /// `isDropped`.
  func changes(of id: Int, isDropped: Bool = false) throws(StorageError) -> [Change] {
    let facts = try facts(id)
    guard let parent = facts.parent, facts.isDropped == isDropped else { return [] }
    try goTo(parent)
    var length = cursor.length
    guard let changes = StoredChanges.changes(try bytes(of: id), length: &length, by: &maker)
    else { throw fail(.damaged) }
    setGrowth(length - cursor.length, of: id)
    cursor = (id, length)
    return changes
  }

  /// Moves `cursor` to a revision, and computes the length of its text along the path.
  private func goTo(_ id: Int) throws(StorageError) {
    var (target, forward): (Int, [Int]) = (id, [])
    while cursor.id != target {
      let parent = try facts(max(cursor.id, target)).parent ?? 0
      if cursor.id > target {
        cursor = (parent, cursor.length - (try growth(of: cursor.id)))
      } else {
        forward.append(target)
        target = parent
      }
    }
    for id in forward.reversed() { cursor = (id, cursor.length + (try growth(of: id))) }
    if cursor.length < 0 { throw fail(.damaged) }
  }

  private func growth(of id: Int) throws(StorageError) -> Int {
    if let growth = try facts(id).growth { return growth }
    guard let growth = StoredChanges.growth(try bytes(of: id)) else { throw fail(.damaged) }
    setGrowth(growth, of: id)
    return growth
  }

  /// Notes by how many bytes a revision grows the text; its facts must have been read.
  private func setGrowth(_ growth: Int, of id: Int) {
    blocks[id / Self.blockCount][id % Self.blockCount].growth = growth
  }

  /// The serialized changes of a revision.
  private func bytes(of id: Int) throws(StorageError) -> ArraySlice<UInt8> {
    if let latestChanges, latestChanges.id == id { return latestChanges.bytes }
    if let last, id == count - 1 { return last.changes }
    let bytes = try unverifiedBytes(of: id)
    let facts = try facts(id)
    let parentLink = try facts.parent.map { (parent) throws(StorageError) in
      try self.facts(parent).link
    }
    let link = StoredRevision.link(of: id, bytes, parentLink: parentLink ?? 0)
    guard link == facts.link else { throw fail(.damaged) }
    latestChanges = (id, bytes)
    return bytes
  }

  private func unverifiedBytes(of id: Int) throws(StorageError) -> ArraySlice<UInt8> {
    if let latestBlock, latestBlock.ids.contains(id) {
      if let changes = latestBlock.revisions[id - latestBlock.ids.lowerBound].changes {
        return changes
      }
    }
    return try read { store throws(StorageError) in try store.changes(of: id) }
  }

  // MARK: - Reading

  /// Reads from the store, which is opened if needed.
  private func read<Result>(
    _ body: (HistoryStore) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    if let failure { throw failure }
    if endsWithProgram, Interrupts.isEnding { throw fail(.interrupted) }
    do throws(StorageError) {
      defer { if !store.staysOpen { store.close() } }
      try Patience.long.wait { () throws(StorageError) in try store.open() }
      return try body(store)
    } catch {
      throw fail(error)
    }
  }

  private func fail(_ error: StorageError) -> StorageError {
    failure = failure ?? error
    return error
  }
}
