extension EdFact {
  /// `g`, `v`, `G` and `V`.
  static let globals: [EdFact] = [
    // an empty list, or an empty line in a list, is `p`; trailing `/` may go
    EdFact(#"g/f/\ng/f\ng/f/=\\\n\n"#, prints: #"four⏎five⏎four⏎five⏎5⏎four⏎5⏎five⏎"#),

    // list lines end in `\`; the last `.` of a/i/c may be left out; `.` alone in the list ends
    // input
    EdFact(#"g/o/a\\\nX\\\n.\\\n-p\n"#, prints: #"one⏎two⏎four⏎?⏎"#, status: 2),

    // an error in the list stops the whole global; what was done stays, and one `u` undoes it; `.`
    // stays where it was
    EdFact(
      #"g/./.+2d\n.=\n,p\nu\n,p\n"#,
      prints: #"?⏎3⏎one⏎two⏎four⏎one⏎two⏎three⏎four⏎five⏎"#,
      status: 1),

    // lines changed, moved or deleted by an earlier turn are not visited again; `m` of the line
    // itself goes on
    EdFact(#"g/./m0\n,p\n"#, prints: #"five⏎four⏎three⏎two⏎one⏎?⏎"#, status: 2),
    EdFact(#"g/./1,2d\n,p\n"#, prints: #"?⏎five⏎?⏎"#, status: 2),
    EdFact(
      #"g/./.t.\n,p\n"#, prints: #"one⏎one⏎two⏎two⏎three⏎three⏎four⏎four⏎five⏎five⏎?⏎"#, status: 2),

    // nested g/v/G/V refused; `q` inside obeys the warning; `u` inside undoes the list so far and
    // ends after one turn
    EdFact(#"g/o/g/e/p\n1d\ng/o/q\nw\n"#, prints: #"?⏎?⏎"#, status: 1),
    EdFact(#"g/o/s/o/0/\\\nu\n,p\n"#, prints: #"one⏎two⏎three⏎four⏎five⏎"#),

    // a newline in a replacement inside a list is also backslash-newline (one backslash)
    EdFact(
      #"g/tw/s/w/W\\\n/\\\n=\n,n\n"#,
      prints: #"6⏎1\#tone⏎2\#ttW⏎3\#to⏎4\#tthree⏎5\#tfour⏎6\#tfive⏎?⏎"#,
      status: 2),

    // oddity: a repeated `s` in a list leaves its newline behind, which prints the line once more
    EdFact(#"1s/o/0/\ng/o/s\ng/0/s\n"#, prints: #"tw0⏎f0ur⏎0ne⏎tw0⏎f0ur⏎?⏎"#, status: 2),

    // `G`: line printed, then a list is read from stdin; empty = nothing, `&` = last list (error
    // if none); EOF is an error; no prompt is shown
    EdFact(
      #"G/o/\ns/o/0/\n&\n\n,p\n"#, prints: #"one⏎two⏎four⏎0ne⏎tw0⏎three⏎four⏎five⏎?⏎"#, status: 2),
    EdFact(#"G/o/\n&\n1p\n"#, prints: #"one⏎?⏎one⏎"#, status: 1),
    EdFact(#"G/o/\n"#, prints: #"one⏎?⏎"#, status: 1),
  ]
}
