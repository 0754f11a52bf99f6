extension EdFact {
  /// Printing.
  static let printing: [EdFact] = [
    // `l`: `\a\b\f\n\r\t\v`, octal for other bytes, `\$`, `\\`, ends in `$`; folds with `\` when a
    // 73rd column would start (escapes count in full, and are never split); off a tty always 72;
    // `n` first takes 8 columns
    EdFact(#"1c\n$\\\t\001~\n.\nl\n"#, prints: #"\$\\\t\001~$⏎?⏎"#, status: 2),

    // suffixes combine, once each: `pn` `nl` `pln`; `pp` is an error
    EdFact(#"1pn\n1nl\n1pp\n1dln\n"#, prints: #"1\#tone⏎1\#tone$⏎one⏎1\#ttwo$⏎?⏎"#, status: 2),

    // `z` prints 22 by default, `zN` sets N for later, starts at `.+1` (at `.` in a global), fails
    // past the end; `z0` is an error
    EdFact(
      #"1z2\nz\n5z\nz\ng/o/z\n"#,
      prints: #"one⏎two⏎three⏎four⏎five⏎?⏎one⏎two⏎two⏎three⏎four⏎five⏎"#,
      status: 1),
  ]
}
