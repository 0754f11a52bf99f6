import Differential
import Glibc

/// Those who write beside the editors: other programs, and strict runs.
extension SimulatedSession {
  func writeInPlace(_ name: String) {
    Disk.write("\(work)/\(name)", files[name] ?? [])
  }

  /// Another program changes a file.
  func writeOutside() {
    let name = random.pick(Self.names)
    let path = "\(work)/\(name)"
    guard let old = files[name] else {
      files[name] = newText()
      writeInPlace(name)
      return note("outside: \(name) is made")
    }
    switch random.below(10) {
    case 0...2:
      files[name] = newText()
      writeInPlace(name)
      note("outside: \(name) is rewritten")
    case 3...5:
      files[name] = newText()
      Disk.write(path + ".new", files[name] ?? [])
      rename(path + ".new", path)
      linked.remove(name)
      note("outside: \(name) is replaced")
    case 6, 7:
      files[name] = old + token() + [0x0A]
      writeInPlace(name)
      note("outside: \(name) is appended to")
    case 8:
      utimensat(AT_FDCWD, path, nil, 0)
      note("outside: \(name) is touched")
    default:
      unlink(path)
      files[name] = nil
      linked.remove(name)
      note("outside: \(name) is removed")
    }
  }

  /// A strict run over one or several files, which nobody has locked.
  func runBatch() throws(Violation) {
    let free = Self.names.filter { files[$0] != nil && !isLocked($0) }
    guard !free.isEmpty else { return }
    let first = random.pick(free)
    let names = random.chance(50) ? free : [first]
    let batch = Batch(
      names: names, isInPlace: random.chance(60), isAtomic: random.chance(60),
      keepsHistory: !names.contains { hasHistoryOpen($0) } && random.chance(60),
      backs: random.chance(15), retries: random.chance(20))
    let added = token()
    var old: [String: [UInt8]] = [:]
    var new: [String: [UInt8]] = [:]
    for name in names {
      let text = SimulatedText(files[name] ?? [])
      let edited = SimulatedEdit.append(text.lines.count, [added]).applied(to: text)
      old[name] = files[name]
      new[name] = batch.isInPlace ? edited.bytes : edited.saved
    }
    let fault = randomFault()
    let arguments = batch.arguments(adding: added)
    note("ued \(arguments.joined(separator: " "))")
    let (_, errors, ending) = try run(arguments, fault)
    note("  (\(ending) \(errors))")
    try check(batch, ending, errors, fault, old, new)
  }

  private func check(
    _ batch: Batch, _ ending: Ending, _ errors: String, _ fault: Fault?,
    _ old: [String: [UInt8]], _ new: [String: [UInt8]]
  ) throws(Violation) {
    if ending == .exited(0) {
      for name in batch.names {
        files[name] = new[name]
        if batch.keepsHistory && !errors.contains("not kept") {
          ledgers[name, default: Ledger()].acknowledge(
            .init(revision: nil, text: SimulatedText(new[name] ?? []).saved))
        }
      }
      return
    }
    switch (fault, ending) {
    case (.kill, .signalled(SIGKILL)):
      if batch.isAtomic { try mend(batch.names) }
    case (.failure, .exited):
      if errors.isEmpty { throw Violation(what: "a run has failed without a word") }
      if batch.isAtomic && errors.contains("the next run will") { try mend(batch.names) }
    default: throw Violation(what: "a run has ended by \(ending): \(errors)")
    }
    for name in batch.names { try accept(name, old[name], or: new[name]) }
    if batch.isAtomic && Set(batch.names.map { files[$0] == old[$0] }).count > 1 {
      throw Violation(what: "a run has changed some of its files, and some not")
    }
  }

  /// The next ued on one of the files mends a run that was killed; it may be killed itself.
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
}

/// The options of a strict run.
private struct Batch {
  var names: [String]
  var isInPlace: Bool
  var isAtomic: Bool
  var keepsHistory: Bool
  var backs: Bool
  var retries: Bool

  /// The command line of a run that adds a line.
  func arguments(adding line: [UInt8]) -> [String] {
    var words = ["-s"]
    if isInPlace { words.append(backs ? "-i.bak" : "-i") }
    if isAtomic { words.append("--atomic") }
    if keepsHistory { words.append("--history") }
    if retries { words.append("--retry=1") }
    words += ["-e", "$a", "-e", String(decoding: line, as: UTF8.self), "-e", "."]
    if !isInPlace { words += ["-e", "w"] }
    return words + names
  }
}
