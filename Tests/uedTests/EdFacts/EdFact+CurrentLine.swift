extension EdFact {
  /// The current line after each command.
  static let currentLine: [EdFact] = [
    // text commands: last line entered; with no text `a`,`i` go to the addressed line, `c` like
    // `d`
    EdFact(#"2a\n.\n.=\n4i\n.\n.=\n2c\n.\n.=\n$c\n.\n.=\n"#, prints: #"2⏎4⏎2⏎3⏎?⏎"#, status: 2),

    // `0i` = `0a`; `0c`, `0p`, `0d`, `0y` are errors, `0=` and `0#` are not
    EdFact(#"0i\nX\n.\n.=\n0c\n0=\n"#, prints: #"1⏎?⏎0⏎?⏎"#, status: 2),

    // `d`: line after, else new last, else 0; `j`: joined line; `m`,`t`: last line put; `r` of
    // nothing: the addressed line, even 0
    EdFact(
      #"2d\n.=\n$d\n.=\n1,2j\n.=\n1t$\n.=\n0r empty\n.=\n"#, prints: #"2⏎3⏎1⏎3⏎0⏎?⏎"#, status: 2),

    // unchanged by `= k y w W f ! #`; `s` → last line changed (last piece of a split line); `g`
    // with no match unchanged
    EdFact(
      #"2\n1y\n5ka\n4=\n1,3w x\n.=\n1,3s/o/a\\\nb/\n.=\ng/zz/p\n.=\n"#,
      prints: #"two⏎4⏎2⏎4⏎4⏎?⏎"#,
      status: 2),
  ]
}
