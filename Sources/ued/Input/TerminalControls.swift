import CEdit
import Glibc

/// The control sequences of a terminal that line editing needs.
///
/// SAFETY: the strings of libtinfo are copied before its next call; the buffer that they are written to
/// is larger than any entry of the database.
@safe struct TerminalControls: Sendable {
  var up = Array("\u{1B}[A".utf8)
  var right = Array("\u{1B}[C".utf8)
  /// From the cursor to the end of its row, and to the end of the screen.
  var clearLine = Array("\u{1B}[K".utf8)
  var clearScreen = Array("\u{1B}[J".utf8)
  /// The whole screen, with the cursor in its first row.
  var clearAll = Array("\u{1B}[H\u{1B}[2J".utf8)
  /// Around `^A` and `<200d>` where they describe a character.
  var descriptions: (start: [UInt8], end: [UInt8]) = ([], [])

  /// The sequences of most terminals.
  init() {}

  /// Those of the terminal that TERM names; nil if it is dumb, unknown, or lacks one.
  init?(ofTerminal name: [UInt8]) {
    guard !name.isEmpty, name != Array("dumb".utf8),
      unsafe tgetent(nil, name.map(CChar.init(bitPattern:)) + [0]) == 1,
      unsafe tgetflag("am") == 1,
      let up = Self.sequence("up"), let right = Self.sequence("nd"),
      let clearLine = Self.sequence("ce"), let clearScreen = Self.sequence("cd"),
      let clearAll = Self.sequence("cl")
    else { return nil }
    (self.up, self.right, self.clearLine) = (up, right, clearLine)
    (self.clearScreen, self.clearAll) = (clearScreen, clearAll)
    if TerminalOutput.allowsColors, let start = Self.sequence("mr"),
      let end = Self.sequence("me")
    {
      descriptions = (start, end)
    }
  }

  /// A capability, without the delays that terminals of old needed.
  private static func sequence(_ capability: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: 4096)
    return unsafe buffer.withUnsafeMutableBufferPointer { buffer -> [UInt8]? in
      var next = buffer.baseAddress
      guard let found = unsafe tgetstr(capability, &next) else { return nil }
      var bytes = unsafe String(cString: found).utf8.split(
        separator: UInt8(ascii: "$"), omittingEmptySubsequences: false
      ).map(Array.init)
      for index in bytes.indices.dropFirst() where bytes[index].first == UInt8(ascii: "<") {
        bytes[index] = Array(bytes[index].drop { $0 != UInt8(ascii: ">") }.dropFirst())
      }
      let sequence = Array(bytes.joined())
      return sequence.isEmpty ? nil : sequence
    }
  }
}
