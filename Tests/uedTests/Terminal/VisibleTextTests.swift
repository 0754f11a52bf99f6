import Differential
import Testing

@testable import ued

/// The visible form of bytes.
@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain\ttext, é 日本 👩‍💻\n", "plain\ttext, é 日本 👩‍💻\n"),
    ("\u{1B}[31m\u{7}\r\u{0}\u{7F}", "^[[31m^G^M^@^?"),
    ("a\u{85}\u{9B}6n\u{9F}\u{A0}", "a<85><9b>6n<9f>\u{A0}"),
    ("if \u{202E}x\u{2066} y\u{2069}\u{200F}", "if <U+202E>x<U+2066> y<U+2069>\u{200F}"),
    ("\u{202A}\u{2029}\u{202F}\u{2065}\u{206A}", "<U+202A>\u{2029}\u{202F}\u{2065}\u{206A}"),
  ])
  func `control characters of a terminal are made visible`(text: String, shown: String) {
    #expect(VisibleText.of(text) == shown)
    #expect(VisibleText.of(shown) == shown)
  }

  @Test(
    arguments: [
      ([0xFF, 0x41], "<ff>A"), ([0x9B, 0x36, 0x6E], "<9b>6n"), ([0xC0, 0xAF], "<c0><af>"),
      ([0xE6, 0x97], "<e6><97>"), ([0xED, 0xA0, 0x80], "<ed><a0><80>"), ([0xC2], "<c2>"),
      ([0xE2, 0x80, 0x41], "<e2><80>A"), ([0xF4, 0x90, 0x80, 0x80], "<f4><90><80><80>"),
      ([0xE6, 0xC2, 0x9B, 0x1B], "<e6><9b>^["), ([0xF0, 0x9F, 0x1B, 0x5B], "<f0><9f>^[["),
      // As in files of Latin-1.
      ([0xE9, 0x0A], "<e9>\n"), ([0xE9, 0x73], "<e9>s"), ([0xF0, 0x20, 0x0A], "<f0> \n"),
      ([0xF1, 0x80, 0x0A], "<f1><80>\n"), ([0xDF, 0xDF], "<df><df>"),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are shown one by one`(bytes: [UInt8], shown: String) {
    #expect(String(decoding: VisibleText.of(bytes), as: UTF8.self) == shown)
  }

  @Test(arguments: 0..<200)
  func `text in blocks of any size gets the same form, without control bytes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0x1B], [0x9B], [0xC2, 0x9B], [0xE2, 0x80, 0xAE], Array("日".utf8), Array("👩".utf8), [0xE6],
      [0xF0], Array("plain text, longer than a vector".utf8), [0x0A], [0x09], [0xC2], [0x00],
    ]
    let bytes = (0..<20).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
    let whole = VisibleText.of(bytes)
    #expect(!whole.contains { ($0 < 0x20 && $0 != 9 && $0 != 10) || $0 == 0x7F })
    #expect(whole.count { $0 == 10 } == bytes.count { $0 == 10 })
    let text = String(validating: whole, as: UTF8.self)
    #expect(text?.unicodeScalars.contains { VisibleText.replaces($0) } == false)
    var (shown, visible, rest) = ([UInt8](), VisibleText(), bytes[...])
    while !rest.isEmpty {
      let block = Array(rest.prefix(Int.random(in: 1...4, using: &random)))
      rest = rest.dropFirst(block.count)
      visible.append(block.span.bytes, to: &shown)
    }
    visible.end(&shown)
    #expect(shown == whole)
  }
}
