extension EdFact {
  /// `s`.
  static let substitution: [EdFact] = [
    // without the last delimiter it prints; without both it is an error; `s/a/` deletes and prints
    EdFact(#"1s/o/0\n1s/0\n1s/0/\n"#, prints: #"0ne⏎?⏎ne⏎?⏎"#, status: 2),

    // a lone `%` is the last replacement; `\%` and `%%` are text
    EdFact(
      #"1s/o/X/p\n2s/o/%/p\n4s/o/%%/p\n5s/v/\\%/p\n"#,
      prints: #"Xne⏎twX⏎f%%ur⏎fi%e⏎?⏎"#,
      status: 2),

    // no line changed is an error, but not inside `g`, where a print suffix still prints
    EdFact(#",s/zz/y/\ng/two/s/zz/y/p\n"#, prints: #"?⏎two⏎"#, status: 1),

    // zero-width: `s/x*/-/g` fails ("Infinite substitution loop"); `s/^/#/g`, `s/$/#/g` work;
    // `s/x*/-/2` matches twice at the same place
    EdFact(
      #"1s/x*/-/g\n1s/^/#/gp\n1s/$/#/gp\n2s/x*/-/2p\n"#,
      prints: #"?⏎#one⏎#one#⏎-two⏎?⏎"#,
      status: 2),

    // an error in the middle of a range leaves the lines before it changed
    EdFact(#"1s/.*/ww/\n,s/w*/-/g\n,p\n"#, prints: #"?⏎-⏎two⏎three⏎four⏎five⏎?⏎"#, status: 2),

    // `s` alone repeats; `g` toggles everywhere, a number sets the count, `p` toggles the *same*
    // print suffixes, `r` takes the last search regex
    EdFact(
      #"3s/e/E/\n5s/e/E/n\n3s\n3p\n3s/E/e/g\n3p\n3s/e/E/\n3sgp\n/f/\ns/i/x/\n/v/\nsrp\n"#,
      prints: #"5\#tfivE⏎3\#tthrEE⏎thrEE⏎three⏎thrEE⏎four⏎?⏎fivE⏎fixE⏎?⏎"#,
      status: 2),

    // `\N` beyond the groups is the digit N; other `\c` is c (no `\n`, `\t`); a split needs
    // backslash-newline
    EdFact(
      #"1s/o/\\1\\n\\t\\&/p\n1s/n/a\\\nb/\n1,2n\n"#,
      prints: #"1nt&ne⏎1\#t1a⏎2\#tbt&ne⏎?⏎"#,
      status: 2),

    // an escaped delimiter keeps its backslash in the regex: `s|a\|b|X|` is alternation,
    // `s?a\?b?X?` an optional a
    EdFact(#"1s|z\\|n|X|p\n2s?x\\?w?X?p\n"#, prints: #"oXe⏎tXo⏎?⏎"#, status: 2),

    // delimiter inside brackets is text; any byte but blank and newline delimits, but digits 1-9,
    // `g p r` mean repeat
    EdFact(#"$a\na/b\n.\ns/[/]/X/p\n1saoa0ap\n1s1o1X1\n"#, prints: #"aXb⏎0ne⏎?⏎?⏎"#, status: 2),

    // flags: `g`,N once together never; `i`=`I`; `l n p` once each; order free
    EdFact(#"3s/E/x/Ign\n3s/x/y/2g\n3s/x/y/gg\n"#, prints: #"3\#tthrxx⏎?⏎?⏎?⏎"#, status: 2),

    // BRE is glibc: `\+ \? \| \w \W \b \B \< \> \` \' \s \S`; `*` after `^`, `\(` or `\|` is text;
    // leftmost-longest; `-E` gives ERE
    EdFact(#"3s/e\\+/X/p\n4s/u\\|o/Y/gp\n5s/\\bf/Z/p\n"#, prints: #"thrX⏎fYYr⏎Zive⏎?⏎"#, status: 2),
    EdFact(#"3s/(e)+/X/p\n1s/o|on/Y/p\n"#, arguments: "-E -s f", prints: #"thrX⏎Ye⏎?⏎"#, status: 2),
  ]
}
