import Differential
import Glibc
import Testing

@testable import ued

/// Typed sequences without a meaning for the line editor.
@Suite struct ControlSequenceTests {
  /// A random complete sequence without a binding.
  private static func sequence(_ random: inout SeededGenerator) -> String {
    func characters(_ set: String, _ count: Int) -> String {
      String((0..<count).map { _ in random.pick(Array(set)) })
    }
    let sequence: String
    switch random.below(8) {
    case 0, 1:
      let parameters =
        random.pick(["", "?", ">", "<", "="]) + characters("0123456789;:", random.below(8))
      let final = random.pick(
        Array("@ABCDEFGHIJKLNOPQRSTUVWXYZ\\]^_`abcdefghijklmnopqrstvwxyz{|}~"))
      sequence =
        "\u{1B}[" + parameters + characters(" !#%&'()*+-./", random.below(2)) + String(final)
    case 2: sequence = "\u{1B}O" + characters("PQRSEGIJKLMNTUVWXYZjklmnopqrstuvwxy", 1)
    case 3: sequence = "\u{1B}[M" + characters(" !#%()azAZ~@", 3)
    case 4:
      sequence =
        "\u{1B}[<\(random.below(70));\(random.below(300));\(random.below(99))"
        + random.pick(["M", "m"])
    case 5: sequence = random.pick(["\u{1B}[I", "\u{1B}[O", "\u{1B}[?1;2c", "\u{1B}[0n"])
    case 6: sequence = "\u{1B}[\(random.pick([1, 5, 6, 13, 24]));\(2 + random.below(7))~"
    default:
      let content = characters("abcXYZ0189;:/?=+,[]{}é日 \t", 1 + random.below(20))
      let introducer = random.pick(["]", "P", "_", "^", "X"])
      sequence = "\u{1B}" + introducer + content + random.pick(["\u{7}", "\u{1B}\\"])
    }
    return TerminalKey.sequences[Array(sequence.utf8)] == nil ? sequence : "\u{1B}[15~"
  }

  @Test(arguments: seeds(2), ["", "ued:bind -v\n"])
  func `random sequences change nothing`(seed: UInt64, settings: String) {
    var random = SeededGenerator(seed: seed)
    let session = TerminalSession(["f"], files: ["f": "", ".editrc": settings])
    session.at("0: ", type: "a\r")
    var expected = ""
    for number in 1...50 {
      session.sees("\(number)> ")
      let sequence = Self.sequence(&random)
      let typed = "é" + sequence + "\(number)"
      if settings.isEmpty {
        // In pieces, as a slow line brings it.
        for scalar in typed.unicodeScalars { session.type(String(scalar)) }
      } else {
        // A pause would make the escape a key of vi.
        session.type(typed)
      }
      session.type("\r")
      expected += "é\(number)\n"
    }
    session.play("51> .\r", ": w\r", "\r\n50: q\r", ends: 0, leaves: expected)
  }

  @Test func `a late end of a sequence is not inserted as text`() {
    let session = TerminalSession(["f"], files: ["f": ""])
    session.play("0: a\r", "1> a\u{1B}")
    session.settle()
    session.type("[1;")
    session.settle()
    session.play("¦2Db\r", "2> .\r", "1*: p\r", "ab\r\n")
  }

  @Test func `sequences that the settings bind reach the editor`() {
    let settings = "ued:bind \"\\e[15~\" ed-move-to-beg\nued:bind \"\\e[A\" ed-move-to-beg\n"
    TerminalSession(["f"], files: ["f": "", ".editrc": settings]).play(
      "0: a\r", "1> b\u{1B}[15~a\u{1B}[Fc\r", "2> b\u{1B}[Aa\r", "3> .\r", "2*: ,p\r",
      "\nabc\r\nab\r\n")
  }

  @Test func `a coded Ctrl-C interrupts, and ^V quotes keys`() {
    TerminalSession(["f"], files: ["f": ""]).play(
      "0: a\r", "1> x\u{16}\u{1B}[A\u{1B}[97u\u{1B}[97;5u>\r", "2> y\u{1B}[99;5u", "1*: w\r",
      "\n1: ", leaves: ">x\u{1B}[Aa\n")
  }

  @Test func `control characters of eight bits do nothing`() {
    TerminalSession(["f"], files: ["f": ""]).play(
      "0: a\r", "1> a\u{90}\u{81}\u{9B}b\u{97}\r", "2> .\r", "1*: w\r", "\n1: ", leaves: "ab\n")
  }
}
