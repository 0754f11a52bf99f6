import TextBuffer

/// What stands before a line that is typed: short, and made to be read aloud.
///
///     12: w          a command; line 12 is the current one
///     12*: a         the same, when there is something to save
///     13> some text  text that becomes line 13
///     12? d          an answer to G or V about line 12
///     ... p          a command goes on
enum Prompts {
  /// Before a command.
  static func command(line: LineNumber, isModified: Bool) -> [UInt8] {
    Array("\(line.value)\(isModified ? "*" : ""): ".utf8)
  }

  /// Before text that becomes a line, or a line that is edited.
  static func text(line: LineNumber) -> [UInt8] { Array("\(line.value)> ".utf8) }

  /// Before an answer about a line.
  static func answer(line: LineNumber) -> [UInt8] { Array("\(line.value)? ".utf8) }

  /// Before a line that goes on with the one above.
  static let continuation = Array("... ".utf8)

  /// ed's own, before a command.
  static let plain = [UInt8(ascii: "*")]
}
