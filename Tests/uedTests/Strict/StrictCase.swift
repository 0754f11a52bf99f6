/// A command line, as a row of the table of ``StrictTableTests``: one value for each column.
struct StrictCase: Sendable {
  /// The files on the command line, and their state.
  enum Files: CaseIterable, Sendable {
    case one, empty, withoutLastNewline, missing, symbolicLink, hardLink
    case several, severalWithMissing, severalWithFolder, oneTwice, none

    /// The names on the command line.
    var names: [String] {
      switch self {
      case .none: []
      case .several, .severalWithMissing, .severalWithFolder: ["f", "g", "h"]
      case .oneTwice: ["f", "alias"]
      default: ["f"]
      }
    }
  }

  enum Expectation: CaseIterable, Sendable { case none, right, wrongForLast }
  enum Validation: CaseIterable, Sendable { case none, accepting, rejecting }

  var source: ScriptSource
  var files: Files
  var body: [ScriptStep]
  /// The suffix of `-i`; nil without `-i`.
  var suffix: String?
  var atomic: Bool
  var diff: Bool
  var check: Bool
  var create: Bool
  var expectation: Expectation
  /// The number of `--retry`; 0 without it.
  var retries: Int
  var validation: Validation
  /// The value of `--history`; nil without it.
  var history: String?
  var silent: Bool
  var verbose: Bool
  /// Whether `--strip-trailing-cr` is given; without effect, since no file has carriage returns.
  var strips: Bool
  var quiet: Bool
  var extended: Bool
  var restricted: Bool

  // MARK: - The columns of the table

  /// A terminal has a separate table.
  private static let sources = ScriptSource.allCases.filter { !$0.isTerminal }

  /// The number of values of each column, in the order of `init(row:)`.
  static let columns = [
    sources.count, Files.allCases.count, ScriptStep.bodies.count, 3, 2, 2, 2, 2,
    Expectation.allCases.count, 3, Validation.allCases.count, 3, 2, 2, 2, 2, 2, 2,
  ]

  /// The case of a row of the table.
  init(row: [Int]) {
    source = Self.sources[row[0]]
    files = Files.allCases[row[1]]
    body = ScriptStep.bodies[row[2]]
    suffix = [nil, "", ".bak"][row[3]]
    atomic = row[4] == 1
    diff = row[5] == 1
    check = row[6] == 1
    create = row[7] == 1
    expectation = Expectation.allCases[row[8]]
    retries = [0, 2, 10][row[9]]
    validation = Validation.allCases[row[10]]
    history = [nil, "on", "off"][row[11]]
    silent = row[12] == 1
    verbose = row[13] == 1
    strips = row[14] == 1
    quiet = row[15] == 1
    extended = row[16] == 1
    restricted = row[17] == 1
  }

  /// Whether the run is strict. Other runs behave like ed; other tests compare them with ed.
  var isStrict: Bool {
    source.isStrict || suffix != nil || atomic || diff || check || retries > 0
      || validation != .none || expectation != .none && !files.names.isEmpty
  }

  // MARK: - The command line

  /// The lines of the script.
  var lines: [String] { body.flatMap(\.lines) }

  /// The arguments, with the SHA-256 hashes for `--expect`.
  func arguments(hashes: [String]) -> [String] {
    var all: [String] = []
    if silent { all.append("-s") }
    if verbose { all.append("-v") }
    if strips { all.append("--strip-trailing-cr") }
    if quiet { all.append("-q") }
    if extended { all.append("-E") }
    if restricted { all.append("-r") }
    all += source.arguments(lines)
    if let suffix { all.append("-i" + suffix) }
    if atomic { all.append("--atomic") }
    if diff { all.append("--diff") }
    if check { all.append("--check") }
    if create { all.append("--create") }
    if expectation != .none { all += hashes.map { "--expect=sha256:\($0)" } }
    if retries == 10 {
      all.append("--retry")
    } else if retries > 0 {
      all.append("--retry=\(retries)")
    }
    switch validation {
    case .none: break
    case .accepting: all.append("--validate=test -f %")
    case .rejecting: all.append("--validate=test -d %")
    }
    if let history { all.append("--history=\(history)") }
    return all + files.names
  }
}
