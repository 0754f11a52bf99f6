/// The topics of `help`, other than single commands.
enum HelpTopic: String, CaseIterable, Sendable {
  // Groups of commands.
  case editing, showing, lines, files, changes, other
  // Everything else.
  case addresses, regex, keys, settings

  /// The commands of a group; empty for the other topics.
  var rows: [CommandRow] {
    letters + CommandTable.words.filter { $0.topic == self }.map(\.row)
  }

  private var letters: [CommandRow] {
    switch self {
    case .editing: CommandTable.editing
    case .showing: CommandTable.showing
    case .lines: CommandTable.lines
    case .files: CommandTable.files
    case .changes: CommandTable.changes
    case .other: CommandTable.other
    case .addresses, .regex, .keys, .settings: []
    }
  }
}

/// The subject of a `help` command.
enum HelpSubject: Sendable {
  case overview
  case topic(HelpTopic)
  case command(CommandRow)
  /// A command name of another program, or a common word: a note, which may be empty, and related
  /// commands.
  case meaning(String, [CommandRow])
  /// The commands whose help contains a word.
  case found([CommandRow])

  /// The subject for a word; nil if nothing matches.
  init?(_ word: String) {
    if let row = CommandTable.rows.first(where: { $0.name == word }) {
      self = .command(row)
    } else if let topic = HelpTopic(rawValue: word) {
      self = .topic(topic)
    } else if let (note, names) = Self.meanings[word.lowercased()] {
      let rows = names.compactMap { name in CommandTable.rows.first { $0.name == name } }
      self = note.isEmpty && rows.count == 1 ? .command(rows[0]) : .meaning(note, rows)
    } else {
      let rows = CommandTable.rows.filter { row in
        Self.has(word, in: "\(row.synopsis) \(row.summary) \(row.gloss)")
      }
      if rows.isEmpty { return nil }
      self = rows.count == 1 ? .command(rows[0]) : .found(rows)
    }
  }

  /// Whether a text contains a word, regardless of capitals, perhaps as a plural.
  private static func has(_ word: String, in text: String) -> Bool {
    let word = word.lowercased()
    return text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" }
      .contains { $0 == word || $0 == word + "s" }
  }

  private static let addressNote =
    "Lines come before a command: '3d', '2,5p'; see 'help addresses'."
  private static let searchNote =
    "'/RE/' goes to the next line that matches, '?RE?' to the one before; ',g/RE/p' prints all."
  private static let lineNote =
    "A line number alone goes there: '12'. 'help addresses' lists other ways."
  private static let crashNote =
    "What was entered is on disk before the next prompt: start ued on the file again, and 'redo'."
  private static let suffixNote =
    "The current line is the one that the prompt shows; p, l or n behind most commands prints it."

  /// An answer for users of vi.
  private static let forVi = (
    "There are no modes: 'a' adds text up to a line '.', 'd' deletes, 'y' and 'x' copy, 'u' undoes.",
    ["a", "d", "y", "x", "w", "q"]
  )

  /// Command names of other programs, and words that users look up.
  private static let meanings: [String: (note: String, commands: [String])] = [
    "come": (Self.addressNote, []), "before": (Self.addressNote, []), "most": (Self.suffixNote, []),
    "current": (Self.suffixNote, ["="]), "after": (Self.suffixNote, []),
    "prints": (Self.suffixNote, ["p"]), "explains": ("", ["help"]), "lists": ("", ["help"]),
    "see": ("", ["help"]),
    "also": ("", ["help"]),
    "save": ("", ["w"]), "wq": ("'wq' writes the file and quits.", ["w", "q"]),
    "exit": ("", ["q"]), "quit": ("", ["q"]), "bye": ("", ["q"]),
    "search": (
      Self.searchNote,
      ["g"]
    ),
    "find": (
      Self.searchNote,
      ["g"]
    ),
    "goto": (Self.lineNote, []),
    "line": (Self.lineNote, ["="]),
    "number": ("',n' prints all lines with their numbers.", ["n", "="]),
    "copy": ("", ["t", "y"]),
    "paste": ("Text is pasted behind 'a', and ends with a line '.'.", ["x", "a"]),
    "cut": ("", ["d", "x"]), "delete": ("", ["d"]), "insert": ("", ["i", "a"]),
    "read": ("", ["r", "e"]),
    "open": ("", ["e"]), "shell": ("", ["!"]), "filter": ("", ["!"]),
    "sort": ("',!sort' sorts all lines.", ["!"]),
    "replace": ("", ["s", "replace"]), "substitute": ("", ["s"]),
    "branch": (
      "An edit after 'undo' begins a branch; the old one stays.",
      ["tree", "jump", "pick", "merge"]
    ),
    "compare": ("", ["diff"]), "export": ("", ["history"]), "log": ("", ["history"]),
    "git": ("", ["apply", "history"]),
    "crash": (
      Self.crashNote,
      ["redo"]
    ),
    "recover": (
      Self.crashNote,
      ["redo"]
    ),
    "crlf": (
      "If all lines of a file end with CR LF, ued hides the CRs, and writes them back.", []
    ),
    "nano": (
      "Type a command and Enter: 'a' adds text up to a line '.', '3edit' edits line 3, 'w' saves.",
      ["a", "edit", "d", "undo", "w", "q"]
    ),
    "vi": forVi, "vim": forVi,
  ]
}
