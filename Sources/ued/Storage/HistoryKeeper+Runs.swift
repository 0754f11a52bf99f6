import TextBuffer

/// Which run has made which group.
extension HistoryKeeper {
  /// The number of this run.
  var currentRun: Int {
    if case .open(let store) = location { return store.run }
    return (reader?.runs.last?.number ?? 0) + 1
  }

  /// The number of the earlier run that has made a revision; nil for those of this run.
  func earlierRun(of id: Int) -> Int? {
    guard id < stored.earlierCount, let reader else { return nil }
    return id < reader.count ? reader.run(of: id) : stored.recoveredRun
  }

  /// All runs, this one last.
  var runs: [StoredRun] {
    let current = currentRun
    return (reader?.runs ?? []).filter { $0.number < current }
      + [StoredRun(number: current, tag: index.run)]
  }

  /// The names of the runs that have one, by number.
  var runNames: [Int: String] {
    var names: [Int: String] = [:]
    for run in runs { names[run.number] = run.tag.name }
    return names
  }

  /// The number of the run that has made a group; nil for one that others have made of the file.
  func run(of id: Int, in document: Document<EditorContext>) -> Int? {
    if id == 0 || document.description(of: id) == GroupNames.changedOutside { return nil }
    return earlierRun(of: id) ?? currentRun
  }

  /// The groups of some runs, in order.
  func groups(of runs: Set<Int>, in document: Document<EditorContext>) -> [Int] {
    document.history.revisions.indices.filter { id in
      !document.history[id].isDropped
        && run(of: id, in: document).map { runs.contains($0) } ?? false
    }
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
