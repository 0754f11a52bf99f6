import Glibc

/// Prompts and messages at a terminal, which bypass the buffer for the output of commands.
enum TerminalOutput {
  /// Whether the terminal understands escape sequences, and the user allows colours.
  static var allowsEscapes: Bool {
    ProcessArguments.environment("NO_COLOR") == nil
      && ProcessArguments.environment("TERM") != Array("dumb".utf8)
  }

  /// Writes bytes at once; what a terminal does not take is dropped.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    try? unsafe DescriptorWriter.write(bytes.span.bytes, to: descriptor)
  }

  /// A line with control characters in caret notation, so that none of them acts on the terminal.
  static func harmless(_ line: [UInt8]) -> [UInt8] {
    guard line.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return line }
    var shown: [UInt8] = []
    for byte in line {
      if (byte < 0x20 && byte != 0x09) || byte == 0x7F {
        shown += [UInt8(ascii: "^"), byte ^ 0x40]
      } else {
        shown.append(byte)
      }
    }
    return shown
  }
}
