import Differential
import Testing

@testable import ued

/// Shown bytes from any source have no effect on the terminal.
@Suite struct TerminalAttackTests {
  /// The first output that is not in visible form, with the bytes before it. Lines end with CR LF.
  private static func obeyed(in shown: [UInt8]) -> [String] {
    let shown = shown.filter { $0 != 13 }
    let visible = VisibleText.of(shown)
    guard let place = zip(shown, visible).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return []
    }
    return [
      String(decoding: visible[..<place].suffix(100) + shown[place...].prefix(9), as: UTF8.self)
    ]
  }

  /// A session at a terminal without echo, and without sequences from ued.
  private static func session(_ arguments: [String] = ["f"]) -> TerminalSession {
    let folder = TemporaryFolder()
    folder["f"] = TerminalAttack.text
    folder["plain"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(arguments, in: folder)
    session.stopEcho()
    return session
  }

  /// Types a command, each byte taken literally, and waits until it is done.
  private static func enter(_ command: [UInt8], at session: TerminalSession) {
    let mark = "after-\(session.written.count)."
    // ^V; the newline ends the command.
    session.type(command.flatMap { [0x16, $0] } + [0x0A])
    session.play("¦help \(mark)\n", "\(mark)¦")
  }

  @Test
  func `promise 20: no command that prints a text, and no message about it, acts on the terminal`()
  {
    let session = Self.session()
    for command in [
      ",p", ",n", "1z", "f", "1,$s/$/ x/", "diff", "history", "history all", "history json",
      "diff undo", "undo", "redo", ",l", "1;/x/p", "g/x/p", "g/./n", "help history", "jump 0",
      "!true %", "help",
    ] {
      Self.enter(Array(command.utf8), at: session)
    }
    session.play("¦G/x/\n", "? Q\n")
    _ = session.ending()
    #expect(Self.obeyed(in: session.written) == [])
    #expect(session.shown().contains("^[]52;c;cm0gLXJm^G\n"))
  }

  /// Strict runs and scripts show their output in visible form at a terminal; only -G does not.
  @Test(arguments: [
    ["-s", "-e", ",p"], ["--diff", "-e", ",d"], ["-s", "-e", ",n"], ["-E", "-s"],
  ])
  func `promise 20: no output of a script acts on a terminal`(_ options: [String]) {
    let folder = TemporaryFolder()
    folder["f"] = TerminalAttack.text
    let session = TerminalSession(
      options + ["f"], environment: ["TERM": "dumb", "NO_COLOR": "1"], in: folder)
    if options == ["-E", "-s"] { session.type(",p\n,n\nQ\n") }
    _ = session.ending()
    #expect(session.written.count > 100)
    #expect(Self.obeyed(in: session.written) == [])
    #expect(session.shown().contains("^[]52;c;cm0gLXJm^G"))
  }

  @Test func `a name with a newline stays on one line in --log and --search`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      name=$'f\\n999999999999  2020-01-01 00:00:00  x  1'; printf 'a\\nb\\n' >"$name"
      "$UED" -i --history=on --run=r -e 1d "$name"
      "$UED" --log >log; test $(wc -l <log) = 3; "$UED" --search=Delete >found; test $(wc -l <found) = 1
      ! grep -q ^9 log found
      """)
  }

  @Test func `a message that repeats typed bytes has no effect on the terminal`() {
    let session = Self.session(["plain"])
    for attack in TerminalAttack.all where !attack.bytes.contains(0x0A) {
      for command in [
        "/@/", "jump @", "help @", "name @", "@", "r @", "w ./none/@", "f @", "f",
        "s/o/@/", "history", "history /@/", "history @", "'@", "1,@p", "undo @", "!: '%' '@'",
        "begin @", "abort", "diff @", "e @", "k@",
      ] {
        let typed = command.utf8.flatMap {
          $0 == UInt8(ascii: "@") ? attack.bytes + [UInt8(ascii: ".")] : [$0]
        }
        Self.enter(typed, at: session)
      }
      if session.hasFailed { Issue.record("\(attack.purpose)") }
    }
    session.type("Q\n")
    _ = session.ending()
    #expect(Self.obeyed(in: session.written) == [])
  }

  @Test func `file names, prompts and completions don't act on the terminal`() {
    let name = "a\u{1B}]0;t\u{7}\u{9B}6n\u{202E}"
    for environment in [["TERM": "dumb"], [:]] {
      let session = TerminalSession(
        ["-p", "\u{1B}[6n> ", name],
        files: [name: "one\n", "b\u{9B}6n": "two\n", "b\u{9B}7n": "two\n"],
        environment: environment.merging(["NO_COLOR": "1"]) { $1 })
      session.play(
        "a^[]0;t^G<9b>6n<U+202E>: 1 line, 4 bytes\r\n", "^[[6n> ¦f\r", "a^[]0;t^G<9b>6n<U+202E>\r\n"
      )
      if environment.isEmpty {
        session.play("> r b\t\t", "b<9b>6n  b<9b>7n\r\n¦\u{15}")
      }
      session.type("Q\r")
      _ = session.ending()
      if !environment.isEmpty { #expect(Self.obeyed(in: session.written) == []) }
    }
  }

  @Test func `with colours, nothing but ued's own sequences is sent`() {
    let folder = TemporaryFolder()
    folder["f"] = TerminalAttack.text
    let session = TerminalSession(["f"], in: folder)
    for command in [",p", ",n", "1z", "1,9s/$/ x/", "diff", "history", "g/[0-9x]/p", "1;/[^a]/p"] {
      session.play(": \(command)\r", "\r\n")
    }
    session.type("Q\r")
    _ = session.ending()
    var shown = String(decoding: session.written, as: UTF8.self)
    shown.replace(#/\u{1B}\[(\?2004[hl]|0m|1m|3[1236]m|1;31m)/#, with: "")
    #expect(Self.obeyed(in: Array(shown.utf8)) == [])
    #expect(shown.contains("^[]52;c;cm0gLXJm^G"))
  }

  @Test func `ued -G, and a script, print bytes as they are`() {
    let sandbox = Sandbox()
    sandbox["f"] = TerminalAttack.text
    #expect(sandbox.edit(["-s", "f"], Array(",p\n".utf8)) == TerminalAttack.text)
    let session = TerminalSession(["-G", "-s", "f"], in: sandbox)
    session.type(",p\rQ\r")
    _ = session.ending()
    for attack in TerminalAttack.all where !attack.bytes.contains(where: { $0 == 10 || $0 == 13 }) {
      #expect(session.written.contains(attack.bytes), "\(attack.purpose)")
    }
  }
}

/// Bytes of a text or a file name that can drive a terminal.
struct TerminalAttack {
  /// The purpose of the bytes.
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
    TerminalAttack("cursor report", "\u{1B}[6n"), TerminalAttack("device attributes", "\u{1B}[c"),
    TerminalAttack("secondary attributes", "\u{1B}[>c"),
    TerminalAttack("terminal version", "\u{1B}[>q"), TerminalAttack("status report", "\u{1B}[5n"),
    TerminalAttack("mode report", "\u{1B}[?2026$p"), TerminalAttack("title report", "\u{1B}[21t"),
    TerminalAttack("icon report", "\u{1B}[20t"), TerminalAttack("window size", "\u{1B}[8;2;2t"),
    TerminalAttack("window away", "\u{1B}[2t"), TerminalAttack("title stack", "\u{1B}[22;0t"),
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
    TerminalAttack("start of string", "\u{1B}Xtext\u{1B}\\"), TerminalAttack("reset", "\u{1B}c"),
    TerminalAttack("soft reset", "\u{1B}[!p"), TerminalAttack("end of paste", "\u{1B}[201~\nq\n"),
    TerminalAttack("keyboard of kitty", "\u{1B}[>1u"), TerminalAttack("mouse", "\u{1B}[?1003h"),
    TerminalAttack("alternate screen", "\u{1B}[?1049h"),
    TerminalAttack("hidden text", "\u{1B}[8mhidden"), TerminalAttack("local printer", "\u{1B}[5i"),
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
