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

struct UsageCase: CustomTestStringConvertible, Sendable {
  let arguments: [String]
  let message: String

  init(_ arguments: String..., message: String) {
    self.arguments = arguments
    self.message = message
  }

  var testDescription: String { arguments.joined(separator: " ") }
}

struct OptionsTests {
  private func parse(
    _ arguments: [String], posixlyCorrect: Bool = false
  ) throws(UsageError) -> Invocation {
    try Options.parse(arguments.map { Array($0.utf8) }, posixlyCorrect: posixlyCorrect)
  }

  @Test(arguments: [
    OptionCase { _ in },
    OptionCase("--history") { $0.keepsHistory = true },
    OptionCase("--history=on") { $0.keepsHistory = true },
    OptionCase("--hist=off") { $0.keepsHistory = false },
    OptionCase("f") { $0.fileNames = [Array("f".utf8)] },
    OptionCase("f", "g") {
      $0.fileNames = [Array("f".utf8)]
      $0.laterFileNames = [Array("g".utf8)]
    },
    OptionCase("+5", "f", "g") {
      $0.startAddress = Array("5".utf8)
      $0.fileNames = [Array("f".utf8)]
      $0.laterFileNames = [Array("g".utf8)]
    },
    OptionCase("+/a b/", "-s", "f") {
      $0.startAddress = Array("/a b/".utf8)
      $0.script = true
      $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("+?re", "f") {
      $0.startAddress = Array("?re".utf8)
      $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("+", "f") {
      $0.startAddress = Array("$".utf8)
      $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("+5") { $0.fileNames = [Array("+5".utf8)] },
    OptionCase("+5x", "f") {
      $0.fileNames = [Array("+5x".utf8)]
      $0.laterFileNames = [Array("f".utf8)]
    },
    OptionCase("--", "+5", "f") {
      $0.fileNames = [Array("+5".utf8)]
      $0.laterFileNames = [Array("f".utf8)]
    },
    OptionCase("-e", "p", "+5", "f") {
      $0.scriptParts = [.expression(Array("p".utf8))]
      $0.isFriendly = false
      $0.fileNames = [Array("+5".utf8), Array("f".utf8)]
    },
    OptionCase("") { $0.fileNames = [[]] },
    OptionCase("f", "-s") {
      $0.script = true; $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("-sv", "-rE") {
      $0.script = true
      $0.verbose = true
      $0.restricted = true
      $0.extendedRegex = true
    },
    OptionCase("-l", "-q") {
      $0.looseExitStatus = true; $0.quiet = true
    },
    OptionCase("-G") {
      $0.traditional = true; $0.isFriendly = false
    },
    OptionCase("-") { $0.script = true },
    OptionCase("-", "-", "f") {
      $0.script = true; $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("f", "-") {
      $0.fileNames = [Array("f".utf8)]
      $0.laterFileNames = [Array("-".utf8)]
    },
    OptionCase("--", "-", "f") {
      $0.script = true; $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("--", "-x") { $0.fileNames = [Array("-x".utf8)] },
    OptionCase("--", "f", "-s") {
      $0.fileNames = [Array("f".utf8)]
      $0.laterFileNames = [Array("-s".utf8)]
    },
    OptionCase("-p:") { $0.prompt = Array(":".utf8) },
    OptionCase("-sp", ":", "f") {
      $0.script = true
      $0.prompt = Array(":".utf8)
      $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("-p", "--", "f") {
      $0.prompt = Array("--".utf8); $0.fileNames = [Array("f".utf8)]
    },
    OptionCase("--prompt=a=b") { $0.prompt = Array("a=b".utf8) },
    OptionCase("--pr", "-s") { $0.prompt = Array("-s".utf8) },
    OptionCase("--q", "--si") { $0.quiet = true },
    OptionCase("--script", "--strip", "--verb") {
      $0.script = true
      $0.stripTrailingCR = true
      $0.verbose = true
    },
    OptionCase("!ls") { $0.fileNames = [Array("!ls".utf8)] },
  ])
  func `a command line becomes options`(_ row: OptionCase) throws {
    var expected = Options()
    row.change(&expected)
    #expect(try parse(row.arguments) == .edit(expected))
  }

  @Test(arguments: [
    UsageCase("--history=maybe", message: "option '--history' takes on or off, not 'maybe'"),
    UsageCase("-x", message: "invalid option -- 'x'"),
    UsageCase("-sx", "f", message: "invalid option -- 'x'"),
    UsageCase("-s-", message: "invalid option -- '-'"),
    UsageCase("-hx", message: "invalid option -- 'x'"),
    UsageCase("-p", message: "option requires an argument -- 'p'"),
    UsageCase("-p", "", message: "option requires an argument -- 'p'"),
    UsageCase("--prompt", message: "option '--prompt' requires an argument"),
    UsageCase("--pr=", message: "option '--prompt' requires an argument"),
    UsageCase("--foo=3", message: "unrecognized option '--foo=3'"),
    UsageCase("--scriptx", message: "unrecognized option '--scriptx'"),
    UsageCase("--s", message: "option '--s' is ambiguous"),
    UsageCase("--v=", message: "option '--v=' is ambiguous"),
    UsageCase("--=x", message: "option '--=x' is ambiguous"),
    UsageCase("--si=", message: "option '--silent' doesn't allow an argument"),
    UsageCase("--e=1", message: "option '--extended-regexp' doesn't allow an argument"),
  ])
  func `a wrong command line is told as ed tells it`(_ row: UsageCase) {
    let error = #expect(throws: UsageError.self) { try parse(row.arguments) }
    guard let error else { return }
    let expected = "ued: \(row.message)\nTry 'ued --help' for more information.\n"
    let message = UsageText.message(for: error, calledAs: Array("ued".utf8))
    #expect(String(decoding: message, as: UTF8.self) == expected)
  }

  @Test func `the first of help and version wins, but an error wins over both`() throws {
    #expect(try parse(["-hV", "f"]) == .showHelp)
    #expect(try parse(["f", "--vers", "-h"]) == .showVersion)
    #expect(throws: UsageError.unknownLetter(UInt8(ascii: "x"))) { try parse(["-Vx"]) }
  }

  @Test func `POSIXLY_CORRECT takes the friendliness away and nothing else`() throws {
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
      #expect(UsageText.help.contains(word))
    }
  }

  @Test func `the version has the commit where it is known`() {
    let version = UsageText.version
    #expect(UsageText.versionText(commit: "").hasPrefix("ued \(version)\n"))
    let commit = "0123abcde-dirty"
    #expect(UsageText.versionText(commit: commit).hasPrefix("ued \(version) (\(commit))\n"))
  }

  @Test func `UED_HISTORY counts where no option is given`() throws {
    let parse = { (arguments: [String], history: String) throws(UsageError) in
      try Options.parse(
        arguments.map { Array($0.utf8) }, history: Array(history.utf8))
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
