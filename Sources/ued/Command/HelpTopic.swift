/// What `help` can be asked about, besides single commands.
enum HelpTopic: String, CaseIterable, Sendable {
  // Groups of commands.
  case editing, showing, lines, files, changes, other
  // Everything else.
  case addresses, regex, keys, settings

  /// The commands of a group, each with a word or two about it; empty for the other topics.
  var commands: [(name: String, gloss: String)] {
    switch self {
    case .editing:
      [
        ("a", "append"), ("i", "insert"), ("c", "change"), ("d", "delete"), ("j", "join"),
        ("m", "move"), ("t", "copy"), ("s", "replace"), ("y", "yank"), ("x", "put"),
        ("replace", "a block"), ("edit", "in place"), ("apply", "a patch"),
      ]
    case .showing:
      [
        ("p", "print"), ("n", "with numbers"), ("l", "with escapes"), ("z", "a page"),
        ("=", "line number"), ("expect", "these lines"),
        ("anchors", "that know lines"),
      ]
    case .lines:
      [
        ("g", "where RE matches"), ("v", "where not"), ("G", "ask where it does"),
        ("V", "ask where not"), ("k", "mark a line"),
      ]
    case .files:
      [
        ("w", "write"), ("W", "append to"), ("r", "read in"), ("e", "edit another"),
        ("E", "edit, discarding changes"), ("next", "file"), ("f", "file name"), ("q", "quit"),
        ("Q", "quit, discarding changes"),
      ]
    case .changes:
      [
        ("u", "undo or redo the last command"), ("undo", "N groups"), ("redo", "N groups"),
        ("history", "list them"), ("blame", "by line"), ("diff", "show changes"),
        ("jump", "to any state"),
        ("peek", "at one"),
        ("earlier", "by time"), ("later", "by time"), ("revert", "one old group"),
        ("pick", "a group"), ("merge", "a branch"), ("merge!", "marked"),
        ("begin", "a group"), ("end", "it"), ("abort", "drop it"), ("name", "a state"),
        ("forget", "all"),
      ]
    case .other:
      [
        ("!", "shell command, filter"), ("h", "last error"), ("H", "all errors"), ("P", "prompt"),
        ("#", "comment"), ("help", "this"),
      ]
    case .addresses, .regex, .keys, .settings: []
    }
  }

  /// The rows of a group of commands.
  var rows: [CommandRow] {
    commands.compactMap { command in CommandTable.rows.first { $0.name == command.name } }
  }
}

/// What `help` is asked about.
enum HelpSubject: Sendable {
  case overview
  case topic(HelpTopic)
  case command(CommandRow)
}
