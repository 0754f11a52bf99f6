extension EdFact {
  /// The shell.
  static let shell: [EdFact] = [
    // `!cmd` ignores the exit status and prints `!` after (not with `-s`); `%` is the file name,
    // `\%` a percent sign, leading `!` the last command; after any such change the new line is
    // printed first, `r !`/`w !` included, which share the history
    EdFact(
      #"!echo % \\%\n!!\nr !echo %\n!false\n"#,
      arguments: "f",
      prints: #"24⏎echo f %⏎f %⏎!⏎echo f %⏎f %⏎!⏎echo f⏎2⏎!⏎?⏎"#,
      status: 2),

    // the exit status of `r !cmd`, `w !cmd` and `e !cmd` is ignored since 1.21; in 1.19 it is an error
    // ("Cannot close …"), although the text is read
    EdFact(
      #"r !echo x; exit 3\nw !cat; exit 3\ne !echo y; exit 3\n,p\nQ\n"#, arguments: "-v -s f",
      prints: #"one⏎two⏎three⏎four⏎five⏎x⏎?⏎Warning: buffer modified⏎one⏎two⏎three⏎four⏎five⏎x⏎"#,
      status: 1),
    EdFact(#"w !cat; exit 3\ne !echo y; exit 3\n,p\n"#, prints: #"one⏎two⏎three⏎four⏎five⏎y⏎"#),

    // stdin is read byte by byte, so a child can take the next script lines
    EdFact(#"!read a; echo got $a\nfor the shell\n1p\n"#, prints: #"got for the shell⏎one⏎"#),

    // stdout is fully buffered off a terminal and flushed before each script line is read, so
    // inside one global list shell output overtakes earlier prints (outside globals the order is
    // right)
    EdFact(#"g/o/p\\\n!echo hi\n"#, prints: #"hi⏎hi⏎hi⏎one⏎two⏎four⏎"#),

    // a name that begins with ! behind an escaped newline is a command
    EdFact(#"$r \\\n!echo hi\n$p\nQ\n"#, prints: #"hi⏎"#),
    EdFact(#"f \\\n!x\nh\n"#, prints: #"?⏎Invalid redirection⏎"#, status: 1),

    // SIGINT while running: `⏎?⏎`, message "Interrupt", status not changed by it, next command
    // read (`!cmd` itself shields ed from it)
    EdFact(#"r !sleep .1; kill -INT $PPID; sleep .1\nh\n1p\nq\n"#, prints: #"⏎?⏎Interrupt⏎one⏎"#),

    // SIGHUP: modified buffer written to `ed.hup` (or `$HOME/ed.hup`), its byte count printed
    // unless `-s`, status 0; SIGQUIT ignored
    EdFact(#"1d\n!kill -HUP $PPID\n1p\n"#, arguments: "f", prints: #"24⏎20⏎"#),
  ]
}
