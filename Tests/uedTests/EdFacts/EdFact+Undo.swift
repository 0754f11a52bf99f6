extension EdFact {
  /// Undo, marks and the cut buffer.
  static let undo: [EdFact] = [
    // `u` toggles; restores `.` and the modified flag; a global is one step; nothing after `e`
    EdFact(#"2,4s/e/E/g\n.=\nu\n.=\nu\n.=\nu\nq\n"#, prints: #"3⏎5⏎3⏎"#),

    // these forget the undo state even when they change nothing: `s` with no match, `g` with no
    // match or only prints, `1j`, `1m1`, `a` with no text, failed `r`; not: prints, `k y w f ! =`,
    // unknown commands
    EdFact(#"1d\n1s/zz//\nu\n"#, prints: #"?⏎?⏎?⏎"#, status: 2),
    EdFact(#"1d\n1j\nu\n"#, prints: #"?⏎?⏎"#, status: 2),
    EdFact(#"1d\ng/o/p\nu\n"#, prints: #"two⏎four⏎?⏎?⏎"#, status: 2),
    EdFact(#"1d\n1y\n1ka\nw x\nfoo\nu\n1p\n"#, prints: #"?⏎one⏎"#, status: 1),

    // after `w`, `u` brings back the *unmodified* flag with the old text: `q` then gives no
    // warning
    EdFact(#"1d\nw\nu\nq\n"#, prints: #""#),

    // `1m1` sets modified, `1j` and empty `a` do not
    EdFact(#"1m1\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1j\nq\n"#, prints: #""#),

    // a mark follows its line through `m`; it is lost when the line is deleted or replaced (`d c j
    // s`), back after `u`; `t` does not copy it
    EdFact(
      #"3ka\n3m0\n'a=\n1s/t/T/\n'a=\nu\n'a=\n1d\nu\n'a=\n"#, prints: #"1⏎?⏎1⏎1⏎?⏎"#, status: 2),

    // lines are themselves, whatever their texts: `u` brings back the very lines that were there
    EdFact(#"1,2c\na\na\n.\n2m0\nka\nu\n'a=\nu\n'a=\n"#, prints: #"2⏎1⏎?⏎"#, status: 2),
    EdFact(#"1s/o/o/\nka\nu\n'a=\nu\n'a=\n"#, prints: #"?⏎1⏎?⏎"#, status: 2),
    EdFact(#"2kb\n2c\ntwo\n.\n'b=\nka\nu\n'a=\n'b=\n"#, prints: #"?⏎?⏎2⏎"#, status: 1),
    EdFact(#",s/e/&/g\n3ka\n2kb\nu\n'a=\n'b=\n"#, prints: #"?⏎2⏎"#, status: 1),
    EdFact(
      #"g/o/s/o/&/\\\n.m0\n1ka\n3kb\nu\n'a=\n'b=\nu\n'a=\n"#, prints: #"?⏎?⏎1⏎?⏎"#, status: 2),
    EdFact(#"g/./m0\n2ka\nu\n'a=\nu\n'a=\n"#, prints: #"4⏎2⏎?⏎"#, status: 2),

    // cut buffer filled by `y d c j s` (for `s`, the old text of the last changed line), not by `m
    // t`; emptied by `e`/`E`; `x` puts after the line, `0x` works
    EdFact(
      #"2,3s/t/T/\n$x\n$p\n1,2j\n0x\n1,2p\nE g\nx\n"#, prints: #"three⏎one⏎Two⏎?⏎"#, status: 1),
  ]
}
