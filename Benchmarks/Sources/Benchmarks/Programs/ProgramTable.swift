import Glibc

/// Runs whole programs on the same work and prints what each takes.
struct ProgramTable {
  private let ued: String
  private let isQuick: Bool
  /// A run may last so long, in seconds.
  private let limit: Double
  /// Rows whose target is missed.
  private var missed = 0

  init(ued: String, isQuick: Bool) {
    self.ued = ued
    self.isQuick = isQuick
    limit = isQuick ? 4 : 60
  }

  /// Measures the rows whose name has `wanted` in it, in a folder of its own.
  static func run(ued path: String, isQuick: Bool, wanted: String) {
    guard let full = realpath(path, nil) else { fail("no \(path)") }
    let ued = String(cString: full)
    free(full)
    var folder = Array((environment("TMPDIR") ?? "/tmp").utf8CString.dropLast())
    folder += Array("/benchmarks.XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil, chdir(folder) == 0 else { fail("no temporary folder") }
    defer {
      for name in ["text", "script", "out", "expected", "vim"] { unlink(name) }
      rmdir(folder)
    }
    var table = ProgramTable(ued: ued, isQuick: isQuick)
    let title = ["least", "median", "peak MB", "ratio", "at most"].map { padded($0, 11) }
    print(padded("work", -42) + padded("program", -9) + title.joined())
    var lines: Int?
    let all = (isQuick ? Workloads.quick : .full).all
    for workload in all where wanted.isEmpty || workload.name.contains(wanted) {
      if let count = workload.lines, count != lines {
        Words.makeFile("text", lines: count)
        lines = count
      }
      table.measure(workload)
    }
    print(table.missed == 0 ? "every target is met" : "\(table.missed) targets are missed")
  }

  private mutating func measure(_ workload: Workload) {
    write(workload.script)
    let peers = workload.peers.filter { access($0.path(ued: ued), X_OK) == 0 }
    var ours: [Child.Cost] = []
    var theirs: [[Child.Cost]] = peers.map { _ in [] }
    let start = now()
    var spent: Double { now() - start }
    // Little work is measured more often; in turns, so that all meet the same conditions.
    while ours.count < 3 || (ours.count < 200 && spent < (isQuick ? 0.2 : 2)) {
      let cost = run(workload, as: nil)
      ours.append(cost)
      check(workload, "ued", cost, isFirst: ours.count == 1)
      for index in peers.indices {
        // Who is that slow need not show it twice.
        if let last = theirs[index].last, last.seconds > limit / 4 { continue }
        let cost = run(workload, as: peers[index])
        theirs[index].append(cost)
        check(workload, peers[index].name, cost, isFirst: false)
      }
    }
    show(workload, ours, zip(peers, theirs))
    unlink("expected")
  }

  private func write(_ script: Workload.Script) {
    var file = FileMaker("script")
    switch script {
    case .text(let text): file.append(text)
    case .made(let make): make(&file)
    }
  }

  private func run(_ workload: Workload, as peer: Workload.Peer?) -> Child.Cost {
    unlink("out")
    if workload.replaces { _ = FileMaker("out") }
    let text = workload.lines == nil ? [] : ["text"]
    var child = Child(words: [ued, "-s"] + text, locale: workload.locale, input: "script")
    child.readsPipe = workload.readsPipe
    if workload.prints { child.output = "out" }
    if let peer {
      child.words[0] = peer.path(ued: ued)
      switch peer.program {
      case .ed: break
      case .uedInC: child.locale = "C"
      case .sed(let script):
        child.words = [child.words[0], script] + text
        child.output = "out"
      case .wc: child.words = [child.words[0], "-l"] + text
      case .vim(let commands):
        var file = FileMaker("vim")
        file.append(commands)
        child.words =
          [child.words[0], "-u", "NONE", "-i", "NONE", "-N", "-n", "-es"] + text
        child.input = "vim"
      }
    }
    return child.run(limit: limit)
  }

  /// Ends everything when a program has not done what the first one did.
  private func check(_ workload: Workload, _ name: String, _ cost: Child.Cost, isFirst: Bool) {
    if cost.isCut || ["wc -l", "vim -es"].contains(name) && workload.prints { return }
    if isFirst {
      rename("out", "expected")
    } else if access("expected", F_OK) == 0 && !Self.areEqual("out", "expected") {
      warn("\(workload.name): \(name) has another result than ued")
    }
    if cost.status != 0 {
      warn("\(workload.name): \(name) ends with \(cost.status >> 8)")
    }
  }

  private static func areEqual(_ path: String, _ other: String) -> Bool {
    guard let one = fopen(path, "r"), let two = fopen(other, "r") else { return false }
    defer {
      fclose(one)
      fclose(two)
    }
    var (left, right) = (
      [UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 16)
    )
    while true {
      let count = fread(&left, 1, left.count, one)
      guard fread(&right, 1, right.count, two) == count,
        memcmp(left, right, count) == 0
      else { return false }
      if count == 0 { return true }
    }
  }
}

extension ProgramTable {
  /// Prints the rows of a workload.
  private mutating func show(
    _ workload: Workload, _ ours: [Child.Cost],
    _ peers: some Sequence<(Workload.Peer, [Child.Cost])>
  ) {
    let least = ours.map(\.seconds).min() ?? 0
    print(padded(workload.name, -42) + padded("ued", -9) + cells(ours))
    for (peer, costs) in peers {
      var row = padded("", 42) + padded(peer.name, -9) + cells(costs)
      if let theirs = costs.map(\.seconds).min(), let isCut = costs.last?.isCut {
        let ratio = least / theirs
        row += padded((isCut ? "< " : "") + decimal(ratio, 3), 11)
        row += verdict(ratio, peer.atMost, isBound: isCut)
      }
      print(row)
    }
    if let atMost = workload.peakAtMost {
      var status = stat()
      stat("text", &status)
      let peak = Double(ours.map(\.peak).max() ?? 0) / Double(status.st_size)
      print(
        padded("  its peak, in sizes of the text", 84) + padded(decimal(peak, 3), 11)
          + verdict(peak, atMost))
    }
    fflush(nil)
  }

  private func cells(_ costs: [Child.Cost]) -> String {
    let times = costs.map(\.seconds).sorted()
    // A child starts with what this process has.
    var own = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    let most = costs.map(\.peak).max() ?? 0
    let sign = most <= Int(own.ru_maxrss) << 10 ? "< " : ""
    let peak = padded(sign + decimal(Double(most) / 1e6, 1), 11)
    if costs.last?.isCut == true { return padded("> \(Int(limit)) s", 11) + padded("", 11) + peak }
    return padded(seconds(times[0]), 11) + padded(seconds(times[times.count / 2]), 11) + peak
  }

  // A ratio that is a bound is smaller in truth.
  private mutating func verdict(
    _ ratio: Double, _ atMost: Double?, isBound: Bool = false
  ) -> String {
    guard let atMost else { return "" }
    let isMet = ratio <= atMost
    if !isMet && !isBound { missed += 1 }
    return padded(decimal(atMost, 2), 11) + (isMet ? "  met" : isBound ? "  open" : "  MISSED")
  }

  private func seconds(_ seconds: Double) -> String {
    seconds < 1 ? decimal(seconds * 1e3, 2) + " ms" : decimal(seconds, 2) + " s"
  }
}

/// A text in a column of so many characters, to the right, or to the left when that is negative.
func padded(_ text: String, _ width: Int) -> String {
  let space = String(repeating: " ", count: max(0, abs(width) - text.count))
  return width < 0 ? text + space : space + text
}

/// A number with so many decimals.
func decimal(_ value: Double, _ digits: Int) -> String {
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  return "\(scaled / scale)." + "\(scale + scaled % scale)".dropFirst()
}
