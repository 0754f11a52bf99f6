import Differential
import Testing

/// Scripts and descriptors: an open descriptor is used, not opened again.
@Suite struct DescriptorTests {
  private let sandbox = Sandbox()

  /// The output and the errors of a shell command.
  private func shell(_ command: String, status: Int32 = 0) -> String {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    return sandbox.shell(command, status: status)
  }

  @Test func `a script on standard input begins where another reader stopped`() {
    sandbox["s"] = Array("skip\n1p\n2p\n".utf8)
    #expect(shell("{ read x; \"$UED\" -i -f - f; } <s") == "1\n2\n")
    #expect(shell("{ read x; \"$UED\" -i f; } <s") == "1\n2\n")
    sandbox["s"] = Array("$d\n".utf8)
    #expect(shell("(\"$UED\" -i -f - f; \"$UED\" -i -f - f) <s; cat f") == "1\n2\n")
  }

  @Test(arguments: ["-s f", "f"]) func `input after the end of a script is left for other programs`(
    _ arguments: String
  ) {
    sandbox["s"] = Array("2p\nq\nrest\nmore\n".utf8)
    for start in ["\"$UED\"", "ed"] {
      #expect(shell("(\(start) \(arguments); cat) <s | tail -n +2").hasSuffix("rest\nmore\n"))
    }
    #expect(shell("cat s | (\"$UED\" -s f; cat)") == "2\nrest\nmore\n")
    for (start, end) in [("(", ") <s"), ("cat s | (", ")")] {
      let told = shell("\(start)\"$UED\" --json f; cat\(end)")
      #expect(told.hasSuffix("\"revision\":0}]}\nrest\nmore\n"), "\(told)")
    }
  }

  @Test(arguments: ["-i", "-s", "--atomic -s"])
  func `a name of a descriptor means the file open under it`(_ option: String) {
    let run = "\"$UED\" \(option) -e 1p -e 'w /dev/stdout'"
    #expect(shell("\(run) f >o; cat o") == "1\n1\n2\n3\n")
    #expect(shell("echo header >o; \(run) f >>o; cat o") == "header\n1\n1\n2\n3\n")
    #expect(shell("\(run) f | cat") == "1\n1\n2\n3\n")
    let other = "\"$UED\" \(option) -e 'w /dev/stderr' -e '2W /dev/fd/7'"
    #expect(shell("echo header >o; \(other) f 2>>o 7>p; cat o p") == "header\n1\n2\n3\n2\n")
  }

  @Test(arguments: ["-i", "-s -e w", "-s --atomic -e w", "-i --history"])
  func `a file edited by the name of a descriptor is truncated to its new text`(
    _ options: String
  ) {
    #expect(shell("exec 5<>f; \"$UED\" -e 1,2d \(options) /dev/fd/5; cat f") == "3\n")
  }

  @Test(arguments: ["W o", "w o", "r o\n,p\nQ", "e o\n,p", ".w o", "wq o"])
  func `output is flushed before a command uses its file`(_ command: String) {
    sandbox["s"] = Array("1p\n\(command)\n2p\n".utf8)
    let ours = shell("\"$UED\" -s f <s >>o || echo $? >>o; cat o; rm o")
    #expect(ours == shell("ed -s f <s >>o || echo $? >>o; cat o; rm o"))
    #expect(ours.hasPrefix("1\n") || command.hasSuffix("w o") || command.hasPrefix("w"))
  }

  @Test func `whole lines are appended, and the backups are not written over`() {
    sandbox["g"] = Array("a\nb".utf8)
    #expect(shell("\"$UED\" -i -e 'W all' g f; cat all g") == "a\nb\n1\n2\n3\na\nb")
    for name in ["g.o", "./g.o"] {
      let said = shell("\"$UED\" -i.o -e 1d -e 'w \(name)' g", status: 1)
      #expect(said.contains("'\(name)' is the backup that -i makes"))
      #expect(sandbox["g"] == Array("a\nb".utf8) && sandbox["g.o"] == nil)
    }
  }

  @Test func `a dry run adds no newline`() {
    sandbox["g"] = Array("a".utf8)
    #expect(shell("\"$UED\" --check -e w g; \"$UED\" --check -i -e w g") == "")
    let diff = shell("\"$UED\" --diff -e 0a -e b -e . -e w g")
    #expect(diff.hasSuffix("\\ No newline at end of file\n"))
    #expect(!shell("\"$UED\" --diff -e '$a <<E' -e b -e E g | tail -n 1").contains("+b"))
  }

  @Test func `an interrupt does not count as a verdict of the check`() {
    let said = "interrupted; pending"
    let check = "'kill -INT $PPID; true %'"
    #expect(shell("\"$UED\" --validate=\(check) -i -e 1d f", status: 1).contains(said))
    #expect(sandbox["f"] == Array("1\n2\n3\n".utf8))
    // The first lock belongs to the run under test.
    let other = "strace -qqqo trace -P f -e inject=fcntl:signal=INT \"$UED\" -i -e 2d f"
    #expect(shell("\"$UED\" --validate='\(other); true %' -i -e 1d f").contains(said))
    let reading =
      "mkfifo in; exec 3<>in; \"$UED\" -e 1p /dev/stdin <in & awaits idle $!; kill -INT $!; wait $!"
    #expect(shell(reading, status: 1).contains(said))
  }

  @Test(arguments: [
    ("-i f <in", "stdin", "INT", 1), ("-i -f - f <in", "stdin", "TERM", 143),
    ("--apply=- <in", "stdin", "INT", 1), ("--apply=- <in", "stdin", "HUP", 129),
  ])
  func `a signal while a script or patch is read ends the run with a message`(
    _ arguments: String, _ name: String, _ signal: String, _ status: Int32
  ) {
    let script = "rm -f in; mkfifo in; exec 3<>in; \"$UED\" \(arguments) & awaits idle $!"
    let said = shell("\(script); kill -\(signal) $!; wait $!", status: status)
    #expect(said.hasPrefix("ued: \(name): interrupted; pending writes were dropped\n"))
    #expect(sandbox["f"] == Array("1\n2\n3\n".utf8))
  }

  @Test(arguments: ["--validate='true %'", "--apply=/dev/null", "--undo-run=a", "--search=a"])
  func `an option whose values exclude each other is given once`(_ option: String) {
    let other = option.replacing("true", with: "false").replacing("null", with: "zero")
    let second = other == option ? option + "b" : other
    let word = option.prefix { $0 != "=" }
    let rest = option.contains("true") ? "-i -e p f" : ""
    let said = shell("\"$UED\" \(option) \(second) \(rest)", status: 1)
    #expect(said.hasPrefix("ued: '\(word)' is given twice\n"))
  }

  @Test func `without a required history, W writes nothing either`() {
    let said = shell(
      "XDG_STATE_HOME=/proc/x \"$UED\" -s --history=require -e 1d -e 'W other' -e Q f", status: 3)
    #expect(said.contains("not written, as its history can't be kept"))
    #expect(sandbox["other"] == nil)
  }

  @Test func `a command that reads only a part of a large text has not failed`() {
    sandbox.run(
      """
      seq 200000 >large; printf 'w !head -n 1\n' | "$UED" --json large >out; jq -se '.[0].ok' out
      "$UED" -s -e 'w !exit 3' large 2>said || test $? = 1; grep -q 'status 3' said
      """)
  }

  @Test func `a newline that is added to a text that is read names it`() {
    sandbox["z"] = Array("z".utf8)
    let said = shell("\"$UED\" -i -e '1r z' f")
    #expect(said == "ued: f: the last line of z had no newline; one was added\n")
    #expect(sandbox["f"] == Array("1\nz\n2\n3\n".utf8))
  }

  @Test func `a time that does not exist is refused`() {
    for time in [
      "2026-13-01", "2026-02-30", "2026-11-20T14:02:61", "2026-11-20T24:02:00", "2026-11-20T",
    ] {
      #expect(shell("\"$UED\" --log --since=\(time)", status: 1).contains("option '--since' takes"))
    }
    #expect(
      shell("UED_RUN=$(printf 'a\\nb') \"$UED\" -i -e p f", status: 1).contains("not 'a\\nb'"))
    #expect(shell("\"$UED\" --log --run=x", status: 1).contains("can't be used together"))
    let hash = "sha256:123456789abc"
    let said = shell("\"$UED\" --apply=p --expect=\(hash)", status: 1)
    #expect(said.contains("'--apply' and '--expect' can't be used together"))
    #expect(shell("\"$UED\" -r --log", status: 1).contains("can't be used together"))
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `with --json no text is written to standard output, and the error names 'p'`(
    _ name: String
  ) {
    let said = shell("printf 'w \(name)\\n1p\\nQ\\n' | \"$UED\" --json f", status: 1)
    #expect(said.contains("can't write \(name): only answers go there; print with 'p'"), "\(said)")
    #expect(said.contains("\"output\":[\"1\"]"))
  }
}
