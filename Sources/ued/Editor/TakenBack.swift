import TextBuffer

/// Which groups of a text have taken others back, as their descriptions tell.
struct TakenBack {
  /// For each group that has taken others back, those, also if it was taken back itself since.
  private var taken: [Int: Set<Int>] = [:]
  /// For each group that is out of the text now, the one that took it back.
  private var takers: [Int: Int] = [:]
  /// For each group, those that have ever taken it back.
  private var allTakers: [Int: [Int]] = [:]

  /// Goes through all groups on the way to a text.
  ///
  /// - Parameters:
  ///   - path: The revisions, the oldest first.
  ///   - groupName: What a group is called, as in `Revert "NAME"`.
  ///   - document: The text with its history.
  ///   - groups: The groups of the runs with a name, in order.
  init(
    on path: [Int], names groupName: (Int) -> String, of document: Document<EditorContext>,
    groups: (String) -> [Int]
  ) {
    let all = Set(path)
    for id in path {
      let description = document.description(of: id)
      var candidates: [Int] = []
      if let name = Self.name(in: description, as: .runReverted(name: Self.mark)) {
        candidates = groups(name).filter { $0 < id && all.contains($0) && takers[$0] == nil }
      } else if let name = Self.name(in: description, as: .reverted(name: Self.mark)) {
        let known = path.reversed().first { $0 < id && takers[$0] == nil && groupName($0) == name }
        candidates = known.map { [$0] } ?? []
      }
      if !candidates.isEmpty { add(id, takingBack: candidates) }
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

  private static let mark = "\0"

  /// The name in a description that has a form; nil if it has not.
  private static func name(in description: String, as form: GroupLabel.Kind) -> String? {
    let parts = GroupNames.description(GroupLabel(form)).split(
      separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 2, description.hasPrefix(parts[0]), description.hasSuffix(parts[1]),
      description.utf8.count > parts[0].utf8.count + parts[1].utf8.count
    else { return nil }
    return String(description.dropFirst(parts[0].count).dropLast(parts[1].count))
  }

  /// Whether nothing of a group is in the text: it was taken back, or has taken others back.
  func isWithoutEffect(_ id: Int) -> Bool { takers[id] != nil || taken[id] != nil }

  /// Some groups with all that have ever taken them back, and what these have taken back besides: together they
  /// have done to the text what those of the groups have that are still in it.
  func groups(_ ids: Set<Int>) -> Set<Int> {
    closure(of: ids, from: ids.flatMap { allTakers[$0] ?? [] })
  }

  /// A group without effect with those that have taken it back, or that it has taken back: together they have
  /// done nothing to the text.
  func pair(of id: Int) -> Set<Int> { closure(of: [], from: [id]) }

  private func closure(of ids: Set<Int>, from others: [Int]) -> Set<Int> {
    var found = ids
    var waiting = others.filter { found.insert($0).inserted }
    while let id = waiting.popLast() {
      var others = allTakers[id] ?? []
      if let taker = takers[id] {
        others.append(taker)
      } else {
        others += (taken[id] ?? []).filter { takers[$0] == id }
      }
      for other in others where found.insert(other).inserted { waiting.append(other) }
    }
    return found
  }
}
