import Glibc

/// Prompts and messages at a terminal, which bypass the buffer for the output of commands.
enum TerminalOutput {
  /// Whether the user wants colours, and the terminal has them. An empty NO_COLOR is none.
  static var allowsColors: Bool {
    let terminal = ProcessArguments.environment("TERM") ?? []
    return (ProcessArguments.environment("NO_COLOR") ?? []).isEmpty && !prefersSentences
      && !terminal.isEmpty && terminal != Array("dumb".utf8)
  }

  /// UED_PLAIN: whether tables and marks are told in sentences, for a screen reader.
  static var prefersSentences: Bool { isOn("UED_PLAIN") }

  /// Whether an environment variable is set, not empty, and not `0`.
  static func isOn(_ name: String) -> Bool {
    let value = ProcessArguments.environment(name) ?? []
    return !value.isEmpty && value != [.zero]
  }

  /// Writes bytes at once; what a terminal does not take is dropped.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    try? unsafe DescriptorWriter.write(bytes.span.bytes, to: descriptor)
  }
}
