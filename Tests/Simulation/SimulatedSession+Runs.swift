import Differential
import Glibc

/// Strict runs over one or several files, which begin and end between two commands of the editors.
extension SimulatedSession {
  /// A strict run adds a line to existing files; another run may undo it.
  func runBatch() throws(Violation) {
    let existing = Self.names.filter { files[$0] != nil }
    guard !existing.isEmpty else { return }
    let names = random.chance(50) ? existing : [random.pick(existing)]
    var batch = randomBatch(names)
    if random.chance(15) { return try runTogether(names) }
    let isTakenBack = batch.keepsHistory && random.chance(30)
    let added = token()
    if isTakenBack { batch.name = "r\(processCount)" }
    var (old, new): ([String: [UInt8]], [String: [UInt8]]) = ([:], [:])
    for name in names {
      let text = SimulatedText(files[name] ?? [])
      let edited = SimulatedEdit.append(text.lines.count, [added]).applied(to: text)
      old[name] = files[name]
      new[name] = edited.bytes
    }
    let fault = randomFault()
    let isDone = try run(batch, batch.arguments(adding: added), fault, to: new)
    guard isDone, isTakenBack, fault == nil else { return }
    try checkFiles()
    batch.isAtomic = true
    _ = try run(batch, ["-s", "--undo-run=\(batch.name ?? "")"], randomFault(), to: old)
  }

  private func randomBatch(_ names: [String]) -> Batch {
    Batch(
      names: names, isInPlace: random.chance(60), isAtomic: random.chance(60),
      keepsHistory: random.chance(60),
      makesBackups: random.chance(15), retries: random.chance(20))
  }

  /// Runs ued on files that are to have a new text.
  ///
  /// - Returns: Whether the run succeeded.
  private func run(
    _ batch: Batch, _ arguments: [String], _ fault: Fault?, to new: [String: [UInt8]]
  ) throws(Violation) -> Bool {
    note("ued \(arguments.joined(separator: " "))")
    let (_, errors, ending) = try run(arguments, fault)
    note("  (\(ending) \(errors))")
    // The next run sets the old text aside if the file has changed by then.
    if errors.contains("could not restore") { mayKeepOldTexts = true }
    if ending == .exited(0) {
      if fault?.kills == false { mayHaveSavedInPlace = true }
      if fault != nil && batch.names.contains(where: linked.contains) { mayKeepOldTexts = true }
      for name in batch.names {
        files[name] = new[name]
        power?.unsynced.remove(name)
        acknowledge(batch, name, errors)
      }
      return true
    }
    switch (fault?.kills, ending) {
    case (true, .signalled(SIGKILL)):
      try cutPowerPerhaps()
      if batch.isAtomic { try mend(batch.names) }
    case (false, .exited):
      if errors.isEmpty { throw Violation(what: "a run has failed without a word") }
      if batch.isAtomic && errors.contains("the next run will") { try mend(batch.names) }
    default: throw Violation(what: "a run has ended by \(ending): \(errors)")
    }
    // A power cut may have lost unsynced data.
    let old = files
    for name in batch.names { try accept(name, old[name], or: new[name]) }
    if batch.isAtomic && Set(batch.names.map { files[$0] == old[$0] }).count > 1 {
      throw Violation(what: "a run has changed some of its files, and some not")
    }
    return false
  }

  /// The text of a file that a run has written is in its history, unless the run has said that it is not.
  private func acknowledge(_ batch: Batch, _ name: String, _ errors: String) {
    let isDenied = errors.split(separator: "\n").contains {
      $0.hasPrefix("ued: \(name): ") && ($0.contains("not kept") || $0.contains("damaged"))
    }
    guard batch.keepsHistory, !isDenied else { return }
    ledgers[name, default: Ledger()].acknowledge(
      .init(revision: nil, text: SimulatedText(files[name] ?? []).saved))
  }

  /// The next ued on one of the files repairs a killed run; it may be killed itself.
  private func mend(_ names: [String]) throws(Violation) {
    if let fault = randomFault() {
      note("ued -s \(names[0])")
      _ = try run(["-s", names[0]], input: "Q\n", fault)
    }
    note("ued -s \(names[0])")
    let (_, errors, ending) = try run(["-s", random.pick(names)], input: "Q\n", nil)
    note("  (\(ending) \(errors))")
    if ending != .exited(0) { throw Violation(what: "mending a run: \(ending): \(errors)") }
  }

  /// Several runs at the same time; each successful one has its line in each file.
  private func runTogether(_ names: [String]) throws(Violation) {
    var runs: [(batch: Batch, line: [UInt8], program: HeldProgram)] = []
    for _ in 0..<2 + random.below(2) {
      var batch = randomBatch(names)
      (batch.retries, batch.makesBackups) = (true, false)
      let line = token()
      let arguments = batch.arguments(adding: line)
      note("ued \(arguments.joined(separator: " ")) &")
      runs.append((batch, line, try start(arguments, nil)))
    }
    var lines: Set<[UInt8]> = []
    // A run says if it has waited too long for a history.
    var allErrors = ""
    for run in runs {
      let ending: Ending
      do throws(HeldProgram.Silence) {
        ending = try run.program.finish().ending
      } catch {
        throw Violation(what: "one of several runs hangs")
      }
      let errors = String(decoding: run.program.errors, as: UTF8.self)
      note("  (\(String(decoding: run.line, as: UTF8.self)) \(ending) \(errors))")
      if ending != .exited(0) {
        throw Violation(what: "one of several runs has ended by \(ending): \(errors)")
      }
      lines.insert(run.line)
      allErrors += errors
    }
    for name in names {
      let old = SimulatedText(files[name] ?? [])
      let new = SimulatedText(read(name) ?? [])
      let added = new.lines.dropFirst(old.lines.count)
      if !new.lines.starts(with: old.lines) || Set(added) != lines || added.count != lines.count {
        throw Violation(what: "\(name) lacks a line of one of several runs: \(shown(read(name)))")
      }
      files[name] = read(name)
      if let batch = runs.last?.batch, runs.allSatisfy({ $0.batch.keepsHistory }) {
        acknowledge(batch, name, allErrors)
      }
    }
  }
}

/// The options of a strict run.
private struct Batch {
  var names: [String]
  var isInPlace: Bool
  var isAtomic: Bool
  var keepsHistory: Bool
  var makesBackups: Bool
  var retries: Bool
  /// Of the run.
  var name: String?

  /// The command line of a run that adds a line.
  func arguments(adding line: [UInt8]) -> [String] {
    var words = ["-s"]
    if isInPlace { words.append(makesBackups ? "-i.bak" : "-i") }
    if isAtomic { words.append("--atomic") }
    if keepsHistory { words.append("--history") }
    if retries { words.append("--retry") }
    if let name { words.append("--run=\(name)") }
    words += ["-e", "$a", "-e", String(decoding: line, as: UTF8.self), "-e", "."]
    if !isInPlace { words += ["-e", "w"] }
    return words + names
  }
}
