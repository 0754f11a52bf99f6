import Differential
import Testing

/// A script and what ed does with it: a rule of ed that is easy to get wrong.
struct EdFact: Sendable, CustomTestStringConvertible {
  /// In the escapes of `printf %b`.
  var script: String
  var arguments = "-s f"
  var input = Case.StandardInput.pipe
  var locale = "C"
  /// Standard output and standard error, with `⏎` for each newline.
  var prints: String
  var complains = ""
  var status: Int32 = 0

  init(
    _ script: String, arguments: String = "-s f", input: Case.StandardInput = .pipe,
    locale: String = "C", prints: String, complains: String = "", status: Int32 = 0
  ) {
    self.script = script
    self.arguments = arguments
    self.input = input
    self.locale = locale
    self.prints = prints
    self.complains = complains
    self.status = status
  }

  var testDescription: String { "\(script) [\(arguments)]" }

  var test: Case {
    Case(
      arguments: arguments.split(separator: " ").map(String.init),
      environment: ["LC_ALL=\(locale)"], standardInput: input, script: Escapes.decode(script))
  }
}

@Suite struct EdFactsTests {
  private func check(_ fact: EdFact) {
    let result = CaseRunner().run(fact.test, .underTest)
    #expect(text(result.output) == fact.prints)
    #expect(text(result.errors) == fact.complains)
    #expect(result.ending == .exited(fact.status))
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "⏎")
  }

  @Test(arguments: EdFact.streams)
  func `streams, errors and exit status are those of ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.addresses)
  func `addresses mean what they mean to ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.currentLine)
  func `the current line after a command is that of ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.printing)
  func `lines are printed as ed prints them`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.substitution)
  func `substitution is that of ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.globals)
  func `global commands are those of ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.undo)
  func `undo, marks and the cut buffer are those of ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.files)
  func `files are read and written as ed does`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.shell)
  func `shell commands run as in ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.modes)
  func `options mean what they mean to ed`(_ fact: EdFact) { check(fact) }

  @Test(arguments: EdFact.encodings)
  func `bytes and characters are those of ed`(_ fact: EdFact) { check(fact) }
}
