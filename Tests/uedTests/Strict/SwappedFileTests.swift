import Testing

@testable import ued

/// Strict runs whose files become something else before they are written; also unusual backups,
/// last lines and arguments.
@Suite struct SwappedFileTests {
  private let sandbox = Sandbox()

  /// Runs ued on `f`, with lines `a`, `b`, `c`.
  ///
  /// - Returns: The output on standard error.
  private func run(_ arguments: String, status: Int32) -> String {
    sandbox["f"] = Array("a\nb\nc\n".utf8)
    return sandbox.shell("$UED \(arguments) f", status: status)
  }

  @Test(arguments: [
    "rm f; ln -s /dev/null f", "rm f; mkfifo f", "rm f; mkdir f", "rm f",
    "rm f; echo x >g; ln -s g f",
  ])
  func `a file that has become something else is not written`(change: String) {
    for options in ["-i", "-i --atomic", "-i.b --atomic"] {
      let said = run("\(options) -e 1d -e '!\(change)'", status: 3)
      #expect(said.contains("changed by another program"), "\(options)")
      sandbox.run("rm -rf f g f.b")
    }
  }

  @Test func `a link planted during the run is not written through`() {
    let said = run("-i --validate='rm f; ln -s /dev/null f; true %' -e 1d", status: 3)
    #expect(said.contains("changed by another program"))
    let created = sandbox.run(
      "$UED -i --atomic --create -e a -e x -e . -e '!ln -s /dev/null new' new 2>&1", status: 3)
    #expect(!created.isEmpty)
  }

  @Test func `if --validate swaps the folder of the file, ued writes to neither`() {
    sandbox.run("mkdir d; printf 'a\\nb\\n' >d/f; ln -s d link")
    sandbox.run(
      """
      $UED -i -e 1d --validate='mv d d2; mkdir d; echo v >d/f; true %' d/f 2>said || test $? = 3
      test "$(cat d2/f)" = "$(printf 'a\\nb')"; test "$(cat d/f)" = v; grep -q changed said
      """)
  }

  @Test(arguments: ["chmod 777 %", "ln % keep", "touch -d 2001-01-01 %", "echo x >>%"])
  func `a --validate command that changes the staged file is reported`(check: String) {
    let said = run("-i --validate='\(check)' -e 1d", status: 1)
    #expect(said.contains("has changed the staged file"))
    #expect(sandbox["f"] == Array("a\nb\nc\n".utf8))
  }

  @Test func `an empty last line is written with a newline`() {
    sandbox["f"] = Array("a\nb".utf8)
    sandbox.run("$UED -i --history=on -e '$s/b//' f")
    #expect(sandbox["f"] == Array("a\n\n".utf8))
    let history = sandbox.run("$UED -s --history -e history f")
    #expect(!String(decoding: history, as: UTF8.self).contains("outside"))
    sandbox["f"] = Array("\nb".utf8)
    sandbox.run("$UED -i -e '1m$' -e 1d f")
    #expect(sandbox["f"] == Array("\n".utf8))
  }

  @Test func `a backup name that is a hard link to the file gets a copy of the old text`() {
    for options in ["-i.b", "-i.b --atomic"] {
      sandbox.run("rm -f f f.b; printf 'a\\nb\\n' >f; ln f f.b; $UED \(options) -e 1d f")
      #expect(sandbox["f"] == Array("b\n".utf8) && sandbox["f.b"] == Array("a\nb\n".utf8))
    }
  }

  @Test func `a backup that is a file of the run is refused`() {
    sandbox.run("printf 'a\\nb\\n' >f; cp f f.b")
    let said = sandbox.shell("$UED -i.b -e 1d f f.b", status: 1)
    #expect(said.contains("the backup 'f.b' is a FILE of this run"))
    sandbox.run("$UED -i.b --atomic -e 1d -e 'w f.b' f 2>&1", status: 1)
    #expect(sandbox["f"] == Array("a\nb\n".utf8) && sandbox["f.b"] == sandbox["f"])
  }

  @Test(arguments: [
    ("f ./f.b", ""), ("f $PWD/f.b", ""), ("f g", "ln -s f.b g"), ("d/f f.b", "ln -s . d"),
  ])
  func `a backup is a file of the run also by another path`(_ files: String, _ setup: String) {
    for options in ["-i.b", "-i.b --atomic"] {
      sandbox.run("rm -f f f.b g d; printf 'a\nb\n' >f; printf 'c\nd\n' >f.b; \(setup)")
      let said = sandbox.shell("$UED \(options) -e 1d \(files)", status: 1)
      #expect(said.contains("f.b' is a FILE of this run, too"))
      #expect(sandbox["f"] == Array("a\nb\n".utf8) && sandbox["f.b"] == Array("c\nd\n".utf8))
    }
  }

  @Test func `a backup that is a file of the patch is refused`() {
    sandbox.run(
      """
      echo a >f; echo b >f.b
      printf -- '--- %s\n+++ %s\n@@ -1 +1 @@\n-%s\n+new\n' f f a f.b f.b b >p
      """)
    let said = sandbox.shell("$UED --apply=p -i.b", status: 1)
    #expect(said == "ued: f: the backup 'f.b' is a FILE of this run, too\n")
    #expect(sandbox["f"] == Array("a\n".utf8) && sandbox["f.b"] == Array("b\n".utf8))
  }

  @Test func `forget waits for the end of the run, and a dry run forgets nothing`() {
    func groups() -> Int {
      let printed = sandbox.run("$UED -s --history -e history f")
      return printed.count { $0 == 10 }
    }
    _ = run("--history -i -e 1d", status: 0)
    let count = groups()
    sandbox.run("$UED --history --check -e forget f; $UED --history --diff -e forget f")
    #expect(groups() == count)
    sandbox.run("$UED --history -i -e forget -e 99p f 2>&1", status: 1)
    #expect(groups() == count)
    sandbox.run("$UED --history -i -e forget -e forget -e 1d f 2>&1")
    #expect(groups() == count - 1)
    #expect(sandbox["f"] == Array("c\n".utf8))
  }

  @Test func `an empty expression is an empty line`() {
    sandbox["f"] = Array("a\n".utf8)
    sandbox.run("$UED -i -e '$a <<E' -e x -e '' -e E f; $UED -i -e \"\\$a <<''\" -e y -e '' f")
    #expect(sandbox["f"] == Array("a\nx\n\ny\n".utf8))
  }

  @Test func `a low limit of open files is raised`() {
    sandbox.run(
      """
      for i in $(seq 60); do echo a >n$i; done
      (ulimit -Sn 20; $UED --atomic -i -e 's/a/b/' n*); test "$(cat n* | sort -u)" = b
      """)
  }

  @Test func `a single dash after a double dash is a file name`() {
    sandbox["-"] = Array("a\nb\n".utf8)
    sandbox.run("$UED -i -e 1d -- -")
    #expect(sandbox["-"] == Array("b\n".utf8))
  }

  @Test func `the error of a failing shell command does not say Success`() {
    let said = sandbox.shell("$UED -e p '!false'", status: 2)
    #expect(said.hasPrefix("ued: ") && !said.contains("Success"), "\(said)")
  }
}
