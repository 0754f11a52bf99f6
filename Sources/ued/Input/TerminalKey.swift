/// Keys that reach libedit as one character each: control characters that no keyboard sends and that
/// none of its key maps binds.
enum TerminalKey: UInt8, CaseIterable {
  case home = 0x81
  case end, deleteNext, previousWord, nextWord
  /// The start of a paste.
  case paste = 0x90
  /// Inserts the draft of the line.
  case draft, undo, redo, up, down, left, right

  /// The function that the key calls.
  var function: String {
    switch self {
    case .home: "ed-move-to-beg"
    case .end: "ued-end"
    case .deleteNext: "ed-delete-next-char"
    case .previousWord: "ed-prev-word"
    case .nextWord: "em-next-word"
    case .paste: "ued-paste"
    case .draft: "ued-draft"
    case .undo: "ued-undo"
    case .redo: "ued-redo"
    case .up: "ed-prev-history"
    case .down: "ed-next-history"
    case .left: "ed-prev-char"
    case .right: "ed-next-char"
    }
  }

  /// The key in the notation of libedit's settings.
  var binding: String { "\\" + String(rawValue, radix: 8) }

  /// The sequences that terminals send for the keys, without the escape at the beginning.
  static let sequences: [(bytes: [UInt8], key: TerminalKey)] = table.flatMap { key, sequences in
    sequences.split(separator: " ").map { (Array($0.utf8), key) }
  }

  private static let table: [(TerminalKey, String)] = [
    (.paste, "[200~"), (.redo, "_"),
    (.up, "[A OA"), (.down, "[B OB"), (.right, "[C OC"), (.left, "[D OD"),
    (.home, "[H OH [1~ [7~"), (.end, "[F OF [4~ [8~"), (.deleteNext, "[3~"),
    (.nextWord, "[1;5C [1;3C Oc [5C"), (.previousWord, "[1;5D [1;3D Od [5D"),
  ]

  /// Additional bindings for the emacs key map, where a binding may begin with an escape.
  static let emacsBindings: [(keys: String, function: String)] =
    sequences.map { ("\\e" + String(decoding: $0.bytes, as: UTF8.self), $0.key.function) } + [
      ("\\e\\e[C", "em-next-word"), ("\\e\\e[D", "ed-prev-word"),
      ("\\e[5~", "ed-search-prev-history"), ("\\e[6~", "ed-search-next-history"),
      ("\\e[2~", "em-toggle-overwrite"), ("\\e[3;5~", "em-delete-next-word"),
    ]

  /// The bindings for the key maps of both emacs and vi.
  static let bindings: [(keys: String, function: String)] =
    allCases.map { ($0.binding, $0.function) } + [
      ("\t", "ued-complete"), ("^W", "ed-delete-prev-word"), ("^_", "ued-undo"),
    ]
}
