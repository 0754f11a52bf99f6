import Testing

@testable import ued

/// Completion of arguments in bash, zsh and fish.
@Suite struct CompletionTests {
  private let sandbox = Sandbox()
  private static let folder = packageFolder + "/completions"

  /// The long options of the help.
  private static let options = OptionRow.help.split { " ,=[]".contains($0) || $0.isNewline }
    .filter { $0.hasPrefix("--") && $0.count > 2 && $0.last?.isLetter == true }.map { String($0) }

  /// Checks that all options are among the words of a shell's answer.
  private func expectOptions(in answer: String) {
    let words = Set(answer.split { $0.isWhitespace || $0 == "=" }.map { String($0) })
    #expect(Self.options.count > 12)
    for option in Self.options { #expect(words.contains(option), "\(option) in \(answer)") }
  }

  @Test func `the completions have the options of the help`() {
    sandbox["help"] = Array(OptionRow.help.utf8)
    sandbox.run(
      """
      cp -r '\(Self.folder)' new; sed -i '/^ *-E --ext/d; /trad/d' new/ued.bash new/_ued new/ued.fish
      python3 new/generate.py <help; diff -r '\(Self.folder)' new
      printf '  -Z, --zeal=A|B  be brave\n' >>help; python3 new/generate.py <help
      grep -c zeal new/ued.bash new/_ued new/ued.fish >counts; test $(grep -c ':1$' counts) = 3
      """)
  }

  @Test func `bash completes options and files`() {
    sandbox["some file"] = []
    let prelude = """
      source '\(Self.folder)/ued.bash'
      offer() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ued 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
      }
      """
    func offer(_ words: String) -> String {
      sandbox["script"] = Array((prelude + "\noffer \(words)\n").utf8)
      return sandbox.shell("bash --norc script")
    }
    expectOptions(in: offer("ued --"))
    #expect(offer("ued --at") == "--atomic\n")
    #expect(offer("ued -s so") == "some file\n")
    #expect(offer("ued -f so") == "some file\n")
    #expect(offer("ued -e so") == "\n")
    #expect(offer("ued --history = o") == "on\noff\n")
  }

  /// Makes `a file` with three revisions, the last two of the run `my run`, and puts `ued` on PATH.
  private func keepHistory() throws {
    sandbox["a file"] = Array("one\ntwo\n".utf8)
    sandbox.run(
      """
      mkdir bin; ln -s "$UED" bin/ued
      ued -i --history=on --run='my run' -e 1d -e '$s/t/T/' 'a file'
      """)
    try #require(sandbox["a file"] == Array("Two\n".utf8))
  }

  @Test func `bash completes revisions and runs`() throws {
    try keepHistory()
    func offer(_ words: String, at index: Int) -> String {
      sandbox["script"] = Array(
        """
        source '\(Self.folder)/ued.bash'
        COMP_WORDS=(\(words)); COMP_CWORD=\(index); _ued 2>/dev/null
        printf '%s;' "${COMPREPLY[@]}"
        """.utf8)
      return sandbox.shell("bash --norc script")
    }
    let all = "jump 0;jump 1;jump 2;"
    #expect(offer(#"ued -e "'jump " "'a file'""#, at: 2) == all)
    #expect(offer(#"ued "a\\ file" -e "jump\\ ""#, at: 3) == all)
    #expect(offer(#"ued "a\\ file" --expression = "'jump 1""#, at: 4) == "jump 1;")
    #expect(offer(#"ued -e "'jump " "none""#, at: 2) == ";")
    #expect(offer(#"ued -e "'w " "a\\ file""#, at: 2) == ";")
    #expect(offer("ued --undo-run = my", at: 3) == "my run;")
  }

  @Test func `fish completes revisions and runs`() throws {
    try keepHistory()
    func offer(_ line: String) -> String {
      sandbox["script"] = Array(
        "source '\(Self.folder)/ued.fish'\ncomplete -C (cat line)\n".utf8)
      sandbox["line"] = Array(line.utf8)
      return sandbox.shell("fish --no-config script")
    }
    #expect(
      offer("ued 'a file' -e 'peek ").split(separator: "\n")
        == ["peek 0\tOpened a file", "peek 1\tDelete line 1", "peek 2\tSubstitute /t/T/ on line 1"])
    #expect(offer("ued 'a file' -e 'w ") == "")
    #expect(offer("ued --undo-run=my").hasPrefix("--undo-run=my run\t"))
  }

  @Test(arguments: [
    ("ued 'a file' -e 'jump ", "jump 2"), ("ued a\\ file -e jump\\ ", "jump\\ 2"),
    ("ued --undo-run=", "my\\ run"),
  ])
  func `zsh completes revisions and runs`(_ line: String, _ last: String) throws {
    try keepHistory()
    sandbox["line"] = Array(line.utf8)
    let answer = zsh("\"$(<line)\"$'\\t'", until: last)
    #expect(answer.contains(last))
  }

  @Test func `zsh completes options`() {
    expectOptions(in: zsh("$'ued --\\t'", until: "--version"))
  }

  /// zsh's output for a typed line, up to a text.
  private func zsh(_ line: String, until last: String) -> String {
    sandbox["last"] = Array(last.utf8)
    sandbox["script"] = Array(
      """
      zmodload zsh/zpty
      zpty -b shell 'TERM=dumb zsh -f -i'
      zpty -w shell "PS1=; stty cols 200 rows 200; fpath=('\(Self.folder)' \\$fpath)
      autoload -U compinit; compinit -u -D; setopt no_list_beep; LISTMAX=0; print REA''DY"
      zpty -r shell answer '*READY*'
      zpty -n -w shell \(line)
      zpty -r shell answer "*${(b)$(<last)}*"
      print -r -- $answer
      """.utf8)
    return sandbox.shell("zsh -f script")
  }

  @Test func `fish completes options and files`() {
    sandbox["some file"] = []
    func offer(_ line: String) -> String {
      sandbox.shell(
        "fish --no-config -c \"source '\(Self.folder)/ued.fish'; complete -C '\(line)'\"")
    }
    expectOptions(in: offer("ued --"))
    #expect(offer("ued --at").hasPrefix("--atomic\t"))
    #expect(offer("ued so").contains("some"))
  }
}
