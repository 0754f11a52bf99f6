import TextBuffer

@testable import ued

/// What groups did to lines, each of which has a text of its own and so an identity.
///
/// A line that is put back is the one that was there before the group which that takes back. What a group did
/// to a place stands as long as no group that stands has taken it back there, and the text has not become what
/// it was before in another way.
struct LineHistoryModel {
  /// Lines replaced by others, as indices from 0.
  struct Hunk: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// A group that touched lines: the lines that it removed and added there, or moved.
  struct Touch {
    var id: Int
    var isMove = false
    var places: [(removed: [String], added: [String])] = []
  }

  /// The lines that a group moved, if it did nothing else.
  var moved: [Int: Set<String>] = [:]
  /// What groups took back of others.
  var takenBack: [Int: Int] = [:]
  /// The lines that those removed and added for that which took only some places back.
  var takenLines: [Int: Set<String>] = [:]

  /// What makes one text of the other, if no line has changed places.
  static func hunks(from old: [String], to new: [String]) -> [Hunk] {
    let (inOld, inNew) = (Set(old), Set(new))
    var hunks: [Hunk] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      let (start, newStart) = (i, j)
      while i < old.count, !inNew.contains(old[i]) { i += 1 }
      while j < new.count, !inOld.contains(new[j]) { j += 1 }
      if i > start || j > newStart { hunks.append(Hunk(old: start..<i, new: newStart..<j)) }
      if i < old.count && j < new.count {
        precondition(old[i] == new[j], "a line has changed places")
        (i, j) = (i + 1, j + 1)
      }
    }
    return hunks
  }

  /// Whether the lines that two texts share are in the same order.
  static func haveSameOrder(_ one: [String], _ other: [String]) -> Bool {
    let shared = Set(one).intersection(other)
    return one.filter { shared.contains($0) } == other.filter { shared.contains($0) }
  }

  /// The group that wrote or moved each line last.
  ///
  /// - Parameter texts: The groups from the oldest, each with its lines; the first is the first text.
  /// - Returns: The groups.
  func origins(_ texts: [(id: Int, lines: [String])]) -> [Int] {
    var origins: [String: Int] = [:]
    for line in texts[0].lines { origins[line] = 0 }
    for (before, after) in zip(texts, texts.dropFirst()) {
      let old = Set(before.lines)
      for line in after.lines where !old.contains(line) { origins[line] = after.id }
      for line in moved[after.id] ?? [] { origins[line] = after.id }
    }
    return texts[texts.count - 1].lines.map { origins[$0] ?? -1 }
  }

  /// The groups that touched lines, newest first.
  func touches(of lines: Set<String>, _ texts: [(id: Int, lines: [String])]) -> [Touch] {
    var lines = lines
    // Lines that were put back, by the group before which they were there.
    var restored: [Int: Set<String>] = [:]
    var touches: [Touch] = []
    let path = texts.map(\.id)
    for (before, after) in zip(texts, texts.dropFirst()).reversed() {
      var touch = Touch(id: after.id)
      let found = (restored.removeValue(forKey: after.id) ?? []).intersection(before.lines)
      if let moved = moved[after.id] {
        touch.isMove = true
        lines.formUnion(found)
        if !lines.isDisjoint(with: moved) { touches.append(touch) }
        continue
      }
      var next = lines.union(found)
      for hunk in Self.hunks(from: before.lines, to: after.lines) {
        let (removed, added) = (Set(before.lines[hunk.old]), Set(after.lines[hunk.new]))
        next.subtract(added)
        if let taken = takenBack[after.id] {
          restored[taken, default: []].formUnion(lines.intersection(added))
        }
        if removed.count == added.count {
          for (old, new) in zip(before.lines[hunk.old], after.lines[hunk.new])
          where lines.contains(new) || found.contains(old) {
            touch.places.append(([old], [new]))
            next.insert(old)
          }
          continue
        }
        if !lines.isDisjoint(with: added)
          || added.isEmpty && isAround(hunk.new.lowerBound, lines, after.lines)
        {
          if takenBack[after.id] == nil && !isTaken(removed, added, of: after.id, path) {
            next.formUnion(removed)
          }
        } else if found.isDisjoint(with: removed) {
          continue
        }
        touch.places.append((Array(before.lines[hunk.old]), Array(after.lines[hunk.new])))
      }
      lines = next
      if !touch.places.isEmpty { touches.append(touch) }
    }
    return touches
  }

  /// Whether what a group did in a place has been taken back, by a group that has not been itself.
  private func isTaken(
    _ removed: some Sequence<String>, _ added: some Sequence<String>, of id: Int, _ path: [Int]
  ) -> Bool {
    let lines = Set(removed).union(added)
    return path.contains {
      takenBack[$0] == id && !isUndone($0, path) && takenLines[$0]?.isSuperset(of: lines) ?? true
    }
  }

  /// Whether the gap above an index lies between two of the lines, or beside one at an end of the text.
  private func isAround(_ index: Int, _ lines: Set<String>, _ all: [String]) -> Bool {
    let above = index > 0 && lines.contains(all[index - 1])
    let below = index < all.count && lines.contains(all[index])
    return (above || index == 0) && (below || index == all.count) && (above || below)
  }

  /// What stands of a touch: nil if it has all been taken back, or takes back something itself.
  ///
  /// - Parameters:
  ///   - touch: A group that touched lines.
  ///   - texts: The groups from the oldest, each with its lines.
  /// - Returns: What stands.
  func standing(_ touch: Touch, _ texts: [(id: Int, lines: [String])]) -> Touch? {
    if takenBack[touch.id] != nil { return nil }
    let (path, present) = (texts.map(\.id), Set(texts[texts.count - 1].lines))
    if touch.isMove { return isUndone(touch.id, path) ? nil : touch }
    var standing = touch
    standing.places = touch.places.filter { removed, added in
      let isAsBefore = present.isDisjoint(with: added) && present.isSuperset(of: removed)
      return !isAsBefore && !isTaken(removed, added, of: touch.id, path)
    }
    return standing.places.isEmpty ? nil : standing
  }

  /// Whether no later group has done anything to the lines of a touch: it can be taken back then.
  func isUntouchedSince(_ touch: Touch, _ texts: [(id: Int, lines: [String])]) -> Bool {
    guard !touch.isMove, let start = texts.firstIndex(where: { $0.id == touch.id }) else {
      return false
    }
    let later = texts[(start + 1)...]
    if later.contains(where: { moved[$0.id] != nil }) { return false }
    return touch.places.allSatisfy { removed, added in
      var lines = added[...]
      if added.isEmpty {
        // The lines beside the gap.
        let (old, new) = (texts[start - 1].lines, texts[start].lines)
        guard let first = old.firstIndex(of: removed[0]) else { return false }
        let above = old[..<first].last
        lines = [above, old[(first + removed.count)...].first].compactMap { $0 }[...]
        if new.isEmpty || lines.count < 2 || !new.contains(lines) { return false }
      }
      return later.allSatisfy { $0.lines.contains(lines) }
    }
  }

  /// Whether lines that were moved are before and behind the others as before it.
  ///
  /// - Parameters:
  ///   - touch: The group that moved them.
  ///   - texts: The groups from the oldest, each with its lines.
  /// - Returns: Whether they are; lines that have been moved since are left out.
  func isWhereItWas(_ touch: Touch, _ texts: [(id: Int, lines: [String])]) -> Bool {
    guard let lines = moved[touch.id], let start = texts.firstIndex(where: { $0.id == touch.id })
    else { return false }
    let later = texts[(start + 1)...].reduce(into: Set<String>()) {
      $0.formUnion(moved[$1.id] ?? [])
    }
    let others = later.subtracting(lines)
    return Self.haveSameOrder(
      texts[start - 1].lines.filter { !others.contains($0) },
      texts[texts.count - 1].lines.filter { !others.contains($0) })
  }

  /// Whether a group has been taken back as a whole, by one that has not been itself.
  private func isUndone(_ id: Int, _ path: [Int]) -> Bool {
    path.contains { takenBack[$0] == id && !isUndone($0, path) }
  }
}
