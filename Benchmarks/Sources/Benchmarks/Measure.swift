import Glibc

/// Whether a subject was named on the command line, or none at all.
func isWanted(_ subject: String) -> Bool {
  let subjects = CommandLine.arguments.dropFirst()
  return subjects.isEmpty || subjects.contains(subject)
}

/// Whether a subject was named on the command line.
func isNamed(_ subject: String) -> Bool { CommandLine.arguments.dropFirst().contains(subject) }

/// The processor time that `body` takes, in nanoseconds; other processes do not count.
func nanoseconds(_ body: () -> Void) -> Double {
  let start = processorTime()
  body()
  return processorTime() - start
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// A number with some decimals, in a column.
func column(_ value: Double, width: Int = 10, places: Int = 2) -> String {
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let parts = Int((value * Double(scale)).rounded()).quotientAndRemainder(dividingBy: scale)
  let fraction = String(parts.remainder)
  let zeros = String(repeating: "0", count: max(0, places - fraction.count))
  return "\(parts.quotient).\(zeros)\(fraction)".leftPadded(width)
}

/// Prints the least and the median time of several runs, and the time per operation.
func report(_ name: String, _ times: [Double], per count: Int, unit: String) {
  let sorted = times.sorted()
  let total = column(sorted[0] / 1e6) + " ms" + column(sorted[sorted.count / 2] / 1e6) + " ms"
  let each = column(sorted[0] / Double(count)) + " ns a \(unit)"
  print(name + String(repeating: " ", count: max(0, 44 - name.count)) + total + each)
}

/// Runs `body` several times and reports how long it takes.
func measure(
  _ name: String, runs: Int = 3, per count: Int, _ unit: String, _ body: () -> Void
) {
  report(name, (0..<runs).map { _ in nanoseconds(body) }, per: count, unit: unit)
}

/// The resident memory of this process, in bytes.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  var fields = line.split(separator: 0x20)
  fields.removeFirst()
  let pages = fields.first.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } } ?? 0
  return pages * Int(getpagesize())
}

/// A random number generator with a seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// An environment variable.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
