import Testing

@testable import ued

struct OptionCase: CustomTestStringConvertible, Sendable {
  let arguments: [String]
  let change: @Sendable (inout Options) -> Void

  init(_ arguments: String..., change: @escaping @Sendable (inout Options) -> Void) {
    self.arguments = arguments
    self.change = change
  }

  var testDescription: String { arguments.joined(separator: " ") }
}

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

struct OptionsTests {
  private func parse(_ arguments: [String], posixlyCorrect: Bool = false) throws(UsageError)
    -> Invocation
  {
    try Options.parse(arguments.map { Array($0.utf8) }, posixlyCorrect: posixlyCorrect)
  }

  @Test(arguments: [
    OptionCase { _ in },
    OptionCase("--history") { $0.keepsHistory = true },
    OptionCase("--history=on") { $0.keepsHistory = true },
    OptionCase("--hist=off") { $0.keepsHistory = false },
    OptionCase("f") { $0.fileNames = [bytes("f")] },
    OptionCase("f", "g") { ($0.fileNames, $0.laterFileNames) = ([bytes("f")], [bytes("g")]) },
    OptionCase("+5", "f", "g") {
      ($0.startAddress, $0.fileNames, $0.laterFileNames) = (bytes("5"), [bytes("f")], [bytes("g")])
    },
    OptionCase("+/a b/", "-s", "f") {
      ($0.startAddress, $0.script, $0.fileNames) = (bytes("/a b/"), true, [bytes("f")])
    },
    OptionCase("+?re", "f") { ($0.startAddress, $0.fileNames) = (bytes("?re"), [bytes("f")]) },
    OptionCase("+", "f") { ($0.startAddress, $0.fileNames) = (bytes("$"), [bytes("f")]) },
    OptionCase("+5") { $0.fileNames = [bytes("+5")] },
    OptionCase("+5x", "f") { ($0.fileNames, $0.laterFileNames) = ([bytes("+5x")], [bytes("f")]) },
    OptionCase("--", "+5", "f") {
      ($0.fileNames, $0.laterFileNames) = ([bytes("+5")], [bytes("f")])
    },
    OptionCase("-e", "p", "+5", "f") {
      ($0.scriptParts, $0.isFriendly, $0.fileNames) = (
        [.expression(bytes("p"))], false, [bytes("+5"), bytes("f")]
      )
    },
    OptionCase("") { $0.fileNames = [[]] },
    OptionCase("f", "-s") { ($0.script, $0.fileNames) = (true, [bytes("f")]) },
    OptionCase("-sv", "-rE") {
      ($0.script, $0.verbose, $0.restricted, $0.extendedRegex) = (true, true, true, true)
    },
    OptionCase("-l", "-q") { ($0.looseExitStatus, $0.quiet) = (true, true) },
    OptionCase("-G") { ($0.traditional, $0.isFriendly) = (true, false) },
    OptionCase("-") { $0.script = true },
    OptionCase("-", "-", "f") { ($0.script, $0.fileNames) = (true, [bytes("f")]) },
    OptionCase("f", "-") { ($0.fileNames, $0.laterFileNames) = ([bytes("f")], [bytes("-")]) },
    OptionCase("--", "-", "f") { ($0.script, $0.fileNames) = (true, [bytes("f")]) },
    OptionCase("--", "-x") { $0.fileNames = [bytes("-x")] },
    OptionCase("--", "f", "-s") {
      ($0.fileNames, $0.laterFileNames) = ([bytes("f")], [bytes("-s")])
    },
    OptionCase("-p:") { $0.prompt = bytes(":") },
    OptionCase("-sp", ":", "f") {
      ($0.script, $0.prompt, $0.fileNames) = (true, bytes(":"), [bytes("f")])
    },
    OptionCase("-p", "--", "f") { ($0.prompt, $0.fileNames) = (bytes("--"), [bytes("f")]) },
    OptionCase("--prompt=a=b") { $0.prompt = bytes("a=b") },
    OptionCase("--pr", "-s") { $0.prompt = bytes("-s") },
    OptionCase("--q", "--si") { $0.quiet = true },
    OptionCase("--script", "--strip", "--verb") {
      ($0.script, $0.stripTrailingCR, $0.verbose) = (true, true, true)
    },
    OptionCase("!ls") { $0.fileNames = [bytes("!ls")] },
  ])
  func `a command line becomes options`(_ row: OptionCase) throws {
    var expected = Options()
    row.change(&expected)
    #expect(try parse(row.arguments) == .edit(expected))
  }

  @Test(arguments: [
    (["--history=maybe"], "option '--history' takes on, off or require, not 'maybe'"),
    (["-x"], "invalid option -- 'x'"), (["-sx", "f"], "invalid option -- 'x'"),
    (["-s-"], "invalid option -- '-'"), (["-hx"], "invalid option -- 'x'"),
    (["-p"], "option requires an argument -- 'p'"),
    (["-p", ""], "option requires an argument -- 'p'"),
    (["--prompt"], "option '--prompt' requires an argument"),
    (["--pr="], "option '--prompt' requires an argument"),
    (["--foo=3"], "unrecognized option '--foo=3'"),
    (["--scriptx"], "unrecognized option '--scriptx'"), (["--s"], "option '--s' is ambiguous"),
    (["--v="], "option '--v=' is ambiguous"), (["--=x"], "option '--=x' is ambiguous"),
    (["--si="], "option '--silent' doesn't allow an argument"),
    (["--e=1"], "option '--extended-regexp' doesn't allow an argument"),
  ])
  func `a wrong command line gives ed's message`(_ arguments: [String], _ words: String) {
    let error = #expect(throws: UsageError.self) { try parse(arguments) }
    guard let error else { return }
    let expected = "ued: \(words)\nTry 'ued --help' for more information.\n"
    let message = UsageText.message(for: error, calledAs: Array("ued".utf8))
    #expect(String(decoding: message, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("-n", "invalid option -- 'n'; only commands such as 'p' print lines"),
    ("-I", "invalid option -- 'I'; did you mean '-i'?"),
    ("-z", "invalid option -- 'z'; a line ends with a newline"),
    ("--inplace", "unrecognized option '--inplace'; did you mean '--in-place'?"),
    ("--dry-run", "unrecognized option '--dry-run'; did you mean '--diff'?"),
  ])
  func `another program's option hints at its counterpart`(_ option: String, _ words: String) {
    let error = #expect(throws: UsageError.self) { try parse([option, "f"]) }
    if let error { #expect(String(decoding: UsageText.reason(error), as: UTF8.self) == words) }
  }

  @Test func `the first of help and version wins, but an error wins over both`() throws {
    #expect(try parse(["-hV", "f"]) == .showHelp)
    #expect(try parse(["f", "--vers", "-h"]) == .showVersion)
    #expect(throws: UsageError.unknownLetter(UInt8(ascii: "x"))) { try parse(["-Vx"]) }
  }

  @Test func `POSIXLY_CORRECT turns only the friendliness off`() throws {
    var expected = Options()
    expected.isFriendly = false
    #expect(try parse([], posixlyCorrect: true) == .edit(expected))
  }

  @Test func `arguments may hold any bytes`() throws {
    var expected = Options()
    expected.fileNames = [[0xFF, 0x0A, 0xC3]]
    expected.prompt = [0x80]
    let arguments: [[UInt8]] = [[0x2D, 0x70, 0x80], [0xFF, 0x0A, 0xC3]]
    #expect(try Options.parse(arguments) == .edit(expected))
    #expect(throws: UsageError.unknownLetter(0x80)) { try Options.parse([[0x2D, 0x80]]) }
  }

  @Test func `help names every option`() {
    for word in ["-E", "-G", "-h", "-l", "-p", "-q", "-r", "-s", "-v", "-V", "--strip-trailing-cr"]
    {
      #expect(OptionRow.help.contains(word))
    }
  }

  @Test func `the version has the commit if it is known`() {
    let version = UsageText.version
    #expect(UsageText.versionText(commit: "").hasPrefix("ued \(version)\n"))
    let commit = "0123abcde-dirty"
    #expect(UsageText.versionText(commit: commit).hasPrefix("ued \(version) (\(commit))\n"))
  }

  @Test func `an option overrides UED_HISTORY`() throws {
    let parse = { (arguments: [String], history: String) throws(UsageError) in
      try Options.parse(arguments.map { Array($0.utf8) }, history: Array(history.utf8))
    }
    var options = Options()
    #expect(try parse([], "always") == .edit(options))
    options.keepsHistory = false
    #expect(try parse([], "off") == .edit(options))
    #expect(try parse(["--history=off"], "on") == .edit(options))
    options.keepsHistory = true
    #expect(try parse([], "on") == .edit(options))
  }
}
