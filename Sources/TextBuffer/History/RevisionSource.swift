import Synchronization

/// Reads the revisions of a restored history, each on first use.
///
///     let source = RevisionSource<Change>(count: 100_000) { ids in
///       try? store.records(ids)
///     } steps: { id in
///       try? store.changes(of: id)
///     }
///     var document = Document(restoring: text, source, contexts: …, current: 99_999, saved: 99_999)
///
/// Revisions stay in memory once read. If a read fails, or a revision does not fit,
/// `History.isDamaged` becomes true. All revisions then still exist, but without steps, so results
/// must not be used.
package struct RevisionSource<Step: Sendable>: Sendable {
  /// The number of revisions, at least one.
  package let count: Int
  /// Whether any revision is discardable.
  package let hasDiscardable: Bool
  /// Whether any revision is from outside.
  let hasOutside: Bool
  /// Reads the records of consecutive revisions, with `newestChild` and `olderSibling`; nil on
  /// failure.
  let records: @Sendable (Range<Int>) -> [RevisionRecord]?
  /// Reads the steps that led to a revision, empty for the first one and dropped ones; nil on
  /// failure.
  let steps: @Sendable (Int) -> [Step]?

  /// A source that reads with two closures; see the properties.
  package init(
    count: Int, hasDiscardable: Bool = false, hasOutside: Bool = false,
    records: @escaping @Sendable (Range<Int>) -> [RevisionRecord]?,
    steps: @escaping @Sendable (Int) -> [Step]?
  ) {
    (self.count, self.hasDiscardable, self.hasOutside) = (count, hasDiscardable, hasOutside)
    (self.records, self.steps) = (records, steps)
  }

  /// A source of revisions in memory; computes their `newestChild` and `olderSibling`.
  ///
  /// - Throws: `RestoringError` if the revisions do not form a tree.
  package init(_ records: [RevisionRecord], steps: [[Step]]) throws(RestoringError) {
    if records.isEmpty { throw .noRevisions }
    guard records.count == steps.count else { throw .counts }
    var linked = records
    var hasRoot = false
    for (id, record) in records.enumerated() {
      guard record.hasParent(as: id) else { throw .parent(of: id) }
      guard record.revertsEarlier(than: id) else { throw .reverts(of: id) }
      if !record.isDropped && record.parent.map({ records[$0].isDropped }) != false {
        if hasRoot { throw .parent(of: id) }
        hasRoot = true
      }
      (linked[id].newestChild, linked[id].olderSibling) = (nil, nil)
      if let parent = record.parent, !record.isDropped {
        linked[id].olderSibling = linked[parent].newestChild
        linked[parent].newestChild = id
      }
      if let child = record.preferredChild, child != id {
        guard records.indices.contains(child), records[child].parent == id,
          record.isDropped || !records[child].isDropped
        else { throw .preferredChild(of: id) }
      }
    }
    let all = linked
    self.init(
      count: records.count, hasDiscardable: records.contains { $0.isDiscardable },
      hasOutside: records.contains { $0.isOutside },
      records: { Array(all[$0]) }, steps: { steps[$0] })
  }
}

/// The stored steps read so far, and whether a read has failed. Copies of a history share them.
@usableFromInline final class StoredSteps<Step: Sendable>: Sendable {
  private let source: RevisionSource<Step>
  /// The steps that have been read, in blocks.
  private let known: Mutex<[[Steps<Step>?]]>
  private let failed = Atomic<Bool>(false)

  private static var blockCount: Int { 64 }

  init(_ source: RevisionSource<Step>) {
    self.source = source
    let count = (source.count + Self.blockCount - 1) / Self.blockCount
    known = Mutex(Array(repeating: [], count: count))
  }

  /// Whether a read has failed.
  @usableFromInline var isDamaged: Bool { failed.load(ordering: .relaxed) }

  /// Records that a read has failed.
  func fail() { failed.store(true, ordering: .relaxed) }

  /// The steps that led to a revision; none after a failed read.
  subscript(id: Int) -> Steps<Step> {
    if isDamaged { return .none }
    let (number, place) = (id / Self.blockCount, id % Self.blockCount)
    if let steps = known.withLock({ $0[number].isEmpty ? nil : $0[number][place] }) { return steps }
    guard let read = source.steps(id) else {
      fail()
      return .none
    }
    let steps = Steps(read)
    known.withLock {
      if $0[number].isEmpty { $0[number] = Array(repeating: nil, count: Self.blockCount) }
      $0[number][place] = steps
    }
    return steps
  }
}

/// The first elements of a list, read from a store in blocks on demand. Changes stay in memory.
@usableFromInline struct StoredPrefix<Element: Sendable>: Sendable {
  @usableFromInline let count: Int
  @usableFromInline let blocks: Blocks?
  /// The elements that have changed since they were read.
  @usableFromInline var changed: [Int: Element] = [:]

  /// The number of elements that are read at once.
  @usableFromInline static var blockCount: Int { 64 }

  /// The blocks that have been read. Copies of a list share them.
  @usableFromInline final class Blocks: Sendable {
    private let read: @Sendable (Range<Int>) -> [Element]
    private let count: Int
    private let known: Mutex<[[Element]]>

    init(_ count: Int, _ read: @escaping @Sendable (Range<Int>) -> [Element]) {
      (self.count, self.read) = (count, read)
      known = Mutex(Array(repeating: [], count: (count + blockCount - 1) / blockCount))
    }

    @usableFromInline subscript(index: Int) -> Element {
      let (number, place) = (index / blockCount, index % blockCount)
      let element = known.withLock { $0[number].isEmpty ? nil : $0[number][place] }
      if let element { return element }
      let start = number * blockCount
      let block = read(start..<min(start + blockCount, count))
      known.withLock { $0[number] = block }
      return block[place]
    }
  }

  @usableFromInline init() { (count, blocks) = (0, nil) }

  /// A prefix of `count` elements; `read` returns the elements in a range.
  init(count: Int, _ read: @escaping @Sendable (Range<Int>) -> [Element]) {
    self.count = count
    blocks = Blocks(count, read)
  }

  @inlinable subscript(index: Int) -> Element {
    if !changed.isEmpty, let element = changed[index] { return element }
    guard 0 <= index, index < count, let blocks else { preconditionFailure("index out of range") }
    return blocks[index]
  }

  /// Forgets the changes of the first elements.
  mutating func forgetChanges(before index: Int) {
    if !changed.isEmpty { changed = changed.filter { $0.key >= index } }
  }

  @usableFromInline mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
    var element = self[index]
    body(&element)
    changed[index] = element
  }
}
