import TextBuffer

/// Reverting and picking groups.
extension Weave {
  /// The details of a group that its changes do not show.
  public struct Details: Hashable, Sendable {
    /// Its votes on older effects, if it did nothing else.
    public var votes: [Vote]
    /// The lines that are the same before and after the group, even if changed or moved. If nil,
    /// they are inferred: a replacement by an equal number of lines keeps its lines.
    public var kept: [KeptLines]?

    /// The votes and the kept lines of a group.
    public init(votes: [Vote] = [], kept: [KeptLines]? = nil) {
      (self.votes, self.kept) = (votes, kept)
    }
  }

  /// A vote on effects of a group.
  public struct Vote: Hashable, Sendable {
    /// The group whose effects are voted on.
    public var group: Int
    /// Its effects, counted from 0 within the group.
    public var effects: Range<Int>
    /// Whether the vote switches them off; otherwise it switches them on in another branch.
    public var isAgainst: Bool

    /// A vote against effects of a group, or for them.
    public init(group: Int, effects: Range<Int>, isAgainst: Bool) {
      (self.group, self.effects, self.isAgainst) = (group, effects, isAgainst)
    }
  }

  /// Lines of the present text, and the lines that replace them.
  public struct Replacement: Sendable {
    /// The replaced lines; an empty range inserts above its first line.
    public var lines: LineRange
    /// The new text, made of whole lines.
    public var text: PieceTable
  }

  /// The votes and replacements that revert or pick groups.
  public struct Reversal: Sendable {
    /// The votes to store in the `Details` of the new group.
    public var votes: [Vote]
    /// The replacements to make, in ascending order; empty if no line appears or disappears.
    public var replacements: [Replacement]
  }

  /// The groups that must be reverted first; empty if `mustStop` stopped the work.
  public struct Conflict: Error, Hashable, Sendable {
    /// The conflicting lines of the present text, by group; an empty range is a gap between lines.
    public var lines: [Int: [LineRange]]
    /// The groups, newest first.
    public var groups: [Int] { lines.keys.sorted(by: >) }
  }

  mutating func cast(_ votes: [Vote], in group: Int) {
    for vote in votes {
      let all = effects(of: vote.group)
      for effect in vote.effects.clamped(to: 0..<all.count) {
        add(vote.isAgainst ? .against : .inFavor, all.lowerBound + effect, to: group)
      }
    }
  }

  /// Computes how to revert groups of the present revision and keep all others.
  ///
  /// - Throws: A conflict with the groups that have changed, moved or put back the same lines
  ///   since. Groups whose reversal would not change the text never conflict: they are reverted as
  ///   well.
  public func reverting(_ ids: Set<Int>) throws(Conflict) -> Reversal {
    var all = ids
    while true {
      do throws(Conflict) {
        return try reversal(of: all)
      } catch {
        let silent = error.groups.filter { !changesText($0) }
        if silent.isEmpty { throw error }
        all.formUnion(silent)
      }
    }
  }

  private func reversal(of ids: Set<Int>) throws(Conflict) -> Reversal {
    try reversal(allowing: ids) { weave, group in
      for id in ids.sorted() {
        for effect in effects(of: id) { weave.add(.against, effect, to: group) }
      }
    }
  }

  /// Whether reverting a group would change the text, or would conflict.
  private func changesText(_ id: Int) -> Bool {
    guard let replacements = try? reversal(of: [id]).replacements else { return true }
    return changesText(replacements)
  }

  private func changesText(_ replacements: [Replacement]) -> Bool {
    let growth = replacements.reduce(0) { $0 + $1.text.newlineCount - $1.lines.count }
    if growth != 0 { return true }
    let text = text
    return replacements.applied(to: text) != text
  }

  /// Computes how to repeat a group of another branch in the present revision.
  ///
  /// - Throws: A conflict with the groups that have changed the same lines here, or with the groups
  ///   of another branch that inserted these lines.
  public func picking(_ id: Int) throws(Conflict) -> Reversal {
    try reversal(allowing: [id]) { weave, group in
      for effect in effects(of: id) { weave.force(effect, toHold: true, in: group) }
    }
  }

  /// Computes how to undo the newest group that affects some lines, in these lines only. Skips
  /// groups that are reversals themselves.
  ///
  /// Groups whose reversal would not change the text are undone on the way.
  ///
  /// - Throws: A conflict with groups that have changed the same lines since.
  /// - Returns: The group and its reversal; nil if no group is left to undo.
  public func undoing(
    in lines: LineRange
  ) throws(Conflict) -> (group: Int, reversal: Reversal)? {
    var (hunks, known) = ([Int: Set<Int>](), Hunks())
    func note(_ effects: [Int]) {
      for effect in effects where self.effects[effect].kind != .against {
        let root = root(of: effect)
        guard let hunk = known.insert(root, of: self) else { continue }
        hunks[bringer(of: root), default: []].insert(hunk.lowerBound)
      }
    }
    for atom in interval(of: lines) where isHere(atom) {
      note(order.isVisible(atom) ? showing(atom) : hiding(atom))
    }
    var (allowed, starts) = (Set<Int>(), Set<Int>())
    while let (id, found) = hunks.max(by: { $0.key < $1.key }) {
      hunks[id] = nil
      allowed.formUnion([id] + found.map { Int(effects[$0].group) })
      starts.formUnion(found)
      let reversal = try reversal(allowing: allowed) { weave, group in
        for start in starts.sorted() {
          for effect in hunk(of: start) where effects[effect].holds {
            weave.add(.against, effect, to: group)
          }
        }
      }
      if changesText(reversal.replacements) { return (id, reversal) }
      // Continue with the effects that showed the deleted lines.
      for effect in found.flatMap({ hunk(of: $0) }) where effects[effect].kind == .deletion {
        note(showing(Int(effects[effect].target)))
      }
    }
    return nil
  }

  /// The group that made an effect hold: its own, or the first that picked it from another branch.
  private func bringer(of effect: Int) -> Int {
    let group = Int(effects[effect].group)
    if groups[group].isActive { return group }
    return votes(on: effect, .inFavor).map { Int(effects[$0].group) }.min() ?? group
  }

  /// Computes how to restore some lines as they were at a revision of the weave. Lines that moved
  /// later move back.
  ///
  /// - Throws: A conflict without groups if `mustStop` stopped the work; no other conflict is
  ///   possible.
  public func restoring(_ lines: LineRange, to id: Int) throws(Conflict) -> Reversal {
    var then = self
    then.move(to: id)
    var waiting = interval(of: lines)
    var (atoms, hunks) = (Set(waiting), Hunks())
    while let atom = waiting.popLast() {
      if atom & 1023 == 0 && mustStop() { break }
      for effect in rootEffects(of: atom) {
        let group = Int(effects[effect].group)
        guard groups[group].isActive || then.groups[group].isActive,
          let hunk = hunks.insert(effect, of: self)
        else { continue }
        for other in hunk where effects[other].isOnAtom {
          let found = Int(effects[other].target)
          if atoms.insert(found).inserted { waiting.append(found) }
        }
      }
    }
    return try reversal(allowing: nil) { weave, group in
      for (count, atom) in atoms.sorted().enumerated() {
        if count & 1023 == 0 && mustStop() { break }
        for effect in rootEffects(of: atom) {
          weave.force(effect, toHold: then.effects[effect].holds, in: group)
        }
      }
    }
  }

  /// Casts votes that make an effect hold, or not hold.
  private mutating func force(_ effect: Int, toHold holds: Bool, in group: Int) {
    if effects[effect].holds == holds { return }
    if !holds { return add(.against, effect, to: group) }
    for vote in votes(on: effect, .against) { add(.against, vote, to: group) }
    if !effects[effect].holds { add(.inFavor, effect, to: group) }
  }

  /// Runs `body` on a copy, and returns its votes and the replacements that they cause. Throws if
  /// groups other than `ids` conflict; nil allows all groups.
  private func reversal(
    allowing ids: Set<Int>?, _ body: (inout Weave, Int) -> Void
  ) throws(Conflict) -> Reversal {
    var trial = self
    let group = groups.count
    trial.begin(group)
    trial.changed = [:]
    body(&trial, group)
    if mustStop() { throw Conflict(lines: [:]) }
    let new = trial.effects(of: group)
    if let ids {
      var obstacles: [Obstacle] = []
      for (effect, (voted, isAgain)) in trial.roots(of: new) {
        if effect & 1023 == 0 && mustStop() { throw Conflict(lines: [:]) }
        let (isOn, atom) = (trial.effects[effect].holds, Int(effects[effect].target))
        if isOn == effects[effect].holds { continue }
        let isShown = isOn == (effects[effect].kind == .insertion)
        if isShown ? trial.order.isVisible(atom) : order.isVisible(atom) { continue }
        // Effects that these votes turn on or off are no obstacle.
        var blockers = (isShown ? trial : self).hiding(atom)
          .filter { trial.effects[$0].holds && $0 < effects.count && effects[$0].holds }
          .map { bringer(of: $0) }
        if !trial.isHere(atom) { blockers.append(Int(effects[Int(atoms[atom].insertion)].group)) }
        let others = Set(blockers).subtracting(ids).subtracting([group])
        if others.isEmpty { continue }
        let revision =
          isShown != isAgain ? Int(groups[voted.lowerBound].parent) : voted.upperBound
        obstacles.append(Obstacle(atom: atom, revision: revision, groups: others))
      }
      if let conflict = conflict(of: obstacles) { throw conflict }
    }
    var votes: [Vote] = []
    for effect in new {
      let target = Int(trial.effects[effect].target)
      let voted = Int(trial.effects[target].group)
      let index = target - trial.effects(of: voted).lowerBound
      let isAgainst = trial.effects[effect].kind == .against
      if let last = votes.last, last.group == voted, last.isAgainst == isAgainst,
        last.effects.upperBound == index
      {
        votes[votes.count - 1].effects = last.effects.lowerBound..<index + 1
      } else {
        votes.append(Vote(group: voted, effects: index..<index + 1, isAgainst: isAgainst))
      }
    }
    let replacements = trial.replacements()
    if mustStop() { throw Conflict(lines: [:]) }
    return Reversal(votes: votes, replacements: replacements)
  }

  /// An atom that other groups hide, whatever the votes say of it.
  private struct Obstacle {
    var atom: Int
    /// The groups conflict if the atom is visible at this revision: before the first voted group if
    /// the voted groups hid the atom, after the last one if they showed it.
    var revision: Int
    var groups: Set<Int>
  }

  /// The insertions and deletions that chains of votes end at, each with the first and the last
  /// voted group. `isAgain` tells whether the last vote is for a group, not against one.
  private func roots(of votes: Range<Int>) -> [Int: (groups: ClosedRange<Int>, isAgain: Bool)] {
    var roots: [Int: (groups: ClosedRange<Int>, isAgain: Bool)] = [:]
    for vote in votes {
      let (root, group) = (root(of: vote), Int(effects[Int(effects[vote].target)].group))
      let known = roots[root]?.groups ?? group...group
      roots[root] = (
        min(known.lowerBound, group)...max(known.upperBound, group), effects[vote].kind == .inFavor
      )
    }
    return roots
  }

  /// The conflict that obstacles cause; nil if all their atoms were hidden at their revisions.
  private func conflict(of obstacles: [Obstacle]) -> Conflict? {
    var (then, conflict) = (self, Conflict(lines: [:]))
    for obstacle in obstacles.sorted(by: { $0.revision > $1.revision }) {
      then.move(to: obstacle.revision)
      if !then.order.isVisible(obstacle.atom) { continue }
      for id in obstacle.groups {
        conflict.lines[id, default: []].append(place(of: obstacle.atom))
      }
    }
    if conflict.lines.isEmpty { return nil }
    conflict.lines = conflict.lines.mapValues { Self.joined($0) }
    return conflict
  }

  /// Computes the replacements that lead from the text when `changed` was empty to this one;
  /// incomplete if `mustStop` stopped the work.
  mutating func replacements() -> [Replacement] {
    let atoms = (changed ?? [:]).filter { order.isVisible($0.key) != $0.value }.keys
    // Show the hidden atoms for a moment, so each line of both texts has its own number.
    let hidden = atoms.filter { !order.isVisible($0) }
    for atom in hidden { order.setVisible(atom, true) }
    let places = atoms.prefix { $0 & 1023 != 0 || !mustStop() }
      .map { (place: order.visibleCount(before: $0), atom: $0) }.sorted { $0.place < $1.place }
    for atom in hidden { order.setVisible(atom, false) }
    var (found, shown, rest) = ([Replacement](), 0, places[...])
    while let start = rest.first {
      if rest.startIndex & 1023 == 0 && mustStop() { break }
      var text = PieceTable.Builder(from: lines)
      let first = start.place - shown + 1
      var (place, count) = (start.place, 0)
      while let next = rest.first, next.place == place {
        if order.isVisible(next.atom) {
          text.keep(range(of: next.atom))
          shown += 1
        } else {
          count += 1
        }
        place += 1
        rest.removeFirst()
      }
      found.append(Replacement(lines: LineRange(first, first + count - 1), text: text.finish()))
    }
    return found
  }
}

extension [Weave.Replacement] {
  /// The text after these replacements, which must be in ascending order.
  package func applied(to text: PieceTable) -> PieceTable {
    var text = text
    for replacement in reversed() {
      text.replaceLines(replacement.lines, with: replacement.text)
    }
    return text
  }
}
