import TextBuffer

@testable import ued

/// What groups did to lines, each of which has a text of its own and so an identity.
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
  /// The lines that they removed and added for that.
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
  ///
  /// A line that was taken back is the one that it was before.
  func touches(of lines: Set<String>, _ texts: [(id: Int, lines: [String])]) -> [Touch] {
    var lines = lines
    var touches: [Touch] = []
    let path = texts.map(\.id)
    for (before, after) in zip(texts, texts.dropFirst()).reversed() {
      var touch = Touch(id: after.id)
      if let moved = moved[after.id] {
        touch.isMove = true
        if !lines.intersection(after.lines).isDisjoint(with: moved) { touches.append(touch) }
        continue
      }
      var next = lines
      let isTaker = takenBack[after.id] != nil
      for hunk in Self.hunks(from: before.lines, to: after.lines) {
        let (removed, added) = (before.lines[hunk.old], after.lines[hunk.new])
        if !isTaker { next.subtract(added) }
        if removed.count == added.count {
          for (old, new) in zip(removed, added) where lines.contains(new) || lines.contains(old) {
            touch.places.append(([old], [new]))
            next.insert(old)
          }
          continue
        }
        let isWritten = !lines.isDisjoint(with: added)
        let isAround = added.isEmpty && isAround(hunk.new.lowerBound, lines, after.lines)
        if isWritten || isAround {
          if !isTaker && !isTaken(removed, added, of: after.id, path) {
            next.formUnion(removed)
          }
        } else if lines.isDisjoint(with: removed) {
          continue
        }
        touch.places.append((Array(removed), Array(added)))
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
      takenBack[$0] == id && !isUndone($0, path) && takenLines[$0]?.isSuperset(of: lines) ?? false
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
  ///   - path: The groups from the oldest.
  /// - Returns: What stands.
  func standing(_ touch: Touch, _ path: [Int]) -> Touch? {
    if takenBack[touch.id] != nil { return nil }
    if touch.isMove { return isUndone(touch.id, path) ? nil : touch }
    var standing = touch
    standing.places = touch.places.filter { !isTaken($0.removed, $0.added, of: touch.id, path) }
    return standing.places.isEmpty ? nil : standing
  }

  /// Whether a group has been taken back as a whole, by one that has not been itself.
  private func isUndone(_ id: Int, _ path: [Int]) -> Bool {
    path.contains { takenBack[$0] == id && !isUndone($0, path) }
  }
}
