/// How many slots of a node are in use, how many there are, and its height above the leaves.
struct NodeHeader {
  var count: UInt16
  var slotCount: UInt16
  var height: UInt16
}

/// A node with the summary of all that is below it. It is safe to send although a node by itself is
/// not: see `Node` on why a shared node never changes.
@usableFromInline struct Subtree: @unchecked Sendable {
  var node: Node
  @usableFromInline var summary: Summary
}

/// A node of the tree: a leaf is a row of pieces, an inner node a row of subtrees.
///
/// The slots are in the allocation of the node. A node is written only by an owner that has found it
/// uniquely referenced, at every level from the root down (`makeWritable`); a shared one is copied
/// first. So a node that two values can see never changes.
///
/// Invariants: the first `count` of `slotCount` slots are initialized; they are pieces when
/// `height` is 0 and subtrees of height `height - 1` otherwise.
///
/// Slots are addressed by non-negative offsets from the first one: the optimizer of Swift 6.3 was
/// seen to lose a store through an advanced pointer and a negative offset.
@safe final class Node: ManagedBuffer<NodeHeader, Piece> {
  #if DEBUG
    static let maxPieces = OwnTests.areRunning ? 4 : 32
    static let maxChildren = OwnTests.areRunning ? 4 : 32
  #else
    static let maxPieces = 32
    static let maxChildren = 32
  #endif

  /// A new node without pieces or children.
  static func make(height: Int, capacity: Int) -> Node {
    // An allocation is measured in pieces; subtrees are bigger.
    let bytes = capacity * (height == 0 ? MemoryLayout<Piece>.stride : MemoryLayout<Subtree>.stride)
    let stride = MemoryLayout<Piece>.stride
    let node = Node.create(minimumCapacity: (bytes + stride - 1) / stride) { _ in
      NodeHeader(count: 0, slotCount: UInt16(capacity), height: UInt16(height))
    }
    // SAFETY: `create` makes an instance of the class that it is called on.
    return unsafe unsafeDowncast(node, to: Node.self)
  }

  /// A new leaf with `pieces`, and `capacity` slots or more.
  static func leaf(_ pieces: ArraySlice<Piece>, capacity: Int = maxPieces) -> Node {
    let node = make(height: 0, capacity: max(capacity, pieces.count))
    for piece in pieces { node.append(piece) }
    return node
  }

  deinit {
    if height > 0 { unsafe childBase.deinitialize(count: count) }
  }

  private var headerBase: UnsafeMutablePointer<NodeHeader> {
    unsafe withUnsafeMutablePointerToHeader { unsafe $0 }
  }

  var pieceBase: UnsafeMutablePointer<Piece> {
    assert(height == 0)
    return unsafe withUnsafeMutablePointerToElements { unsafe $0 }
  }

  var childBase: UnsafeMutablePointer<Subtree> {
    assert(height > 0)
    return unsafe withUnsafeMutablePointerToElements {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Subtree.self)
    }
  }

  var count: Int {
    get { unsafe Int(headerBase.pointee.count) }
    set { unsafe headerBase.pointee.count = UInt16(truncatingIfNeeded: newValue) }
  }

  /// The number of pieces or children that there is room for.
  var slotCount: Int { unsafe Int(headerBase.pointee.slotCount) }

  /// The number of levels below; 0 for a leaf.
  var height: Int { unsafe Int(headerBase.pointee.height) }

  var isLeaf: Bool { height == 0 }

  /// The most pieces or children for a node of this height.
  var maxCount: Int { isLeaf ? Self.maxPieces : Self.maxChildren }

  /// The fewest pieces or children of a node that is not the root. It is well below half of
  /// `maxCount`, so that the halves of a split node do not underflow soon.
  var minCount: Int { max(2, maxCount / 4) }

  /// Whether it underflows; only a root may.
  var isTooEmpty: Bool { count < minCount }

  /// The sum of the summaries of all pieces or children.
  var total: Summary {
    var sum = Summary()
    if isLeaf {
      for index in 0..<count { sum += self[piece: index].summary }
    } else {
      for index in 0..<count { sum += summary(at: index) }
    }
    return sum
  }
}

extension Node {
  subscript(piece index: Int) -> Piece {
    get {
      assert(index < count)
      return unsafe pieceBase[index]
    }
    set {
      assert(index < count)
      unsafe pieceBase[index] = newValue
    }
  }

  /// A child of an inner node, which can be changed in place.
  subscript(child index: Int) -> Subtree {
    unsafeAddress {
      assert(index < count)
      return unsafe UnsafePointer(childBase + index)
    }
    unsafeMutableAddress {
      assert(index < count)
      return unsafe childBase + index
    }
  }

  func summary(at index: Int) -> Summary {
    assert(index < count)
    return unsafe childBase[index].summary
  }

  /// The first piece of a leaf that reaches to `offset`, and where it begins; there must be one.
  /// The search begins with piece `first`, which begins at `firstStart`.
  @inline(__always)  // saves 2 % of undo
  func piece(
    reaching offset: Int, from first: Int = 0, at firstStart: Int = 0
  ) -> (index: Int, start: Int) {
    var place = unsafe pieceBase + first
    var start = firstStart
    var end = unsafe start &+ place.pointee.byteCount
    while end < offset {
      start = end
      unsafe place += 1
      unsafe end &+= place.pointee.byteCount
    }
    assert(unsafe place - pieceBase < count)
    return unsafe (place - pieceBase, start)
  }

  /// The first child of an inner node that reaches to `offset`, and where it begins; there must be
  /// one.
  func child(reaching offset: Int) -> (index: Int, start: Int) {
    let (slot, start) = unsafe slot(reaching: offset)
    return unsafe (slot - childBase, start)
  }

  /// The slot of the first child of an inner node that reaches to `offset`, and where it begins;
  /// there must be one.
  @unsafe func slot(
    reaching offset: Int
  ) -> (UnsafeMutablePointer<Subtree>, start: Int) {
    var place = unsafe childBase
    var start = 0
    var end = unsafe place.pointee.summary.byteCount
    while end < offset {
      start = end
      unsafe place += 1
      unsafe end &+= place.pointee.summary.byteCount
    }
    assert(unsafe place - childBase < count)
    return unsafe (place, start)
  }

  /// Adds a piece, unless empty, to the end of a leaf that has room. Merges it with the last if
  /// possible.
  func appendMerging(_ piece: Piece) {
    if piece.byteCount == 0 { return }
    if count > 0, let merged = self[piece: count - 1].merged(with: piece) {
      self[piece: count - 1] = merged
    } else {
      append(piece)
    }
  }

  /// Adds a piece to the end of a leaf that has room.
  func append(_ piece: Piece) {
    assert(isLeaf && count < slotCount)
    unsafe (pieceBase + count).initialize(to: piece)
    count += 1
  }

  /// Adds a child to the end of an inner node that has room.
  func append(_ child: Subtree) {
    assert(!isLeaf && count < slotCount && child.node.height == height - 1)
    unsafe (childBase + count).initialize(to: child)
    count += 1
  }

  /// Inserts a child into an inner node that has room.
  func insert(_ child: Subtree, at index: Int) {
    assert(!isLeaf && count < slotCount && index <= count)
    let place = unsafe childBase + index
    unsafe (place + 1).moveInitialize(from: place, count: count - index)
    unsafe place.initialize(to: child)
    count += 1
  }

  func remove(at index: Int) -> Subtree {
    assert(!isLeaf && index < count)
    let place = unsafe childBase + index
    let child = unsafe place.move()
    unsafe place.moveInitialize(from: place + 1, count: count - index - 1)
    count -= 1
    return child
  }

  /// Removes the children from `lower` up to `upper`, one at least, from an inner node.
  func take(_ lower: Int, _ upper: Int) -> Subtree {
    if upper - lower == 1 { return remove(at: lower) }
    let other = Node.make(height: height, capacity: Self.maxChildren)
    let place = unsafe childBase + lower
    unsafe other.childBase.moveInitialize(from: place, count: upper - lower)
    unsafe place.moveInitialize(from: childBase + upper, count: count - upper)
    other.count = upper - lower
    count -= upper - lower
    return Subtree(node: other, summary: other.total)
  }

  /// In a leaf that has room, replaces the pieces from `lower` up to `upper` with three others, and
  /// omits empty ones. The leaf has `newCount` pieces afterwards.
  func replacePieces(
    _ lower: Int, _ upper: Int, with first: Piece, _ second: Piece, _ third: Piece, _ newCount: Int
  ) {
    assert(newCount <= slotCount)
    var place = unsafe pieceBase + lower
    if newCount != count && upper < count {
      // Pieces are trivial: moving them is copying, and slots need no deinitialization.
      let target = unsafe pieceBase + (upper &+ newCount &- count)
      unsafe target.update(from: pieceBase + upper, count: count &- upper)
    }
    count = newCount
    if !first.isEmpty {
      unsafe place.pointee = first
      unsafe place += 1
    }
    if !second.isEmpty {
      unsafe place.pointee = second
      unsafe place += 1
    }
    if !third.isEmpty { unsafe place.pointee = third }
  }

  /// Appends copies of the slots of `other` from `lower` up to `upper`.
  func appendSlots(of other: Node, _ lower: Int, _ upper: Int) {
    assert(height == other.height && count + upper - lower <= slotCount && upper <= other.count)
    if isLeaf {
      unsafe (pieceBase + count).initialize(from: other.pieceBase + lower, count: upper - lower)
    } else {
      unsafe (childBase + count).initialize(from: other.childBase + lower, count: upper - lower)
    }
    count += upper - lower
  }

  /// Removes all slots from `newCount` on.
  func truncate(to newCount: Int) {
    assert(newCount <= count)
    if !isLeaf { unsafe (childBase + newCount).deinitialize(count: count - newCount) }
    count = newCount
  }

  /// Replaces `node` by a copy with full capacity, unless it is unshared and has that.
  static func makeWritable(_ node: inout Node) {
    makeWritable(&node, room: node.maxCount)
  }

  /// Replaces `node` by a copy unless it is unshared and has `room`, the full capacity of its kind.
  static func makeWritable(_ node: inout Node, room: Int) {
    if isKnownUniquelyReferenced(&node), node.slotCount >= room { return }
    node = node.copy()
  }

  @inline(never) private func copy() -> Node {
    let copy = Node.make(height: height, capacity: maxCount)
    copy.appendSlots(of: self, 0, count)
    return copy
  }
}

// MARK: - Invariants

extension Subtree {
  /// Traps unless the invariants of a tree hold:
  ///
  /// - Every summary is the sum of the summaries below.
  /// - All leaves are at the same depth.
  /// - No node uses more slots than allowed. Every node but the root uses at least a quarter of
  ///   them, and at least two. An inner root has at least two children.
  /// - No piece is empty or too long, and its counts of newlines and UTF-16 units are right.
  func checkInvariants(isRoot: Bool = true) {
    precondition(node.count <= node.maxCount && node.count <= node.slotCount, "too full")
    precondition(summary == node.total, "wrong summary")
    if !isRoot {
      precondition(node.count >= node.minCount, "too empty")
    } else if !node.isLeaf {
      precondition(node.count >= 2, "a root with one child")
    }
    for index in 0..<node.count {
      if node.isLeaf {
        let piece = node[piece: index]
        precondition(piece.byteCount > 0, "empty piece")
        precondition(piece.byteCount <= Piece.maxByteCount, "long piece")
        precondition(piece.isCountedRight, "wrong counts")
      } else {
        let child = node[child: index]
        precondition(child.node.height == node.height - 1, "uneven depth")
        child.checkInvariants(isRoot: false)
      }
    }
  }
}
