import Differential
import Glibc
import Testing

@testable import ued

/// Runs in the history of a file, and over many files.
@Suite struct RunTests {
  private let sandbox = Sandbox("UED_HISTORY=on")

  private func text(_ name: String) -> String {
    String(decoding: sandbox[name] ?? [], as: UTF8.self)
  }

  /// The rows of a table, without their times, and with one blank between columns.
  private func rows(_ command: String) -> [String] {
    sandbox.shell(command).split(separator: "\n").map {
      $0.split(separator: " ").filter { $0.wholeMatch(of: #/[0-9-]{10}|..:..:../#) == nil }
        .joined(separator: " ")
    }
  }

  // MARK: - In one file

  @Test func `a run has a number, a name and groups, but not other programs' changes`() {
    sandbox.shell(
      """
      seq 9 >f; UED_RUN=bot "$UED" -i -e 1d -e '2s/$/ x/' -e '3s/$/ y/' f
      "$UED" -i -e '$d' --run='by hand' f; echo 10 >>f; "$UED" -i -e 2d f
      """)
    let json = sandbox.shell(#""$UED" -s -e 'history json' f | sed 's/.*"run"/"run"/'"#)
    #expect(
      json == """
        "run":null,"run_name":null,"file":"f"}
        "run":1,"run_name":"bot","file":"f"}
        "run":1,"run_name":"bot","file":"f"}
        "run":1,"run_name":"bot","file":"f"}
        "run":2,"run_name":"by hand","file":"f"}
        "run":null,"run_name":null,"file":"f"}
        "run":3,"run_name":null,"file":"f"}

        """)
  }

  @Test func `blame tells the run of each line, as JSON without the text`() {
    sandbox.shell("seq 3 >f; \"$UED\" -i --run=bot -e '2s/$/ x/' f")
    #expect(rows(#""$UED" -s -e '1,2blame' f"#) == ["0 1", "1 bot 2 x"])
    let json = #""$UED" -s -e begin -e 3d -e '1t1' -e ',blame json' -e abort f"#
    #expect(
      sandbox.shell(json + #" | sed 's/"time":"[^"]*"/T/'"#) == """
        {"line":1,"id":0,T,"run":null,"run_name":null}
        {"line":2,"id":null,"time":null,"run":null,"run_name":null}
        {"line":3,"id":1,T,"run":1,"run_name":"bot"}

        """)
  }

  @Test func `revert run undoes a run under later changes, or names the conflicts`() {
    sandbox.shell(
      """
      seq 9 >f; UED_RUN=bot "$UED" -i -e '3s/$/ bot/' f; "$UED" -i -e '8s/$/ hand/' f
      UED_RUN=bot "$UED" -i -e 5d -e '3s/$/ more/' f; "$UED" -i -e 1d f
      """)
    #expect(
      sandbox.shell(#""$UED" --diff -e 'revert run bot' f"#).contains(
        "-3 bot more\n+3\n 4\n+5\n 6\n"))
    #expect(rows(#""$UED" -i -e 'revert run' f; cat f"#).first == "1")
    #expect(sandbox.shell(#""$UED" -s -e 'history 1' f"#).contains("Undo run 4\n"))
    sandbox.shell(#""$UED" -i -e '3s/more/MORE/' f"#)
    #expect(
      sandbox.shell(#""$UED" -i -e 'revert run bot' f"#, status: 1)
        == "ued: f: -e 1:1: 7 (Substitute /more/MORE/ on line 3) changed line 3; revert it first\n"
    )
    #expect(
      sandbox.shell(#""$UED" -i -e 'revert run cat' f"#, status: 1)
        == "ued: f: -e 1:1: no run 'cat'; 'ued --log' lists them\n")
    #expect(sandbox.shell(#""$UED" -i -e 'revert run 2' f; cat f"#).contains("\n8\n"))
    #expect(
      sandbox.shell(#"seq 3 >g; "$UED" -i -e 'revert run' g"#, status: 1).contains("no earlier run")
    )
  }

  @Test func `revert run undoes all runs of one name`() {
    sandbox.run(
      """
      seq 3 >f
      for n in 1 2; do printf "${n}s/$/ bot/\\nw\\n" | "$UED" --history --run=bot -s f; done
      test $(grep -c bot f) = 2
      printf 'revert run\\nw\\n' | "$UED" --history -s f; seq 3 | cmp - f
      """)
  }

  // MARK: - Over many files

  @Test func `a name of a run without a history is an error`() {
    let sandbox = Sandbox("UED_HISTORY=")
    sandbox.run(
      """
      seq 3 >f
      for option in '-i -e 1d' '--json' '-s' '--history=off -i -e 1d'; do
        fails "$UED" --run=K $option f </dev/null 2>said; grep -q "'--run' is for use with --history" said
      done
      seq 3 | cmp - f; UED_RUN=K "$UED" -i -e 1d f; "$UED" --history --run=K -i -e 1d f; echo 3 | cmp - f
      "$UED" --log | grep -q K
      """)
  }

  @Test func `a run is as old as its newest group`() {
    sandbox.run(
      """
      seq 3 >f; seq 3 >g
      mkfifo in; "$UED" --history --run=long -s f <in & exec 3>in; printf '1s/1/one/\\nw\\n' >&3
      awaits grep -q one f; "$UED" -i --run=short -e 1d g
      sleep 1.1; since=$(date +%Y-%m-%dT%H:%M:%S); printf '2s/2/two/\\nw\\n' >&3; exec 3>&-; wait
      "$UED" --log --since=$since | grep -q long; ! "$UED" --log --since=$since | grep -q short
      "$UED" --search=. --since=$since --json >found
      jq -se 'length == 2 and .[0].revision == 2 and .[0].run_name == "long" and (.[0].run | length) == 12' found
      "$UED" --undo-run=long --since=$since; seq 3 | cmp - f
      """)
  }

  @Test func `--log lists runs and their files, and --search groups, of all files or some`() {
    sandbox.shell(
      """
      seq 3 >f; seq 3 >g; cd /; cd - >/dev/null
      UED_RUN=bot "$UED" --atomic -i -e '1s/1/one/' f g; "$UED" -i -e 2d -e 'name tidy' f
      """)
    let (f, g) = (sandbox.path + "/f", sandbox.path + "/g")
    let log = rows(#""$UED" --log | sed 's/^[a-f][0-9a-f]\{11\}/ID/'"#)
    #expect(log == ["run when name files", "ID 1", "\(f)", "ID bot 2", "\(f)", "\(g)"])
    #expect(rows(#""$UED" --log g"#).count == 4)
    #expect(
      sandbox.shell(#""$UED" --log --since=2001-02-03 g"#)
        == sandbox.shell(#""$UED" --log --since=1h g"#))
    #expect(sandbox.shell(#""$UED" --log --since=2999-02-03T04:05 g"#) == "")
    let found = rows(#""$UED" --search='one\|tidy'"#)
    #expect(
      Set(found) == [
        "\(f):1: Substitute /1/one/ on line 1 (run bot)",
        "\(g):1: Substitute /1/one/ on line 1 (run bot)",
        "\(f):2: tidy - Delete line 2",
      ])
    #expect(found.first == "\(f):2: tidy - Delete line 2")
    #expect(rows(#""$UED" --search='^one$' f"#).count == 1)
    #expect(sandbox.shell(#""$UED" --search='\(' f"#, status: 1).hasPrefix("ued: "))
  }

  /// The searched text, and the group of the only file that has a match.
  @Test(arguments: [
    ("first", "f:1: first - Delete line 1"),
    ("^q l", "f:2: here - Substitute /$/ long/ on line 2"),
    ("^fo.r$", "f:3: Delete line 4"), ("thing", "bin:1: Append 1 line after line 2: some^@thing"),
    ("z$", "wide:1: Substitute /y$/z/ on line 1"), ("none", ""),
  ])
  func `a search finds names and lines, also of binary files`(
    _ pattern: String, _ found: String
  ) {
    sandbox.shell(
      """
      printf '%s\\n' one two 'q' four four >f
      printf '1d\\nname first\\n2s/$/ long/\\nname here\\nundo\\n$d\\nw\\n' | "$UED" --history -s f
      printf 'a\\0b\\nc\\n' >bin; printf '$a\\nsome\\0thing\\n.\\nw\\n' | "$UED" --history -s bin
      head -c 9000 /dev/zero | tr '\\0' y >wide; echo >>wide; printf '1s/y$/z/\\nw\\n' | "$UED" --history -s wide
      """)
    let groups = rows("\"$UED\" --search='\(pattern)'")
    #expect(groups == (found.isEmpty ? [] : ["\(sandbox.path)/\(found)"]))
    #expect(rows("\"$UED\" --search='\(pattern)' --since=2999-01-01") == [])
  }

  @Test func `--undo-run undoes a run in all files, or names all conflicts and changes no file`() {
    sandbox.shell(
      """
      for f in a b c d; do seq 9 >$f; done
      UED_RUN=bot "$UED" --atomic -i -e '3s/$/ bot/' a b c d
      "$UED" -i -e '3s/$/ hand/' a c; "$UED" -i -e '7s/$/ hand/' b; cp a was; rm d
      """)
    let conflicts = sandbox.transcript(#""$UED" --undo-run=bot"#)
    let path = sandbox.path
    #expect(
      conflicts == """
        ued: \(path)/a: 2 (Substitute /$/ hand/ on line 3) changed line 3; revert it first
        ued: \(path)/c: 2 (Substitute /$/ hand/ on line 3) changed line 3; revert it first
        ued: \(path)/d: the file is gone, but its history is not; 'jump 1' brings its text back
        ued: \(path)/d: does not exist any more; give the other files to have the run taken back there
        1

        """)
    #expect(text("a") == text("was") && text("b").contains("3 bot\n"))
    #expect(sandbox.transcript(#""$UED" --undo-run=bot --check b"#) == "4\n")
    #expect(sandbox.shell(#""$UED" --undo-run=bot --diff b"#).hasSuffix("-3 bot\n+3\n 4\n 5\n 6\n"))
    #expect(sandbox.transcript(#""$UED" --undo-run=bot b"#) == "0\n")
    #expect(text("b") == "1\n2\n3\n4\n5\n6\n7 hand\n8\n9\n" && text("a") == text("was"))
    #expect(rows(#""$UED" -s -e 'history 1' b"#).last == "*w 3 +1-1 Undo run bot")
    #expect(
      sandbox.transcript(#""$UED" --undo-run=bot b"#)
        == "ued: run 'bot' is already undone or overwritten in these files; nothing to undo\n0\n")
    // Later groups under the same name stay.
    sandbox.shell(#"UED_RUN=bot "$UED" -i -e '3s/$/ again/' b; "$UED" --undo-run=bot b"#)
    #expect(text("b") == "1\n2\n3\n4\n5\n6\n7 hand\n8\n9\n")
    #expect(
      sandbox.transcript(#""$UED" --undo-run=cat"#)
        == "ued: no run 'cat'; 'ued --log' lists them\n1\n")
    sandbox.shell("echo 1 >other")
    #expect(
      sandbox.transcript(#""$UED" --undo-run=bot other"#)
        == "ued: run 'bot' has changed none of these files; 'ued --log' lists its files\n1\n")
  }

  @Test func `a refused --undo-run reports the revisions that the files have`() {
    sandbox.run(
      #"""
      echo a >f; echo a >g; "$UED" --run=q -i -e s/a/b/ f g; "$UED" --run=later -i -e s/b/c/ f
      fails "$UED" --json --undo-run=q >out; jq -se '[.[0].files[].revision] == [2, 1]' out
      "$UED" --json --undo-run=q g >out; jq -se '[.[0].files[].revision] == [2]' out
      """#)
  }

  /// Runs that have nothing to undo, and the message.
  @Test(arguments: [
    (
      #""$UED" --run=r -i -e 1d f; "$UED" --undo-run=r"#, "run 'r' is already undone or overwritten"
    ),
    (
      #""$UED" --run=r -i -e 1d f; "$UED" -i -e undo f"#, "run 'r' is already undone or overwritten"
    ),
    (
      #""$UED" --run=r -i -e '$a' -e x -e . f; "$UED" -i -e '$d' f"#,
      "run 'r' is already undone or overwritten"
    ),
    (#""$UED" --run=r --record f"#, "run 'r' made no changes of its own"),
    (
      #""$UED" --run=r -i -e 1d f; rm f; touch f; "$UED" --undo-run=r f"#,
      "run 'r' is already undone or overwritten"
    ),
  ])
  func `--undo-run says why there is nothing to undo, and names given files only`(
    _ script: String, _ message: String
  ) {
    sandbox.run("seq 3 >f; { \(script); } 2>said")
    #expect(
      sandbox.transcript(#"cp f was; "$UED" --undo-run=r; cmp f was"#)
        == "ued: \(message); nothing to undo\n0\n")
    #expect(
      sandbox.transcript(#""$UED" --undo-run=r f; cmp f was"#)
        == "ued: \(message) in these files; nothing to undo\n0\n")
  }

  @Test func `a run that moved by undo, redo or jump is not undone in part`() {
    sandbox.run(
      #"""
      refuses() { cp f was; fails "$UED" --undo-run=r 2>said; cmp f was; echo "ued: $PWD/f: $1" | cmp - said; }
      moved() { refuses "the run also moved by undo, redo or jump, which can't be undone here; 'jump $1' gives the text before it"; }
      new() { rm -rf .local f; seq 3 >f; "$UED" -i -e 1s/1/one/ f; "$UED" -i -e 2s/2/two/ f; }
      new; "$UED" --run=r -i -e undo f
      refuses "the run made no changes of its own, but began at revision 2, which is not in the text; 'jump 2' goes there"
      "$UED" -i -e 'jump 2' f; "$UED" --undo-run=r 2>said; grep -q 'made no changes of its own; nothing' said
      new; "$UED" --run=r -i -e undo -e 3d f; moved 2; "$UED" -i -e 'jump 2' f; printf 'one\ntwo\n3\n' | cmp - f
      new; "$UED" --run=r -i -e 3d -e 'jump 0' -e 2d f; moved 2
      fails "$UED" --json --undo-run=r >out
      jq -se '.[0] | .error == "other-branch" and .hint.revisions == [2] and .files[0].revision == 4' out
      # Moves to and fro within the run are undone with it.
      new; "$UED" --run=r -i -e 3d -e undo -e 1d -e 'undo 2' -e redo -e 1d f; "$UED" --undo-run=r
      printf 'one\ntwo\n3\n' | cmp - f
      """#)
  }

  @Test func `a damaged history of a run is an error each time, also after it was set aside`() {
    sandbox.run(
      #"""
      seq 3 >f; seq 3 >g; "$UED" --run=r -i -e 1d g; H=$(echo .local/state/ued/*.history)
      "$UED" --run=r -i -e 1d f; "$UED" --log >log; head -c 9000 /dev/zero | tr '\0' x >"$H"; rm -f "$H"-*
      fails "$UED" --undo-run=r 2>said; grep -q "g: this file has no history on disk" said
      for remark in none index.stale; do
        touch .local/state/ued/$remark; fails "$UED" --undo-run=r 2>said; seq 2 3 | cmp - f; seq 2 3 | cmp - g
        grep -qx "ued: $PWD/g: the history of the run was damaged; give the other files to undo it there" said
        "$UED" --log | cmp - log
      done
      "$UED" --run=later -i -e 1d g; fails "$UED" --undo-run=r 2>said; grep -q "run was damaged" said
      "$UED" --search=. >found 2>&1; fails grep -q "can't" found
      "$UED" --undo-run=r f; seq 3 | cmp - f
      "$UED" --undo-run=r f 2>said; echo "ued: run 'r' is already undone or overwritten in these files; nothing to undo" | cmp - said
      """#)
  }

  /// While a history can't be used, nothing is written that a later `--undo-run` would miss.
  @Test func `a run with a name, and --history=require, write nothing whose history is not kept`() {
    let sandbox = Sandbox()
    let old = "one\ntwo\n"
    for name in ["f", "g"] { sandbox[name] = Array(old.utf8) }
    sandbox.run(
      """
      "$UED" --record f; exec 7<$(echo .local/state/ued/*.history); flock -x 7
      unchanged() { printf 'one\\ntwo\\n' | cmp - f; printf 'one\\ntwo\\n' | cmp - g; }
      for files in 'f g' 'g f'; do
        exits 3 "$UED" -i --atomic --history --run=r -e 1d $files 2>said; unchanged
        grep -q "^ued: f: not written, as its history can't be kept: another ued is editing this file" said
      done
      exits 3 "$UED" -i --history=require -e 1d f 2>said; unchanged
      printf '1d\\nw\\n' >script
      UED_RUN=r exits 3 "$UED" -s --history f <script >out; unchanged
      printf '1d\\nw\\nQ\\n' | exits 3 "$UED" --json --history --run=r f >out; unchanged
      jq -se '.[1] | .ok == false and .error == "file-locked"' out
      printf '%s\\n' '--- f' '+++ f' '@@ -1,2 +1 @@' -one ' two' >patch
      exits 3 "$UED" --apply=patch --history --run=r 2>said; unchanged; grep -q "^ued: f: not written" said
      "$UED" -s --history=require -e 1p -e Q f; "$UED" --history --run=r --diff -e 1d f; unchanged
      printf '1d\\nw\\nQ\\n' | "$UED" --json --history f >out
      jq -se '.[1] | .ok and (.notices | length == 1)' out
      printf 'two\\n' | cmp - f; "$UED" -i --history --run=r -e 1d g 2>said; printf 'two\\n' | cmp - g
      """)
  }

  @Test func `a run does not make a file if its history can't be kept`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run(
      """
      export XDG_STATE_HOME=$PWD/state; echo >state
      exits 3 "$UED" -s --history=require --create -e a -e x -e . -e w new 2>said; fails test -e new
      exits 3 "$UED" -i --history=require -e 1d f 2>said; echo one | cmp - f
      "$UED" -i --history -e 1d f 2>said; grep -q 'history is not kept' said; test ! -s f
      """)
  }

  @Test func `--undo-run takes an identity, or the beginning of one`() {
    sandbox.shell(#"seq 3 >f; "$UED" -i -e 1d f; "$UED" -i -e '$d' f"#)
    let id = rows(#""$UED" --log | grep '^[a-f]' | tail -1"#)[0].prefix(5)
    sandbox.shell(#""$UED" --undo-run=\#(id) f"#)
    #expect(text("f") == "1\n2\n")
    #expect(
      sandbox.transcript(#""$UED" --undo-run=\#(id.prefix(3)) f"#)
        == "ued: no run '\(id.prefix(3))'; of an identity, give four digits or more\n1\n")
  }

  @Test func `options that need or exclude each other are reported`() {
    for arguments in ["--log -e p", "--log -i f", "--since=1h -e p f", "--log --since=soon"] {
      #expect(sandbox.transcript("\"$UED\" \(arguments)").hasSuffix("more information.\n1\n"))
    }
  }
}
