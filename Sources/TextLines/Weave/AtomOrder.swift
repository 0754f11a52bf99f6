import TextBuffer

/// The atoms of a weave in their total order, each visible or not.
///
/// The order is a treap (Aragon, Seidel 1989): a binary tree in the order of the atoms, and a heap
/// by pseudo-random priorities. Each node counts the visible atoms below it, for finding lines by
/// number and numbers by line. Atoms are numbered in the order of their insertion, and one array
/// has their nodes by number: a copy is one block of memory, and atoms never move.
struct AtomOrder: Sendable {
  private struct Node {
    var left = none
    var right = none
    var parent = none
    /// The number of visible atoms in this subtree.
    var visibleCount: UInt32 = 0
  }

  private static let none = UInt32.max
  private var nodes: [Node] = []
  private var root = none

  /// A number of atoms, all of them visible, in O(*n*).
  init(count: Int) {
    nodes = [Node](repeating: Node(), count: count)
    // The right edge of the tree, from the root down.
    var edge: [UInt32] = []
    for next in 0..<UInt32(count) {
      var last = Self.none
      while let node = edge.last, Self.priority(node) < Self.priority(next) {
        last = edge.removeLast()
        self.updateCount(last, isVisible: true)
      }
      self[next].left = last
      if last != Self.none { self[last].parent = next }
      if let above = edge.last {
        self[above].right = next
        self[next].parent = above
      }
      edge.append(next)
    }
    root = edge.first ?? Self.none
    for node in edge.reversed() { self.updateCount(node, isVisible: true) }
  }

  var count: Int { nodes.count }

  var visibleCount: Int { visibleCount(root) }

  /// The first atom; nil without any.
  var first: Int? { root == Self.none ? nil : Int(leftmost(root)) }

  /// The next atom, in O(log *n*); amortized O(1) when visiting all in order.
  func next(_ atom: Int) -> Int? {
    var node = UInt32(atom)
    if self[node].right != Self.none { return Int(leftmost(self[node].right)) }
    while true {
      let parent = self[node].parent
      if parent == Self.none { return nil }
      if self[parent].left == node { return Int(parent) }
      node = parent
    }
  }

  func isVisible(_ atom: Int) -> Bool { isVisible(UInt32(atom)) }

  /// The visible atom with a number, counted from 1.
  ///
  /// - Precondition: `number` is in `1...visibleCount`.
  /// - Complexity: O(log *n*).
  func atom(_ number: Int) -> Int {
    precondition(number >= 1 && number <= visibleCount, "no such line")
    var (node, rest) = (root, number)
    while true {
      let above = visibleCount(self[node].left)
      if rest <= above {
        node = self[node].left
        continue
      }
      rest -= above
      if isVisible(node) {
        if rest == 1 { return Int(node) }
        rest -= 1
      }
      node = self[node].right
    }
  }

  /// The number of visible atoms before an atom, in O(log *n*).
  func visibleCount(before atom: Int) -> Int {
    var node = UInt32(atom)
    var count = visibleCount(self[node].left)
    while true {
      let parent = self[node].parent
      if parent == Self.none { return count }
      if self[parent].right == node {
        count += visibleCount(self[parent].left) + (isVisible(parent) ? 1 : 0)
      }
      node = parent
    }
  }

  /// Shows or hides an atom, in O(log *n*).
  mutating func setVisible(_ atom: Int, _ isVisible: Bool) {
    if self.isVisible(atom) == isVisible { return }
    var node = UInt32(atom)
    while node != Self.none {
      if isVisible { self[node].visibleCount += 1 } else { self[node].visibleCount -= 1 }
      node = self[node].parent
    }
  }

  /// Adds an invisible atom after another one, or before all others, in O(log *n*), expected.
  /// Returns its number, the old `count`.
  mutating func insert(after atom: Int?) -> Int {
    let new = UInt32(nodes.count)
    nodes.append(Node())
    if let atom, self[UInt32(atom)].right == Self.none {
      self[UInt32(atom)].right = new
      self[new].parent = UInt32(atom)
    } else if root == Self.none {
      root = new
    } else {
      let next = leftmost(atom.map { self[UInt32($0)].right } ?? root)
      self[next].left = new
      self[new].parent = next
    }
    while self[new].parent != Self.none, Self.priority(self[new].parent) < Self.priority(new) {
      lift(new)
    }
    return Int(new)
  }

  /// Removes the last added atom, which must be invisible, in O(log *n*), expected.
  mutating func removeLast() {
    let node = UInt32(nodes.count - 1)
    while self[node].left != Self.none || self[node].right != Self.none {
      let (left, right) = (self[node].left, self[node].right)
      let isLeft =
        right == Self.none || left != Self.none && Self.priority(left) > Self.priority(right)
      lift(isLeft ? left : right)
    }
    let parent = self[node].parent
    if parent == Self.none {
      root = Self.none
    } else if self[parent].left == node {
      self[parent].left = Self.none
    } else {
      self[parent].right = Self.none
    }
    nodes.removeLast()
  }

  /// Frees memory reserved for further atoms.
  mutating func trim() { nodes = nodes.map { $0 } }

  /// Rotates a node above its parent.
  private mutating func lift(_ node: UInt32) {
    let (parent, above) = (self[node].parent, self[self[node].parent].parent)
    let (nodeIsVisible, parentIsVisible) = (isVisible(node), isVisible(parent))
    let moved: UInt32
    if self[parent].left == node {
      moved = self[node].right
      self[parent].left = moved
      self[node].right = parent
    } else {
      moved = self[node].left
      self[parent].right = moved
      self[node].left = parent
    }
    if moved != Self.none { self[moved].parent = parent }
    self[parent].parent = node
    self[node].parent = above
    if above == Self.none {
      root = node
    } else if self[above].left == parent {
      self[above].left = node
    } else {
      self[above].right = node
    }
    updateCount(parent, isVisible: parentIsVisible)
    updateCount(node, isVisible: nodeIsVisible)
  }

  private mutating func updateCount(_ node: UInt32, isVisible: Bool) {
    self[node].visibleCount = UInt32(
      visibleCount(self[node].left) + visibleCount(self[node].right) + (isVisible ? 1 : 0))
  }

  private func visibleCount(_ node: UInt32) -> Int {
    node == Self.none ? 0 : Int(self[node].visibleCount)
  }

  private func isVisible(_ node: UInt32) -> Bool {
    visibleCount(node) > visibleCount(self[node].left) + visibleCount(self[node].right)
  }

  private func leftmost(_ node: UInt32) -> UInt32 {
    var node = node
    while self[node].left != Self.none { node = self[node].left }
    return node
  }

  private subscript(node: UInt32) -> Node {
    get { nodes[Int(node)] }
    _modify { yield &nodes[Int(node)] }
  }

  /// A pseudo-random number for each node, different for all nodes.
  private static func priority(_ node: UInt32) -> UInt32 {
    var mixed = node &* 0x9E37_79B1
    mixed = (mixed ^ (mixed >> 15)) &* 0x85EB_CA6B
    mixed = (mixed ^ (mixed >> 13)) &* 0xC2B2_AE35
    return mixed ^ (mixed >> 16)
  }

  /// Traps unless the tree is in order; for tests.
  func checkInvariants() {
    func check(_ node: UInt32, below parent: UInt32) -> Int {
      if node == Self.none { return 0 }
      precondition(self[node].parent == parent, "a parent does not know its child")
      precondition(
        parent == Self.none || Self.priority(node) < Self.priority(parent), "no heap of priorities")
      let count = check(self[node].left, below: node) + check(self[node].right, below: node)
      precondition((0...1).contains(Int(self[node].visibleCount) - count), "a count is wrong")
      return Int(self[node].visibleCount)
    }
    _ = check(root, below: Self.none)
    precondition(
      first == nil
        || nodes.count == sequence(first: first ?? 0, next: next).reduce(0) { n, _ in n + 1 })
  }
}
