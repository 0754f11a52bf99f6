/// Bytes with which a text, or the name of a file, can drive a terminal.
struct TerminalAttack {
  /// What the bytes are for.
  var purpose: String
  var bytes: [UInt8]

  private init(_ purpose: String, _ text: String) {
    (self.purpose, bytes) = (purpose, Array(text.utf8))
  }

  private init(_ purpose: String, raw bytes: [UInt8], _ text: String = "") {
    (self.purpose, self.bytes) = (purpose, bytes + text.utf8)
  }

  /// The best-known ones.
  static let all = [
    TerminalAttack("cursor report", "\u{1B}[6n"),
    TerminalAttack("device attributes", "\u{1B}[c"),
    TerminalAttack("secondary attributes", "\u{1B}[>c"),
    TerminalAttack("terminal version", "\u{1B}[>q"),
    TerminalAttack("status report", "\u{1B}[5n"),
    TerminalAttack("mode report", "\u{1B}[?2026$p"),
    TerminalAttack("title report", "\u{1B}[21t"),
    TerminalAttack("icon report", "\u{1B}[20t"),
    TerminalAttack("window size", "\u{1B}[8;2;2t"),
    TerminalAttack("window away", "\u{1B}[2t"),
    TerminalAttack("title stack", "\u{1B}[22;0t"),
    TerminalAttack("title", "\u{1B}]0;title\u{7}"),
    TerminalAttack("title, ended by ST", "\u{1B}]2;title\u{1B}\\"),
    TerminalAttack("palette", "\u{1B}]4;1;?\u{7}"),
    TerminalAttack("folder", "\u{1B}]7;file:///\u{7}"),
    TerminalAttack("link", "\u{1B}]8;;http://x/\u{1B}\\text\u{1B}]8;;\u{1B}\\"),
    TerminalAttack("notice", "\u{1B}]9;notice\u{7}"),
    TerminalAttack("foreground", "\u{1B}]10;?\u{7}"),
    TerminalAttack("log file", "\u{1B}]46;/tmp/log\u{7}"),
    TerminalAttack("font", "\u{1B}]50;?\u{7}"),
    TerminalAttack("clipboard", "\u{1B}]52;c;cm0gLXJm\u{7}"),
    TerminalAttack("clipboard report", "\u{1B}]52;c;?\u{7}"),
    TerminalAttack("notice of urxvt", "\u{1B}]777;notify;a;b\u{7}"),
    TerminalAttack("file of iTerm2", "\u{1B}]1337;File=name=eA==:eA==\u{7}"),
    TerminalAttack("setting report", "\u{1B}P$q\"p\u{1B}\\"),
    TerminalAttack("capability report", "\u{1B}P+q544e\u{1B}\\"),
    TerminalAttack("macro", "\u{1B}P1;1;1!z6c73\u{1B}\\"),
    TerminalAttack("picture in sixels", "\u{1B}Pq#0;2;0;0;0~\u{1B}\\"),
    TerminalAttack("picture of kitty", "\u{1B}_Ga=T,f=100;eA==\u{1B}\\"),
    TerminalAttack("tmux", "\u{1B}Ptmux;\u{1B}\u{1B}]0;t\u{7}\u{1B}\\"),
    TerminalAttack("title of screen", "\u{1B}ktitle\u{1B}\\"),
    TerminalAttack("privacy message", "\u{1B}^text\u{1B}\\"),
    TerminalAttack("start of string", "\u{1B}Xtext\u{1B}\\"),
    TerminalAttack("reset", "\u{1B}c"),
    TerminalAttack("soft reset", "\u{1B}[!p"),
    TerminalAttack("end of paste", "\u{1B}[201~\nq\n"),
    TerminalAttack("keyboard of kitty", "\u{1B}[>1u"),
    TerminalAttack("mouse", "\u{1B}[?1003h"),
    TerminalAttack("alternate screen", "\u{1B}[?1049h"),
    TerminalAttack("hidden text", "\u{1B}[8mhidden"),
    TerminalAttack("local printer", "\u{1B}[5i"),
    TerminalAttack("answerback", "\u{5}"),
    TerminalAttack("other character sets", "\u{E}text\u{F}\u{1B}(0"),
    TerminalAttack("overwriting", "rm -rf\r      \u{8}\u{8}\u{8}ls"),
    TerminalAttack("deleting a line", "text\u{1B}[2K\u{1B}[1A"),
    TerminalAttack("bell, form feed, cancel", "\u{7}\u{C}\u{B}\u{18}\u{1A}\u{7F}"),
    TerminalAttack("CSI as a byte", raw: [0x9B], "6n"),
    TerminalAttack("CSI as a character", "\u{9B}6n"),
    TerminalAttack("OSC as a byte", raw: [0x9D], "0;title\u{7}"),
    TerminalAttack("OSC as a character", "\u{9D}0;title\u{9C}"),
    TerminalAttack("DCS as a byte", raw: [0x90], "$q\"p\u{9C}"),
    TerminalAttack("DCS as a character", "\u{90}$q\"p\u{9C}"),
    TerminalAttack("cut character before an escape", raw: [0xE6, 0x97], "\u{1B}[6n"),
    TerminalAttack("overlong escape", raw: [0xC0, 0x9B], "[6n"),
    TerminalAttack("right to left", "x = \u{202E}cba\u{202C} \u{2067}fed\u{2069}"),
  ]

  /// All bytes there are, in order.
  static let allBytes = (0...255).map { UInt8($0) }

  /// The lines of a text with all attacks and all bytes.
  static let text = all.flatMap { $0.bytes + [0x0A] } + allBytes + [0x0A]
}
