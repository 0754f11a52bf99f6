extension EdFact {
  /// Streams, errors and exit status.
  static let streams: [EdFact] = [
    // `?` and help texts all go to **stdout**; `H` turned on prints the last message; `h` prints
    // it again
    EdFact(
      #"foo\nh\nH\nbar\nQ\n"#,
      prints: #"?⏎Unexpected command suffix⏎Unexpected command suffix⏎?⏎Unknown command⏎"#,
      status: 1),

    // stderr carries only system errors (`NAME: strerror`), usage errors and what shell commands
    // write; `-q` silences it, `-s` does not
    EdFact(
      #"r nofile\nQ\n"#,
      prints: #"?⏎"#,
      complains: #"nofile: No such file or directory⏎"#,
      status: 1),
    EdFact(#"r nofile\nQ\n"#, arguments: "-q -s f", prints: #"?⏎"#, status: 1),

    // stdin a pipe (or tty): the script goes on after an error, and the final status is 1
    EdFact(#"foo\n1p\nq\n"#, prints: #"?⏎one⏎"#, status: 1),

    // stdin a regular file: the first error ends ed, status 1; with `H`/`-v` the text gets a
    // `script, line N: ` prefix
    EdFact(
      #"1p\nfoo\n2p\n"#,
      arguments: "-s -v f",
      input: .file,
      prints: #"one⏎?⏎script, line 2: Unexpected command suffix⏎"#,
      status: 1),

    // standard input by another name is the rest of the script; commands that have run are not in it
    EdFact(
      #"1p\nr /dev/stdin\n,p\n"#, prints: #"one⏎?⏎"#, status: 2),
    EdFact(#"$r /dev/fd/0\n"#, prints: #""#),
    EdFact(#"f x\n$r /proc/self/fd/0\nQ\n"#, prints: #"x⏎?⏎"#, status: 2),

    // what was printed comes before what is written to the same pipe
    EdFact(#"1p\n2w /dev/stdout\n3p\n"#, prints: #"one⏎two⏎three⏎"#),

    // EOF with a modified buffer: `?` and status 2 (2 beats an earlier 1); EOF otherwise acts like
    // `q`
    EdFact(#"1d\n"#, prints: #"?⏎"#, status: 2),
    EdFact(#"foo\n1d\n"#, prints: #"?⏎?⏎"#, status: 2),
    EdFact(#"1p\n"#, prints: #"one⏎"#),

    // `q`/`e` on a modified buffer: `?` once (status 1 sticks); the *next* command, if `q`, `e` or
    // EOF, goes through; any other command or error between re-arms the warning
    EdFact(#"1d\nq\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1d\nq\n1p\nq\n"#, prints: #"?⏎two⏎?⏎"#, status: 1),
    EdFact(#"1d\nq\ne g\n1p\n"#, prints: #"?⏎alpha⏎"#, status: 1),
    EdFact(#"1d\nq\n"#, prints: #"?⏎"#, status: 1),

    // from a regular file even the first `q` with a modified buffer ends it, status 1
    EdFact(#"1d\nq\nq\n"#, input: .file, prints: #"?⏎"#, status: 1),

    // `-l`: always 0
    EdFact(#"foo\n1d\n"#, arguments: "-l -s f", prints: #"?⏎?⏎"#),

    // missing file argument: pipe → message, go on, 0; regular file as stdin → exits 2 at once.
    // Directory: also `?` and 1
    EdFact(
      #"f\nq\n"#,
      arguments: "nofile",
      prints: #"nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#),
    EdFact(
      #"f\nq\n"#,
      arguments: "nofile",
      input: .file,
      prints: #""#,
      complains: #"nofile: No such file or directory⏎"#,
      status: 2),
    EdFact(
      #"f\nq\n"#,
      arguments: "/tmp",
      prints: #"?⏎/tmp⏎"#,
      complains: #"/tmp: Is a directory⏎"#,
      status: 1),

    // bad option 1, nothing on stdout; options may follow the file; `-` means `-s`; second file
    // ignored; long options may be shortened
    EdFact(
      #"q\n"#,
      arguments: "-x f",
      prints: #""#,
      complains: #"ed: invalid option -- 'x'⏎Try 'ED --help' for more information.⏎"#,
      status: 1),
    EdFact(#"1p\n"#, arguments: "f -", prints: #"24⏎one⏎"#),
    EdFact(#"9p\nq\n"#, arguments: "--verb f", prints: #"24⏎?⏎Invalid address⏎"#, status: 1),

    // unterminated last line of the script is dropped, as a command and as input text; input mode
    // ended by EOF keeps the whole lines
    EdFact(#"1p\n2p"#, prints: #"one⏎"#),
    EdFact(#"a\nX\nY"#, prints: #"?⏎"#, status: 2),
  ]
}
