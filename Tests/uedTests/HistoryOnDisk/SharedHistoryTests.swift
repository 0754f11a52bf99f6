import Differential
import Glibc
import Testing

@testable import ued

/// Sessions that share the history of a file.
@Suite struct SharedHistoryTests {
  private let sandbox = Sandbox()

  /// The texts of all revisions, with the lines of killed commands.
  private func allTexts() -> String {
    sandbox.run(
      """
      "$UED" --history -s -e 'history json' f 2>said >list || test $? = 1
      { jq -r .id list | sed 's/^/jump /' | while read -r line; do echo "$line"; echo ,p; done; echo Q; } >walk
      """)
    let texts = sandbox.run("\"$UED\" --history -s f <walk 2>said || test $? = 1")
    return String(decoding: texts, as: UTF8.self)
  }

  @Test func `a dialogue that only prints never reopens its history`() {
    Sandbox("UED_HISTORY=on").run(
      #"""
      seq 9 >f; "$UED" -i -e 1d f
      mkfifo in out
      opened() {
        strace -o trace -e openat "$UED" --json f <in >out & exec 3>in 4<out
        for n in $(seq $1); do echo 1,5n >&3; read -r answer <&4; done
        echo Q >&3; exec 3>&- 4<&-; wait; grep -c history trace
      }
      one=$(opened 1); nine=$(opened 9); test $nine = $one
      """#)
  }

  @Test(arguments: ["end", "abort"])
  func `an open group leaves no other revision when another session stores a group`(_ end: String) {
    sandbox.run(
      #"""
      seq 6 >f; mkfifo in out; export UED_HISTORY=on
      "$UED" --json f <in >out & exec 3>in 4<out
      say() { echo "$1" >&3; read -r answer <&4; }
      say 'begin G'; say 1d; "$UED" -i -e '$d' f; say 2d; say 2p; say \#(end); say w; say Q; exec 3>&- 4<&-; wait
      "$UED" -s -e 'history all' f >list; fails grep 'not ended' list
      test "$(grep -c 'G - ' list)" = $(test \#(end) = end && echo 1 || echo 0)
      """#)
  }

  /// Runs a script with two JSON sessions on the file `f` of four lines. `one` and `two` send a line
  /// to a session, and read its answer into `answer`; `quit` ends both.
  private func twoDialogues(_ script: String) {
    sandbox.run(
      #"""
      printf '%s\n' a b c d >f; mkfifo in out in2 out2; export UED_HISTORY=on
      "$UED" --json f <in >out & exec 3>in 4<out
      "$UED" --json f <in2 >out2 & exec 5>in2 6<out2
      one() { echo "$1" >&3; read -r answer <&4; }
      two() { echo "$1" >&5; read -r answer <&6; }
      quit() { one Q; two Q; exec 3>&- 4<&- 5>&- 6<&-; wait; }
      \#(script)
      """#)
  }

  @Test(arguments: ["end", "abort"])
  func `promise 22: no other session builds on an open group`(_ end: String) {
    twoDialogues(
      #"""
      texts() { jq -c 'select(.command == ",p") | .output' <<<"$answer"; }
      two '#'; one begin; one 1s/a/A/; two 4s/d/D/; two 'history all'; fails grep 'not ended' <<<"$answer"
      two 'jump 1'; grep no-such-revision <<<"$answer"
      one \#(end); id=$(jq .revision <<<"$answer"); one '#'; test $(jq .revision <<<"$answer") = $id
      two 3s/c/C/; new=$(jq .revision <<<"$answer")
      two 'history all'; test $(grep -c 'Substitute /a/A/' <<<"$answer") = $(test \#(end) = end && echo 1 || echo 0)
      one "jump $new"; one ,p; test "$(texts)" = '["a","b","C","D"]'
      one 'jump 0'; one "merge $new"; one ,p; test "$(texts)" = '["a","b","C","D"]'
      quit
      "$UED" -s -e 'history all' f >list; fails grep 'not ended' list
      """#)
  }

  @Test func `a text saved in an open group stays a revision for other sessions`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let other = TerminalSession.plain(["f"], in: sandbox)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("begin", "1s/$/ x/", "w")
    #expect(other.enter("history all").contains("not ended"))
    session.enter("2s/$/ y/")
    #expect(other.enter("jump 1", ",p").contains("1 x\n2\n3\n"))
    other.enter("3s/$/ z/")
    session.enter("end")
    #expect(session.enter("peek 3").contains("1 x\n2\n3 z\n"))
    other.end("Q")
    session.end("Q")
  }

  @Test func `promise 5: the open group of a killed session is recovered beside another session`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let other = TerminalSession.plain(["f"], in: sandbox)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("begin g", "1s/$/ x/")
    other.enter("3s/$/ z/")
    session.enter("2s/$/ y/", "a", "h1")
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("2 groups from a previous session were not saved"))
    next.enter("redo", "redo")
    #expect(next.enter(",p").contains("1 x\n2 y\nh1\n3\n"))
    next.enter("1s/x/w/")
    #expect(other.enter("history all").contains("g - "))
    next.kill()
    other.kill()
    #expect(allTexts().contains("1 w\n2 y\nh1\n3\n"))
  }

  @Test func `a save in an open group that is killed after the rename is known`() {
    sandbox.run(
      #"""
      seq 3 >f; export UED_HISTORY=on
      printf '%s\n' begin '1s/$/ x/' w | exits 137 strace -f -o trace -P "$PWD" -e trace=fsync \
        -e inject=fsync:signal=KILL "$UED" -s f
      test "$(head -n 1 f)" = '1 x'; "$UED" -s -e 'history all' f >list 2>&1
      fails grep -E 'outside|not saved' list; grep '^\*w' list
      """#)
  }

  @Test func `an ended group keeps its number when another session saves without a group`() {
    sandbox.run(
      #"""
      printf 'a\nb\n' >f; mkfifo in out in2 out2; export UED_HISTORY=on
      "$UED" --json f <in >out & exec 3>in 4<out
      say() { echo "$1" >&3; read -r answer <&4; }
      say '1s/$/1/'; "$UED" --json f <in2 >out2 & exec 5>in2 6<out2; echo '#' >&5; read -r other <&6
      say 'begin g'; say 1d; echo w >&5; read -r other <&6
      say end; id=$(echo "$answer" | jq .revision); say '#'; test $(echo "$answer" | jq .revision) = $id; say "jump $id"
      echo "$answer" | grep -q '"ok":true'; say 'history all'; echo "$answer" >list; fails grep 'not ended' list
      exec 3>&- 4<&- 5>&- 6<&-; wait
      """#)
  }

  @Test func `promise 19: a dialogue that waits for its file leaves the history to other runs`() {
    sandbox.run(
      #"""
      seq 5 >f; mkfifo in out go; export UED_HISTORY=on
      "$UED" --json f <in >out & exec 3>in 4<out
      say() { echo "$1" >&3; read -r answer <&4; }
      say '1s/$/ one/'; "$UED" -i --validate 'cat go %' -e '3s/$/ three/' f & exec 5>go
      echo w >&3; awaits eval 'grep -q -- "-> OFDLCK.*:$(stat -c %i f) " /proc/locks'
      printf '%s\n' '5s/$/ five/' Q | "$UED" f 2>said; fails grep 'another ued' said
      exec 5>&-; read -r answer <&4; echo "$answer" | grep -q file-changed
      say 'merge disk'; say w; say Q; exec 3>&- 4<&-; wait
      printf '%s\n' '1 one' 2 '3 three' 4 5 | cmp - f
      "$UED" -s -e 'history all' f >list; for n in 1 3 5; do grep "line $n" list; done
      """#)
  }

  @Test func `a saved revision of another run is not called unsaved`() {
    sandbox.run(
      """
      seq 6 >f; export UED_HISTORY=on
      printf '%s\n' '1s/1/one/' '!"$UED" -i -e 6d f' w Q | "$UED" -s f 2>said
      "$UED" -i -e 2d f 2>said; fails grep 'without saving' said
      test "$(head -n 1 f)" = one; "$UED" -s -e 'history json' f >list; test $(wc -l <list) -ge 3
      """)
  }

  /// `SEEDS` makes it long.
  @Test(arguments: seeds(6))
  func `promise 5: of two sessions on one file, both killed, every entered line is there`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    sandbox["f"] = Array("one\n".utf8)
    var lines: [String] = []
    let sessions = (0..<2).map { _ in TerminalSession.plain(["f"], in: sandbox) }
    var isTyping = [false, false]
    for step in 0..<8 + random.below(12) {
      let number = random.below(2)
      let session = sessions[number]
      let line = "line \(seed).\(step)"
      if isTyping[number] {
        if random.chance(30) {
          session.enter(".")
          isTyping[number] = false
        } else {
          session.enter(line)
          lines.append(line)
        }
        continue
      }
      switch random.below(6) {
      case 0: session.enter("w")
      case 1: session.enter("undo")
      case 2:
        session.enter("s/$/ \(line)/")
        lines.append(line)
      case 3: session.enter("history 5")
      default:
        session.enter("a")
        isTyping[number] = true
      }
    }
    for session in sessions.shuffled(using: &random) { session.kill() }
    let texts = allTexts()
    for line in lines {
      #expect(texts.contains(line), "seed \(seed): \(line) of \(lines) is not in \(texts)")
    }
  }

  @Test func `promise 24: runs beside an idle dialogue and a terminal keep their history`() {
    sandbox["f"] = Array((1...30).map { "\($0)\n" }.joined().utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("30s/$/ mine/")
    sandbox.run(
      """
      cp f before
      coproc held { "$UED" --json --history f; }; ended=$held_PID; exec 5<&${held[0]} 6>&${held[1]}
      eval "exec ${held[1]}>&-"; echo 1p >&6; read -r answer <&5
      for n in $(seq 20); do "$UED" -i --history --run=K$n -e "${n}s/$/ x/" f; done
      test $("$UED" --log | grep -c ' K') = 20
      for n in $(seq 20 | shuf --random-source=before); do "$UED" --undo-run=K$n; done
      cmp f before
      echo 'history json' >&6; read -r answer <&5; grep -q 'Undo run K20' <<<"$answer"
      exec 6>&-; cat <&5 >rest; wait $ended
      """)
    #expect(session.enter("history all").contains("Undo run K20"))
    session.end("Q")
  }

  @Test func `a group at a terminal is seen by the next command of another`() {
    sandbox["f"] = Array("one\n".utf8)
    let first = TerminalSession.plain(["f"], in: sandbox)
    let second = TerminalSession.plain(["f"], in: sandbox)
    first.enter("s/$/ 1/")
    second.enter("s/$/ 2/")
    #expect(first.enter("diff 2").contains("+one 2"))
    second.enter("w")
    #expect(first.enter("p").contains("f: changed by run 2 (group 2); 'diff 2' shows how,"))
    #expect(first.enter("merge! 2").contains("conflict"))
    first.enter("1c", "one 1 2", ".", "2,$d")
    #expect(first.enter("w").contains("written"))
    #expect(second.enter("forget").contains("is using this history"))
    first.end("Q")
    #expect(!second.enter("forget").contains("is using this history"))
    second.end("Q")
  }

  @Test func `promise 24: a session with an older text joins a history begun with the newer one`() {
    sandbox["f"] = Array("1\n2\n3\n4\n5\n".utf8)
    let older = TerminalSession.plain(["f"], in: sandbox)
    sandbox.run("sed -i '$s/$/ z/' f")
    let newer = TerminalSession.plain(["f"], in: sandbox)
    newer.enter("1s/$/ x/")
    #expect(!older.enter("3s/$/ y/").contains("not kept"))
    older.enter("merge disk", "w")
    #expect(newer.enter("peek 4").contains("1\n2\n3 y\n4\n5 z\n"))
    older.kill()
    newer.kill()
    let texts = allTexts()
    #expect(
      texts.contains("1\n2\n3 y\n4\n5\n") && texts.contains("1 x\n2\n3\n4\n5 z\n"), "\(texts)")
  }

  @Test(arguments: ["abort", "end", "w"])
  func `promise 5: an open group is stored after another session's group ends`(_ end: String) {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let other = TerminalSession.plain(["f"], in: sandbox)
    let session = TerminalSession.plain(["f"], in: sandbox)
    other.enter("begin", "1s/$/ x/")
    session.enter("history all", "begin")
    other.enter(end)
    session.enter("3s/$/ z/")
    session.kill()
    other.end("Q")
    let texts = allTexts()
    #expect(texts.contains("1\n2\n3 z\n") && texts.contains("1 x\n") == (end != "abort"))
  }

  @Test func `a group that ends beside a session that has read it keeps its number`() {
    twoDialogues(
      #"""
      two '#'; one begin; one 1s/a/A/; two 'history all'; one 2s/b/B/
      one end; id=$(jq .revision <<<"$answer"); one '#'; test $(jq .revision <<<"$answer") = $id
      two "peek $id"; test "$(jq -c .output <<<"$answer")" = '["A","B","c","d"]'
      quit
      """#)
  }

  @Test func `a name that another session gives to a known group is known`() {
    twoDialogues(
      #"""
      one 1s/a/A/; one 2s/b/B/; one w; two 'history all'; fails grep first <<<"$answer"
      one 'jump 1'; one 'name first'; two 'history all'; grep 'first' <<<"$answer"
      two 'jump first'; two ,p; test "$(jq -c 'select(.command == ",p") | .output' <<<"$answer")" = '["A","b","c","d"]'
      two 'name 1st'; one 'jump 0'; one 'jump 1st'; test $(jq .revision <<<"$answer") = 1
      quit
      test $("$UED" -s -e 'history all' f | grep -c 1st) = 1
      """#)
  }

  @Test func `sessions that begin a history at the same time answer with different numbers`() {
    sandbox.run(
      #"""
      seq 40 >f; export UED_HISTORY=on; all='1 2 3 4 5 6'
      tell() { eval "echo \"\$2\" >&\$w$1"; }
      hear() { eval "read -r answer <&\$r$1"; echo "$answer" >>said; }
      for k in $all; do
        mkfifo in$k out$k; "$UED" --json f <in$k >out$k & eval "exec {w$k}>in$k {r$k}<out$k"; tell $k '#'; hear $k
      done
      for k in $all; do tell $k "${k}s/\$/x/"; done; for k in $all; do hear $k; done
      jq -r 'select(.command | endswith("/x/")?) | .revision' said | sort -n >ids; seq 6 | cmp - ids
      for k in $all; do tell $k Q; hear $k; done; fails grep 'is now' said
      """#)
  }

  @Test func `redo leads to the own group, whatever another session has saved`() {
    sandbox.run(
      #"""
      printf '%s\n' a b c >f; mkfifo in; export UED_HISTORY=on
      "$UED" -s f <in >out 2>said & exec 3>in
      printf '%s\n' 1s/a/A/ undo >&3; awaits eval '"$UED" -s -e "history all" f | grep -q /a/A/'
      printf '%s\n' 3s/c/C/ w | "$UED" -s f
      printf '%s\n' w redo ,p 'history all' Q >&3; exec 3>&-; wait
      head -3 out | tr '\n' ' ' | grep 'A b c'; fails grep outside out; grep overwritten said
      """#)
  }

  @Test(arguments: [(1, 2), (2, 1)])
  func `a recovered text has a new number that is told, and redo still leads there`(
    _ first: Int, _ second: Int
  ) {
    sandbox.run(
      #"""
      export UED_HISTORY=on; seq 3 >f
      start() { mkfifo in$1 out$1; "$UED" --json f <in$1 >out$1 &
        eval "pid$1=$!; exec {w$1}>in$1 {r$1}<out$1"; ask $1 '#'; }
      ask() { eval "echo \"\$2\" >&\$w$1; read -r answer <&\$r$1"; }
      stop() { eval "kill -9 \$pid$1; exits 137 wait \$pid$1"; }
      start 1; start 2; echo $'2i\nFIVE' >&$w1; awaits eval 'grep -rqa FIVE .local/state'
      echo $'3c\nSIX' >&$w2; awaits eval 'grep -rqa SIX .local/state'
      stop \#(first); start 3; stop \#(second); start 4; told="$answer"
      ask 3 1t1; ask 4 '#'; answers="$answer"
      text=$(grep -o "[A-Z]*', cut off; 'redo" <<<"$told" | grep -o '^[A-Z]*')
      old=$(grep -o 'jump [0-9]*' <<<"$told" | grep -o '[0-9]*'); ask 4 'history all'
      new=$(jq -r '.output[]' <<<"$answer" | grep 'FIVE\|SIX' | grep -v $text | grep -o '[0-9]*' | head -1)
      test $old = $new || grep "revision $old is now $new" <<<"$answers"
      ask 4 redo; ask 4 ,p; grep $text <<<"$answer"; kill -9 $pid3 $pid4; exits 137 wait $pid4
      """#)
  }

  @Test(arguments: [(#"$'$a\nX\n.'"#, #"$'$a\nY\n.'"#), ("1s/a/X/", "2s/b/Y/")])
  func `promise 22: a revision that another run has named and saved stays as it is`(
    _ first: String, _ second: String
  ) {
    twoDialogues(
      #"""
      two Q; exec 5>&- 6<&-; wait $!
      one \#(first); one ,p; text=$(jq -c .output <<<"$answer")
      "$UED" -i -e 'jump 1' -e 'name v1' f
      one \#(second); one 'peek v1'; test "$(jq -c .output <<<"$answer")" = "$text"
      one '#'; "$UED" -s -e 'history all' f >list; fails grep 'Changed outside' list; grep 'w 1 .* v1' list
      one Q; exec 3>&- 4<&-; wait
      """#)
  }

  @Test func `a revision whose write was refused is not one saved before`() {
    twoDialogues(
      #"""
      one 1s/a/A/; "$UED" -i -e 4s/d/D/ f; one w; grep file-changed <<<"$answer"; quit
      "$UED" -s -e 'history all' f >list 2>said; fails grep '^ *s *1' list
      grep 'without saving' said
      """#)
  }

  @Test func `the groups of a failed run are not saved ones, though another session has news`() {
    twoDialogues(
      #"""
      two Q; mkfifo ready go; one 3s/c/C/; one w
      "$UED" -i --validate='echo >ready; read -r x <go; false %' -e 2s/b/B/ f & run=$!
      read -r x <ready; one 1s/a/A/; echo >go; exits 1 wait $run
      "$UED" -s -e 'history all' f >list; grep '/b/B/' list; fails grep '^ *[ws].*/b/B/' list
      one Q; exec 3>&- 4<&- 5>&- 6<&-; wait
      """#)
  }

  @Test func `the name of a text older than the history is stored`() {
    twoDialogues(
      #"""
      one '#'; echo e >f; "$UED" -i -e '1s/$/!/' f; one 'name old'; quit
      "$UED" -s -e 'peek old' f >text; printf '%s\n' a b c d | cmp text
      """#)
  }

  @Test func `a group that two sessions recover is stored once`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let killed = TerminalSession.plain(["f"], in: sandbox)
    killed.enter("begin g", "1s/$/ x/")
    killed.kill()
    let sessions = (0..<2).map { _ in TerminalSession.plain(["f"], in: sandbox) }
    for (session, line) in zip(sessions, [2, 3]) { session.enter("\(line)s/$/ y/") }
    #expect(
      sessions[0].enter("history all").split(separator: "\n").count { $0.contains("g - ") } == 1)
    for session in sessions { session.end("Q") }
  }

  @Test func `promise 24: a session keeps its history again once it can`() {
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run("mkdir -p .local/state; echo >.local/state/ued")
    let session = TerminalSession.plain(["f"], in: sandbox)
    #expect(session.enter("s/$/ 1/").contains("history is not kept"))
    for command in ["w", "history"] {
      #expect(session.enter(command).contains("history is not kept"))
    }
    sandbox.run("rm .local/state/ued")
    #expect(session.enter("s/$/ 2/").contains("history is kept again"))
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("1 group from a previous session was not saved"))
    next.end("q")
  }

  @Test func `promise 24: groups that could not be stored get new numbers after the others`() {
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run("mkdir -p .local/state; echo >.local/state/ued")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("s/$/ 1/")
    sandbox.run(#"rm .local/state/ued; "$UED" -i --history -e 's/$/ 0/' f"#)
    let shown = session.enter("s/$/ 2/")
    #expect(shown.contains("the history on disk has other groups: revision 1 is now 2"))
    #expect(shown.contains("history is kept again"))
    #expect(session.enter("jump 2").contains("one 1 2"))
    session.end("Q")
  }

  @Test func `a cut-off text survives groups that another session stores before it`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let first = TerminalSession.plain(["f"], in: sandbox)
    let second = TerminalSession.plain(["f"], in: sandbox)
    first.enter("a", "h1", "h2")
    first.kill()
    let third = TerminalSession.plain(["f"], in: sandbox)
    #expect(third.shown().contains("cut off; 'redo' brings it back"))
    second.enter("1d")
    third.enter("redo")
    #expect(third.enter(",p").contains("h1\nh2\n"))
    third.kill()
    second.kill()
    #expect(allTexts().contains("h1\nh2\n"))
  }

  @Test func `a group that was stored does not grow while another session uses the history`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    sandbox.run("\"$UED\" -i --history -e '1s/$/ x/' f")
    let other = TerminalSession.plain(["f"], in: sandbox)
    sandbox.run(
      """
      coproc held { "$UED" --json --history f; }; ended=$held_PID; exec 5<&${held[0]} 6>&${held[1]}
      eval "exec ${held[1]}>&-"
      for line in j1 j2; do
        printf '$a\\n%s\\n.\\n' $line >&6; read -r answer <&5; tail -n 1 <<<"$answer" | jq .revision >>numbers
      done
      exec 6>&-; cat <&5 >rest; wait $ended || true
      printf '2\\n3\\n' | cmp - numbers
      """)
    other.enter("jump 2", "begin g", "a", "h1")
    other.kill()
    let texts = allTexts()
    #expect(texts.contains("3\nj1\nh1\n") && texts.contains("3\nj1\nj2\n"), "\(texts)")
  }

  @Test func `a command that can't join the stored group is stored once`() {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    sandbox.run("\"$UED\" -i --history -e '1s/$/ x/' f")
    let other = TerminalSession.plain(["f"], in: sandbox)
    let script = HeldProgram.session(["f"], in: sandbox, options: ["-s", "--history"])
    /// Runs commands; the script waits for more input after the number of lines is printed.
    func run(_ commands: String, lineCount: Int) {
      script.send(commands + "$=\n")
      #expect(script.awaitOutput("\(lineCount)\n"))
    }
    run("1d\n", lineCount: 2)
    // An insertion after a deletion would extend its group.
    run("0a\nnew\n.\n", lineCount: 3)
    other.enter("s/$/ mine/")
    run("$a\nlast\n.\n", lineCount: 4)
    script.send("Q\n")
    #expect((try? script.awaitEnd()) != nil)
    let listed = other.enter("history json")
    let descriptions = listed.matches(of: #/"description":"([^"]*)"/#).map { String($0.1) }
    #expect(
      descriptions == [
        "Opened f", "Substitute /$/ x/ on line 1", "Delete line 1", "Append 1 line at the top: new",
        "Substitute /$/ mine/ on line 3", "Append 1 line after line 3: last",
      ], "\(listed)")
    other.end("Q")
  }
}
