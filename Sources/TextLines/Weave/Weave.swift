import TextBuffer

/// All lines that a text ever had, in one order, and the effects of each group of changes.
///
/// A weave can revert a group and keep later ones. The result follows from the effects of the
/// groups: no texts are compared, and nothing is guessed. The structure is the weave of SCCS
/// (Rochkind 1975), with the undo of effects known from replicated texts (Weiss, Urso, Molli 2010;
/// Yu, Elvinger, Ignat 2019).
///
///     var weave = Weave(PieceTable("a\nb\nc\n"))
///     weave.add(1, document.changes(of: 1), to: text)   // group 1: b becomes B
///     weave.add(2, document.changes(of: 2), to: text)   // group 2: d is appended
///     try weave.reverting([1]).replacements             // line 2 by "b"
///
/// An *atom* is one line as one group inserted it. Atoms never move, and
/// stay when their line is removed:
///
///     atoms in order    a   b   B   c   d        revision 2 shows a B c d
///     inserted by       0   0   1   0   2
///     deleted by            1
///
/// An *effect* inserts an atom, deletes one, or is a *vote* on an older effect. A vote against an
/// effect switches it off. A vote for an effect switches it on in a branch without its group. An
/// effect *holds* in a revision if its group is there or a vote for it holds, and no vote against
/// it holds. An atom is *visible* if its insertion holds and none of its deletions does. The text
/// of a revision is its visible atoms.
///
/// The changes of a group do not show all its effects. Its ``Details`` must be kept, too: its
/// votes, which distinguish a restored line from a retyped one, and the lines that are still the
/// same after it.
///
/// Laws, for any history:
/// 1. Reverting all groups, newest first, succeeds and gives each earlier text in turn.
/// 2. Reverting several groups gives the same text in any order that succeeds, or all at once.
/// 3. A group can be reverted once all groups that depend on it are reverted.
/// 4. Reverting a group and then reverting that reversal restores the text.
/// 5. Undoing a group and picking it again is the same as redoing it.
/// 6. Restoring all lines to a revision gives the text of that revision.
/// 7. The visible atoms of each revision are its text, byte for byte.
/// 8. A revert gives the same text as a three-way merge of the present text and the text before the
///    group, with the text after it as base, if the merge is clean.
///
/// A last line without a newline counts as if it had one. Cost: O(log *n*) per effect, for *n*
/// atoms. Memory: about 60 bytes per atom with its effects, plus the lines, whose memory is shared
/// with the text.
public struct Weave: Sendable {
  /// Polled by long work; true stops the work.
  public var mustStop: @Sendable () -> Bool = { false }
  /// The present revision, which decides the visible atoms.
  public private(set) var revision: Int
  /// The lines of all atoms: atom `i` has line `i + 1`.
  var lines: PieceTable
  var order: AtomOrder
  var atoms: [Atom]
  var effects: [Effect] = []
  /// The groups by number; groups that were not added have no parent.
  var groups: [Group] = []
  /// All deletions of an atom except its first one, by atom.
  private var furtherDeletions: [Int: [Int]] = [:]
  /// The votes on each effect.
  var votes: [Int: [Int]] = [:]
  /// The atoms shown or hidden, with their visibility before; nil while not collected.
  var changed: [Int: Bool]?

  /// One line: the effects that inserted it and first deleted it. Lines of the first text have no
  /// insertion, so they can't be reverted.
  struct Atom {
    var insertion = none
    var deletion = none
  }

  struct Effect {
    /// The inserted or deleted atom, or the effect voted on.
    var target: UInt32
    var group: UInt32
    var kind: Kind
    var holds = false
    /// Whether a hunk begins here. A hunk is the effects of one replacement, which can only be
    /// reverted together. In a hunk, an insertion directly after a deletion inserts the same line,
    /// changed or moved.
    var startsHunk: Bool

    var isOnAtom: Bool { kind == .insertion || kind == .deletion }
  }

  enum Kind: UInt8 { case insertion, deletion, against, inFavor }

  struct Group {
    var parent = none
    var start = none
    var count: UInt32 = 0
    /// Whether it is on the path to the present revision.
    var isActive = false
  }

  static let none = UInt32.max

  /// A weave of a text without history.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - revision: The revision of the text; its lines can't be reverted.
  /// - Complexity: O(*n*), for *n* lines.
  public init(_ text: PieceTable, revision: Int = 0) {
    lines = Self.terminated(text)
    self.revision = revision
    order = AtomOrder(count: lines.newlineCount)
    atoms = [Atom](repeating: Atom(), count: lines.newlineCount)
    while groups.count <= revision { groups.append(Group()) }
    groups[revision] = Group(parent: UInt32(revision), start: 0, isActive: true)
  }

  /// The text, with a newline added to an unterminated last line.
  private static func terminated(_ text: PieceTable) -> PieceTable {
    if text.isEmpty || text.endsWithNewline { return text }
    var text = text
    text.insert([0x0A], at: ByteOffset(text.byteCount))
    return text
  }

  /// The number of lines of the present revision.
  public var lineCount: Int { order.visibleCount }

  /// The number of atoms, visible or not.
  package var atomCount: Int { atoms.count }

  /// Whether a group has been added.
  public func contains(_ group: Int) -> Bool {
    groups.indices.contains(group) && groups[group].parent != Self.none
  }

  // MARK: - Effects

  /// Whether an effect holds, computed from its group and its votes.
  private func isInForce(_ effect: Int) -> Bool {
    var isSupported = groups[Int(effects[effect].group)].isActive
    if votes.isEmpty { return isSupported }
    for vote in votes[effect] ?? [] where effects[vote].holds {
      if effects[vote].kind == .against { return false }
      isSupported = true
    }
    return isSupported
  }

  /// Updates whether an effect holds. After a change, updates its target: an effect or an atom.
  private mutating func update(_ effect: Int) {
    var effect = effect
    while true {
      let holds = isInForce(effect)
      if holds == effects[effect].holds { return }
      effects[effect].holds = holds
      let (kind, target) = (effects[effect].kind, Int(effects[effect].target))
      if kind == .insertion || kind == .deletion { return updateVisibility(of: target) }
      effect = target
    }
  }

  /// Updates the visibility of an atom from its effects.
  private mutating func updateVisibility(of atom: Int) {
    let isVisible = isInserted(atom) && !isDeleted(atom)
    if isVisible == order.isVisible(atom) { return }
    if changed?[atom] == nil { changed?[atom] = !isVisible }
    order.setVisible(atom, isVisible)
  }

  private func isInserted(_ atom: Int) -> Bool {
    let insertion = atoms[atom].insertion
    return insertion == Self.none || effects[Int(insertion)].holds
  }

  private func isDeleted(_ atom: Int) -> Bool {
    let first = atoms[atom].deletion
    if first == Self.none { return false }
    return effects[Int(first)].holds
      || furtherDeletions[atom]?.contains { effects[$0].holds } ?? false
  }

  func deletions(of atom: Int) -> [Int] {
    let first = atoms[atom].deletion
    return first == Self.none ? [] : [Int(first)] + (furtherDeletions[atom] ?? [])
  }

  func votes(on effect: Int, _ kind: Kind) -> [Int] {
    votes[effect]?.filter { effects[$0].kind == kind && effects[$0].holds } ?? []
  }

  /// The effects in force that hide an atom: its deletions, and votes against its insertion.
  func hiding(_ atom: Int) -> [Int] {
    let insertion = atoms[atom].insertion
    return deletions(of: atom).filter { effects[$0].holds }
      + (insertion == Self.none ? [] : votes(on: Int(insertion), .against))
  }

  /// The effects in force that show an atom: its insertion or votes for it, and votes against its
  /// deletions.
  func showing(_ atom: Int) -> [Int] {
    var found = deletions(of: atom).flatMap { votes(on: $0, .against) }
    if atoms[atom].insertion != Self.none, isInserted(atom) {
      let insertion = Int(atoms[atom].insertion)
      let isHere = groups[Int(effects[insertion].group)].isActive
      found += isHere ? [insertion] : votes(on: insertion, .inFavor)
    }
    return found
  }

  /// The insertion or deletion that a chain of votes ends at; the effect itself if not a vote.
  func root(of effect: Int) -> Int {
    var effect = effect
    while !effects[effect].isOnAtom {
      effect = Int(effects[effect].target)
    }
    return effect
  }

  func effects(of group: Int) -> Range<Int> {
    guard contains(group) else { return 0..<0 }
    let start = Int(groups[group].start)
    return start..<start + Int(groups[group].count)
  }

  func hunk(of effect: Int) -> Range<Int> {
    let all = effects(of: Int(effects[effect].group))
    var (start, end) = (effect, effect + 1)
    while start > all.lowerBound, !effects[start].startsHunk { start -= 1 }
    while end < all.upperBound, !effects[end].startsHunk { end += 1 }
    return start..<end
  }

  /// A set of hunks that yields each hunk once.
  struct Hunks {
    private var effects: Set<Int> = []

    /// Adds and returns the hunk of an effect; nil if the set has it already.
    mutating func insert(_ effect: Int, of weave: Weave) -> Range<Int>? {
      if effects.contains(effect) { return nil }
      let hunk = weave.hunk(of: effect)
      effects.formUnion(hunk)
      return hunk
    }
  }

  mutating func add(_ kind: Kind, _ target: Int, to group: Int, startsHunk: Bool = false) {
    let effect = effects.count
    effects.append(
      Effect(
        target: UInt32(target), group: UInt32(group), kind: kind, startsHunk: startsHunk))
    switch kind {
    case .insertion: atoms[target].insertion = UInt32(effect)
    case .deletion where atoms[target].deletion == Self.none:
      atoms[target].deletion = UInt32(effect)
    case .deletion: furtherDeletions[target, default: []].append(effect)
    case .against, .inFavor: votes[target, default: []].append(effect)
    }
    groups[group].count += 1
    update(effect)
  }

  /// Begins a group as a child of the present revision, and moves to it.
  mutating func begin(_ group: Int) {
    while groups.count <= group { groups.append(Group()) }
    groups[group] = Group(
      parent: UInt32(revision), start: UInt32(effects.count), isActive: true)
    revision = group
  }

  /// Removes a group, which must be the last one added. If it is active, its parent becomes the
  /// present revision.
  ///
  /// - Complexity: O(log *n*) for each of its effects.
  package mutating func removeLast(_ group: Int) {
    let all = effects(of: group)
    precondition(isLast(group), "another group was added later")
    if groups[group].isActive { move(to: Int(groups[group].parent)) }
    for effect in all.reversed() {
      let target = Int(effects[effect].target)
      switch effects[effect].kind {
      case .insertion:
        precondition(target == atoms.count - 1)
        let range = range(of: target)
        lines.remove(range)
        atoms.removeLast()
        order.removeLast()
      case .deletion where atoms[target].deletion == UInt32(effect):
        atoms[target].deletion = Self.none
      case .deletion:
        furtherDeletions[target]?.removeLast()
        if furtherDeletions[target] == [] { furtherDeletions[target] = nil }
      case .against, .inFavor:
        votes[target]?.removeLast()
        if votes[target] == [] { votes[target] = nil }
      }
      effects.removeLast()
    }
    groups[group] = Group()
  }

  /// Whether no later group has effects.
  package func isLast(_ group: Int) -> Bool { effects(of: group).upperBound == effects.count }

  /// Frees spare capacity.
  mutating func trim() {
    (atoms, effects, groups) = (atoms.map { $0 }, effects.map { $0 }, groups.map { $0 })
    order.trim()
  }

  // MARK: - Groups

  /// Adds a group as a child of the present revision, and moves to it.
  ///
  /// - Parameters:
  ///   - group: Its number, greater than the present revision.
  ///   - changes: Its changes, in order.
  ///   - text: The text before it.
  ///   - details: The details that its changes do not show. Its votes are ignored unless they lead
  ///     to the text after the changes.
  /// - Returns: The text after it.
  /// - Complexity: O(log *n*) per line, plus the cost of a `LineDifference` of each change.
  @discardableResult
  public mutating func add(
    _ group: Int, _ changes: [Change], to text: PieceTable, _ details: Details = Details()
  ) -> PieceTable {
    var after = text
    for change in changes { after.apply(change) }
    add(group, changes, from: text, to: after, details)
    return after
  }

  /// Adds a group as `add(_:_:to:_:)` does, whose changes lead from one text to another.
  mutating func add(
    _ group: Int, _ changes: [Change], from text: PieceTable, to after: PieceTable,
    _ details: Details
  ) {
    precondition(group > revision && !contains(group), "a group of this number is there")
    begin(group)
    if !details.votes.isEmpty {
      changed = [:]
      cast(details.votes, in: group)
      let result = replacements().applied(to: Self.terminated(text))
      changed = nil
      if result == Self.terminated(after) { return }
      removeLast(group)
      begin(group)
    }
    var edits: [Edit] = []
    var ballots: [[Int]] = []
    switch TouchedLines(of: changes, from: text, to: after) {
    case .moved(let lines, let target):
      let gone = visibleAtoms(lines)
      let moved = Self.terminated(text.slice(text.byteRange(of: lines)))
      self.lines.insert(moved, at: ByteOffset(self.lines.byteCount))
      let new = insert(gone.count, after: atom(target), in: group)
      edits = [Edit(gone: gone, new: new, pairCount: gone.count)]
    case .replaced(let hunks):
      let aligned = details.kept.flatMap {
        KeptAlignment($0, from: text, to: after, differing: hunks)
      }
      (edits, ballots) = self.edits(aligned ?? KeptAlignment(hunks), to: after, in: group)
      if aligned == nil { pairMovedLines(in: &edits) }
    }
    for ballot in ballots {
      for target in ballot {
        add(.against, target, to: group, startsHunk: target == ballot.first)
      }
    }
    for edit in edits { add(edit, to: group) }
  }

  /// Adds invisible atoms for the new lines of a text, and returns the edits that lead to it. For a
  /// hunk that undoes an earlier group by hand, returns the effects to vote against instead.
  private mutating func edits(
    _ alignment: KeptAlignment, to after: PieceTable, in group: Int
  ) -> (edits: [Edit], ballots: [[Int]]) {
    var (edits, ballots) = ([Edit](), [[Int]]())
    /// In hunks with moved lines: the old and the new atoms by line, counted from 0.
    var (sources, places) = ([Int: Int](), [Int: Int]())
    /// The last atom of the previous hunk if the next hunk directly follows it.
    var above: Int?
    let hunks = alignment.hunks
    for (index, hunk) in hunks.enumerated() {
      if index & 1023 == 1023 && mustStop() { break }
      let lines = LineHunk(hunk.lines)
      let gone = visibleAtoms(lines.old)
      let new = Self.terminated(after.slice(after.byteRange(of: lines.new)))
      let isAbove =
        index + 1 < hunks.count
        && hunks[index + 1].lines.old.lowerBound == hunk.lines.old.upperBound
      if !hunk.hasMoved && above == nil && !isAbove {
        let undone = effectsUndone(by: gone, new, below: lines.old.first - 1)
        if !undone.isEmpty {
          ballots.append(undone)
          continue
        }
      }
      var edit = edit(gone, new, in: group) { above ?? $0.atom(lines.old.first - 1) }
      // Text may have flowed between a changed line and adjacent lines that were added or removed.
      if above != nil && !hunk.hasMoved, let last = edits.last {
        edit.continuesHunk =
          last.isInPlace && edit.isUneven || last.isUneven && edit.isInPlace
        if edit.continuesHunk { edits[edits.count - 1].isContinued = true }
      }
      above = isAbove ? edit.new.last ?? gone.last : nil
      if !hunk.isInPlace && edit.gone.count == edit.new.count { edit.pairCount = -1 }
      if hunk.hasMoved {
        let (old, new) = (zip(hunk.lines.old, gone), zip(hunk.lines.new, edit.new))
        for (line, atom) in old { sources[line] = atom }
        for (line, atom) in new { places[line] = atom }
        edit = Edit(
          gone: old.filter { !alignment.movedAway.contains($0.0) }.map(\.1),
          new: new.filter { alignment.moved[$0.0] == nil }.map(\.1), pairCount: -1)
      }
      edits.append(edit)
    }
    // Lines that were moved together are undone together.
    var last: (new: Int, old: Int)?
    for (new, old) in alignment.moved.sorted(by: { $0.key < $1.key }) {
      guard let source = sources[old], let place = places[new] else { continue }
      var edit = Edit(gone: [source], new: [place], pairCount: 1)
      edit.continuesHunk = last.map { $0 == (new - 1, old - 1) } ?? false
      edits.append(edit)
      last = (new, old)
    }
    return (edits, ballots)
  }

  /// A replacement of visible atoms by new ones. A pair of an old and a new atom is the same line.
  /// With `pairCount` 0, all atoms are paired if both counts are equal, and otherwise none. A
  /// positive `pairCount` pairs only the first atoms; a negative one pairs none.
  struct Edit {
    var gone: [Int]
    var new: [Int]
    var pairCount = 0
    /// Whether it belongs to the hunk of the edit before it, or the next edit to its own.
    var continuesHunk = false, isContinued = false

    var isUneven: Bool { gone.count != new.count }
    var isInPlace: Bool { !isUneven && pairCount == 0 }
  }

  mutating func add(_ edit: Edit, to group: Int) {
    let (gone, new, count) = (edit.gone, edit.new, max(edit.pairCount, 0))
    let startsHunk = !edit.continuesHunk
    // An insertion right after a deletion inserts the same line.
    for index in 0..<(edit.isInPlace ? gone.count : count) {
      add(.deletion, gone[index], to: group, startsHunk: index == 0 ? startsHunk : edit.isInPlace)
      add(.insertion, new[index], to: group)
    }
    if edit.isInPlace { return }
    let isAlone = startsHunk && !edit.isContinued && gone.isEmpty
    for (index, atom) in new.enumerated().dropFirst(count) {
      add(.insertion, atom, to: group, startsHunk: index == 0 ? startsHunk : isAlone)
    }
    for (index, atom) in gone.enumerated().dropFirst(count) {
      add(.deletion, atom, to: group, startsHunk: index == 0 && new.isEmpty && startsHunk)
    }
  }

  /// Adds the invisible atoms of a replacement: each after the atom that it replaces if the counts
  /// are equal, otherwise all after the last replaced atom or, without one, after `above`.
  private mutating func edit(
    _ gone: [Int], _ new: PieceTable, in group: Int, after above: (Self) -> Int?
  ) -> Edit {
    lines.insert(new, at: ByteOffset(lines.byteCount))
    if gone.count == new.newlineCount {
      return Edit(gone: gone, new: gone.map { insert(after: $0, in: group) })
    }
    let anchor = gone.last ?? above(self)
    return Edit(gone: gone, new: insert(new.newlineCount, after: anchor, in: group))
  }

  /// The effects of the newest earlier group that a replacement of the visible atoms `gone` below
  /// `line` exactly inverts here, by hand. Empty without such a group, or with too
  /// many invisible atoms to check.
  private func effectsUndone(
    by gone: [Int], _ new: PieceTable, below line: LineNumber
  ) -> [Int] {
    var candidates: Set<UInt32> = []
    if let first = gone.first {
      // Usually no group qualifies, and the search ends here.
      for effect in showing(first)
      where new.isEmpty || mayHaveHidden(new, effects[effect].group) {
        candidates.insert(effects[effect].group)
      }
      if candidates.isEmpty { return [] }
    }
    var hidden: [Int] = []
    var rest = gone.count
    var next = atom(line).map { order.next($0) } ?? order.first
    while let atom = next {
      if order.isVisible(atom) {
        if rest == 0 { break }
        rest -= 1
      } else if isHere(atom) {
        if hidden.count == Self.hiddenLimit { return [] }
        hidden.append(atom)
      }
      next = order.next(atom)
    }
    let reasons = hidden.map { hiding($0) }
    if gone.isEmpty { candidates = Set(reasons.joined().map { effects[$0].group }) }
    candidates: for group in candidates.sorted(by: >) {
      var found: [Int] = []
      for atom in gone {
        let shown = showing(atom).filter { effects[$0].group == group }
        if shown.isEmpty { continue candidates }
        found += shown
      }
      let restored = hidden.indices.filter { index in
        reasons[index].contains { effects[$0].group == group }
      }
      if restored.count != new.newlineCount { continue }
      var line = LineNumber(1)
      for index in restored {
        let hiding = reasons[index]
        if hiding.count > 1 || self.line(of: hidden[index]) != new.line(line) {
          continue candidates
        }
        // If the line that replaced it is still there, the old text is a new line.
        if let effect = hiding.first, effects[effect].kind == .deletion,
          let newer = pair(of: effect), order.isVisible(newer), !gone.contains(newer)
        {
          continue candidates
        }
        found += hiding
        line = line + 1
      }
      return found
    }
    return []
  }

  /// Whether a group may have hidden the first of some lines: it has an effect on an equal line, or
  /// too many effects to check.
  private func mayHaveHidden(_ new: PieceTable, _ group: UInt32) -> Bool {
    let all = effects(of: Int(group))
    let length = new.byteRange(of: LineRange(1, 1)).count
    return all.count > 16
      || all.contains { effect in
        let atom = Int(effects[root(of: effect)].target)
        return range(of: atom).count == length && line(of: atom) == new.line(LineNumber(1))
      }
  }

  private static let hiddenLimit = 256

  /// Whether an atom was inserted, or its insertion picked, on the path to the present revision.
  func isHere(_ atom: Int) -> Bool {
    let insertion = atoms[atom].insertion
    return insertion == Self.none || groups[Int(effects[Int(insertion)].group)].isActive
      || !votes(on: Int(insertion), .inFavor).isEmpty
  }

  /// Turns edits that together only move lines into moves.
  private func pairMovedLines(in edits: inout [Edit]) {
    let removed = edits.flatMap(\.gone)
    guard removed.count == edits.reduce(0, { $0 + $1.new.count }),
      edits.allSatisfy({ $0.gone.isEmpty || $0.new.isEmpty })
    else { return }
    var sources: [[UInt8]: [Int]] = [:]
    for atom in removed.reversed() { sources[line(of: atom), default: []].append(atom) }
    var moves: [Edit] = []
    for atom in edits.flatMap(\.new) {
      guard let source = sources[line(of: atom)]?.popLast() else { return }
      moves.append(Edit(gone: [source], new: [atom]))
    }
    edits = moves
  }

  // MARK: - Atoms

  func range(of atom: Int) -> Range<ByteOffset> {
    lines.byteRange(of: LineRange(LineNumber(atom + 1)))
  }

  func line(of atom: Int) -> [UInt8] { lines.line(LineNumber(atom + 1)) }

  /// The atom of a line; nil for line 0.
  func atom(_ line: LineNumber) -> Int? {
    line == .zero ? nil : order.atom(line.value)
  }

  func visibleAtoms(_ lines: LineRange) -> [Int] {
    lines.count == 0 ? [] : (lines.first.value...lines.last.value).map { order.atom($0) }
  }

  /// Adds consecutive invisible atoms after `atom`, or at the top if it is nil, and returns them.
  /// Their lines exist already. At the same place, atoms of later groups come first, so the order
  /// does not depend on when a branch is visited.
  mutating func insert(_ count: Int, after atom: Int?, in group: Int) -> [Int] {
    var atom = atom
    return (0..<count).map { _ in
      let new = insert(after: atom, in: group)
      atom = new
      return new
    }
  }

  mutating func insert(after atom: Int?, in group: Int) -> Int {
    var place = atom
    while let next = place.map({ order.next($0) }) ?? order.first {
      let insertion = atoms[next].insertion
      if insertion == Self.none || effects[Int(insertion)].group <= group { break }
      place = next
    }
    atoms.append(Atom())
    return order.insert(after: place)
  }

  // MARK: - Moving

  /// Moves to another added revision.
  ///
  /// - Complexity: O(log *n*) for each effect on the way.
  public mutating func move(to target: Int) {
    precondition(contains(target), "an unknown revision")
    var (here, there, forward) = (revision, target, [Int]())
    while here != there {
      // A parent has a smaller number than its children.
      if here > there {
        groups[here].isActive = false
        for effect in effects(of: here).reversed() { update(effect) }
        here = Int(groups[here].parent)
      } else {
        forward.append(there)
        there = Int(groups[there].parent)
      }
    }
    for group in forward.reversed() {
      groups[group].isActive = true
      for effect in effects(of: group) { update(effect) }
    }
    revision = target
  }

  /// The text of the present revision, built from its atoms; incomplete if `mustStop` stopped the
  /// work.
  public var text: PieceTable {
    var text = PieceTable.Builder(from: lines)
    var (next, count) = (order.first, 0)
    while let atom = next {
      count += 1
      if count & 1023 == 0 && mustStop() { break }
      if order.isVisible(atom) { text.keep(range(of: atom)) }
      next = order.next(atom)
    }
    return text.finish()
  }

  /// Traps if an invariant is broken; for tests.
  package func checkInvariants() {
    order.checkInvariants()
    precondition(order.count == atoms.count && lines.newlineCount == atoms.count)
    for (index, effect) in effects.enumerated() {
      precondition(effect.holds == isInForce(index), "an effect is wrong")
    }
    for atom in atoms.indices {
      let isVisible = isInserted(atom) && !isDeleted(atom)
      precondition(isVisible == order.isVisible(atom), "an atom is wrong")
    }
  }
}
