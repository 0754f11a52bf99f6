import Differential
import Testing

/// Strict runs write over no file that they have not seen.
@Suite struct UnreadFileTests {
  private let sandbox = Sandbox()

  init() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["g"] = Array("other\n".utf8)
  }

  private func text(_ name: String) -> String {
    sandbox[name].map { String(decoding: $0, as: UTF8.self) } ?? "(none)"
  }

  @Test(arguments: [
    "-s -e 'w g' f", "-s -e 'w ./g' f", "-s -e '1w g' f", "--atomic -s -e 'w g' f",
    "-i -e 1d -e 'w g' f", "-i -e 'f g' -e 1d f >out", "--diff -e 'w g' f", "-s -e 'w g'",
    "-s -e '!ln -s g h' -e 'w h' f",
  ])
  func `a file that the run has not seen is not written over`(_ arguments: String) {
    #expect(
      sandbox.transcript("\"$UED\" \(arguments)").hasSuffix(
        "exists, but was not read; not overwritten; remove it first\n1\n"))
    #expect(text("f") == "one\ntwo\n" && text("g") == "other\n")
  }

  /// The arguments, and the message of the failure, which names the file that it is about.
  @Test(arguments: [
    ("-s -e s/o/0/ -e 'w g' f", "g: -e 2:1: exists, but was not read"),
    ("-i -e s/o/0/ -e 'w g' f", "g: -e 2:1: exists, but was not read"),
    ("--atomic -s -e '1w ./g' f", "./g: -e 1:1: exists, but was not read"),
    ("-s -e 'r f' -e 'w g'", "g: -e 2:1: exists, but was not read"),
    ("-s -e 'f g' -e w f", "g: -e 2:1: exists, but was not read"),
    ("-s -e 'r g' -e '!echo z >>g' -e 'w g' f", "g: -e 3:1: changed by another program"),
    ("-i -e 'r g' -e 'w g' -e '!echo z >>g' f", "g: changed by another program"),
    ("-s -e '!echo z >>f' -e w f", "f: -e 2:1: changed by another program"),
    ("-s --validate='false %' -e 'w h' f", "h: -e 1:1: rejected"),
    ("-s -e 'w none/h' f", "f: -e 1:1: can't write none/h: No such file or directory"),
  ])
  func `a refusal names the file that it is about, also in an answer`(
    _ arguments: String, _ message: String
  ) throws {
    let said = sandbox.transcript("cp f was; cp g was.g; \"$UED\" \(arguments)")
    #expect(said.split(separator: "\n").contains { $0.hasPrefix("ued: \(message)") }, "\(said)")
    sandbox.run("mv was f; mv was.g g")
    let output = sandbox.transcript("\"$UED\" --json \(arguments)")
    let answers = output.split(separator: "\n").dropLast().map { Answers.validated(Array($0.utf8)) }
    let (end, parts) = (try #require(answers.last ?? nil), message.split(separator: ": "))
    let name = String(parts[0])
    let failed = try #require(end["files"]?.elements.first { $0["error"] != nil })
    #expect(failed["path"]?.text == name && failed["error"] == end["error"])
    #expect((failed["before"] == .null) == (name == "h"))
    guard parts.count > 2 else { return }
    let last = try #require(answers.dropLast().last ?? nil)
    let isOwn = name == "f" || arguments.contains("'f g'")
    let words = parts[2...].joined(separator: ": ")
    #expect(last["message"]?.text?.hasPrefix(isOwn ? words : "\(name): \(words)") == true)
  }

  @Test(arguments: [
    "-s -e '0r g' -e '1,$w g' -e Q f", "-s -e 'e g' -e 'e f' -e 'w g' f",
    "-s -e '!rm g' -e 'w g' f",
    "-s -e '!: >g' -e 'w g' f", "-s -e 'w !cat >g' f", "-s -e 'W g' f", "-s -e 'w h' -e 'w h' f",
    "--atomic -s -e 'W g' -e 'w g' f", "-s -e 'w /dev/null' f", "-s -e 'w h' f f",
    "-s -e 'e g' -e '1s/$/x/' -e 'w f' f",
  ])
  func `a file that is new, empty, or seen by the run is written`(
    _ arguments: String
  ) {
    let before = ["f", "g", "h"].map { text($0) }
    #expect(sandbox.transcript("\"$UED\" \(arguments)").hasSuffix("0\n"))
    #expect(["f", "g", "h"].map { text($0) } != before || arguments.contains("/dev/null"))
  }

  @Test(arguments: ["-s", "--atomic -s"])
  func `another program's later content stays`(_ options: String) {
    let refusal = "ued: g: -e 3:1: changed by another program since it was read; not overwritten"
    let other = "-e '!echo more >>g' -e 'w g' -e Q f"
    let said = sandbox.transcript("\"$UED\" \(options) -e 'r g' \(other)")
    #expect(
      said.hasSuffix("\n3\n") && said.contains("g: changed") || said.hasPrefix(refusal), "\(said)")
    #expect(text("g") == "other\nmore\n")
  }

  @Test func `a file made meanwhile by another program stays`() {
    #expect(
      sandbox.transcript("\"$UED\" --atomic -s -e 'w h' -e '!echo more >h' -e 1p f").hasSuffix(
        "3\n"))
    #expect(text("h") == "more\n")
  }

  @Test func `a plain script overwrites a file that it has not read`() {
    #expect(sandbox.transcript("printf 'w g\\n' | \"$UED\" -s f") == "0\n")
    #expect(text("g") == "one\ntwo\n")
  }
}
