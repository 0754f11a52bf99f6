/// A deterministic automaton whose states are made when a text first needs them.
///
/// A state is the set of nodes that the nondeterministic automaton can be at, before it is known
/// what comes next: the assertions there are resolved together with the next byte. So a match is
/// seen one byte (or the end) later than it is there.
///
/// Forwards, the nodes of a state stand in groups, those of the matches that began first in front.
/// A match drops all groups behind its own, so the last match seen is the leftmost and longest.
/// Backwards, from the end of a match, a state is a set of byte nodes which a match can pass there.
///
/// Invariants of the unsafe parts: `table` has room for `capacity` rows of `width` entries, all
/// initialized; each plain entry is the offset of a row that is in use; `classes` has 256 elements
/// that are all below `width`; `roots` has one for each surrounding; all are freed once, in `deinit`.
@safe final class LazyMachine {
  enum Direction { case forwards, backwards }

  /// An entry that has not been worked out.
  static let unknown: UInt32 = 0
  /// Added to an entry when a match ends (backwards: begins) before the byte.
  static let matchFlag: UInt32 = 1 << 31
  /// Added to an entry when no match can follow.
  static let deadFlag: UInt32 = 1 << 30
  private static let flags = matchFlag | deadFlag
  private static let separator = UInt16.max
  /// Room for this many entries is enough for most patterns; when it is used up all states go.
  private static let entryLimit = 1 << 16

  private static let rootCount = 1 + Int(Syntax.Surrounding.other.rawValue)

  private let automaton: Automaton
  private let byteClasses: ByteClasses
  private let direction: Direction
  private let isAnchored: Bool
  private let width: Int
  private let capacity: Int
  private let table: UnsafeMutablePointer<UInt32>
  private let classes: UnsafeMutablePointer<UInt8>
  /// The rows to begin with, one for each surrounding; 0 for those not made.
  private let roots: UnsafeMutablePointer<Int>

  /// What is known of a state: nodes, what is on its known side, and whether matches may begin.
  private struct State: Hashable {
    var nodes: [UInt16]
    var known: Syntax.Surrounding
    var isSeeking: Bool
  }

  private var states: [State] = []
  /// The byte nodes of each state as bits, where the automaton has no more than 64 nodes.
  private var nodeBits: [UInt64] = []
  private var numbers: [State: Int] = [:]
  private var stack: [Int] = []
  /// How much trust there is in states that stay for long: none from 0 on.
  private var credit = 64
  /// Marks the nodes that a walk has met: those that have its number.
  private var met: [Int]
  private var walk = 0
  /// The same for the nodes behind the byte.
  private var reached: [Int]

  init(_ automaton: Automaton, _ classes: ByteClasses, _ direction: Direction, isAnchored: Bool) {
    self.automaton = automaton
    byteClasses = classes
    self.direction = direction
    self.isAnchored = isAnchored
    width = classes.count + 2
    capacity = max(16, Self.entryLimit / width)
    unsafe table = .allocate(capacity: capacity * width)
    unsafe self.classes = .allocate(capacity: 256)
    for (index, number) in classes.classes.enumerated() {
      unsafe (self.classes + index).initialize(to: number)
    }
    unsafe roots = .allocate(capacity: Self.rootCount)
    met = Array(repeating: 0, count: automaton.nodes.count)
    reached = met
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
    // Row 0 is not used: its offset means unknown.
    let none = State(nodes: [], known: .other, isSeeking: false)
    states = [none]
    nodeBits = [0]
    numbers = [:]
  }

  /// The row of a state, made if need be; there must be room for it.
  private func row(of state: State) -> Int {
    if let number = numbers[state] { return number * width }
    let number = states.count
    states.append(state)
    nodeBits.append(
      automaton.nodes.count > 64 ? 0 : state.nodes.reduce(0) { $0 | 1 << UInt64($1 & 63) })
    numbers[state] = number
    return number * width
  }

  private func makeRoom() {
    if states.count + 2 > capacity { clear() }
  }

  /// What a class is to the assertions of this pattern.
  private func surrounding(ofClass number: Int) -> Syntax.Surrounding {
    if number == byteClasses.edge { return direction == .forwards ? .end : simple(.lineStart) }
    if number == byteClasses.restart { return simple(.restart) }
    return simple(Syntax.Surrounding(byte: byteClasses.members[number]))
  }

  /// What makes no difference to this pattern is the same.
  private func simple(_ surrounding: Syntax.Surrounding) -> Syntax.Surrounding {
    switch surrounding {
    case .lineStart, .restart: automaton.asksForStart ? surrounding : .other
    case .word: automaton.asksForWords ? .word : .other
    case .end, .other: surrounding
    }
  }

  /// The row to begin with: forwards behind, backwards before what is there.
  private func rootRow(_ surrounding: Syntax.Surrounding) -> Int {
    let index = Int(surrounding.rawValue)
    // SAFETY: there is a root for each surrounding.
    let known = unsafe roots[index]
    if known != 0 { return known }
    makeRoom()
    let isSeeking = direction == .forwards && !isAnchored
    let first = direction == .forwards ? automaton.start : Automaton.match
    let state = State(
      nodes: isSeeking ? [] : [UInt16(first)], known: simple(surrounding), isSeeking: isSeeking)
    let row = row(of: state)
    unsafe roots[index] = row
    return row
  }

  /// Works out an entry. All rows but the one of the entry may be others afterwards.
  private func makeEntry(row: Int, class number: Int) -> UInt32 {
    var state = states[row / width]
    let isClearing = states.count + 2 > capacity
    if isClearing { clear() }
    let row = isClearing ? self.row(of: state) : row
    let isMatch =
      direction == .forwards
      ? stepForwards(&state, class: number) : stepBackwards(&state, class: number)
    let isDead = state.nodes.isEmpty && !state.isSeeking
    let target: Int
    if number >= byteClasses.edge {
      target = direction == .forwards ? rootRow(.lineStart) : self.row(of: state)
    } else {
      target = self.row(of: state)
    }
    var entry = UInt32(target)
    if isMatch { entry |= Self.matchFlag }
    if isDead { entry |= Self.deadFlag }
    unsafe table[row + number] = entry
    return entry
  }

  private func stepForwards(_ state: inout State, class number: Int) -> Bool {
    let next = surrounding(ofClass: number)
    let isEdge = number >= byteClasses.edge
    var groups = state.nodes.split(separator: Self.separator).map { Array($0) }
    if state.isSeeking { groups.append([UInt16(automaton.start)]) }
    var nodes: [UInt16] = []
    var isMatch = false
    walk += 1
    for group in groups where !isMatch {
      var targets: [UInt16] = []
      for node in group where met[Int(node)] != walk {
        met[Int(node)] = walk
        stack.append(Int(node))
      }
      while let node = stack.popLast() {
        switch automaton.nodes[node] {
        case .match: isMatch = true
        case .bytes(let set, let target):
          if !isEdge, set.contains(byteClasses.members[number]), reached[target] != walk {
            reached[target] = walk
            targets.append(UInt16(target))
          }
        case .fork(let first, let second):
          push(first)
          push(second)
        case .note(_, let target): push(target)
        case .assertion(let assertion, let target):
          if assertion.holds(between: state.known, and: next) { push(target) }
        }
      }
      if !targets.isEmpty {
        if !nodes.isEmpty { nodes.append(Self.separator) }
        nodes += targets.sorted()
      }
    }
    state = State(nodes: nodes, known: next, isSeeking: state.isSeeking && !isMatch)
    return isMatch
  }

  private func stepBackwards(_ state: inout State, class number: Int) -> Bool {
    let previous = surrounding(ofClass: number)
    let isEdge = number >= byteClasses.edge
    walk += 1
    for node in state.nodes { push(Int(node)) }
    while let node = stack.popLast() {
      for source in automaton.sources[node] {
        if case .assertion(let assertion, _) = automaton.nodes[source],
          !assertion.holds(between: previous, and: state.known)
        {
          continue
        }
        push(source)
      }
    }
    var nodes: [UInt16] = []
    if !isEdge {
      for (index, node) in automaton.nodes.enumerated() {
        if case .bytes(let set, let target) = node, met[target] == walk,
          set.contains(byteClasses.members[number])
        {
          nodes.append(UInt16(index))
        }
      }
    }
    state = State(nodes: nodes, known: previous, isSeeking: false)
    return met[automaton.start] == walk
  }

  private func push(_ node: Int) {
    if met[node] == walk { return }
    met[node] = walk
    stack.append(node)
  }
}

extension LazyMachine {
  /// The offset at which it is certain that a line in `range` has a match: at or behind the end
  /// of the first one, in its line or on its newline.
  ///
  /// - Precondition: `range` begins at the start of a line and ends behind a newline.
  func firstMatch(in text: RawSpan, _ range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.byteCount)
    var row = rootRow(.lineStart)
    // SAFETY: `range` is in the text; rows and classes are as the invariants say.
    let (table, classes) = unsafe (table, classes)
    var credit = credit
    defer { self.credit = credit }
    return unsafe text.withUnsafeBytes { bytes in
      var offset = range.lowerBound
      while offset < range.upperBound {
        let number = unsafe Int(classes[Int(bytes[offset])])
        var entry = unsafe table[row + number]
        if entry &- 1 >= Self.deadFlag - 1 {
          if entry == Self.unknown { entry = makeEntry(row: row, class: number) }
          if entry & Self.matchFlag != 0 { return offset }
          if entry & Self.deadFlag != 0, number != byteClasses.edge {
            // Nothing more in this line: go to its newline.
            offset += 1
            offset =
              text.firstOffset(of: .newline, in: offset..<range.upperBound) ?? range.upperBound
            row = Int(entry & ~Self.flags)
            continue
          }
        }
        offset += 1
        if credit > 0, entry == UInt32(truncatingIfNeeded: row) {
          // A state that stays is left behind faster: no load has to wait for the one before. Where
          // states do not stay for long this is given up, as it makes branches hard to predict.
          let first = offset
          while offset < range.upperBound,
            unsafe table[row + Int(classes[Int(bytes[offset])])] == entry
          {
            offset += 1
          }
          credit = min(credit + (offset - first) / 8 - 2, 64)
        }
        row = Int(entry & ~Self.flags)
      }
      return nil
    }
  }

  /// Whether a line, or the rest of it from `offset` on, has a match.
  func hasMatch(in line: RawSpan, from offset: Int, _ start: Syntax.Surrounding) -> Bool {
    scan(line, from: offset, start, isFirstEnough: true) != nil
  }

  /// The end of the leftmost and longest match in the rest of a line from `offset` on.
  func endOfMatch(in line: RawSpan, from offset: Int, _ start: Syntax.Surrounding) -> Int? {
    scan(line, from: offset, start, isFirstEnough: false)
  }

  private func scan(
    _ line: RawSpan, from offset: Int, _ start: Syntax.Surrounding, isFirstEnough: Bool
  ) -> Int? {
    precondition(offset >= 0 && offset <= line.byteCount)
    var row = rootRow(start)
    // SAFETY: offsets are in the line; rows and classes are as the invariants say.
    return unsafe line.withUnsafeBytes { bytes in
      var offset = offset
      var end: Int?
      while true {
        let number =
          unsafe offset < bytes.count ? Int(classes[Int(bytes[offset])]) : byteClasses.edge
        var entry = unsafe table[row + number]
        if entry &- 1 >= Self.deadFlag - 1 {
          if entry == Self.unknown { entry = makeEntry(row: row, class: number) }
          if entry & Self.matchFlag != 0 {
            end = offset
            if isFirstEnough { return end }
          }
          if entry & Self.deadFlag != 0 { return end }
        }
        if offset == bytes.count { return end }
        row = Int(entry & ~Self.flags)
        offset += 1
      }
    }
  }

  /// The start of the leftmost match that ends at `end` and begins at or after `first`.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - first: Where the text is taken to begin.
  ///   - end: The end of the match.
  ///   - start: What is before `first`.
  ///   - trail: Gets, unless nil, the byte nodes that a match can pass at each offset from `end`
  ///     down: its first element is for `end - 1`.
  /// - Returns: nil when there is none.
  func startOfMatch(
    in line: RawSpan, from first: Int, to end: Int, _ start: Syntax.Surrounding,
    trail: inout [UInt64]?
  ) -> Int? {
    precondition(first >= 0 && first <= end && end <= line.byteCount)
    let edge = start == .lineStart ? byteClasses.edge : byteClasses.restart
    // SAFETY: offsets are in the line; rows and classes are as the invariants say.
    return unsafe line.withUnsafeBytes { bytes in
      var next = Syntax.Surrounding.end
      if end < bytes.count {
        next = unsafe surrounding(ofClass: Int(classes[Int(bytes[end])]))
      }
      var row = rootRow(next)
      var offset = end
      var found: Int?
      while true {
        let number = unsafe offset > first ? Int(classes[Int(bytes[offset - 1])]) : edge
        var entry = unsafe table[row + number]
        if entry &- 1 >= Self.deadFlag - 1 {
          if entry == Self.unknown { entry = makeEntry(row: row, class: number) }
          if entry & Self.matchFlag != 0 { found = offset }
          if entry & Self.deadFlag != 0 { return found }
        }
        if offset == first { return found }
        row = Int(entry & ~Self.flags)
        trail?.append(nodeBits[row / width])
        offset -= 1
      }
    }
  }
}
