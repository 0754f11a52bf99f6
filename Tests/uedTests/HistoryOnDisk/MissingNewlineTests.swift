import Differential
import Testing

/// A last line without its newline, as the history and merges keep it.
@Suite struct MissingNewlineTests {
  private let sandbox = Sandbox("UED_HISTORY=on")

  init() { sandbox["f"] = Array("one\ntwo\nthree".utf8) }

  private var text: String { String(decoding: sandbox["f"] ?? [], as: UTF8.self) }

  @Test(arguments: ["-i -e undo f", "-i -e 'jump 0' f", "-i -e 'revert 1' f", "--undo-run=bot"])
  func `the newline is missing again after the text was empty`(_ back: String) {
    sandbox.run("\"$UED\" --run=bot -i -e ,d f; test ! -s f; \"$UED\" \(back)")
    #expect(text == "one\ntwo\nthree")
  }

  @Test(arguments: ["r !true", "r empty", "$r end"])
  func `only the file itself lets a strict run or a dialogue omit the newline`(_ read: String) {
    sandbox.run(
      """
      printf 'a\\0\\nb\\n' >g; cp g h; : >empty; printf 'x\\0y' >end
      "$UED" -i -e '\(read)' -e '1s/a/c/' g 2>said; grep -aq ^c g; test "$(tail -c 1 g | od -An -c | tr -d ' ')" = '\\n'
      printf '1\\0p\n\(read)\n1s/a/c/\nw\n' | "$UED" --json h >said || test $? = 1
      test "$(tail -c 1 h | od -An -c | tr -d ' ')" = '\\n'
      """)
  }

  @Test func `text added to an empty file ends with a newline`() {
    sandbox.run("\"$UED\" -i -e ,d f; \"$UED\" -i -e '0a <<END' -e new -e END f")
    #expect(text == "new\n")
  }

  @Test func `a last newline comes back, too`() {
    sandbox.run("echo >>f; \"$UED\" -i -e ,d f; test ! -s f; \"$UED\" -i -e undo f")
    #expect(text == "one\ntwo\nthree\n")
  }

  @Test func `the exported history of an empty file fits the empty file`() {
    sandbox.run(
      """
      cp f first; "$UED" -i -e '2s/t/T/' f; cp f second; "$UED" -i -e ,d f
      "$UED" -s -e 'history patch' f >series; cp first g; patch -s g <series; cmp f g
      "$UED" -s -e 'history git' f >stream; git init -q r; git -C r fast-import --quiet <stream
      git -C r show $(git -C r log --all --format=%H --reverse | head -1):f | cmp - first
      git -C r show $(git -C r log --all --format=%H --reverse | sed -n 2p):f | cmp - second
      """)
  }

  @Test func `the exported history of a file without a last newline fits the file`() {
    sandbox.run(
      """
      cp f first; "$UED" -i -e '2s/t/T/' f; "$UED" -s -e 'history patch' f >series
      fails cmp -s f first; patch -s first <series; cmp f first
      """)
  }

  @Test func `an aborted group does not keep the newline of its patch`() {
    sandbox["p"] = Array(
      "--- f\n+++ f\n@@ -3 +3 @@\n-three\n\\ No newline at end of file\n+three\n".utf8)
    sandbox.run("\"$UED\" -i -e begin -e 'apply p' -e abort -e 1d f")
    #expect(text == "two\nthree")
  }

  @Test func `a file opened by e without a history keeps its newline missing after a patch`() {
    let end = "\\ No newline at end of file\n"
    sandbox["p"] = Array("--- f\n+++ f\n@@ -3 +3 @@\n-three\n\(end)+3\n\(end)".utf8)
    sandbox.run("\"$UED\" --atomic --history=off -e 'e f' -e 'apply p' -e w")
    #expect(text == "one\ntwo\n3")
  }

  // MARK: - Merges with the file

  @Test(
    arguments: [true, false], [true, false])
  func `a last newline that the other program adds or removes is merged`(
    isInBase: Bool, isInTheirs: Bool
  ) {
    sandbox["f"] = Array("one\ntwo\nthree\(isInBase ? "\n" : "")".utf8)
    let theirs = "printf 'one\\ntwo\\n3\(isInTheirs ? "\\n" : "")' >f"
    sandbox.run("\"$UED\" -i -e 1s/one/1/ -e \"!\(theirs)\" -e 'merge disk' f")
    #expect(text == "1\ntwo\n3\(isInTheirs ? "\n" : "")")
  }

  @Test
  func `a last newline added by a patch stays if the other program has not touched it`() {
    sandbox["p"] = Array(
      "--- f\n+++ f\n@@ -3 +3 @@\n-three\n\\ No newline at end of file\n+three\n".utf8)
    sandbox.run("\"$UED\" -i -e 'apply p' -e \"!sed -i s/one/1/ f\" -e 'merge disk' f")
    #expect(text == "1\ntwo\nthree\n")
  }

  @Test func `an undone merge does not change the last newline`() {
    sandbox.run(
      """
      "$UED" -i -e 1s/one/1/ -e '!printf "one\\ntwo\\n3\\n" >f' -e 'merge disk' -e undo \
        -e '!printf "one\\ntwo\\nthree" >f' f
      """)
    #expect(text == "1\ntwo\nthree")
  }

  /// The earlier session follows ed, which would write the newline.
  @Test(arguments: ["undo", "jump 0"])
  func `the newline stays missing after moves in the history of an earlier script`(_ back: String) {
    sandbox.run(
      "printf '1s/one/1/\\n' | exits 2 \"$UED\" -s f; \"$UED\" -i -e '$t$' -e '\(back)' -e 2s/t/T/ f"
    )
    #expect(text == "one\nTwo\nthree")
  }
}
