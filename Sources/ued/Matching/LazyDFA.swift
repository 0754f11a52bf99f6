/// A deterministic finite automaton that constructs its states from an NFA, when a text needs them.
///
/// A state is the set of NFA nodes at a position, when only the text on one side has been read.
/// Assertions depend on both sides, so the transition on the next byte resolves them. A match is
/// therefore detected one byte (or the end of the line) after its own end.
///
/// Forwards, the nodes of a state are grouped by where their matches began, the earliest first. A
/// match drops the groups after its own, so the last match seen is the leftmost and longest.
/// Backwards, a state is the set of byte nodes that can consume the byte after the position, and
/// from there reach the match's end.
///
/// Invariants of the unsafe parts:
/// - `table` has `capacity` rows of `width` transitions, all initialized. A transition without its
///   flags is the offset of a row below `states.count`, or `unknown`.
/// - `classes` has 256 elements, all of them below `width`.
/// - `roots` has `rootCount` elements, one for each neighbor.
/// - All three buffers are allocated in `init`, never reallocated, and freed once, in `deinit`.
@safe final class LazyDFA {
  enum Direction { case forwards, backwards }

  /// A transition that has not been computed.
  static let unknown: UInt32 = 0
  /// Set in a transition when a match ends (backwards: begins) before the byte.
  static let matchFlag: UInt32 = 1 << 31
  /// Set in a transition to a state from which no match can be reached.
  static let deadFlag: UInt32 = 1 << 30
  private static let flags = matchFlag | deadFlag
  private static let separator = UInt16.max
  /// The size of the table. When it is full, all states are discarded.
  private static let transitionLimit = 1 << 16

  /// Whether a transition is unknown or has a flag; one comparison, since `unknown` is 0 and wraps.
  private static func isSpecial(_ transition: UInt32) -> Bool { transition &- 1 >= deadFlag - 1 }

  private static let rootCount = 1 + Int(Syntax.Neighbor.other.rawValue)

  private let automaton: NFA
  private let byteClasses: ByteClasses
  private let direction: Direction
  private let isAnchored: Bool
  private let width: Int
  private let capacity: Int
  private let table: UnsafeMutablePointer<UInt32>
  private let classes: UnsafeMutablePointer<UInt8>
  /// The row of the initial state for each neighbor; 0 until it is made.
  private let roots: UnsafeMutablePointer<Int>

  private struct State: Hashable {
    /// Node numbers; forwards, with a separator between two groups.
    var nodes: [UInt16]
    /// The neighbor on the side already read.
    var context: Syntax.Neighbor
    /// Whether a match may still begin at a later position.
    var isSearching: Bool
  }

  private var states: [State] = []
  /// The byte nodes of each state as a bit set, if the NFA has no more than 64 nodes.
  private var nodeBits: [UInt64] = []
  private var rows: [State: Int] = [:]
  private var stack: [Int] = []
  /// An estimate of the gain minus the cost of the inner loop of `firstMatch`, which skips bytes
  /// that do not change the state. At 0 or below, that loop is no longer entered.
  private var selfLoopCredit = 64
  /// The number of the current step. `visited` and `reached` store, for each node, the last step
  /// that added it. A node is in the set if that is the current step.
  private var step = 0
  /// The set of nodes visited in this step.
  private var visited: [Int]
  /// The set of nodes reached by this step's byte.
  private var reached: [Int]

  init(_ automaton: NFA, _ classes: ByteClasses, _ direction: Direction, isAnchored: Bool) {
    self.automaton = automaton
    byteClasses = classes
    self.direction = direction
    self.isAnchored = isAnchored
    width = classes.count + 2
    capacity = max(16, Self.transitionLimit / width)
    unsafe table = .allocate(capacity: capacity * width)
    unsafe self.classes = .allocate(capacity: 256)
    for (byte, number) in classes.classes.enumerated() {
      unsafe (self.classes + byte).initialize(to: number)
    }
    unsafe roots = .allocate(capacity: Self.rootCount)
    visited = Array(repeating: 0, count: automaton.nodes.count)
    reached = visited
    clear()
  }

  deinit {
    unsafe table.deallocate()
    unsafe classes.deallocate()
    unsafe roots.deallocate()
  }

  private func clear() {
    unsafe table.initialize(repeating: Self.unknown, count: capacity * width)
    unsafe roots.initialize(repeating: 0, count: Self.rootCount)
    // Row 0 is never used, because its offset means `unknown`.
    states = [State(nodes: [], context: .other, isSearching: false)]
    nodeBits = [0]
    rows = [:]
  }

  /// The offset of a state's row. Adds a new state, for which there must be room.
  private func row(of state: State) -> Int {
    if let row = rows[state] { return row }
    let row = states.count * width
    states.append(state)
    nodeBits.append(
      automaton.nodes.count > 64 ? 0 : state.nodes.reduce(0) { $0 | 1 << UInt64($1 & 63) })
    rows[state] = row
    return row
  }

  /// Whether the table may be too full for a transition, which adds at most two states.
  private var isFull: Bool { states.count + 2 > capacity }

  /// The neighbor that a class stands for, merged as this pattern allows.
  private func neighbor(ofClass number: Int) -> Syntax.Neighbor {
    if number == byteClasses.edge { return direction == .forwards ? .end : merged(.lineStart) }
    if number == byteClasses.restart { return merged(.restart) }
    return merged(Syntax.Neighbor(byte: byteClasses.representatives[number]))
  }

  /// Merges neighbors that this pattern's assertions do not distinguish, for fewer states.
  private func merged(_ neighbor: Syntax.Neighbor) -> Syntax.Neighbor {
    switch neighbor {
    case .lineStart, .restart: automaton.hasStartAssertions ? neighbor : .other
    case .word: automaton.hasWordAssertions ? .word : .other
    case .end, .other: neighbor
    }
  }

  /// The row of the initial state, after (backwards: before) the given neighbor.
  private func rootRow(_ neighbor: Syntax.Neighbor) -> Int {
    let index = Int(neighbor.rawValue)
    // SAFETY: the raw value of a neighbor is below `rootCount`.
    let existing = unsafe roots[index]
    if existing != 0 { return existing }
    if isFull { clear() }
    let isSearching = direction == .forwards && !isAnchored
    let first = direction == .forwards ? automaton.start : NFA.match
    let state = State(
      nodes: isSearching ? [] : [UInt16(first)], context: merged(neighbor),
      isSearching: isSearching)
    let row = row(of: state)
    unsafe roots[index] = row
    return row
  }

  /// Computes a transition. If the table is full, clears it first: earlier rows are invalid then.
  private func makeTransition(row: Int, class number: Int) -> UInt32 {
    var state = states[row / width]
    let isClearing = isFull
    if isClearing { clear() }
    let row = isClearing ? self.row(of: state) : row
    let isMatch =
      direction == .forwards
      ? stepForwards(&state, class: number) : stepBackwards(&state, class: number)
    let isDead = state.nodes.isEmpty && !state.isSearching
    let target: Int
    if number >= byteClasses.edge {
      target = direction == .forwards ? rootRow(.lineStart) : self.row(of: state)
    } else {
      target = self.row(of: state)
    }
    var transition = UInt32(target)
    if isMatch { transition |= Self.matchFlag }
    if isDead { transition |= Self.deadFlag }
    unsafe table[row + number] = transition
    return transition
  }

  /// Moves a state past a byte of a class, and returns whether a match ends before that byte.
  private func stepForwards(_ state: inout State, class number: Int) -> Bool {
    let next = neighbor(ofClass: number)
    let isEdge = number >= byteClasses.edge
    var groups = state.nodes.split(separator: Self.separator).map { Array($0) }
    if state.isSearching { groups.append([UInt16(automaton.start)]) }
    var nodes: [UInt16] = []
    var isMatch = false
    step += 1
    for group in groups where !isMatch {
      var targets: [UInt16] = []
      for node in group where visited[Int(node)] != step {
        visited[Int(node)] = step
        stack.append(Int(node))
      }
      while let node = stack.popLast() {
        switch automaton.nodes[node] {
        case .match: isMatch = true
        case .bytes(let set, let target):
          if !isEdge, set.contains(byteClasses.representatives[number]), reached[target] != step {
            reached[target] = step
            targets.append(UInt16(target))
          }
        case .split(let first, let second):
          push(first)
          push(second)
        case .capture(_, let target): push(target)
        case .assertion(let assertion, let target):
          if assertion.holds(between: state.context, and: next) { push(target) }
        }
      }
      if !targets.isEmpty {
        if !nodes.isEmpty { nodes.append(Self.separator) }
        nodes += targets.sorted()
      }
    }
    state = State(nodes: nodes, context: next, isSearching: state.isSearching && !isMatch)
    return isMatch
  }

  /// Moves a state back past a byte of a class; returns whether a match begins after that byte.
  private func stepBackwards(_ state: inout State, class number: Int) -> Bool {
    let previous = neighbor(ofClass: number)
    let isEdge = number >= byteClasses.edge
    step += 1
    for node in state.nodes { push(Int(node)) }
    while let node = stack.popLast() {
      for predecessor in automaton.emptyPredecessors[node] {
        if case .assertion(let assertion, _) = automaton.nodes[predecessor],
          !assertion.holds(between: previous, and: state.context)
        {
          continue
        }
        push(predecessor)
      }
    }
    var nodes: [UInt16] = []
    if !isEdge {
      for (index, node) in automaton.nodes.enumerated() {
        if case .bytes(let set, let target) = node, visited[target] == step,
          set.contains(byteClasses.representatives[number])
        {
          nodes.append(UInt16(index))
        }
      }
    }
    state = State(nodes: nodes, context: previous, isSearching: false)
    return visited[automaton.start] == step
  }

  /// Puts a node on the stack unless it has been visited in this step.
  private func push(_ node: Int) {
    if visited[node] == step { return }
    visited[node] = step
    stack.append(node)
  }
}

extension LazyDFA {
  /// An offset in the first matching line of `range`, or at its newline; the match ends there or
  /// before.
  ///
  /// - Precondition: `range` begins at the start of a line and ends behind a newline.
  func firstMatch(in text: RawSpan, _ range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.byteCount)
    var row = rootRow(.lineStart)
    // SAFETY: `range` is in the text. `row` is the offset of a row in use and a class is below
    // `width`, so the index of a transition is in the table.
    let (table, classes) = unsafe (table, classes)
    var credit = selfLoopCredit
    defer { selfLoopCredit = credit }
    return unsafe text.withUnsafeBytes { bytes in
      var offset = range.lowerBound
      while offset < range.upperBound {
        let number = unsafe Int(classes[Int(bytes[offset])])
        var transition = unsafe table[row + number]
        if Self.isSpecial(transition) {
          if transition == Self.unknown { transition = makeTransition(row: row, class: number) }
          if transition & Self.matchFlag != 0 { return offset }
          if transition & Self.deadFlag != 0, number != byteClasses.edge {
            // The rest of this line has no match: skip to its newline.
            offset += 1
            offset =
              text.firstOffset(of: .newline, in: offset..<range.upperBound) ?? range.upperBound
            row = Int(transition & ~Self.flags)
            continue
          }
        }
        offset += 1
        if credit > 0, transition == UInt32(truncatingIfNeeded: row) {
          // Skip the bytes on which the state loops to itself: no load here depends on the one
          // before, so that `g/[0-9]/p` on 30 MB takes 44 instead of 80 ms. If runs of such bytes
          // are short, mispredicted branches cost more than that saves; hence the credit.
          let first = offset
          while offset < range.upperBound,
            unsafe table[row + Int(classes[Int(bytes[offset])])] == transition
          {
            offset += 1
          }
          credit = min(credit + (offset - first) / 8 - 2, 64)
        }
        row = Int(transition & ~Self.flags)
      }
      return nil
    }
  }

  /// Whether the rest of a line from `offset` on has a match; `start` is the neighbor before.
  func hasMatch(in line: RawSpan, from offset: Int, _ start: Syntax.Neighbor) -> Bool {
    scan(line, from: offset, start, stopsAtFirst: true) != nil
  }

  /// The end of the leftmost and longest match in the rest of a line from `offset` on.
  func endOfMatch(in line: RawSpan, from offset: Int, _ start: Syntax.Neighbor) -> Int? {
    scan(line, from: offset, start, stopsAtFirst: false)
  }

  /// The end of the leftmost and longest match; with `stopsAtFirst`, the first end of any match.
  private func scan(
    _ line: RawSpan, from offset: Int, _ start: Syntax.Neighbor, stopsAtFirst: Bool
  ) -> Int? {
    precondition(offset >= 0 && offset <= line.byteCount)
    var row = rootRow(start)
    // SAFETY: as in `firstMatch`; `offset` is read only where it is below the count of bytes.
    return unsafe line.withUnsafeBytes { bytes in
      var offset = offset
      var end: Int?
      while true {
        let number =
          unsafe offset < bytes.count ? Int(classes[Int(bytes[offset])]) : byteClasses.edge
        var transition = unsafe table[row + number]
        if Self.isSpecial(transition) {
          if transition == Self.unknown { transition = makeTransition(row: row, class: number) }
          if transition & Self.matchFlag != 0 {
            end = offset
            if stopsAtFirst { return end }
          }
          if transition & Self.deadFlag != 0 { return end }
        }
        if offset == bytes.count { return end }
        row = Int(transition & ~Self.flags)
        offset += 1
      }
    }
  }

  /// The start of the leftmost match that ends at `end`; nil without a match. The search started at
  /// `first`, after the neighbor `before`, so no match begins earlier. Unless `liveNodes` is
  /// nil, appends a bit set for each offset from `end - 1` down: the byte nodes that can consume
  /// that byte in the match.
  func startOfMatch(
    in line: RawSpan, from first: Int, to end: Int, _ before: Syntax.Neighbor,
    liveNodes: inout [UInt64]?
  ) -> Int? {
    precondition(first >= 0 && first <= end && end <= line.byteCount)
    let edge = before == .lineStart ? byteClasses.edge : byteClasses.restart
    // SAFETY: as in `firstMatch`; reads bytes of `first..<end`, and the one at `end` if it exists.
    return unsafe line.withUnsafeBytes { bytes in
      var next = Syntax.Neighbor.end
      if end < bytes.count {
        next = unsafe neighbor(ofClass: Int(classes[Int(bytes[end])]))
      }
      var row = rootRow(next)
      var offset = end
      var start: Int?
      while true {
        let number = unsafe offset > first ? Int(classes[Int(bytes[offset - 1])]) : edge
        var transition = unsafe table[row + number]
        if Self.isSpecial(transition) {
          if transition == Self.unknown { transition = makeTransition(row: row, class: number) }
          if transition & Self.matchFlag != 0 { start = offset }
          if transition & Self.deadFlag != 0 { return start }
        }
        if offset == first { return start }
        row = Int(transition & ~Self.flags)
        liveNodes?.append(nodeBits[row / width])
        offset -= 1
      }
    }
  }
}
