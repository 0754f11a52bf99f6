extension EdFact {
  /// UTF-8 and other bytes.
  static let encodings: [EdFact] = [
    // the regex engine follows the locale: `.` is one character, case and classes work, an invalid
    // byte matches neither `.` nor `[^x]`
    EdFact(
      #",s/./-/g\n,p\n"#,
      arguments: "-s u8",
      locale: "C.UTF-8",
      prints: #"----⏎---⏎---⏎?⏎"#,
      status: 2),
    EdFact(#"g/é/Ip\n"#, arguments: "-s u8", locale: "C.UTF-8", prints: #"café⏎Été⏎"#),
    EdFact(
      #"$a\na\xffb\n.\ns/a./X/\ns/a[^x]/X/\ns/a/X/\nl\n"#,
      arguments: "-s u8",
      locale: "C.UTF-8",
      prints: #"?⏎?⏎X\377b$⏎?⏎"#,
      status: 2),

    // in the C locale everything is bytes
    EdFact(#"1s/./-/gp\n"#, arguments: "-s u8", prints: #"-----⏎?⏎"#, status: 2),

    // `l` writes octal bytes and folds by bytes in every locale (POSIX, from memory, prints é as
    // it is)
    EdFact(#"1l\n"#, arguments: "-s u8", locale: "C.UTF-8", prints: #"caf\303\251$⏎"#),

    // a letter is no part of a character whose second byte it is
    EdFact(
      #"$a\n\x83AA\n.\ns/A/B/gp\nl\ns/A/B/\n"#, locale: "zh_CN.GB18030",
      prints: #"�AB⏎\203AB$⏎?⏎?⏎"#, status: 2),
    EdFact(
      #"$a\n\xA4AA\n.\ns/A/B/g\nl\n"#, locale: "zh_TW.BIG5", prints: #"\244AB$⏎?⏎"#, status: 2),
    EdFact(
      #"$a\n\x83AA\n.\ns/A/B/g\nl\n"#, locale: "ja_JP.SHIFT_JIS", prints: #"\203AB$⏎?⏎"#,
      status: 2),

    // a delimiter is one byte: `s§a§b§` takes 0xC2 and fails; `[α-ω]` fails ("Invalid collation
    // character", a glibc limit)
    EdFact(
      #"1s§a§b§\n1s/[α-ω]/x/\n"#,
      arguments: "-v -s u8",
      locale: "C.UTF-8",
      prints: #"?⏎Invalid command suffix⏎?⏎Invalid collation character⏎"#,
      status: 1),

    // counts printed by `r`/`w` are bytes; marks are a-z only
    EdFact(#"w\nké\n"#, arguments: "u8", locale: "C.UTF-8", prints: #"22⏎22⏎?⏎"#, status: 1),
  ]
}
