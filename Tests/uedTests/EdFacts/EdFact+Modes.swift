extension EdFact {
  /// Modes.
  static let modes: [EdFact] = [
    // `-p STR` prompts before every command, not in input mode or for `G` answers; `P` toggles
    // (default `*`)
    EdFact(#"1p\na\nx\n.\nP\nP\nQ\n"#, arguments: "-s -p: f", prints: #":one⏎:::"#),
    EdFact(#"P\nQ\n"#, prints: #"*"#),

    // `-G`: `l` without `$`; `f` without a name prints an empty line; `m`/`t` need a destination;
    // an empty line in a list, or a null command, is `.+1p`; a lone newline as list is `p`
    EdFact(#"1l\n1m\ng/tw/\\\n\n"#, arguments: "-G -s f", prints: #"one⏎?⏎three⏎four⏎"#, status: 1),
    EdFact(#"f\n"#, arguments: "-G -s", prints: #"⏎"#),

    // `-r`: no shell, no `/` in names, not `..`; as argument: `?`, status 1 (regular stdin: 2)
    EdFact(
      #"!echo\nr ./f\nw ..\n"#,
      arguments: "-r -s -v f",
      prints: #"?⏎Shell access restricted⏎?⏎Directory access restricted⏎?⏎"#
        + #"Directory access restricted⏎"#,
      status: 1),

    // the lines that continue a refused command of r, e, w or f are no commands; those of ! are
    EdFact(
      #"r !x\\\n1d\nw !x\\\n1d\n1p\n!x\\\n1d\n1p\nQ\n"#, arguments: "-r -s f",
      prints: #"?⏎?⏎one⏎?⏎two⏎"#,
      status: 1),
  ]
}
