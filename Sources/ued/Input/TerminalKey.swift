/// Keys that reach libedit as one character each: control characters that no keyboard sends and that
/// none of its key maps binds.
enum TerminalKey: UInt8, CaseIterable {
  case home = 0x81
  case end, deleteNext, previousWord, nextWord, deleteWord, overwrite
  /// The start of a paste.
  case paste = 0x90
  /// Inserts the draft of the line.
  case draft
  case undo, redo, older, newer, left, right
  /// libedit's own function for the next key literally.
  case quoted
  /// Ends the line, whatever the settings have bound to a newline.
  case enter

  /// The function that each key calls, and the sequences that terminals send for it, without the escape
  /// at the beginning.
  private static let table: [(key: TerminalKey, function: String, sequences: String)] = [
    (.home, "ed-move-to-beg", "[H OH [1~ [7~"), (.end, "ued-end", "[F OF [4~ [8~"),
    (.deleteNext, "ed-delete-next-char", "[3~"), (.deleteWord, "em-delete-next-word", "[3;5~"),
    (.previousWord, "ed-prev-word", "[1;5D [1;3D Od [5D \u{1B}[D \u{1B}OD"),
    (.nextWord, "em-next-word", "[1;5C [1;3C Oc [5C \u{1B}[C \u{1B}OC"),
    (.overwrite, "em-toggle-overwrite", "[2~"), (.paste, "ued-paste", "[200~"),
    (.draft, "ued-draft", ""), (.undo, "ued-undo", ""), (.redo, "ued-redo", "_"),
    (.older, "ued-older", "[A OA [5~"), (.newer, "ued-newer", "[B OB [6~"),
    (.left, "ed-prev-char", "[D OD"), (.right, "ed-next-char", "[C OC"),
    (.quoted, "ed-quoted-insert", ""), (.enter, "ed-newline", ""),
  ]

  /// The sequences that terminals send for the keys, each from its first escape on.
  static let sequences: [[UInt8]: TerminalKey] = Dictionary(
    uniqueKeysWithValues: table.flatMap { row in
      row.sequences.split(separator: " ").map { ([0x1B] + Array($0.utf8), row.key) }
    })

  /// The key that a sequence means, if any.
  init?(sequence: [UInt8]) {
    guard let key = Self.sequences[sequence] else { return nil }
    self = key
  }

  /// The key as it is written in libedit's settings.
  var setting: String { "\\" + String(rawValue, radix: 8) }

  /// The bindings for the key maps of both emacs and vi; keys are written as in libedit's settings.
  static let bindings: [(keys: String, function: String)] =
    table.map { ($0.key.setting, $0.function) } + [
      ("\t", "ued-complete"), ("^W", "ed-delete-prev-word"), ("^_", "ued-undo"),
      ("^R", "ued-search"), ("^S", "ued-search-forward"), ("^P", "ued-older"),
      ("^N", "ued-newer"), ("^L", "ued-clear"), ("^V", "ued-quote"),
    ]

  /// Further bindings for the emacs key map.
  static let emacsBindings: [(keys: String, function: String)] = [
    ("^Q", "ued-escape"), ("\\ex", "ued-escape"), ("\\eX", "ued-escape"), ("\\ep", "ued-older"),
    ("\\eP", "ued-older"), ("\\en", "ued-newer"),
    ("\\eN", "ued-newer"), ("\\e_", "ued-redo"),
  ]

  /// Further bindings for the commands of vi.
  static let viBindings: [(keys: String, function: String)] = [
    ("\\e", "ued-escape"), ("k", "ued-previous"), ("\\055", "ued-previous"), ("j", "ued-next"),
    ("+", "ued-next"), (":", "ued-escape"), ("v", "ued-escape"),
    ("/", "ued-fetch"), ("?", "ued-fetch-forward"), ("n", "ued-search-again"),
    ("N", "ued-search-back"), ("U", "ued-restore"),
  ]
}
