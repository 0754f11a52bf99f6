import TextBuffer

/// Groups and their effects on lines.
extension Weave {
  /// The present line of an atom; if the line is gone, the gap where it was.
  func place(of atom: Int) -> LineRange {
    let line = visibleAtom(of: atom).map { order.visibleCount(before: $0) + 1 }
    let above = order.visibleCount(before: atom)
    return line.map { LineRange($0, $0) } ?? LineRange(above + 1, above)
  }

  static func joined(_ lines: [LineRange]) -> [LineRange] {
    var joined: [LineRange] = []
    for range in Set(lines).sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) }) {
      if let last = joined.last, last.count > 0, range.first <= last.last + 1 {
        joined[joined.count - 1].last = max(last.last, range.last)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// The visible atom of the line that `atom` belongs to; nil if the line is gone.
  private func visibleAtom(of atom: Int) -> Int? {
    var (waiting, seen) = ([atom], Set([atom]))
    while let next = waiting.popLast() {
      if order.isVisible(next) { return next }
      for effect in rootEffects(of: next) {
        // An insertion that does not hold leads to the older atom of the line; a deletion that
        // holds leads to the newer one.
        guard effects[effect].holds == (effects[effect].kind == .deletion),
          let pair = pair(of: effect), seen.insert(pair).inserted
        else { continue }
        waiting.append(pair)
      }
    }
    return nil
  }

  /// The insertion and the deletions of an atom.
  func rootEffects(of atom: Int) -> [Int] {
    let insertion = atoms[atom].insertion
    return (insertion == Self.none ? [] : [Int(insertion)]) + deletions(of: atom)
  }

  /// The atom paired with the atom of an effect: the same line, before or after the group. Nil
  /// without one.
  func pair(of effect: Int) -> Int? {
    let isDeletion = effects[effect].kind == .deletion
    let (first, second) = isDeletion ? (effect, effect + 1) : (effect - 1, effect)
    guard effects.indices.contains(first), effects.indices.contains(second),
      effects[first].kind == .deletion, effects[second].kind == .insertion,
      !effects[second].startsHunk, effects[first].group == effects[second].group
    else { return nil }
    return Int(effects[isDeletion ? second : first].target)
  }

  /// The atoms from the first to the last of some lines, or in a gap, visible or not. At an end of
  /// the text, includes the atoms beyond.
  func interval(of lines: LineRange) -> [Int] {
    let (first, last) = (lines.first.value, lines.last.value)
    let isGap = lines.count == 0
    var next = order.first
    if first > 1 { next = isGap ? order.next(order.atom(last)) : order.atom(first) }
    let end = last >= lineCount ? nil : order.atom(isGap ? first : last)
    var atoms: [Int] = []
    while let atom = next, !isGap || atom != end {
      atoms.append(atom)
      next = atom == end ? nil : order.next(atom)
    }
    return atoms
  }

  /// The groups on the path to the present revision that have touched some lines, newest first.
  public func groups(touching lines: LineRange) -> [Int] {
    var waiting = interval(of: lines).filter { isHere($0) }
    var (atoms, found, hunks) = (Set(waiting), Set<Int>(), Hunks())
    while let atom = waiting.popLast() {
      var related = rootEffects(of: atom)
      if let insertion = related.first, effects[insertion].kind == .insertion,
        let hunk = hunks.insert(insertion, of: self)
      {
        for other in hunk where effects[other].kind == .deletion {
          let old = Int(effects[other].target)
          if atoms.insert(old).inserted { waiting.append(old) }
        }
      }
      while let effect = related.popLast() {
        if groups[Int(effects[effect].group)].isActive { found.insert(Int(effects[effect].group)) }
        related += votes[effect] ?? []
      }
    }
    return found.sorted(by: >)
  }

  /// The group that last made a line visible; 0 for a line of the first text.
  public func group(showing line: LineNumber) -> Int {
    let atom = order.atom(line.value)
    return rootEffects(of: atom).reduce(0) {
      max($0, lastCause(of: $1, holding: effects[$1].kind == .insertion))
    }
  }

  /// The group on the path that last made an effect hold or not, as it does now; 0 without one.
  private func lastCause(of effect: Int, holding: Bool) -> Int {
    let against = (votes[effect] ?? []).filter { effects[$0].kind == .against }
    if !holding {
      return against.filter { effects[$0].holds }.map { lastCause(of: $0, holding: true) }.min()
        ?? 0
    }
    let group = Int(effects[effect].group)
    let start =
      groups[group].isActive
      ? group
      : votes(on: effect, .inFavor).map { lastCause(of: $0, holding: true) }.min() ?? 0
    return against.reduce(start) { max($0, lastCause(of: $1, holding: false)) }
  }

  /// The atoms of all lines of an added revision, in order.
  public func atoms(of revision: Int) -> [Int] {
    var then = self
    then.move(to: revision)
    return then.lineCount == 0 ? [] : then.visibleAtoms(LineRange(1, then.lineCount))
  }

  /// The present line of an atom; nil if it is gone.
  public func line(ofAtom atom: Int) -> LineNumber? {
    visibleAtom(of: atom).map { LineNumber(order.visibleCount(before: $0) + 1) }
  }

  /// Whether a group of the weave led to the present revision.
  package func isHere(group: Int) -> Bool { groups[group].isActive }

  /// The group that removed the line of an atom, or that inserted the line on another branch; nil
  /// if the line is visible.
  public func group(hiding atom: Int) -> Int? {
    var (atom, seen) = (atom, Set<Int>())
    while seen.insert(atom).inserted {
      if order.isVisible(atom) { return nil }
      let deletions = deletions(of: atom).filter { effects[$0].holds }
      guard let next = deletions.lazy.compactMap({ pair(of: $0) }).first else { break }
      atom = next
    }
    if let effect = hiding(atom).first { return Int(effects[effect].group) }
    return Int(effects[Int(atoms[atom].insertion)].group)
  }
}
