import Differential
import Glibc
import Testing

/// Something that a program does when a signal comes.
struct BusyState: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The commands that end before it begins.
  let preparation: String
  /// The commands that begin it.
  let script: String

  init(_ name: String, after preparation: String = "", _ script: String) {
    testDescription = name
    self.preparation = preparation
    self.script = script
  }

  /// Whether more commands follow, so that ued does not flush after the interrupted one.
  var isRepeated: Bool { script.utf8.count > 1000 }

  private static func often(_ script: String) -> String {
    String(repeating: script, count: 400)
  }

  /// A shell command that runs until the test closes the pipe.
  fileprivate static let wait = "cat fifo >seen"

  static let all = [
    BusyState("an address is searched", "/\\(.*\\)x\\1z/\n"),
    BusyState("an address is searched backwards", "?\\(.*\\)x\\1z?\n"),
    BusyState("lines are marked", "g/\\(.*\\)x\\1z/d\n"),
    BusyState("a line is replaced", "$s/\\(.*\\)x\\1z/y/\n"),
    BusyState("lines are replaced", ",s/\\(.*\\)x\\1z/y/\n"),
    BusyState("a pattern without back-references is slow", "$s/\\(ab*c*d*e*.*\\)*[0-9]z/y/\n"),
    BusyState("a pattern is compiled", "/\\(x\\{1,150\\}\\)\\{1,255\\}z/\n"),
    BusyState("a command runs", "!\(wait)\n"),
    BusyState("a command ignores signals", "!trap '' INT HUP TERM; \(wait); :\n"),
    BusyState("the output of a command is read", "r !\(wait)\n"),
    BusyState("a reading command ignores signals", "r !trap '' INT HUP TERM; \(wait); :\n"),
    BusyState("lines are written to a command", ",w !\(wait)\n"),
    BusyState("lines are filtered", "1,2!\(wait)\n"),
    BusyState("a pipe is opened for reading", "r fifo\n"),
    BusyState("a pipe is opened for writing", "w fifo\n"),
    BusyState("nobody reads the output", often("1,1000p\n")),
    BusyState("lines are read", often("r lines\n")),
    BusyState("lines are written", often("w copy\n")),
    BusyState("a global command runs", often("g/l/t0\\\ns/1/2/\n,s/l/l/\n")),
    BusyState("a substitution runs", often(",s/i/i/\n")),
    BusyState("a group is undone", often(",s/line/LINE/\nu\n")),
    BusyState(
      "a long line is replaced", after: "$r !yes b | head -c 8000000 | tr -d '\\n'\n", "$s/b/cc/g\n"
    ),
    BusyState("lines are reverted", after: "$r !seq 100000\n3,$g/1/m$\n", "1,$revert 0\n"),
    BusyState(
      "texts are merged", after: "$r !seq 20000\n3,$g/1/d\n3,$g/2/d\njump 3\n3,$g/3/d\n",
      "merge 4\n"),
    BusyState("texts are compared", after: "$r !seq 200000 | shuf\n3,$!shuf\n", "diff 3\n"),
    BusyState("texts are exported", after: "$r !seq 200000 | shuf\n3,$!shuf\n", "history patch\n"),
    BusyState("nothing runs", ""),
  ]
}

@Suite struct AnsweredSignalTests {
  private let sandbox = Sandbox()

  /// Starts ued with an unsaved text, and brings it into a state.
  ///
  /// - Returns: The program, and the pipe that its shell command reads; -1 without one.
  private func session(in state: BusyState) throws -> (HeldProgram, pipe: Int32) {
    sandbox["lines"] = Array((1...2000).map { "line \($0)\n" }.joined().utf8)
    sandbox["f"] =
      (sandbox["lines"] ?? []) + Array(String(repeating: "abcdex", count: 8000).utf8) + [10]
    mkfifo(sandbox.path + "/fifo", 0o600)
    let session = HeldProgram.session(["f"], in: sandbox, options: ["-s"])
    session.send("1s/$/ changed/p\n\(state.preparation)1n\n")
    try #require(session.awaitOutput("line 1 changed\n"))
    try #require(session.awaitOutput("1\tline 1 changed\n"))
    session.send(state.script)
    let reads = state.script.contains(BusyState.wait)
    let pipe = reads ? session.openPipe(sandbox.path + "/fifo") : -1
    session.awaitWork()
    return (session, pipe)
  }

  /// The limit for an answer in seconds of processor time; an answer takes a tenth of it. A waiting
  /// program takes none, and a computing one would take more than a minute.
  private static let limit = 1.0

  @Test(arguments: BusyState.all.filter { !$0.isRepeated })
  func `promise 21: an interrupt is answered at once, and the program goes on`(_ state: BusyState)
    throws
  {
    let (session, pipe) = try session(in: state)
    defer { close(pipe) }
    let start = session.processorTime
    session.signal(SIGINT)
    #expect(session.awaitOutput("?\n"))
    #expect(session.processorTime - start < Self.limit)
    session.send("1n\n")
    #expect(session.awaitOutput("1\tline 1 changed\n") || state.script.contains("LINE"))
  }

  @Test(arguments: [SIGTERM, SIGHUP], BusyState.all)
  func `promise 21: a signal to end is answered at once, and the text is kept`(
    _ signal: Int32, _ state: BusyState
  ) throws {
    let (session, pipe) = try session(in: state)
    defer { close(pipe) }
    let start = session.processorTime
    session.signal(signal)
    session.awaitExit()
    #expect(session.processorTime - start < Self.limit)
    // Unread output is lost, an error. A comparison may have printed nothing yet.
    let isLost = state.script.contains("1000p")
    let mayBeLost = ["diff", "history"].contains { state.script.hasPrefix($0) }
    let (ending, isHangUp) = (session.ending(), signal == SIGHUP)
    #expect(
      ending == (isHangUp ? .exited(isLost ? 1 : 0) : .signalled(SIGTERM))
        || mayBeLost && isHangUp && ending == .exited(1))
    if state.script.contains("w copy") { return }
    let kept = try #require(sandbox["ed.hup"])
    #expect(kept.count > 48_000)
  }

  @Test(arguments: ["INT", "TERM", "HUP"], ["-i", "--atomic -e w", "-i --history", "-i --json"])
  func `a signal after the last write is not a failure`(_ signal: String, _ options: String) {
    sandbox.run(
      """
      echo older >f; "$UED" -e s/older/old/ \(options) f >answers
      strace -qqqo trace -e inject=rename,renameat,renameat2:signal=\(signal):when=1 \
        "$UED" -e s/old/new/ \(options) f >answers
      grep -qx new f
      """)
  }

  @Test(arguments: ["", "-i"])
  func `promise 21: a signal ends the storing of many groups, with a message`(_ option: String) {
    let sandbox = Sandbox()
    let lines = (0..<100_000).map { "\($0 * 7919 % 1000 + 1)s/$/x/\n" }
    sandbox["script"] = Array((lines.joined() + "w\n").utf8)
    sandbox.run("seq 1000 >f; cp f old")
    sandbox.run(
      """
      "$UED" -s --history \(option) f <script 2>errors & pid=$!
      ticks() { read -r -a state </proc/$pid/stat; echo $((state[13] + state[14])); }
      awaits eval 'ls .local/state/ued/*.history* >/dev/null 2>&1'
      # It begins to store.
      before=$(ticks); awaits eval 'test $(ticks) -gt $((before + 30))'
      kill -TERM $pid; exits 143 wait $pid
      cmp f old; grep -q interrupted errors; test -z "$(sort errors | uniq -d)"
      """)
  }
}
