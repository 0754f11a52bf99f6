import Differential
import Testing

/// `--apply` and `--undo-run` with every pair of the other options.
@Suite struct PatchAndUndoTableTests {
  /// A column of the table: the values that an option can have. The first one means: not given.
  private enum Column: Int, CaseIterable {
    case task, inPlace, atomic, diff, check, create, retry, validation, history, run, extended
    case restricted, silent, loose, verbose, quiet, json, expectation, script, since, file

    var values: [String] {
      switch self {
      case .task: ["--apply=p", "--undo-run=bot"]
      case .inPlace: ["", "-i", "-i.bak"]
      case .atomic: ["", "--atomic"]
      case .diff: ["", "--diff"]
      case .check: ["", "--check"]
      case .create: ["", "--create"]
      case .retry: ["", "--retry=1"]
      case .validation: ["", "--validate=test -f %", "--validate=test -d %"]
      case .history: ["", "--history=on", "--history=off"]
      case .run: ["", "--run=r"]
      case .extended: ["", "-E"]
      case .restricted: ["", "-r"]
      case .silent: ["", "-s"]
      case .loose: ["", "-l"]
      case .verbose: ["", "-v"]
      case .quiet: ["", "-q"]
      case .json: ["", "--json"]
      case .expectation: ["", "--expect=sha256:" + String(repeating: "0", count: 64)]
      case .script: ["", "-e1p", "-fs"]
      case .since: ["", "--since=1d"]
      case .file: ["", "f"]
      }
    }
  }

  private struct Row: CustomTestStringConvertible {
    let values: [Int]

    subscript(column: Column) -> Int { values[column.rawValue] }
    func has(_ column: Column) -> Bool { self[column] > 0 }

    var arguments: [String] {
      Column.allCases.map { $0.values[self[$0]] }.filter { !$0.isEmpty }
    }
    var testDescription: String { arguments.joined(separator: " ") }

    var isPatch: Bool { self[.task] == 0 }

    /// Whether the options exclude each other.
    var isRefused: Bool {
      has(.script) || has(.expectation) || has(.restricted) || has(.loose)
        || isPatch && (has(.since) || has(.file) || has(.run) && self[.history] != 1)
        || !isPatch && Column.history.values[self[.history]] == "--history=off"
    }

    /// Whether nothing may be written.
    var isDry: Bool { has(.diff) || has(.check) }
  }

  private static let old = "one\ntwo\nthree\n"
  private static let new = "one\n2\nthree\n"

  private static let rows = PairwiseTable(
    columns: Column.allCases.map(\.values.count), options: 1,
    count: 100 * max(1, setting("SEEDS", or: 1)), seed: 20, where: { _ in true }
  ).rows.map { Row(values: $0) }

  @Test func `a patch and an undone run follow the options`() {
    for row in Self.rows { check(row) }
  }

  private func check(_ row: Row) {
    let sandbox = Sandbox()
    for name in ["f", "g"] { sandbox[name] = Array((row.isPatch ? Self.old : Self.new).utf8) }
    sandbox["s"] = Array("1p\n".utf8)
    if row.isPatch {
      let hunk = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
      sandbox["p"] = Array("--- a/f\n+++ b/f\n\(hunk)--- a/g\n+++ b/g\n\(hunk)".utf8)
    } else {
      sandbox.edit(["--history=on", "--run=bot", "-i", "-e", "2s/2/two/", "f", "g"], [])
      for name in ["f", "g"] { #expect(sandbox[name] == Array(Self.old.utf8)) }
    }
    let result = sandbox.launch(Program.underTest.path, row.arguments, [])
    let comment: Comment =
      "\(row.testDescription): \(String(decoding: result.errors, as: UTF8.self))"
    var status: Int32 = 0
    var isWritten = false
    if row.isRefused {
      status = 1
    } else if row.isDry {
      status = row.has(.check) ? 4 : 0
    } else if row[.validation] == 2 {
      status = 1
    } else {
      isWritten = true
    }
    #expect(result.ending == .exited(status), comment)
    for name in ["f", "g"] {
      let isChanged = isWritten && (name == "f" || !row.has(.file))
      #expect(sandbox[name] == Array((isChanged ? Self.new : Self.old).utf8), comment)
      let isKept = isChanged && row[.inPlace] == 2
      #expect(sandbox[name + ".bak"] == (isKept ? Array(Self.old.utf8) : nil), comment)
    }
    if status == 0 || status == 4 {
      #expect(result.errors.isEmpty || row[.validation] == 2, comment)
    } else {
      #expect(!result.errors.isEmpty || row.has(.quiet) || row.has(.json), comment)
    }
    let output = String(decoding: result.output, as: UTF8.self)
    if row.has(.json) {
      #expect(Answers(result.output).end["status"] == .number(Int(status)), comment)
    } else if row.has(.diff) && !row.isRefused {
      #expect(output.contains("-two\n+2\n"), comment)
    } else {
      #expect(output.isEmpty, comment)
    }
  }
}
