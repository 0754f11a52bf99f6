/// The commands, and forms of commands, that ed does not have.
package enum OwnWords {
  /// Commands, most of them with a word of ued.
  private static func commands(_ number: Int) -> [String] {
    [
      "undo", "undo \(number)", "redo", "redo \(number)", "jump \(number)", "jump saved", "jump N",
      "earlier \(number)s", "later 1d", "earlier \(number)f", "later \(number)f", "history",
      "history all", "history /o/", "history json", "history \(number)", "revert run",
      "pick \(number)", "merge \(number)", "merge! \(number)", "merge disk", "merge! disk",
      "revert run \(number)", "revert run N", "diff", "diff disk", "diff \(number)",
      "diff \(number) 1", "1,2history", ".history \(number)", "2history /o/", "blame", "2,3blame",
      ".undo", "1,\(number + 1)undo", "2undo \(number)", "1,$revert \(number)", ".revert",
      "2revert saved", "diff undo", "diff redo", "begin", "begin N", "end", "abort", "name N",
      "forget", "revert \(number)", "help", "help s", "help regex",
      "u", "w", "1,2!sort -r", "history patch", "history git", "jump -", "peek \(number)",
      "peek 0 1,$", "peek \(number) \(number)", "peek saved 2,1", "peek", "peek - $", "1@p",
      "2@\(number)d", "1@0,$s/o/0/", "1m3@", "0@\(number)a\nx\n.", "expect 1 /o/", "anchors",
      "bring", "0bring", "$bring\ne f\nbring", "2:000d", "1@:0ffp",
      "1,2expect sha256:\(number)00000", "$anchors",
      "undo 99999999999999999999", "jump -1", "earlier", "history /[/",
    ] + forms
  }

  /// Here-documents, substitutions of plain text, and filters.
  private static let forms = [
    "replace <<A <<B\no\nA\nnew\nB", "replace all <<A <<B\n\nA\n.\n.\nB", "replace <<A <<B\nA\nB",
    "ensure /o/ one", "1,2ensure /x/ after /o/ x", "ensure /^/,/$/ <<E\na\nE",
    "ensure /o/,/e/ <<E\no\ne\nE",
    "ensure |n| in |o|,|e|  n", "ensure /[/ x", "ensure unless /o/ o", "ensure unless",
    "ensure /a/ before /zz/ a",
    "ensure /o/ <<E\nnever ends",
    "replace 2 <<A <<''\none\nA\n", "replace <<A", "expect <<END\n.\nEND", ".expect <<''\n",
    "replace <<A <<B\nx\nnever ends", "1,2expect 0 /[/", "g/o/replace <<A <<B",
    "a <<END\nnew\n.\n$d\nEND", "1i <<'the end'\nundo\nthe end", ".,$c <<\"\"\nx\n", "ip <<.\ny\n.",
    "apply <<END\n@@\n-new\n+n\n 1\nEND", "apply <<END\nnothing\nEND", "apply", "apply no file",
    "apply <<E\n@@ -1,0 +2 @@\n+added\nE", "0a <<END\nnever ends", "a <<", "a <<END x", "a <<'END",
    "g/o/a <<END\\\nnew\\\n.\\\nEND", "g/e/c <<END\\\nno end", "s/o/&\\1/F", ",s/./\\/gF",
    ",s,[],FI", ",s|a.b*|%|Fp", ",s//x/F2", "s/o/0/c\ny", ",s/o/0/gc\nn\na", ",s/e/E/2cp\nq",
    "g/o/s/o/0/c\ny", "z.3", "z-", "3z+2n", "0z-", "s/[/]/F", "s/a\\/b/F",
    "g/o/s/o/[&]/gF\\\ns//%/F", ",s/E/&&/FFI", "1,$!sort", "g/o/.!cat",
  ]

  /// Commands that fail in any text, some of them with text that ed then takes for commands.
  private static let mistakes = [
    "99999p", "Y", "99999,1d", "/no such line/a\nundo\nbegin\n.", "99999c\nend\n.",
    "?no such line?i\n1!cat\n.", "1,2,99999s/o/x/", "a <<END x", "pF",
  ]

  /// The words themselves.
  package static let words = Set(
    (commands(0) + ["edit", "next", "tree"]).map { String($0.prefix { $0.isLetter || $0 == "!" }) }
      .filter {
        $0.count > 2 && $0.first != "!"
      })

  /// A case with some of the commands between the lines of its script.
  ///
  /// - Parameters:
  ///   - test: A case for ed.
  ///   - seed: Decides which commands and where.
  /// - Returns: The case, for a program that has the words.
  package static func added(to test: Case, seed: UInt64) -> Case {
    var random = SeededGenerator(seed: seed)
    var lines = test.scriptLines
    for _ in 0..<random.below(9) {
      let command = random.pick(commands(random.below(7)))
      lines.insert(Array(command.utf8), at: random.below(lines.count + 1))
    }
    var test = test
    test.script = Array(lines.joined(separator: [0x0A]))
    return test
  }

  /// A case whose script begins with a mistake and has ued's own commands between its lines. All of
  /// them are then errors, as in ed.
  package static func addedAfterMistake(to test: Case, by random: inout SeededGenerator) -> Case {
    var test = added(to: test, seed: random.next())
    test.script = Array((random.pick(mistakes) + "\n").utf8) + test.script
    return test
  }

  /// Whether a case has options, words or other forms that ed does not have: only ued can run it.
  package static func areIn(_ test: Case) -> Bool {
    let options = ["-e", "-f", "-i", "--apply", "--diff", "--atomic", "--history"]
    if test.arguments.contains(where: { word in options.contains { word.hasPrefix($0) } }) {
      return true
    }
    return test.scriptLines.contains { line in
      let command = line.dropFirst(Case.addressByteCount(line))
      return Case.isFilter(line) || isHereDocument(command) || isPlainText(line)
        || asks(command) || isPageAround(command) || isOfRevision(line)
        || words.contains(String(String(decoding: command, as: UTF8.self).prefix { $0.isLetter }))
    }
  }

  /// Whether a line has an address like `12@7`.
  private static func isOfRevision(_ line: [UInt8]) -> Bool {
    let at = UInt8(ascii: "@")
    return zip(line, line.dropFirst()).contains { (0x30...0x39).contains($0) && $1 == at }
  }

  private static func isHereDocument(_ command: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: command, as: UTF8.self)
    return text.first.map { "aicgv".contains($0) } ?? false && text.contains("<<")
  }

  /// Whether a command is a substitution with the flag `c`.
  private static func asks(_ command: ArraySlice<UInt8>) -> Bool {
    let flags = command.reversed().prefix { "cgIipln0123456789".utf8.contains($0) }
    return command.first == UInt8(ascii: "s") && flags.contains(UInt8(ascii: "c"))
      && flags.count + 3 < command.count
  }

  /// Whether a command is `z.`, `z-` or `z+`.
  private static func isPageAround(_ command: ArraySlice<UInt8>) -> Bool {
    command.first == UInt8(ascii: "z")
      && command.dropFirst().first.map { ".+-".utf8.contains($0) } ?? false
  }

  /// Whether a line ends as a substitution with the flag `F` does.
  private static func isPlainText(_ line: [UInt8]) -> Bool {
    let flags = line.reversed().prefix { "FgIipln0123456789\\".utf8.contains($0) }
    return flags.contains(UInt8(ascii: "F")) && line.contains(UInt8(ascii: "s"))
      && flags.count < line.count
  }
}
