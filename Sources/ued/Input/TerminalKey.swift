/// Keys that reach libedit as one character each: control characters that no keyboard sends and that
/// none of its key maps binds.
enum TerminalKey: UInt8 {
  case home = 0x81
  case end, deleteNext, previousWord, nextWord
  /// The start of a paste.
  case paste = 0x90
  /// Inserts the draft of the line.
  case draft, undo, redo, up, down, left, right

  /// The function that each key calls, and the sequences that terminals send for it, without the escape
  /// at the beginning.
  private static let table: [(key: TerminalKey, function: String, sequences: String)] = [
    (.home, "ed-move-to-beg", "[H OH [1~ [7~"), (.end, "ued-end", "[F OF [4~ [8~"),
    (.deleteNext, "ed-delete-next-char", "[3~"),
    (.previousWord, "ed-prev-word", "[1;5D [1;3D Od [5D"),
    (.nextWord, "em-next-word", "[1;5C [1;3C Oc [5C"), (.paste, "ued-paste", "[200~"),
    (.draft, "ued-draft", ""), (.undo, "ued-undo", ""), (.redo, "ued-redo", "_"),
    (.up, "ed-prev-history", "[A OA"), (.down, "ed-next-history", "[B OB"),
    (.left, "ed-prev-char", "[D OD"), (.right, "ed-next-char", "[C OC"),
  ]

  /// The sequences that terminals send for the keys, without the escape at the beginning.
  static let sequences: [(bytes: [UInt8], key: TerminalKey)] = table.flatMap { row in
    row.sequences.split(separator: " ").map { (Array($0.utf8), row.key) }
  }

  /// Additional bindings for the emacs key map, where a binding may begin with an escape.
  static let emacsBindings: [(keys: String, function: String)] =
    table.flatMap { row in
      row.sequences.split(separator: " ").map { ("\\e" + $0, row.function) }
    } + [
      ("\\e\\e[C", "em-next-word"), ("\\e\\e[D", "ed-prev-word"),
      ("\\e[5~", "ed-search-prev-history"), ("\\e[6~", "ed-search-next-history"),
      ("\\e[2~", "em-toggle-overwrite"), ("\\e[3;5~", "em-delete-next-word"),
    ]

  /// The bindings for the key maps of both emacs and vi; keys are written as in libedit's settings.
  static let bindings: [(keys: String, function: String)] =
    table.map { ("\\" + String($0.key.rawValue, radix: 8), $0.function) } + [
      ("\t", "ued-complete"), ("^W", "ed-delete-prev-word"), ("^_", "ued-undo"),
    ]
}
