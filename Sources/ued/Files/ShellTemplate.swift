import Glibc

/// A shell command in which each `%` stands for a file; `\%` is a percent sign.
///
/// No quoting would do in every place of a command, so a name is inserted only if no byte of it means
/// anything to the shell. Another one is reached through this process's descriptor of its folder.
struct ShellTemplate {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Runs `body` with the command for a file, during which the name in it is valid.
  func withCommand<Result>(for path: [UInt8], _ body: ([UInt8]) -> Result) -> Result {
    if Self.isPlain(path) { return body(command(for: path)) }
    let (folder, name) = FilePlace.split(path)
    guard let open = try? OpenFile(folder.isEmpty ? [.dot] : folder, O_RDONLY | O_DIRECTORY) else {
      return body(command(for: path))
    }
    let link = Array("/proc/\(getpid())/fd/\(open.descriptor)/".utf8)
    return body(command(for: link + name))
  }

  private func command(for name: [UInt8]) -> [UInt8] {
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
