import Synchronization

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
