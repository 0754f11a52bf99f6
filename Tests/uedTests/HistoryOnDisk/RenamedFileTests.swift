import Differential
import Testing

/// The history of a renamed file: promise 15 of SECURITY.md.
@Suite struct RenamedFileTests {
  private let sandbox = Sandbox()

  @Test func `promise 15: a renamed file keeps its history`() {
    sandbox.run(
      """
      seq 5 >f; printf '2d\\nw\\n1d\\nw\\n' | "$UED" --history -s f
      mkdir d; mv f d/g
      printf 'undo\\nw\\nundo\\nw\\n' | "$UED" --history -s d/g >out 2>notices
      seq 5 | cmp - d/g; test ! -s notices
      test "$(ls .local/state/ued/*.history | wc -l)" = 1
      # It is one history still: the next run finds it under the new name.
      printf 'redo 2\\nw\\n' | "$UED" --history -s d/g; seq 3 5 | cmp - d/g
      "$UED" --log >log; grep -q d/g log; test "$(stat -c %a .local/state/ued/*.history)" = 600
      """)
  }

  @Test(arguments: ["rm index.db", "echo no >index.db", "rm index.db; \"$UED\" --log >/dev/null"])
  func `a renamed file keeps its history when the index is lost`(_ loss: String) {
    sandbox.run(
      """
      seq 5 >f; printf '2d\\nw\\n' | "$UED" --history -s f
      (cd .local/state/ued; \(loss))
      mv f g; echo x >other; printf '1d\\nw\\n' | "$UED" --history -s other
      printf 'undo\\nw\\n' | "$UED" --history -s g; seq 5 | cmp - g
      """)
  }

  @Test func `promise 15: a short new file gets no history of an equal deleted file`() {
    sandbox.run(
      """
      mkdir A B; echo secret >A/one; "$UED" --history -i --run=AD -e 's/.*/x=1/' A/one; rm A/one
      echo x=1 >B/two; "$UED" --history -i -e '$a <<E' -e y=2 -e E B/two
      fails "$UED" --undo-run=AD
      printf 'x=1\\ny=2\\n' | cmp - B/two
      "$UED" --history -e history B/two | grep -q 'Opened B/two'
      """)
  }

  @Test func `the runs of a renamed file are found by its new name`() {
    sandbox.run(
      """
      for task in --log --search=uniq --undo-run=M; do
        rm -rf .local s; echo uniq >h; "$UED" --history -i --run=M -e 's/$/_2/' h; mv h s
        "$UED" $task s >out; test $task = --undo-run=M || grep -q "/s" out
      done
      echo uniq | cmp - s
      """)
  }

  @Test(arguments: ["f g f", "f g", "g f f g"])
  func `a run over two names of one file is undone in both`(_ names: String) {
    sandbox.run(
      """
      echo a >f; ln f g
      "$UED" --history --atomic -i --run=H -e 's/$/_/' \(names) 2>said; test ! -s said
      test "$(cat g)" = "a$(printf '_%.0s' \(names))"
      "$UED" --undo-run=H; echo a | cmp - f; echo a | cmp - g
      """)
  }

  @Test func `the deletion of a file that ued created is reported`() {
    sandbox.run(
      """
      printf 'a\\nx\\ny\\n.\\nw f\\n' | "$UED" -s --history; rm f
      printf '#\\n' | "$UED" -s --history f 2>&1 | grep -q "'jump 1' brings its text back"
      """)
  }

  /// The new file may even have the old name, in a folder with the inode number of the old folder.
  @Test func `promise 15: a new file that reads like a deleted one has none of its history`() {
    sandbox.run(
      """
      mkdir a b; echo a >a/f; "$UED" -i --history --run=r0 -e 1s/a/c/ a/f; rm -r a; echo c >b/f
      "$UED" -i --history --run=r0 -e '$a <<E' -e x -e E b/f
      "$UED" --undo-run=r0 b/f; echo c | cmp - b/f; "$UED" --history -e history b/f >out; grep -q 'Opened b/f' out
      seq 200 >g; "$UED" -i --history -e 1d g; cp g h; rm g; "$UED" --history -e history h >out
      grep -q 'Opened h' out
      """)
  }

  @Test func `promise 15: a file is recognized by its state when last opened or saved`() {
    sandbox.run(
      """
      shows() { "$UED" -s --history -e history $2 >out 2>said; grep -q "Opened $1" out; }
      for text in 'seq 5' 'echo 1'; do
        rm -rf .local f g; $text >f; "$UED" -i --history -e '1s/1/x/' f; cp f old; echo other >f
        "$UED" -s --history -e 1p f 2>said; cat old >f; mv f g; shows f g
        # A copy has taken the place of the file, and ued has opened it there.
        cp g new; mv new g; "$UED" -s --history -e 1p g; mv g f; shows f f
        # Another program has also changed the renamed file.
        mv f g; echo more >>g; shows f g; grep -q 'Changed outside' out
      done
      # On another file system, content and modification time identify the file.
      folder=$(mktemp -d -p /dev/shm); trap 'rm -rf "$folder"' EXIT
      echo 1 >f; "$UED" -i --history -e 1s/1/2/ f; mv f "$folder/f"; shows f "$folder/f"
      """)
  }

  @Test func `promise 15: a copied file begins its own history`() {
    sandbox.run(
      """
      seq 5 >f; printf '2d\\nw\\n' | "$UED" --history -s f
      undo() { printf 'undo\\n' | "$UED" --history -s $1 2>&1; }
      cp f g; exits 1 undo g; rm f; exits 2 undo f
      """)
  }

  @Test(arguments: [false, true])
  func `a file that was renamed before it was ever saved keeps its history`(isIndexLost: Bool) {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("1d")
    first.kill()
    sandbox.run("mv f g")
    if isIndexLost { sandbox.run("rm .local/state/ued/index*") }
    let next = TerminalSession.plain(["g"], in: sandbox)
    #expect(next.shown().contains("this file was renamed; its history goes on, from "))
    next.enter("redo", "w")
    next.end("q")
    #expect(sandbox["g"] == Array("two\n".utf8))
  }

  @Test func `at a terminal renamed and deleted files are reported`() {
    sandbox["f"] = Array("one\n".utf8)
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("s/$/ 1/", "w")
    first.end("q")
    sandbox.run("mv f g")
    let next = TerminalSession.plain(["g"], in: sandbox)
    #expect(next.shown().contains("this file was renamed; its history goes on, from "))
    // The first `undo` only reports that the group is from an earlier session.
    next.enter("undo", "undo", "w")
    next.end("q")
    #expect(sandbox["g"] == Array("one\n".utf8))
    sandbox.run("rm g")
    let last = TerminalSession.plain(["g"], in: sandbox)
    #expect(last.shown().contains("the file is gone, but its history is not; 'jump 0'"))
    last.enter("jump 0", "w")
    last.end("q")
    #expect(sandbox["g"] == Array("one\n".utf8))
  }
}
