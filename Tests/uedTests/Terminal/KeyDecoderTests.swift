import Differential
import Testing

@testable import ued

/// The keys that are found in the bytes of a terminal.
@Suite struct KeyDecoderTests {
  /// The keys in bytes that arrive without a pause.
  private static func keys(_ typed: String, isVi: Bool = false) -> [TypedKey] {
    var decoder = KeyDecoder(escapeIsKey: isVi)
    return typed.utf8.flatMap { decoder.take($0) }
  }

  private static func bytes(_ text: String) -> [TypedKey] { text.utf8.map { .byte($0) } }

  @Test(
    arguments: [
      ("\u{1B}[A", .older), ("\u{1B}OA", .older), ("\u{1B}[6~", .newer), ("\u{1B}[200~", .paste),
      ("\u{1B}[1;5D", .previousWord), ("\u{1B}\u{1B}[C", .nextWord), ("\u{1B}[3~", .deleteNext),
    ] as [(String, TerminalKey)], [true, false])
  func `known sequences are keys`(sequence: (typed: String, key: TerminalKey), isVi: Bool) {
    #expect(Self.keys(sequence.typed + "x", isVi: isVi) == [.key(sequence.key), .byte(0x78)])
  }

  @Test(arguments: [
    "\u{1B}[1;2D", "\u{1B}[15~", "\u{1B}[I", "\u{1B}[O", "\u{1B}[<0;12;3M", "\u{1B}[M !!",
    "\u{1B}[24;80R", "\u{1B}[?62;c", "\u{1B}[[A", "\u{1B}[3$", "\u{1B}[?2026;2$y", "\u{1B}OP",
    "\u{1B}O5A", "\u{1B}[Z", "\u{1B}\u{1B}[15~",
  ])
  func `unknown sequences are found whole`(sequence: String) {
    #expect(Self.keys(sequence + "x") == [.sequence(Array(sequence.utf8)), .byte(0x78)])
  }

  @Test(arguments: [
    "\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}]52;c;x\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
    "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}^x\u{1B}\\", "\u{1B}Xx\u{1B}\\", "\u{1B}_\u{7}",
  ])
  func `control strings are dropped whole`(sequence: String) {
    #expect(Self.keys(sequence + "x") == [.byte(0x78)])
  }

  @Test(arguments: [
    ("\u{1B}[97u", "a"), ("\u{1B}[97;2u", "A"), ("\u{1B}[97:65;2u", "A"), ("\u{1B}[97;5u", "\u{1}"),
    ("\u{1B}[27;5;97~", "\u{1}"), ("\u{1B}[27;2;33~", "!"), ("\u{1B}[233u", "é"),
    ("\u{1B}[98;3u", "\u{1B}b"), ("\u{1B}[13;2u", "\r"), ("\u{1B}[47;5u", "\u{1F}"),
    ("\u{1B}[127;1u", "\u{7F}"), ("\u{1B}[97;1:3u", ""), ("\u{1B}[0;;229u", "å"),
    ("\u{1B}[57358u", ""), ("\u{1B}[49;5u", ""), ("\u{1B}[9;2u", ""), ("\u{1B}[97;9u", ""),
    ("\u{1B}[0u", ""), ("\u{1B}[97;65u", "a"), ("\u{1B}[97;69u", "\u{1}"),
  ])
  func `coded keys give the bytes of plain keys`(sequence: String, typed: String) {
    #expect(Self.keys(sequence) == Self.bytes(typed))
  }

  @Test func `an abandoned sequence swallows none of the following bytes`() {
    var decoder = KeyDecoder()
    #expect("\u{1B}[200".utf8.flatMap { decoder.take($0) } == [])
    #expect(decoder.giveUp() == Array("\u{1B}[200".utf8))
    #expect("p\r".utf8.flatMap { decoder.take($0) } == Self.bytes("p\r"))
  }

  @Test func `coded keys can interrupt and stop`() {
    #expect(Self.keys("\u{1B}[99;5u\u{1B}[27;5;122~") == [.interrupt, .stop])
  }

  @Test func `bytes outside of sequences are unchanged`() {
    for typed in ["é\u{7F}\r", "\u{1B}b", "\u{1B}\u{1B}b", "\u{1B}é", "\u{1B}\r", "\u{9B}1m"] {
      #expect(Self.keys(typed) == Self.bytes(typed))
    }
    // An invalid sequence is dropped, but not the next byte.
    #expect(Self.keys("\u{1B}[1;\rx") == Self.bytes("\rx"))
    #expect(Self.keys("\u{1B}[1\u{1B}[A") == [.key(.older)])
    #expect(Self.keys("\u{1B}]x\u{1B}[A") == [.key(.older)])
  }

  @Test func `an escape alone is a key of vi, and nothing in emacs`() {
    var emacs = KeyDecoder()
    #expect(emacs.take(0x1B) == [])
    #expect(emacs.patience == 100)
    #expect(emacs.timeOut() == [])
    var late = emacs
    #expect(":".utf8.flatMap { emacs.take($0) } == Self.bytes(":"))
    #expect("[A".utf8.flatMap { late.take($0) } == [.key(.older)])
    var vi = KeyDecoder(escapeIsKey: true)
    #expect(vi.take(0x1B) == [])
    #expect(vi.patience ?? 1000 <= 50)
    #expect(vi.timeOut() == [.byte(0x1B)])
    #expect(vi.take(0x69) == [.byte(0x69)])
    #expect(vi.patience == nil)
    // The rest of a sequence may be late.
    #expect(vi.take(0x1B) == [])
    #expect(vi.timeOut() == [.byte(0x1B)])
    #expect("[1;2D".utf8.flatMap { vi.take($0) } == [.sequence(Array("\u{1B}[1;2D".utf8))])
    #expect(vi.take(0x1B) == [])
    #expect(vi.timeOut() == [.byte(0x1B)])
    #expect(vi.timeOut() == [])
    #expect(vi.take(UInt8(ascii: "[")) == [.byte(UInt8(ascii: "["))])
  }

  @Test func `a sequence may pause, but not forever`() {
    var decoder = KeyDecoder()
    #expect("\u{1B}[1;".utf8.flatMap { decoder.take($0) } == [])
    #expect(decoder.patience ?? 0 >= 1000)
    #expect("2D".utf8.flatMap { decoder.take($0) }.count == 1)
    #expect("\u{1B}]x".utf8.flatMap { decoder.take($0) } == [])
    #expect(decoder.timeOut() == [])
    #expect(decoder.take(0x78) == [.byte(0x78)])
  }

  @Test func `Alt and underscore is a key, unless more follows at once`() {
    var decoder = KeyDecoder()
    #expect("\u{1B}_".utf8.flatMap { decoder.take($0) } == [])
    #expect(decoder.patience ?? 1000 <= 200)
    #expect(decoder.timeOut() == [.key(.redo)])
    #expect("\u{1B}_\u{1B}_".utf8.flatMap { decoder.take($0) } == [.key(.redo)])
    #expect(decoder.timeOut() == [.key(.redo)])
    #expect("\u{1B}P".utf8.flatMap { decoder.take($0) } == [])
    #expect(decoder.timeOut() == Self.bytes("\u{1B}P"))
  }

  @Test func `keys that the settings bind anew are not ours`() {
    var decoder = KeyDecoder(rebound: [Array("\u{1B}[A".utf8)])
    #expect("\u{1B}[A".utf8.flatMap { decoder.take($0) } == [.sequence(Array("\u{1B}[A".utf8))])
  }
}
