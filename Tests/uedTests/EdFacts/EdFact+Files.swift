extension EdFact {
  /// Files.
  static let files: [EdFact] = [
    // byte counts for `r w W e E` and the start (`-s` drops them); text without final newline:
    // `Newline appended` on stdout even with `-s`, and the newline is written and counted
    EdFact(#"w\n"#, arguments: "nonl", prints: #"Newline appended⏎8⏎8⏎"#),
    EdFact(
      #"0r nonl\n"#,
      arguments: "-s nonl",
      prints: #"Newline appended⏎Newline appended⏎?⏎"#,
      status: 2),

    // a NUL makes the buffer binary: no newline is added at the end of the file; appending after
    // it says `Newline inserted`; in a regex NUL is matched by `.`
    EdFact(
      #"w\n1s/b.c/X/\nl\nr g\n"#,
      arguments: "bin",
      prints: #"9⏎9⏎aXd$⏎Newline inserted⏎11⏎?⏎"#,
      status: 2),

    // default name: set by `e E f`, the argument, and by `r`/`w` when there is none (before the
    // file is opened, so also on failure); never by `!cmd`
    EdFact(
      #"r nofile\nf\n"#,
      arguments: "-s",
      prints: #"?⏎nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#,
      status: 1),
    EdFact(#"r !echo x\nf\n"#, arguments: "-s", prints: #"?⏎?⏎"#, status: 2),

    // `e nofile` empties the buffer and sets the name, then fails
    EdFact(
      #"e nofile\n=\nf\n"#,
      prints: #"?⏎0⏎nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#,
      status: 1),

    // writing the whole buffer to any file (also `W`, or `1,$w x`) clears modified; a part, or `w
    // !cmd`, does not
    EdFact(#"1d\n,w x\nq\n"#, prints: #""#),
    EdFact(#"1d\n1,2w x\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1d\nw !cat >y\nq\n"#, prints: #"?⏎"#, status: 1),

    // `wq` of a part warns if modified; `wQ` never; unmodified it just quits
    EdFact(#"1d\n1,2wq x\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1,2wq x\n"#, prints: #""#),

    // `w` of an empty buffer writes 0 bytes, no error; `,w` there is one
    EdFact(#"w x\n,w x\n"#, arguments: "", prints: #"0⏎?⏎"#, status: 1),

    // the blank after `e E f r w W` is required; names keep trailing blanks and backslashes (a
    // final backslash continues the name on the next line)
    EdFact(#"wx\nf a\\b \nf\nf c\\\nd\n"#, prints: #"?⏎a\b ⏎a\b ⏎cd⏎"#, status: 1),

    // files are overwritten in place: modes, hard links and symlinks stay
    EdFact(
      #"!ln f k; ln -s f l; chmod 700 k\n1d\nw l\n!cmp f k && stat -c \\%a,\\%F f l\n"#,
      prints: #"700,regular file⏎777,symbolic link⏎"#),

    // a NUL ends a name or a shell command; no name is the default one
    EdFact(#"f g\0x\nf\nr g\0x\n$p\n"#, prints: #"g⏎g⏎beta⏎?⏎"#, status: 2),
    EdFact(#"w \0x\ne \0\nf\n"#, prints: #"f⏎"#),
    EdFact(
      #"f \0\nf\nh\n"#, arguments: "-s", prints: #"⏎?⏎No current filename⏎"#, status: 1),
    EdFact(#"!echo a\0b\n!!\n"#, prints: #"a⏎echo a⏎a⏎"#),

    // `--strip-trailing-cr` drops CR before LF on reading files only (not stdin text, not a CR at
    // an unterminated end)
    EdFact(
      #"!printf 'a\\r\\nb\\r' >d\nE d\n,l\na\nx\r\n.\nl\n"#,
      arguments: "--strip-trailing-cr -s f",
      prints: #"Newline appended⏎a$⏎b\r$⏎x\r$⏎?⏎"#,
      status: 2),
  ]
}
