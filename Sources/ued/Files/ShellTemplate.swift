/// A shell command in which each `%` stands for a file name.
///
/// A name is quoted as its place in the command needs it, so that no byte of it can be anything else to
/// the shell. `\%` is a percent sign.
struct ShellTemplate {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The command for a file.
  func command(for name: [UInt8]) -> [UInt8] {
    // A leading dash would make an option of the name.
    let name = name.first == UInt8(ascii: "-") ? Array("./".utf8) + name : name
    var command: [UInt8] = []
    /// The quote that is open; nil outside of quotes.
    var quote: UInt8?
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case .percent: command += Self.quoted(name, in: quote)
      case .backslash where quote != Self.single:
        if let escaped = rest.popFirst() {
          command += escaped == .percent ? [.percent] : [.backslash, escaped]
        } else {
          command.append(byte)
        }
      case Self.single, Self.double:
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
        command.append(byte)
      default: command.append(byte)
      }
    }
    return command
  }

  private static let single = UInt8(ascii: "'")
  private static let double = UInt8(ascii: "\"")

  /// A name as a part of a word of the shell, inside of quotes or not.
  private static func quoted(_ name: [UInt8], in quote: UInt8?) -> [UInt8] {
    switch quote {
    case single: name.flatMap { $0 == single ? Array("'\\''".utf8) : [$0] }
    case double:
      name.flatMap { Array("$`\"\\".utf8).contains($0) ? [.backslash, $0] : [$0] }
    default: [single] + quoted(name, in: single) + [single]
    }
  }
}
