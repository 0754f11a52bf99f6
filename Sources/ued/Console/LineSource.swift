/// What came of asking for a line.
enum LineStatus: Equatable, Sendable {
  /// A whole line was read.
  case line
  /// The input has ended. An unterminated last line of a pipe or file is dropped, as in ed.
  case end
  /// The input can't be read: the system's reason, as in `errno`, or 0 for a line without end.
  case failed(Int32)
  /// SIGINT, which is no longer pending now, or SIGHUP or SIGTERM, which still is (`Interrupts.hangUp`).
  case interrupted
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
  var hasLineAhead: Bool { mutating get }

  /// How many lines have been taken.
  var lineNumber: Int { mutating get }

  /// Whether the line taken last was pasted into text, so that not even a period alone ends that.
  var lineIsLiteral: Bool { mutating get }

  /// What the lines come from.
  var kind: InputKind { get }

  /// Whether `next` shows the prompt itself; otherwise its caller writes that of a command.
  var showsPrompt: Bool { get }

  /// Whether lines can be edited before they are given, so that one can begin with a draft.
  var editsLines: Bool { get }

  /// Whether a line can be edited without any of its bytes being lost.
  mutating func canEdit(_ line: [UInt8]) -> Bool

  /// Whether the user's settings for editing lines are not all understood.
  var settingsAreBroken: Bool { get }
}

extension LineSource where Self: ~Copyable {
  var editsLines: Bool { false }
  func canEdit(_ line: [UInt8]) -> Bool { false }
  var settingsAreBroken: Bool { false }
  var lineIsLiteral: Bool { false }
}
