/// Keys that the line editor is told of as one character each: control characters that no keyboard
/// has, and that are free in all its sets of keys.
enum TerminalKey: UInt8, CaseIterable {
  case home = 0x81
  case end, deleteNext, previousWord, nextWord
  /// A paste begins.
  case paste = 0x90
  /// The draft of the line.
  case draft, undo, redo, up, down, left, right

  /// The function that the key is bound to.
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

  /// How the settings of the line editor write the key.
  var binding: String { "\\" + String(rawValue, radix: 8) }

  /// What terminals send for the keys, without the escape that all of it begins with.
  static let sequences: [(bytes: [UInt8], key: TerminalKey)] = table.flatMap { key, sequences in
    sequences.split(separator: " ").map { (Array($0.utf8), key) }
  }

  private static let table: [(TerminalKey, String)] = [
    (.paste, "[200~"), (.redo, "_"),
    (.up, "[A OA"), (.down, "[B OB"), (.right, "[C OC"), (.left, "[D OD"),
    (.home, "[H OH [1~ [7~"), (.end, "[F OF [4~ [8~"), (.deleteNext, "[3~"),
    (.nextWord, "[1;5C [1;3C Oc [5C"), (.previousWord, "[1;5D [1;3D Od [5D"),
  ]

  /// Further bindings of the keys of emacs, which has one set, in which an escape may begin a key.
  static let emacsBindings: [(keys: String, function: String)] =
    sequences.map { ("\\e" + String(decoding: $0.bytes, as: UTF8.self), $0.key.function) } + [
      ("\\e\\e[C", "em-next-word"), ("\\e\\e[D", "ed-prev-word"),
      ("\\e[5~", "ed-search-prev-history"), ("\\e[6~", "ed-search-next-history"),
      ("\\e[2~", "em-toggle-overwrite"), ("\\e[3;5~", "em-delete-next-word"),
    ]

  /// Bindings of both sets of keys.
  static let bindings: [(keys: String, function: String)] =
    allCases.map { ($0.binding, $0.function) } + [
      ("\t", "ued-complete"), ("^W", "ed-delete-prev-word"), ("^_", "ued-undo"),
    ]
}
