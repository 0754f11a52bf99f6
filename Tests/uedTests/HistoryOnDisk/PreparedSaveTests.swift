import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Saves that are stored in the history before the file is replaced, and histories that a run
/// releases for a while.
@Suite(.serialized) struct PreparedSaveTests {
  private let sandbox = Sandbox()

  /// An editor of the file `f`. A test runs its commands, and the steps of its saves, one by one.
  private final class Run {
    var editor: Editor

    init(_ sandbox: Sandbox) {
      setenv("XDG_STATE_HOME", sandbox.path + "/.local/state", 1)
      var options = Options()
      options.quiet = true
      options.keepsHistory = true
      let rendering = PlainRendering(descriptor: -1, options: options)
      editor = Editor(
        options: options,
        console: Console(lines: ScriptLines([], kind: .regularFile), rendering: rendering))
      try? editor.open(Array((sandbox.path + "/f").utf8))
      unsetenv("XDG_STATE_HOME")
    }

    func run(_ command: String) {
      var parser = CommandParser(line: Array(command.utf8))
      #expect(throws: Never.self) { try editor.run(parser.next()) }
    }

    func prepare(_ revision: Int? = nil) { editor.prepare(revision) }
    func commit() { editor.commit() }
  }

  /// Replaces the file by another one.
  private func replace(_ text: String) {
    sandbox["new"] = Array(text.utf8)
    rename(sandbox.path + "/new", sandbox.path + "/f")
  }

  /// Runs a script with history.
  ///
  /// - Returns: Its standard output and errors.
  private func script(_ lines: String...) -> String {
    sandbox["script"] = Array((lines + ["Q"]).joined(separator: "\n").utf8 + [0x0A])
    return sandbox.shell("\"$UED\" --history -s f <script || test $? -le 2")
  }

  private var databases: [String] {
    Disk.names(in: sandbox.path + "/.local/state/ued").filter { $0.contains(".history") }
  }

  /// All that the database has, as text.
  private func dump() -> String {
    guard let name = databases.first(where: { $0.hasSuffix(".history") }),
      let database = try? Database(path: Array((sandbox.path + "/.local/state/ued/" + name).utf8))
    else { return "" }
    var all = ""
    for table in ["text", "revision", "run", "state", "staged", "entered"] {
      guard let rows = try? database.prepare("SELECT * FROM \(table) ORDER BY 1") else { continue }
      while (try? rows.step()) == true {
        all += table
        for column in 0..<13 {
          all += " \(rows.isNull(Int32(column)) ? [] : rows.bytes(Int32(column)))"
        }
        all += "\n"
      }
    }
    return all
  }

  /// Prepares the run: no history, or one with an unsaved group.
  private func begin(withHistory: Bool) {
    sandbox.run("rm -rf .local; echo one >f")
    if withHistory {
      #expect(script("s/$/ 0/", "w", "s/$/ x/") == "")
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `after a kill during a save the next session reports the groups, and redo restores them`(
    _ withHistory: Bool, _ isElsewhere: Bool
  ) {
    begin(withHistory: withHistory)
    let text = withHistory ? "one 0" : "one"
    do {
      let run = Run(sandbox)
      run.run("s/$/ 1/")
      run.run("name first")
      run.run("s/$/ 2/")
      run.prepare()
      run.editor.keeper.suspend()
      #expect(run.editor.text.isModified)
    }
    // An equal file of another program is no sign of a cut-off save.
    if isElsewhere { replace("\(text)\n") }
    let told = "2 groups from a previous session were not saved; 'redo 2' brings them back\n"
    #expect(script("redo 2", "p") == (isElsewhere ? "" : told) + "\(text) 1 2\n")
  }

  @Test(arguments: [false, true])
  func `a prepared and completed save needs no further transaction`(_ withHistory: Bool) {
    begin(withHistory: withHistory)
    let text = withHistory ? "one 0 1" : "one 1"
    do {
      let run = Run(sandbox)
      run.run("s/$/ 1/")
      run.prepare()
      run.editor.keeper.suspend()
      replace("\(text)\n")
      let stored = dump()
      // A kill from here on makes no difference.
      run.commit()
      #expect(!run.editor.text.isModified)
      run.editor.recordHistory()
      run.editor.keeper.suspend()
      #expect(dump() == stored)
    }
    #expect(script("p", "undo", "p", "history").hasPrefix("\(text)\n"))
    #expect(!script("history all").contains("outside"))
  }

  @Test(arguments: [false, true], [false, true])
  func `a failed save does not change the history`(_ withHistory: Bool, _ isSuspended: Bool) {
    begin(withHistory: withHistory)
    if withHistory {
      let session = TerminalSession.plain(["f"], in: sandbox)
      session.enter("a", "entered")
      session.kill()
    }
    let before = dump()
    let run = Run(sandbox)
    run.run("s/$/ 1/")
    run.run("begin")
    run.run("s/$/ 2/")
    run.prepare()
    if isSuspended { run.editor.keeper.suspend() }
    run.editor.keeper.rollBackSave()
    run.editor.keeper.suspend()
    #expect(dump() == before)
    #expect(withHistory || databases.isEmpty)
    #expect(run.editor.text.isModified)
    // The groups are not forgotten.
    run.run("end")
    #expect(run.editor.resume() == .unchanged)
    run.prepare()
    replace("x\n")
    run.commit()
    run.editor.keeper.suspend()
    sandbox["f"] = Array("\(withHistory ? "one 0" : "one") 1 2\n".utf8)
    #expect(script("undo 2", "p") == (withHistory ? "one 0\n" : "one\n"))
  }

  @Test func `a save can be of an earlier revision, or of a new file`() {
    begin(withHistory: false)
    do {
      let run = Run(sandbox)
      run.run("s/$/ 1/")
      run.run("s/$/ 2/")
      run.prepare(1)
      replace("one 1\n")
      run.commit()
      #expect(run.editor.text.isModified)
    }
    #expect(script("p", "redo", "p").hasSuffix("one 1\none 1 2\n"))
    sandbox.run("rm -r f .local")
    do {
      let run = Run(sandbox)
      run.editor.text.insert(Array("new\n".utf8), after: .zero)
      replace("new\n")
      run.prepare()
      run.commit()
    }
    #expect(script("p") == "new\n")
  }

  // MARK: - Suspended histories

  @Test func `a suspended history has no descriptor, and other processes can use it`() {
    begin(withHistory: true)
    let run = Run(sandbox)
    func open() -> Int { Disk.names(in: "/proc/self/fd").count }
    #expect(run.editor.resume() == .unchanged)
    let whileOpen = open()
    run.editor.keeper.suspend()
    #expect(open() < whileOpen)
    // Reading changes nothing.
    #expect(script("p").hasSuffix("one 0\n"))
    #expect(run.editor.resume() == .unchanged)
    run.run("s/$/ 1/")
    run.editor.recordHistory()
    run.editor.keeper.suspend()
    #expect(run.editor.resume() == .unchanged)
    run.editor.keeper.suspend()
    run.editor.keeper.suspend()
    // This run still goes on, so no session is offered its groups.
    #expect(script("s/$/ 2/", "w") == "")
    run.run("s/$/ 3/")
    #expect(run.editor.resume() == .unchanged)
    let titles = (0..<run.editor.text.history.revisions.count).map { run.editor.text.title($0) }
    #expect(titles.suffix(3) == (1...3).map { "Substitute /$/ \($0)/ on line 1" })
    run.editor.recordHistory()
    run.editor.keeper.suspend()
    #expect(script("history json").contains("Substitute /$/ 3/"))
  }

  @Test func `another process's new history is joined, and a deleted one is reported`() {
    begin(withHistory: false)
    let first = Run(sandbox)
    first.editor.keeper.suspend()
    #expect(databases.isEmpty)
    #expect(first.editor.resume() == .unchanged)
    first.editor.keeper.suspend()
    #expect(script("s/$/ 1/") == "")
    #expect(first.editor.resume() == .unchanged)
    #expect(first.editor.text.title(1) == "Substitute /$/ 1/ on line 1")
    first.editor.keeper.suspend()
    let second = Run(sandbox)
    second.editor.keeper.suspend()
    sandbox.run("rm .local/state/ued/*.history*")
    #expect(second.editor.resume() == .changed)
    #expect(databases.isEmpty)
  }

  @Test func `a suspended history is opened again when it is needed`() {
    begin(withHistory: true)
    let run = Run(sandbox)
    run.editor.keeper.suspend()
    run.run("s/$/ 1/")
    run.editor.recordHistory()
    #expect(run.editor.keeper.takeNotices().count == 1)
    run.editor.keeper.suspend()
    #expect(script("history json").contains("Substitute /$/ 1/"))
  }

  // MARK: - Busy histories

  @Test(arguments: [false, true])
  func `twenty concurrent scripts all keep their history`(_ withHistory: Bool) {
    begin(withHistory: withHistory)
    for round in 1...3 {
      sandbox.run(
        """
        for n in $(seq 20); do
          printf 's/$/ '$n'/\\nname run \(round)-'$n'\\nw\\n' | "$UED" --history -s f 2>errors$n || echo $? >>errors$n &
        done; wait
        fails grep -vE 'overwritten|previous session|outside' errors*
        """)
      let history = script("history json")
      #expect((1...20).filter { !history.contains("\"run \(round)-\($0)\"") } == [])
    }
  }

  @Test func `after two seconds of waiting for a history in use, ued edits without it`() {
    begin(withHistory: true)
    let run = Run(sandbox)
    #expect(run.editor.resume() == .unchanged)
    let start = Process.now()
    #expect(script("p").contains("history is not kept: another ued is editing this file"))
    #expect(Process.now() - start > 1.9)
    run.editor.keeper.suspend()
    #expect(!script("p").contains("not kept"))
  }

  @Test func `an unsaved group that grows is not mistaken for the saved text`() {
    sandbox["f"] = Array("a\nb\n".utf8)
    let output = sandbox.run(
      """
      printf '%s\\n' 1,2d '!echo x >new; mv new f' w 0a c . 1a d . |
        exits 3 "$UED" --json --history f | grep -o file-changed
      : >f
      "$UED" -s --history -e '0a' -e e -e . -e w -e 'history git' f 2>errors | tail -n 1
      fails grep damaged errors
      """)
    #expect(String(decoding: output, as: UTF8.self) == "file-changed\ndone\n")
  }
}

extension Editor {
  fileprivate mutating func resume() -> HistoryKeeper.Resumption { keeper.resume(&text) }

  fileprivate mutating func prepare(_ revision: Int?) {
    keeper.prepareSave(&text, of: file.name, revision: revision)
  }

  fileprivate mutating func commit() { keeper.commitSave(&text) }
}
