/// A way in which two runs may differ without that being a fault. Counted, never passed over in silence.
package struct KnownDifference: Sendable {
  package var name: String
  /// Why it is no fault.
  package var explanation: String
  var applies: @Sendable (_ test: Case, _ oracle: Outcome, _ subject: Outcome) -> Bool
}

extension KnownDifference {
  /// The first one that explains how `subject` differs from `oracle`.
  package static func explaining(
    _ test: Case, oracle: Outcome, subject: Outcome
  ) -> KnownDifference? {
    all.first { $0.applies(test, oracle, subject) }
  }

  /// All that are let through.
  ///
  /// Kept out by construction, so that nothing here need speak of it: shell commands that do not
  /// read all of the text written to them (ed may or may not get SIGPIPE), pipelines of commands
  /// that complain (in either order), whatever prints times or process numbers; `--version` and
  /// `--help`; ued's own options and words; closed standard input; scripts over a megabyte.
  package static let all: [KnownDifference] = [
    KnownDifference(
      name: "oracle stopped",
      explanation:
        "ed itself crashed, hung, or wrote without end; there is nothing to compare with",
      applies: { _, oracle, _ in
        switch oracle.ending {
        case .exited: false
        case .signalled, .timedOut, .flooded: true
        }
      }),
    KnownDifference(
      name: "filter",
      explanation: "an address before `!` is an error in ed; in ued it filters lines",
      applies: { test, _, _ in test.scriptLines.contains { addressesShell($0) } }),
    KnownDifference(
      name: "changed outside",
      explanation: "ued warns on standard error before it overwrites what somebody else wrote",
      applies: { test, oracle, subject in
        oracle.differences(from: subject) == [.errors]
          && test.scriptLines.contains { $0.contains(0x21) }
          && withoutWarnings(subject.errors) == oracle.errors
      }),
  ]

  private static func withoutWarnings(_ errors: [UInt8]) -> [UInt8] {
    let warning = Array(": changed by somebody else; written over".utf8)
    let lines = errors.split(separator: 0x0A, omittingEmptySubsequences: false)
    let others = lines.filter { $0.suffix(warning.count) != warning[...] }
    return Array(others.joined(separator: [0x0A]))
  }

  private static func addressesShell(_ line: [UInt8]) -> Bool {
    let address = Array("0123456789.$,;+-%' \tabcz".utf8)
    guard let shell = line.firstIndex(of: 0x21), shell > 0 else { return false }
    return line[..<shell].allSatisfy { address.contains($0) }
      && !line[..<shell].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}

extension Case {
  /// The lines of the script, without their newlines.
  package var scriptLines: [[UInt8]] {
    script.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  }
}
