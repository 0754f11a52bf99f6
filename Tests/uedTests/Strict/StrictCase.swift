/// A command line of the table: one value for each of its columns.
struct StrictCase: Sendable {
  /// How the script is given.
  enum Source: CaseIterable, Sendable {
    /// An `-e` for each line, one `-e` for all lines, `-f`, an `-e` and `-f`, `-f -`, a pipe, a file.
    case expressions, oneExpression, scriptFile, expressionAndFile, dash, pipe, file
  }

  /// The files on the command line, and what is there.
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

  var source: Source
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
  var loose: Bool
  var quiet: Bool
  var extended: Bool
  var restricted: Bool

  // MARK: - The columns of the table

  /// The number of values of each column, in the order of `init(row:)`.
  static let columns = [
    Source.allCases.count, Files.allCases.count, ScriptStep.bodies.count, 3, 2, 2, 2, 2,
    Expectation.allCases.count, 3, Validation.allCases.count, 3, 2, 2, 2, 2, 2, 2,
  ]

  /// The case of a row of the table.
  init(row: [Int]) {
    source = Source.allCases[row[0]]
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
    loose = row[14] == 1
    quiet = row[15] == 1
    extended = row[16] == 1
    restricted = row[17] == 1
  }

  /// Whether the run is strict. Others are ed's, and are compared with ed elsewhere.
  var isStrict: Bool {
    source != .pipe && source != .file || suffix != nil || atomic || diff || check || retries > 0
      || validation != .none || expectation != .none && !files.names.isEmpty
  }

  // MARK: - The command line

  /// The lines of the script.
  var lines: [String] { body.flatMap(\.lines) }

  private static func text(_ lines: some Sequence<String>) -> String {
    lines.map { $0 + "\n" }.joined()
  }

  /// The file `script` for `-f`; nil without.
  var scriptFile: String? {
    switch source {
    case .scriptFile: Self.text(lines)
    case .expressionAndFile: Self.text(lines.dropFirst())
    default: nil
    }
  }

  /// Standard input, or the file that it is.
  var standardInput: String? {
    [.pipe, .file, .dash].contains(source) ? Self.text(lines) : nil
  }

  /// The arguments, with the SHA-256 hashes for `--expect`.
  func arguments(hashes: [String]) -> [String] {
    var all: [String] = []
    if silent { all.append("-s") }
    if verbose { all.append("-v") }
    if loose { all.append("-l") }
    if quiet { all.append("-q") }
    if extended { all.append("-E") }
    if restricted { all.append("-r") }
    switch source {
    case .expressions: for line in lines { all += ["-e", line] }
    case .oneExpression: all += ["-e", lines.joined(separator: "\n")]
    case .scriptFile: all += ["-f", "script"]
    case .expressionAndFile: all += ["-e", lines.first ?? "", "-f", "script"]
    case .dash: all += ["-f", "-"]
    case .pipe, .file: break
    }
    // Without lines there would be no script at all.
    if source == .expressions && lines.isEmpty { all += ["-e", ""] }
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

  /// Where an error says that a line of the script is, counted from 1.
  func place(ofLine number: Int) -> String {
    switch source {
    case .expressions: "-e \(number):1"
    case .oneExpression: "-e 1:\(number)"
    case .scriptFile: "script:\(number)"
    case .expressionAndFile: number == 1 ? "-e 1:1" : "script:\(number - 1)"
    case .dash, .pipe, .file: "stdin:\(number)"
    }
  }
}
