extension EdFact {
  /// Addresses.
  static let addresses: [EdFact] = [
    // `,,` = `$,$`; `;;` = `$;$`; `1,,` = `1,1`; `2,` = `2,2`; `,2` = `1,2`; `;2` = `.;2`; `%` =
    // `,`; last two of many count; `^` unknown (BSD has it)
    EdFact(
      #",,p\n;;p\n1,,p\n2,p\n1\n;2p\n1,4,5p\n2%3p\n^p\n"#,
      prints: #"five⏎five⏎one⏎two⏎one⏎one⏎two⏎four⏎five⏎two⏎three⏎?⏎"#,
      status: 1),

    // a number after an address adds; blanks are free there; intermediate values may leave the
    // buffer, final ones not
    EdFact(#"2 3p\n1+-+2p\n1-9+9p\n1-5p\n"#, prints: #"five⏎three⏎one⏎?⏎"#, status: 1),

    // `;` sets `.` even when the command then fails, or does not use it
    EdFact(#"2;99p\n.=\n3;#\n.=\n4;1=\n.=\n"#, prints: #"?⏎2⏎3⏎1⏎4⏎"#, status: 1),

    // `0;/re/` is a search from the top, but not a valid range
    EdFact(#"0;/one/\n0;/one/=\n0;/one/p\n"#, prints: #"one⏎1⏎?⏎"#, status: 1),

    // searches wrap and try the current line last; `//` and `s//` reuse the last regex of any
    // command; `I` after a search ignores case, `i` there is the insert command
    EdFact(#"2\n/two/\n//=\n/T/I\n/t/i\n"#, prints: #"two⏎two⏎2⏎three⏎"#),

    // an unset mark is an error, but in an empty buffer it is address 0
    EdFact(#"'a=\n'ap\n"#, arguments: "-s", prints: #"0⏎?⏎"#, status: 1),

    // no blank may follow a command letter that takes only suffixes; blanks are fine in `m 3`, `m3
    // p`, `f `, `w `
    EdFact(#"p \nd \n1m 3\n1m3 p\nf \n"#, prints: #"?⏎?⏎two⏎f⏎?⏎"#, status: 2),

    // an address on `q Q f u h H P e E !` is an error; more than one on `a i k = r x z` is not:
    // the last counts
    EdFact(#"1q\n1,3=\n1,2ka\n'a=\n"#, prints: #"?⏎3⏎2⏎"#, status: 1),
  ]
}
