/// What a stranger gives ued, or a careless finger.
package enum HostileKind: String, Sendable, CaseIterable {
  /// Histories, their index and recalled commands, damaged or planted.
  case databases
  /// Unified diffs, for `--apply` and `apply`.
  case patches
  /// Scripts in ed's language, by standard input, `-e`, `-f` and `--json`, restricted or not.
  case scripts
  /// `.editrc`, and keys typed with the bindings that it makes.
  case settings
  /// Keys at a terminal, pastes and changes of its width among them.
  case keys
}

/// One run of ued among hostile files.
package struct HostileRun: Sendable {
  package var arguments: [String]
  /// What is on standard input, or typed at the terminal.
  package var input: [UInt8] = []
  package var isAtTerminal = false
  /// The sizes of the terminal: at first, and one after the other while keys are typed.
  package var sizes = [ScreenSize(columns: 80)]
  package var environment: [String] = []
  /// What must be in `f` afterwards; nil for anything.
  package var textAfter: [UInt8]?

  /// Whether ued was asked to run no program, and to open no file of another folder.
  package var isRestricted: Bool {
    arguments.contains("-r") || arguments.contains("--restricted")
  }
}

/// A folder with hostile files, and runs of ued in it, one after the other.
package struct HostileCase: Sendable {
  /// Files by their path below ``HostileFolder``.
  package var files: [String: [UInt8]] = [:]
  package var runs: [HostileRun] = []
  /// What was done to files that are not listed, for the report.
  package var note = ""
}

/// What a run must not do.
package struct HostileFault: Sendable, Equatable {
  /// The kind of fault: the same for cases that probably have one cause.
  package var kind: String
  package var details: String
}
