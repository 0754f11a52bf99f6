import Glibc

/// A workload, run by ued and by its peers in turns.
struct Workload {
  var name: String
  /// The programs, ued first, and the factor by which ued may be slower than each.
  var runs: [(program: String, run: Run, atMost: Double?)]
  /// The most memory that ued may take, in bytes.
  var memoryAtMost: Double?
  /// The least number of runs; short ones are repeated more often.
  var rounds = 3
}

/// Runs workloads and prints a line for each program.
struct Table {
  /// The time limit of a run, in seconds.
  let limit: Double
  private(set) var missed = 0

  init(limit: Double) {
    self.limit = limit
    print(
      "workload".padded(44) + "program".padded(9)
        + "    least    median     peak     ratio  at most")
  }

  mutating func measure(_ workload: Workload) {
    var times = workload.runs.map { _ in [Double]() }
    var bytes = workload.runs.map { _ in 0 }
    var troubles: [String?] = workload.runs.map { _ in nil }
    var round = 0
    var total = 0.0
    while round < workload.rounds || (total < 2 && round < 20) {
      round += 1
      for (index, (_, run, _)) in workload.runs.enumerated() where troubles[index] == nil {
        // Without the file, ed writes a new one.
        unlink("new")
        switch run.perform(seconds: limit) {
        case .done where round == 1 && index > 0 && !Files.areEqual("expected", "new"):
          troubles[index] = "differs"
        case .done(let seconds, let peak):
          // The result that the others must have, too.
          if round == 1 && index == 0 { rename("new", "expected") }
          times[index].append(seconds)
          total += seconds
          bytes[index] = max(bytes[index], peak)
        case .timedOut: troubles[index] = "> \(Int(limit)) s"
        case .failed(let status): troubles[index] = "status \(status)"
        }
      }
    }
    unlink("expected")
    let ours = times[0].min()
    for (index, (program, _, atMost)) in workload.runs.enumerated() {
      var line = (index == 0 ? workload.name : "").padded(44) + program.padded(9)
      let sorted = times[index].sorted()
      if let least = sorted.first {
        line += column(least * 1000, width: 9) + column(sorted[sorted.count / 2] * 1000, width: 10)
        line += column(Double(bytes[index]) / 1e6, width: 9)
      } else {
        line += (troubles[index] ?? "").leftPadded(9) + "-".leftPadded(10) + "-".leftPadded(9)
      }
      if index > 0, let ours, let atMost {
        let isBound = sorted.isEmpty && troubles[index]?.first == ">"
        let ratio = ours / (sorted.first ?? limit)
        line += ((isBound ? "<" : "") + column(ratio, places: 3)).leftPadded(10)
        line += column(atMost, places: 3).leftPadded(9) + verdict(ratio <= atMost)
      } else if index == 0, let allowed = workload.memoryAtMost {
        let share = Double(bytes[0]) / Double(allowed)
        line += "memory".leftPadded(10) + column(allowed / 1e6, width: 9) + verdict(share <= 1)
      }
      print(line)
    }
    fflush(nil)
  }

  private mutating func verdict(_ isMet: Bool) -> String {
    if !isMet { missed += 1 }
    return isMet ? "  met" : "  MISSED"
  }
}

extension String {
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }

  func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(1, width - count)) + self
  }
}
