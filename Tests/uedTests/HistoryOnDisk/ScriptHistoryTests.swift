import Differential
import Glibc
import Testing

/// Histories of scripts: undo across runs, and the state after a kill.
@Suite struct ScriptHistoryTests {
  private let sandbox = Sandbox()

  // MARK: - No borders

  @Test(arguments: [
    #"printf 'undo 3\n,p\nredo 2\n,p\nQ\n' | "$UED" --history -s f"#,
    #""$UED" --history -s -e 'undo 3' -e ,p -e 'redo 2' -e ,p -e Q f"#,
    #"printf 'undo\nundo 2\n,p\nredo\nredo\n,p\nQ\n' | "$UED" --history -s f"#,
  ])
  func `undo and redo cross the beginnings of runs in a script`(_ command: String) {
    sandbox["f"] = Array("0\n".utf8)
    for number in 1...3 {
      sandbox.run("\"$UED\" --history -s -e 's/$/ \(number)/' -e w f")
    }
    #expect(sandbox.shell(command) == "0\n0 1 2\n")
  }

  @Test func `fewer groups than asked for are an error without any undo or redo`() {
    sandbox["f"] = Array("0\n".utf8)
    for number in 1...2 {
      sandbox.run("\"$UED\" --history -s -e 's/$/ \(number)/' -e w f")
    }
    #expect(
      sandbox.transcript(#"printf 'undo 3\n,p\nQ\n' | "$UED" --history -sv f"#).hasSuffix(
        "\n0 1 2\n1\n"))
    #expect(
      sandbox.transcript(#"printf 'undo 2\nredo 3\n,p\nQ\n' | "$UED" --history -s f"#)
        == "?\n0\n1\n")
    sandbox.run(#""$UED" --history -s -e 'undo 3' -e w f"#, status: 1)
    #expect(sandbox["f"] == Array("0 1 2\n".utf8))
  }

  @Test(arguments: [
    #""$UED" --history -s -e 1,2w f"#, #""$UED" --history -s -e 1,2w -e Q f"#,
    #"printf '1,2w\nQ\n' | "$UED" --history -s f"#, #"printf '2W\nq\n' | "$UED" --history -s f"#,
    #"printf '1,2w\nQ\n' | "$UED" --history -s --json f >answers"#,
  ])
  func `a script's overwrite of part of its own file is in the history`(_ command: String) {
    sandbox.run(
      "seq 6 >f; \(command); test $(wc -l <f) != 6; \"$UED\" --history -s -e 'jump 0' -e w f; seq 6 | cmp - f"
    )
  }

  // MARK: - Kills

  /// Defines a shell function `ask`, which sends commands to a ued and reads a given number of
  /// lines; then runs commands.
  private func conversation(_ commands: String, _ option: String = "") -> String {
    let output = sandbox.run(
      """
      mkfifo in out
      "$UED" --history -s \(option) f <in >out 2>errors & pid=$!
      exec 3>in 4<out
      ask() { count=$1; shift; printf '%s\\n' "$@" >&3
        while [ $count -gt 0 ]; do read -r answer <&4; echo "$answer"; count=$((count - 1)); done; }
      \(commands)
      kill -9 $pid; exits 137 wait $pid
      """)
    return String(decoding: output, as: UTF8.self)
  }

  private func redone(_ count: Int, status: Int32 = 0) -> String {
    sandbox.shell(
      "printf 'redo \(count)\\n,p\\nQ\\n' | \"$UED\" --history -s f 2>notices", status: status)
  }

  @Test func `promise 5: what a script was answered is there after kill -9`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(
      conversation("ask 1 's/$/ 1/p'; ask 0 's/$/ 2/' '$a' two .; ask 1 ,n")
        == "one 1\n1\tone 1 2\n")
    #expect(redone(3) == "one 1 2\ntwo\n")
  }

  @Test(arguments: ["", "--json"], ["", "half a line"])
  func `promise 5: an unfinished text, and the commands before it, are stored`(
    _ option: String, _ rest: String
  ) {
    sandbox["f"] = Array("one\n".utf8)
    _ = conversation(
      "ask 0 's/$/ 1/' 'a' 'not ended'; printf 'more text\\n\(rest)' >&3; "
        + "awaits eval 'grep -rqa \"more text\" .local/state'", option)
    #expect(redone(1) == "one 1\n")
    #expect(redone(2) == "one 1\nnot ended\nmore text\n")
  }

  @Test func `promise 5: the answered commands of an open group are stored`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(conversation("ask 1 'begin both' 's/$/ 1/p'; ask 1 's/$/ 2/p'") == "one 1\none 1 2\n")
    #expect(redone(1) == "one 1 2\n")
  }

  @Test func `a save in an open group is known after a kill`() {
    sandbox["f"] = Array("one\n".utf8)
    #expect(conversation("ask 1 begin 's/$/ 1/' w p") == "one 1\n")
    sandbox["f"] = Array("one\n".utf8)
    #expect(redone(1) == "one 1\n")
    #expect(sandbox["notices"] == [])
  }

  @Test
  func `redo returns to where undo began, even if that is not the newest branch`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      printf 'a\\nb\\n' >f; ued() { "$UED" -s --history=on "$@"; }
      printf '1s/a/A/\\nw\\nq\\n' | ued f; printf '2s/b/B/\\nw\\nq\\n' | ued f
      printf 'undo\\n2s/b/XXX/\\nQ\\n' | ued f; ued -i -e undo -e redo f 2>errors
      """)
    #expect(sandbox["f"] == Array("A\nB\n".utf8))
  }
}
