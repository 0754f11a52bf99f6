import Testing

@testable import ued

/// Completion of arguments in bash, zsh and fish.
@Suite struct CompletionTests {
  private let sandbox = Sandbox()
  private static let folder = packageFolder + "/completions"

  /// The long options of the help.
  private static let options = UsageText.help.split { " ,=[]".contains($0) || $0.isNewline }
    .filter { $0.hasPrefix("--") && $0.count > 2 && $0.last?.isLetter == true }.map { String($0) }

  private func shell(_ command: String) -> String {
    String(decoding: sandbox.run(command), as: UTF8.self)
  }

  /// Checks that all options are among the words of a shell's answer.
  private func expectOptions(in answer: String) {
    let words = Set(answer.split { $0.isWhitespace || $0 == "=" }.map { String($0) })
    #expect(Self.options.count > 12)
    for option in Self.options { #expect(words.contains(option), "\(option) in \(answer)") }
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
      return shell("bash --norc script")
    }
    expectOptions(in: offer("ued --"))
    #expect(offer("ued --at") == "--atomic\n")
    #expect(offer("ued -s so") == "some file\n")
    #expect(offer("ued -f so") == "some file\n")
    #expect(offer("ued -e so") == "\n")
    #expect(offer("ued --history = o") == "on\noff\n")
  }

  @Test func `zsh completes options`() {
    sandbox["script"] = Array(
      """
      zmodload zsh/zpty
      zpty -b shell 'TERM=dumb zsh -f -i'
      zpty -w shell "PS1=; stty cols 200 rows 200; fpath=('\(Self.folder)' \\$fpath)
      autoload -U compinit; compinit -u -D; setopt no_list_beep; LISTMAX=0; print REA''DY"
      zpty -r shell answer '*READY*'
      zpty -n -w shell $'ued --\\t'
      zpty -r shell answer '*--version*'
      print -r -- $answer
      """.utf8)
    expectOptions(in: shell("zsh -f script"))
  }

  @Test func `fish completes options and files`() {
    sandbox["some file"] = []
    func offer(_ line: String) -> String {
      shell("fish --no-config -c \"source '\(Self.folder)/ued.fish'; complete -C '\(line)'\"")
    }
    expectOptions(in: offer("ued --"))
    #expect(offer("ued --at").hasPrefix("--atomic\t"))
    #expect(offer("ued so").contains("some"))
  }
}
