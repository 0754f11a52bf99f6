import UedLinux
import Differential
import Glibc
import Synchronization
import Testing

@testable import ued

/// `--apply`: permitted file operations, compared with those of `git`, and forbidden ones.
@Suite struct AppliedPatchTests {
  private let sandbox = Sandbox()

  init() {
    sandbox.run(
      """
      git init -q .; mkdir d
      seq 10 >a; seq 5 >b; echo x >c; echo run >s; echo text >d/e; printf 'end' >u
      git add -A; git commit -qm 1
      """)
  }

  private func state() -> String {
    let list =
      "find . -path ./.git -prune -o -path ./.local -prune -o -type f ! -name p -printf '%m %p\\n' -exec cksum {} +"
    return sandbox.transcript("\(list) | sort")
  }

  /// Makes a patch `p` with many kinds of changes, and puts the files back as they were.
  ///
  /// - Returns: The state of the files that the patch should produce.
  private func makePatch() -> String {
    sandbox.run(
      """
      sed -i 's/^3$/three/' a; git rm -q b; git mv c cc; echo y >>cc; chmod +x s
      mkdir -p n/m; echo new >n/m/f; chmod +x n/m/f; echo TEXT >d/e; : >empty; echo >>u; rm d/e
      echo other >d/e; git add -A; git diff --cached -M01 >../p || true; git diff --cached -M01 >.git/p
      """)
    let made = state()
    sandbox.run("rm -f ../p; git reset -q --hard; git clean -fdq; mv .git/p p")
    return made
  }

  @Test(arguments: [
    "--atomic --apply=p", "--apply=p", "--apply - <p", "--validate='test -f %' --apply=p",
  ])
  func `files are changed, created, deleted and renamed as by git`(_ options: String) {
    let made = makePatch()
    let before = state()
    #expect(sandbox.transcript("\"$UED\" --check --apply=p") == "4\n")
    #expect(sandbox.transcript("\"$UED\" --diff --apply=p").hasSuffix("\n0\n"))
    #expect(state() == before)
    #expect(sandbox.transcript("\"$UED\" \(options)") == "0\n")
    #expect(state() == made)
    #expect(
      sandbox.transcript("\"$UED\" --atomic --apply=p").contains("the patch is already applied"))
    #expect(state() == made)
    #expect(sandbox.run("find . -path ./.local -prune -o -name '.ued-*' -print").isEmpty)
  }

  @Test func `the output of --diff for a patch is an equivalent patch`() {
    sandbox["p"] = Array(
      "--- a/a\n+++ b/a\n@@\n 1\n-2\n+two\n--- a/b\n+++ /dev/null\n@@\n-1\n-2\n-3\n-4\n-5\n".utf8)
    sandbox.run("\"$UED\" --diff --apply=p >q; \"$UED\" --apply=q")
    #expect(sandbox.transcript("head -2 a; test -e b") == "1\ntwo\n1\n")
  }

  @Test func `a backup is kept of every file that is changed or removed`() {
    _ = makePatch()
    #expect(
      sandbox.transcript("\"$UED\" --atomic -i.old --apply=p; ls *.old d/*.old")
        == "a.old\nb.old\nc.old\nd/e.old\ns.old\nu.old\n0\n")
    #expect(sandbox.transcript("cat b.old") == "1\n2\n3\n4\n5\n0\n")
  }

  @Test func `if a file fails, the others are patched, but with --atomic no file`() {
    sandbox["p"] = Array(
      "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+uno\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+one\n".utf8)
    let message =
      "ued: a: hunk 1 (line 3 of the patch) does not fit: none of its lines is there\n1\n"
    #expect(sandbox.transcript("\"$UED\" --atomic --apply=p") == message)
    #expect(sandbox.transcript("head -1 b") == "1\n0\n")
    #expect(sandbox.transcript("\"$UED\" --apply=p") == message)
    #expect(sandbox.transcript("head -1 b") == "one\n0\n")
  }

  private static let long = String(repeating: "x", count: 90)
  private static let deep = String(repeating: "x/", count: 500_000) + "x"

  @Test(arguments: [
    ("--- ../out\n+++ ../out\n@@ -0,0 +1 @@\n+x\n", "outside of this folder"),
    (
      "--- /dev/null\n+++ /tmp/ued-out\n@@ -0,0 +1 @@\n+x\n",
      "ued: /tmp/ued-out: an absolute path; a patch names files relative to this folder\n"
    ),
    (
      "*** Begin Patch\n*** Update File: HERE/a\n@@\n-1\n+one\n*** End Patch\n",
      "/a: an absolute path; a patch names files relative to this folder\n"
    ),
    ("--- /dev/null\n+++ b/link/out\n@@ -0,0 +1 @@\n+x\n", "outside of this folder"),
    ("--- a/passwd\n+++ b/passwd\n@@\n+x\n", "outside of this folder"),
    ("--- a/dangling\n+++ b/dangling\n@@\n+x\n", "outside of this folder"),
    ("--- a/inner\n+++ /dev/null\n@@\n-text\n", "through a symbolic link"),
    ("diff --git a/a b/../x\nrename from a\nrename to ../x\n", "outside of this folder"),
    ("--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+x\n", "outside of this folder"),
    ("--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+x\n", "ued: b: exists already"),
    ("diff --git a/a b/b\nrename from a\nrename to b\n", "ued: b: exists already"),
    (
      "--- a/b\n+++ /dev/null\n@@\n-1\n-2\n",
      "ued: b: the patch deletes it, but does not remove line 3: '3'"
    ),
    ("--- a/b\n+++ /dev/null\n@@\n-4\n", "does not remove line 1: '1'"),
    ("--- a/\(long)\n+++ b/\(long)\n@@\n-1\n+2\n", "ued: \(long): can't read: No such file"),
    ("@@ -1 +1 @@\n-1\n+2\n", "ued: p: line 1 of the patch: it names no file"),
    ("--- a/a\n+++ b/a\n@@\n-1\n+2\n--- a/a\n+++ /dev/null\n@@\n-2\n", "split the patch"),
    ("nothing\n", "ued: p: the patch changes nothing"),
    ("--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n", "ued: .git/hooks/x: no patch"),
    ("--- /dev/null\n+++ b/d/.GIT/x\n@@ -0,0 +1 @@\n+x\n", "ued: d/.GIT/x: no patch"),
    ("--- /dev/null\n+++ b/.git./x\n@@ -0,0 +1 @@\n+x\n", "ued: .git./x: no patch"),
    ("--- /dev/null\n+++ b/d/GIT~1/x\n@@ -0,0 +1 @@\n+x\n", "ued: d/GIT~1/x: no patch"),
    (
      "--- /dev/null\n+++ b/.git::$INDEX_ALLOCATION/x\n@@ -0,0 +1 @@\n+x\n",
      "ued: .git::$INDEX_ALLOCATION/x: no patch"
    ),
    ("--- /dev/null\n+++ b/d\\.git\\x\n@@ -0,0 +1 @@\n+x\n", "no patch"),
    ("--- /dev/null\n+++ b/.g\u{200C}it/x\n@@ -0,0 +1 @@\n+x\n", "no patch"),
    ("--- /dev/null\n+++ b/.Git . ./x\n@@ -0,0 +1 @@\n+x\n", "no patch"),
    (
      "--- a/\(deep)\n+++ b/\(deep)\n@@\n-1\n+2\n",
      "ued: p: line 1 of the patch: the name of its file"
    ),
    ("--- /dev/null\n+++ b/hooks/x\n@@ -0,0 +1 @@\n+x\n", "ued: hooks/x: no patch"),
    ("diff --git a/a b/.git/x\nrename from a\nrename to .git/x\n", "ued: a: no patch"),
    ("--- /dev/null\n+++ b/.ued-0-run/0\n@@ -0,0 +1 @@\n+x\n", "ued: .ued-0-run/0: no patch"),
  ])
  func `promise 23: a patch that is not safe changes nothing`(_ patch: String, _ message: String) {
    sandbox.run(
      """
      ln -s /tmp link; ln -s /etc/passwd passwd; ln -s nowhere/f dangling; ln -s d/e inner; \
      ln -s .git/hooks hooks
      """)
    sandbox["p"] = Array(patch.replacing("HERE", with: sandbox.path).utf8)
    let before = state()
    for options in ["--apply=p", "--atomic --apply=p", "--diff --apply=p"] {
      let said = sandbox.transcript("\"$UED\" \(options)")
      #expect(said.contains(message), "\(said)")
    }
    #expect(state() == before)
    sandbox.run("test ! -e .git/hooks/x; test ! -e .git/x; test ! -e d/.GIT")
  }

  @Test(
    arguments: [
      ("", 60),
      ("strace -f --seccomp-bpf -qqo trace -e trace=openat2 -e inject=openat2:error=ENOSYS", 20),
    ],
    [
      "--- /dev/null\n+++ b/d/new\n@@ -0,0 +1 @@\n+x\n",
      "--- a/d/f\n+++ b/d/f\n@@ -1 +1 @@\n-1\n+2\n",
      "--- a/d/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n",
    ])
  func `promise 23: swapping a folder for a link does not divert a patch`(
    _ start: (prefix: String, count: Int), _ patch: String
  ) {
    sandbox["p"] = Array(patch.utf8)
    sandbox.run("mkdir top top/d out; ln -s ../out top/link; echo 1 >out/f")
    let folder = open(sandbox.path + "/top/d", O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    let isOver = Atomic<Bool>(false)
    let exchanges = Atomic<Bool>(false)
    let top = open(sandbox.path + "/top", O_RDONLY | O_DIRECTORY)
    defer { close(top) }
    let attacker = startThread {
      while !isOver.load(ordering: .relaxed) {
        if exchanges.load(ordering: .relaxed) {
          // In a fast series, an exchange may come between any two system calls of ued.
          for _ in 0..<Int.random(in: 1...3000) { renameat2(top, "d", top, "link", 2) }
        }
        usleep(.random(in: 20...2000))
      }
    }
    func apply(_ count: Int, then check: String) {
      sandbox.run(
        """
        cd top; inside=/proc/\(getpid())/fd/\(folder)
        for i in $(seq \(count)); do
          rm -f $inside/*; echo 1 >$inside/f
          \(start.prefix) "$UED" --apply=../p \(check)
          test "$(cat ../out/*)" = 1
        done
        """)
    }
    apply(1, then: #"; test "$(cd $inside; cat * 2>/dev/null || true)" != 1"#)
    exchanges.store(true, ordering: .relaxed)
    apply(start.count, then: "2>/dev/null || true")
    isOver.store(true, ordering: .relaxed)
    pthread_join(attacker, nil)
  }

  @Test func `two sections for one file are applied in their order`() {
    sandbox["p"] = Array(
      "--- a/a\n+++ b/a\n@@\n-1\n+one\n 2\n--- a/a\n+++ b/a\n@@\n-one\n+eins\n".utf8)
    for options in ["--apply=p", "--atomic --apply=p"] {
      #expect(
        sandbox.transcript("\"$UED\" \(options); head -1 a; git checkout -q a") == "eins\n0\n")
    }
  }

  @Test func `a truncated patch is refused unless the result has the hash in git's header`() {
    sandbox.run(
      """
      sed 's/^2$/two/;s/^7$/seven/' a >new; git diff --no-index a new >p || test $? = 1
      sed -i 's,b/new,b/a,' p; head -n 11 p >q
      grep -q '^ 5$' q
      status=0; "$UED" --apply=q 2>said || status=$?
      test $status = 1
      grep -q 'line 5 of the patch begins what is not complete: the patch was cut off' said
      seq 10 | cmp - a
      sed -i 's/,10/,12/g' p; grep -q '^@@ -1,12 +1,12 @@' p
      "$UED" --apply=p; cmp a new
      """)
  }

  @Test func `no spoiled patch has an unintended result`() {
    sandbox.run(
      """
      for n in $(seq 12); do printf 'f%d() {\\n  x = %d\\n\\n  return\\n}\\n\\n' $n $n; done >long
      git add long; git commit -qm 0
      for n in 2 5 8; do
        sed -i "s/x = $n\\$/  y = $n/;s/^f$((n + 3))().*/f() {\\\\n  # $n/" long; cp a "new$n"
        sed -i "/^$n\\$/d" a; git add -A; git commit -qm "$n"
      done
      git rm -q new5; git commit -qm gone
      """)
    let script = packageFolder + "/Benchmarks/spoiled-patches.py"
    let table = sandbox.run(
      "python3 '\(script)' --repository . --commits 4 --alone --ued \"$UED\"")
    var right: [String: String] = [:]
    for line in String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst(2) {
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      right[cells[0]] = cells[1]
      #expect(cells[3].hasPrefix("0"), "\(line)")
    }
    #expect(right.count == 13)
    for kind in ["wrong counts", "wrong numbers of lines", "fences, wrong counts", "no prefixes"] {
      #expect(right[kind] == "4", "\(kind)")
    }
  }

  @Test func `sections for one file are one change, in --check and --diff too`() {
    sandbox["p"] = Array(
      "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+A\n--- ./a\n+++ ./a\n@@ -1 +1 @@\n-A\n+AA\n".utf8)
    #expect(sandbox.transcript("\"$UED\" --check --apply=p") == "4\n")
    #expect(sandbox.transcript("\"$UED\" --diff --apply=p").contains("\n-1\n+AA\n 2\n"))
    sandbox.run("sed -i s/-A/-B/ p")
    #expect(sandbox.transcript("\"$UED\" --apply=p").hasSuffix("\n1\n"))
    #expect(sandbox.transcript("head -1 a") == "1\n0\n")
  }

  @Test func `without --atomic a missing or removed file does not stop the others`() {
    sandbox["p"] = Array(
      """
      --- a/a
      +++ b/a
      @@ -1 +1 @@
      -1
      +one
      --- a/none
      +++ b/none
      @@ -1 +1 @@
      -1
      +2
      diff --git a/gone b/gone
      deleted file mode 100644
      --- a/b
      +++ b/b
      @@ -1 +1 @@
      -1
      +one

      """.utf8)
    let messages = [
      "ued: none: can't read: No such file or directory\n",
      "ued: gone: the patch is already applied\n",
    ]
    #expect(
      sandbox.transcript("\"$UED\" --atomic --apply=p || head -qn1 a b") == messages[0]
        + "1\n1\n0\n")
    #expect(sandbox.transcript("\"$UED\" --apply=p") == messages.joined() + "2\n")
    #expect(sandbox.transcript("head -qn1 a b") == "one\none\n0\n")
  }

  @Test(arguments: [
    ("diff --git a/a b/c2\nrename from a\nrename to c2\n", "test ! -e a && test -s c2"),
    ("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "test -x a && test ! -x b"),
    ("diff --git a/e0 b/e0\ndeleted file mode 100644\n", "test ! -e e0"),
    ("diff --git a/e1 b/e1\nnew file mode 100644\n", "test -e e1 && test ! -s e1"),
    ("diff --git a/a b/c2\nsimilarity index 50%\n", "test -e a && test ! -e c2"),
  ])
  func `a header of git without hunks is a separate section`(_ header: String, _ check: String) {
    sandbox["e0"] = []
    sandbox["p"] = Array((header + "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+one\n").utf8)
    #expect(sandbox.transcript("\"$UED\" --apply=p; \(check) && head -1 b") == "one\n0\n")
  }

  @Test func `a changed mode is part of the difference`() {
    sandbox["p"] = Array("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n".utf8)
    let header = "diff --git a a\nold mode 100644\nnew mode 100755\n"
    #expect(sandbox.transcript("\"$UED\" --diff --apply=p") == header + "0\n")
    #expect(
      sandbox.transcript("\"$UED\" --diff --apply=p >q; \"$UED\" --apply=q; test -x a") == "0\n")
    #expect(
      sandbox.transcript("\"$UED\" --diff --apply=p") == "ued: a: the patch is already applied\n1\n"
    )
    sandbox.run(
      """
      mkdir w; echo 1 >w/x; echo 1 >x; sed 's,a/a b/a,a/w/x b/w/x,' p | "$UED" --diff --apply=- >q
      "$UED" --apply=q; test -x w/x; test ! -x x
      """)
    let lines = "--- a\n+++ a\n@@ -1 +1 @@\n-one\n+1\n"
    sandbox["a"] = Array("one\n".utf8)
    sandbox["p"] = Array((header + lines).utf8)
    #expect(sandbox.transcript("chmod -x a; \"$UED\" --diff --apply=p") == header + lines + "0\n")
    #expect(sandbox.transcript("chmod +x a; \"$UED\" --diff --apply=p") == lines + "0\n")
  }

  @Test func `a new file does not get the mode in another file's header`() {
    sandbox["p"] = Array(
      """
      diff --git a/a b/a
      old mode 100644
      new mode 100755
      --- /dev/null
      +++ b/n
      @@ -0,0 +1 @@
      +new

      """.utf8)
    #expect(
      sandbox.transcript("\"$UED\" --apply=p; test -x a && test ! -x n && cat n") == "new\n0\n")
  }

  @Test func `a name that ends in blanks is read as --diff writes it`() {
    sandbox["b  "] = Array("1\n".utf8)
    sandbox["p"] = Array("--- \"b  \"\n+++ \"b  \"\n@@ -1 +1 @@\n-1\n+one\n".utf8)
    #expect(
      sandbox.transcript("\"$UED\" --diff --apply=p >q; \"$UED\" --apply=q; cat 'b  '")
        == "one\n0\n")
  }

  @Test func `if a section has two names, the file that exists is patched`() {
    sandbox.run("cp a a.orig; sed s/4/four/ a.orig >new; diff -u a.orig new >p || true; rm new")
    #expect(sandbox.transcript("\"$UED\" --apply=p; sed -n 4p a.orig; rm a.orig") == "four\n0\n")
    #expect(
      sandbox.transcript("sed -i s/a.orig/a/ p; \"$UED\" --apply=p; sed -n 4p a") == "four\n0\n")
  }

  @Test func `files of diff -N are created and deleted`() {
    sandbox.run(
      "mkdir x y; echo 1 >x/gone; echo 2 >y/made; diff -ruN x y >p || true; cd x; \"$UED\" --apply=../q 2>/dev/null || true"
    )
    sandbox.run("sed -i 's,^--- x,--- a,;s,^+++ y,+++ b,' p; cd x; \"$UED\" --apply=../p")
    #expect(sandbox.transcript("ls x; cat x/made") == "made\n2\n0\n")
  }

  @Test func `each file has a group of the patch in its history`() {
    sandbox["p"] = Array("--- a/a\n+++ b/a\n@@\n-1\n+one\n--- a/b\n+++ b/b\n@@\n-1\n+one\n".utf8)
    #expect(sandbox.transcript("\"$UED\" --atomic --history=on --apply=p") == "0\n")
    for name in ["a", "b"] {
      let said = sandbox.transcript(
        "\"$UED\" -s --history=on -e history -e undo -e 1p -e Q \(name)")
      #expect(said.contains("Apply p") && said.hasSuffix("\n1\n0\n"), "\(said)")
    }
  }

  @Test func `a file that changed meanwhile is read again with --retry`() {
    sandbox["p"] = Array("--- a/a\n+++ b/a\n@@\n-1\n+one\n".utf8)
    let check = "--validate='test -e done || { touch done; echo 11 >>a; } ; : %'"
    #expect(sandbox.transcript("\"$UED\" \(check) --apply=p").hasSuffix("3\n"))
    #expect(
      sandbox.transcript("rm done; \"$UED\" --retry \(check) --apply=p; sed -n '1p;$p' a")
        == "one\n11\n0\n")
  }

  @Test func `the arguments that make no sense with a patch are refused`() {
    for arguments in ["--apply=p a", "--apply=p -e 1d", "-r --apply=p", "--apply="] {
      #expect(sandbox.transcript("\"$UED\" \(arguments)").contains("--help"), "\(arguments)")
    }
  }

  @Test func `a last line without a newline gets no carriage return from its neighbours`() {
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    sandbox["p"] = Array(
      "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n".utf8)
    sandbox.run(
      """
      "$UED" --history --run=r --apply=p; printf 'a\\r\\nc' | cmp - f
      "$UED" --undo-run=r; printf 'a\\r\\nb\\r\\n' | cmp - f
      """)
  }

  @Test func `a patch that creates a file can be applied again after undo`() {
    sandbox["p"] = Array("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n".utf8)
    sandbox.run(
      """
      "$UED" --history --run=r --apply=p; "$UED" --undo-run=r; test ! -e new
      "$UED" --history --apply=p; echo x | cmp - new
      exits 1 "$UED" --apply=p 2>said; grep -q 'already applied' said
      """)
  }
}
