import TextBuffer

/// Which run has made which group.
extension HistoryKeeper {
  /// The number of this run.
  var currentRun: Int {
    if case .open(let store) = location { return store.run }
    return (stored.runs.last?.number ?? 0) + 1
  }

  /// All runs, this one last.
  var runs: [StoredRun] {
    let current = currentRun
    return stored.runs.filter { $0.number < current }
      + [StoredRun(number: current, tag: index.run)]
  }

  /// The number of the run that has made a group; nil for one that others have made of the file.
  func run(of id: Int, in document: Document<EditorContext>) -> Int? {
    if id == 0 || document.description(of: id) == GroupNames.changedOutside { return nil }
    return id < stored.earlierRuns.count ? stored.earlierRuns[id] : currentRun
  }

  /// The groups of some runs, in order.
  func groups(of runs: Set<Int>, in document: Document<EditorContext>) -> [Int] {
    document.history.revisions.indices.filter { id in
      !document.history[id].isDropped
        && run(of: id, in: document).map { runs.contains($0) } ?? false
    }
  }

  /// The groups of the runs that are called by a name, or by several identities with commas between, in order.
  func groups(ofRunsCalled name: String, in document: Document<EditorContext>) -> [Int] {
    var numbers = runs(called: name)
    if numbers.isEmpty {
      numbers = Set(name.split(separator: ", ").flatMap { runs(called: String($0)) })
    }
    return groups(of: numbers, in: document)
  }

  /// The numbers of all runs that count as one with another: those with the same name.
  func runs(with number: Int) -> Set<Int> {
    let all = runs
    guard let name = all.first(where: { $0.number == number })?.tag.name else { return [number] }
    return Set(all.filter { $0.tag.name == name }.map(\.number))
  }

  /// The numbers of the runs that are called by a name, or the one with a number or an identity.
  func runs(called name: String) -> Set<Int> {
    let all = runs
    let named = all.filter { $0.tag.name == name || $0.tag.identity == name }
    if !named.isEmpty { return Set(named.map(\.number)) }
    return Set(all.filter { String($0.number) == name }.map(\.number))
  }

  /// What some runs are called in a sentence: by their name if they have one, or else by number.
  func title(ofRuns numbers: Set<Int>) -> String {
    let last = runs.last { numbers.contains($0.number) }
    return last?.tag.name ?? last.map { String($0.number) } ?? ""
  }
}
