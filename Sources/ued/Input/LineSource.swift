/// What came of asking for a line.
enum LineStatus: Equatable, Sendable {
  /// A whole line was read.
  case line
  /// The input has ended. An unterminated last line of a pipe or file is dropped, as in ed.
  case end
  /// The input can't be read: the system's reason, as in `errno`, or 0 for a line without end.
  case failed(Int32)
  /// SIGINT, which is herewith taken, or SIGHUP or SIGTERM, which `Interrupts.hangUp` still tells.
  case interrupted
}

/// What a line is asked for.
enum LinePurpose: Equatable, Sendable {
  /// A command; the prompt may be empty.
  case command(prompt: [UInt8])
  /// Text of `a`, `i` or `c`.
  case text
  /// An answer to `G` or `V`, or the continuation of a command.
  case reply
}

/// What kind of thing the lines come from.
enum InputKind: Equatable, Sendable {
  case terminal
  case regularFile
  /// A pipe, a socket, a device, or bytes in memory.
  case other
}

/// Where commands and text come from, line by line.
protocol LineSource: ~Copyable {
  /// Puts the next line, without its newline, in place of what `line` holds.
  ///
  /// Any byte may be in it, NUL included. The storage of `line` is used again, so a line costs no
  /// allocation.
  ///
  /// - Returns: `.line`; after any other answer `line` is empty.
  mutating func next(into line: inout [UInt8], for purpose: LinePurpose) -> LineStatus

  /// Gives back what was read ahead, so that a child, or the next program on the same descriptor,
  /// reads on exactly after the last line taken.
  ///
  /// Call it before a shell command runs and before the end of the program.
  mutating func surrenderUnread()

  /// Whether `next` will answer at once, from what was read ahead.
  var hasLineAhead: Bool { get }

  /// How many lines have been taken.
  var lineNumber: Int { get }

  /// What the lines come from.
  var kind: InputKind { get }

  /// Whether `next` shows the prompt itself; otherwise its caller writes it.
  var showsPrompt: Bool { get }
}
