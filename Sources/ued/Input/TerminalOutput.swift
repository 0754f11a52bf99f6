import Glibc

/// What is written to the terminal beside the output of commands.
///
/// SAFETY: bytes are lent to the system for the length of a call.
@safe enum TerminalOutput {
  /// Whether sequences that control the terminal are welcome, for colours and the like.
  static var allowsEscapes: Bool {
    ProcessArguments.environment("NO_COLOR") == nil
      && ProcessArguments.environment("TERM") != Array("dumb".utf8)
  }

  /// Writes bytes at once.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest.removeFirst(count)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// A line as it can be shown: without the control characters that would act on the terminal.
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
