import Differential
import Testing

@testable import ued

/// Texts that are too large for memory.
@Suite(.limitsMemory) struct LargeTextTests {
  private let sandbox = Sandbox()

  /// Runs the program with a file that it takes to be too large.
  ///
  /// The program reads its memory limit once, so the script lifts the limit afterwards: the trees of
  /// a debug build need much more.
  private func edit(_ file: String, _ script: [String], by program: String = "\"$UED\"") -> [String]
  {
    let start = ["r small", "u", "!prlimit --pid $PPID --data=unlimited", "e \(file)", Self.mapped]
    sandbox["script"] = Array(((start + script).joined(separator: "\n") + "\n").utf8)
    let output = sandbox.run("ulimit -S -d 8000; \(program) -s <script")
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  /// A command that counts the unnamed files that the program has mapped.
  private static let mapped = "!grep -c deleted /proc/$PPID/maps"

  init() {
    sandbox.run("head -n 80000 <(yes 'a line of text, and others like it') >big; head big >small")
  }

  @Test func `a text made huge by copies does not grow without end`() {
    sandbox["f"] = [0x61, 0x0A]
    let copies = String(repeating: ",t$\n", count: 70)
    let script = "H\n" + copies + "$=\n1,$y\n" + String(repeating: "x\n", count: 70) + "$=\nQ\n"
    let output = sandbox.edit(["-s", "f"], Array(script.utf8), status: 1)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.last.flatMap { Int($0) } == 1 << 46)
    #expect(lines.contains { $0.hasPrefix("out of memory") })
  }

  @Test(arguments: seeds())
  func `a large file is edited, undone and written back right`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var edits: [String] = []
    for number in 1...50 { edits.append("\(1 + random.below(80_000))s/$/ \(number)/") }
    let answers = edit(
      "big", ["=", "g/none/p"] + edits + ["w changed", "undo 50", "w same", "Q"])
    #expect(answers == ["1", "80000"])
    sandbox.run("cmp big same")
    #expect(sandbox.run("grep -c '^>' <(diff big changed)") == Array("50\n".utf8))
  }

  @Test func `the output of a command may be large too`() {
    let answers = edit("!cat big; printf end", ["$p", "1,80000w same", "Q"])
    #expect(answers == ["Newline appended", "1", "end"])
    sandbox.run("cmp big same")
  }

  @Test func `another program can truncate the file that was read`() {
    let answers = edit("big", ["!truncate -s 0 big", "80000p", "w same", "Q"])
    #expect(answers == ["1", "a line of text, and others like it"])
    #expect(sandbox["same"]?.count == 80_000 * 35)
  }

  /// The program with a TMPDIR or a failing call, and the place of the copy of the file.
  @Test(arguments: [
    ("TMPDIR=$(cat disk) \"$UED\"", "disk/#"), ("TMPDIR=/dev/shm \"$UED\"", "/var/tmp"),
    ("TMPDIR=$PWD/none \"$UED\"", "/var/tmp"),
    (
      "TMPDIR=$(cat disk) strace -qqq -o trace -P $(cat disk) -e inject=openat:error=EISDIR:when=2 \"$UED\"",
      "disk/.ued-spool-"
    ),
    ("strace -qqq -o trace -e inject=copy_file_range:error=EXDEV \"$UED\"", "/var/tmp"),
  ])
  func `a large file is copied to a temporary folder on a disk`(
    _ program: String, _ place: String
  ) {
    let folder = String(
      decoding: sandbox.run("mktemp -d /var/tmp/ued-spool.XXXXXX | tee disk").dropLast(),
      as: UTF8.self)
    let shown = "!sed -n 's/ (deleted)$//; s/.*r--s.* //p' /proc/$PPID/maps"
    let answers = edit(
      "big",
      [shown, "1,$s/^a/A LONGER/", "!grep -c 'rw-s.*deleted' /proc/$PPID/maps", "w same", "Q"],
      by: program
    ).map { $0.replacing(folder, with: "disk") }
    #expect(answers.count == 3 && answers[1].hasPrefix(place), "\(answers)")
    // Inserted text is mapped, too.
    #expect(answers.last != "0")
    sandbox.run("sed 's/^a/A LONGER/' big | cmp - same; rmdir $(cat disk)")
  }

  @Test func `a text can be changed if its inserted bytes can't be mapped`() {
    let script = ["1,$s/^a/A LONGER/", "1p", "Q"]
    _ = edit("big", script, by: "strace -qqq -o trace -e trace=mmap \"$UED\"")
    let calls = String(decoding: sandbox["trace"] ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("mmap(") }
    let number = calls.firstIndex { $0.contains("PROT_READ|PROT_WRITE, MAP_SHARED,") } ?? 0
    let failing = "strace -qqq -o trace -e inject=mmap:error=ENOMEM:when=\(number + 1) \"$UED\""
    let line = "A LONGER line of text, and others like it"
    #expect(edit("big", script, by: failing) == ["1", line])
  }

  @Test func `a file that can't be copied is not edited`() {
    sandbox.run(
      """
      ulimit -d 8000
      printf 'p\\nw same\\n' | fails strace -qqq -o trace -e inject=copy_file_range:error=EIO "$UED" -s big 2>said
      grep -q 'big: Input/output error' said; test ! -s same
      """)
  }

  @Test func `a small file is held in memory`() {
    #expect(edit("small", []) == ["0"])
  }

  @Test func `promise 13: running out of memory is said, and nothing is lost`() {
    sandbox.run(
      """
      seq -f 'line %g' 1 20000 >f
      printf 'H\\n,t$\\n,t$\\n,t$\\n,t$\\n,t$\\nv/zzz/d\\n1,20000w g\\nQ\\n' >script
      (ulimit -d 17000; exits 1 "$UED" -s f < <(cat script) >out)
      grep -q '^out of memory' out
      cmp f g
      """)
  }

  @Test(.limitsMemory, arguments: [32_000, 40_000])
  func `entered lines without room are an error, and not run as commands`(_ limit: Int) {
    sandbox.run(
      """
      (echo H; echo a; head -n 300000 <(yes 'd of a line of text'); echo .; echo =; echo Q) >script
      (ulimit -v \(limit); exits 1 "$UED" -s < <(cat script) >out 2>errors)
      grep -q '^out of memory' out
      test "$(tail -n 1 out)" = 0
      """)
  }

  @Test func `without room for the copy, ued reports it, and the file stays`() {
    sandbox.run(
      """
      ulimit -d 8000
      ulimit -f 1000
      printf 'h\\n' | fails "$UED" -s big >out 2>errors
      grep -q 'File too large' errors
      test "$(stat -c %s big)" = \(80_000 * 35)
      """)
  }

  /// Commands that take much memory in different ways, with the options of the run.
  private static let hungry: [(options: String, script: String)] = [
    ("-s", "g/1$/a\\\\\nmore text\nw"), ("-s", ",!sort -r\nw"), ("--json", ",n"),
    ("-s --history=on", "g/1$/d\nw\nblame"), ("--json", ",s/1$/X/\ndiff 0\nw"),
    ("-s --history=on", "1d\n!sed s/1/X/ f >o; mv o f\nmerge disk\nw"),
  ]

  @Test(.limitsMemory, arguments: hungry.indices)
  func `promise 13: no limit of memory ends ued by a signal`(_ index: Int) {
    let (options, script) = Self.hungry[index]
    let sandbox = Sandbox()
    sandbox.run(
      """
      seq -f 'a line of text %g' 50000 >old; cp old f
      printf '\(script)\n' >script
      ulimit -c 0
      for limit in $(seq 30 8 46); do
        rm -rf .local; cp old f
        status=0; (ulimit -v ${limit}000; "$UED" \(options) f <script >out 2>errors) || status=$?
        test $status -le 2 || { echo "$limit: $status" >&2; cat errors >&2; exit 1; }
        test -s out -o -s errors || fails cmp -s old f
        test "$(wc -l <f)" -gt 30000
      done
      """)
  }

  @Test(.limitsMemory, arguments: [",s/1/BBBB/", ",s/1/a\\\\\\nb/g", "g/1/s/1/BBBB/\\\\\\np"])
  func `promise 13: a command that memory is too short for changes nothing`(_ command: String) {
    let sandbox = Sandbox()
    for limit in stride(from: 31_000, through: 40_000, by: 4_500) {
      let said = sandbox.run(
        """
        seq 400000 >f; cp f g; printf '\(command)\\n.=\\nw\\nQ\\n' >script
        (ulimit -v \(limit); cat script | "$UED" -s f >out) || test $? = 1
        ! cmp -s f g || echo same; grep -q '^?$' out || echo done
        """)
      #expect(["same\n", "done\n"].contains(String(decoding: said, as: UTF8.self)), "\(limit)")
    }
  }
}
