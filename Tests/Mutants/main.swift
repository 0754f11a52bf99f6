import Foundation

// `make mutants COUNT=100 SEED=1` changes random places of Sources, one at a time, and runs the tests that reach each.
// `FILES=ued/Storage` takes files whose path has a match of this regular expression; `AGAIN=REPORT` takes the mutants
// whose diffs are in a report instead of random ones. A mutant of the last run can be tried by hand:
//
//     UED_MUTANT=17 .build/mutants/.build/debug/uedPackageTests.xctest --testing-library swift-testing --filter NAME

setvbuf(stdout, nil, _IOLBF, 0)
let (count, seed) = (Int(CommandLine.arguments[1]) ?? 100, CommandLine.arguments[2])
let files = try Regex(CommandLine.arguments[3])
let report = try? String(contentsOfFile: CommandLine.arguments[4], encoding: .utf8)

/// A text's place in the random order. Changes elsewhere in the sources do not alter it.
func rank(_ text: String) -> UInt64 {
  let hash = (seed + text).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
  }
  var generator = SeededGenerator(seed: hash)
  return generator.next()
}

func ranked(_ places: [Mutation]) -> [Mutation] {
  places.map { (rank($0.diff), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
}

/// Places that do not overlap, more than needed: a quarter does not compile. All lines are
/// equally likely.
var chosen: [Mutation] = []
let places = Scratch.sources.filter {
  $0.key.contains(#/^Sources/(TextBuffer|TextBufferModels|TextLines|ued)/.*\.swift$/#)
    && $0.key.contains(files)
}.flatMap { Places(of: $0.key, $0.value).found }
let lines = Dictionary(grouping: places, by: \.before).sorted { rank($0.key) < rank($1.key) }
let candidates =
  if let report { ranked(places.filter { report.contains("\n\($0.diff)\n") }) } else {
    lines.compactMap { ranked($0.value).first }
  }
for place in candidates where report != nil || chosen.count < count * 8 / 5 {
  let (start, end) = (place.range.lowerBound, place.range.upperBound)
  if !chosen.contains(where: {
    $0.file == place.file && $0.range.lowerBound <= end && $0.range.upperBound >= start
  }) {
    chosen.append(place)
  }
}

/// The entries of `equivalent.txt`: a diff as it is printed below, and a reason.
let equivalents = try String(contentsOfFile: "Tests/Mutants/equivalent.txt", encoding: .utf8)
  .split(separator: "\n\n").map { "\($0)\n" }

let start = Date()
func note(_ step: String) { print("\(step) after \(Int(Date().timeIntervalSince(start))) s") }
let scratch = try Scratch(chosen)
note("built")
let suite = try Suite(mutants: chosen.count)
note("\(suite.tests.count) tests recorded")
let mutants = scratch.mutants.sorted { $0.key < $1.key }.prefix(
  report == nil ? count : chosen.count)
let verdicts = parallel(Array(mutants)) { number, mutant in
  let isKnown = equivalents.contains { $0.hasPrefix(mutant.diff + "\n") }
  let verdict = isKnown ? .equivalent : suite.verdict(on: number)
  let shown = verdict == .survived || verdict == .unreached ? "\n\(mutant.diff)\n" : ""
  print("\(number) \(verdict): \(mutant.place)\(shown)")
  return verdict
}

/// The numbers of mutants of each folder by verdict.
var rows: [String: [Suite.Verdict: Int]] = [:]
for ((_, mutant), verdict) in zip(mutants, verdicts) {
  let folder = mutant.file.split(separator: "/").dropLast().joined(separator: "/")
  for row in [folder, "all"] { rows[row, default: [:]][verdict, default: 0] += 1 }
}
print("\n" + Suite.Verdict.allCases.map { " \($0)".suffix(11) }.joined())
for (folder, row) in rows.sorted(by: { $0.key < $1.key }) {
  let cells = Suite.Verdict.allCases.map { row[$0] ?? 0 }
  let text = cells.map { "           \($0)".suffix(11) }.joined()
  print("\(text)  \(100 * cells[0] / max(1, cells[..<3].reduce(0, +))) % of \(folder)")
}
note("seed \(seed)")
