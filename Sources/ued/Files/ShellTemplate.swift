/// A shell command in which each `%` stands for a file; `\%` is a percent sign.
struct ShellTemplate {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The command for a file whose name has no byte that means anything to the shell: no quoting would do in
  /// every place of a command.
  func command(for name: [UInt8]) -> [UInt8] {
    precondition(Self.isPlain(name))
    var command: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == .percent {
        command += name
      } else if byte == .backslash, let escaped = rest.popFirst() {
        command += escaped == .percent ? [.percent] : [.backslash, escaped]
      } else {
        command.append(byte)
      }
    }
    return command
  }

  /// Whether no byte of a name means anything to the shell.
  static func isPlain(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: "-")
      && name.allSatisfy { byte in
        byte.isLowercase || byte.isDigit || byte >= 0x80
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
          || Array("/._+,:@-".utf8).contains(byte)
      }
  }
}
