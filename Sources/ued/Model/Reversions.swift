import TextBuffer

/// Which groups of a text have taken others back.
struct Reversions {
  /// For each group that has taken others back, those, also if it was taken back itself since.
  private var taken: [Int: Set<Int>] = [:]
  /// For each group that is out of the text now, the one that took it back.
  private var takers: [Int: Int] = [:]
  /// For each group, those that have ever taken back all of it or a part.
  private var allTakers: [Int: [Int]] = [:]
  /// For each group that has taken back a part of another one, that one.
  private var takenPart: [Int: Int] = [:]

  /// Goes through all groups on the way to a text.
  ///
  /// - Parameters:
  ///   - path: The revisions, the oldest first.
  ///   - document: The text with its history.
  init(on path: [Int], of document: Document<EditorContext>) {
    let all = Set(path)
    for id in path {
      guard let taken = document.contextAfter(id).takenBack else { continue }
      if !taken.isWhole {
        for group in taken.groups where all.contains(group) {
          takenPart[id] = group
          allTakers[group, default: []].append(id)
        }
        continue
      }
      let groups = taken.groups.filter { all.contains($0) && takers[$0] == nil }
      if !groups.isEmpty { add(id, takingBack: groups) }
    }
  }

  private mutating func add(_ id: Int, takingBack groups: [Int]) {
    taken[id] = Set(groups)
    for group in groups {
      takers[group] = id
      allTakers[group, default: []].append(id)
      // What it had taken back is in the text again.
      for other in taken[group] ?? [] where takers[other] == group { takers[other] = nil }
    }
  }

  /// Those of some groups that are in the text.
  func standing(_ ids: Set<Int>) -> Set<Int> { ids.filter { takers[$0] == nil } }

  /// Some groups with all that have ever taken them back, and what these have taken back besides: together they
  /// have done to the text what those of the groups have that are still in it.
  func groups(_ ids: Set<Int>) -> Set<Int> {
    closure(of: ids, from: ids.flatMap { allTakers[$0] ?? [] })
  }

  /// A group with those that have taken it back, or that it has taken back: together they may have done
  /// nothing to the text. Nil if there are none.
  func pair(of id: Int) -> Set<Int>? {
    let found = closure(of: [], from: [id])
    return found.count > 1 ? found : nil
  }

  private func closure(of ids: Set<Int>, from others: [Int]) -> Set<Int> {
    var found = ids
    var waiting = others.filter { found.insert($0).inserted }
    while let id = waiting.popLast() {
      var others = allTakers[id] ?? []
      if let taker = takers[id] {
        others.append(taker)
      } else {
        others += (taken[id] ?? []).filter { takers[$0] == id }
        if let part = takenPart[id] { others.append(part) }
      }
      for other in others where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }
}
