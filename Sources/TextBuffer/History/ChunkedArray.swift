/// A list that grows only at its end, in chunks that are never moved: as a long history grows, an
/// array would sometimes be copied as a whole, and have spare room for up to as many elements as it
/// has.
@usableFromInline struct ChunkedArray<Element> {
  /// Chunks with `chunkCount` elements each.
  @usableFromInline var full: [ContiguousArray<Element>] = []
  /// The elements behind the full chunks, fewer than `chunkCount`.
  @usableFromInline var last: ContiguousArray<Element> = []

  #if DEBUG
    @usableFromInline static var chunkBits: Int { OwnTests.areRunning ? 5 : 8 }
  #else
    @inlinable static var chunkBits: Int { 8 }
  #endif
  @inlinable static var chunkCount: Int { 1 << chunkBits }

  @inlinable init() {}

  /// A list of the elements of an array.
  @inlinable init(_ elements: [Element]) {
    for index in 0..<elements.count { append(elements[index]) }
  }

  @inlinable var count: Int { full.count << Self.chunkBits + last.count }

  /// The chunk of an element, and its index there.
  @inlinable static func place(of index: Int) -> (chunk: Int, Int) {
    (index >> chunkBits, index & (chunkCount - 1))
  }

  @inlinable subscript(index: Int) -> Element { lend(index) { copy $0 } }

  /// Calls `body` with an element, borrowed and not copied.
  @inlinable func lend<R>(_ index: Int, _ body: (borrowing Element) -> R) -> R {
    precondition(0 <= index && index < count, "index out of range")
    let (chunk, place) = Self.place(of: index)
    // Elements of a span are borrowed; elements of an array would be copied.
    if chunk == full.count { return body(last.span[place]) }
    let elements = full[chunk]
    return body(elements.span[place])
  }

  @inlinable mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
    let (chunk, place) = Self.place(of: index)
    if chunk == full.count {
      body(&last[place])
    } else {
      body(&full[chunk][place])
    }
  }

  @inlinable @inline(__always)  // saves 0.5 % of an edit
  mutating func append(_ element: consuming Element) {
    last.append(element)
    if last.count == Self.chunkCount { startChunk() }
  }

  /// Removes the chunks whose elements are all before an index; returns the number of elements.
  @usableFromInline mutating func removeChunks(before index: Int) -> Int {
    let count = max(0, min(full.count, index >> Self.chunkBits))
    full.removeFirst(count)
    return count << Self.chunkBits
  }

  @inlinable @inline(never) mutating func startChunk() {
    full.append(last)
    last = []
    last.reserveCapacity(Self.chunkCount)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}
