/// Turns output values into bytes; everything that ued prints goes through it.
protocol Rendering: AnyObject {
  /// Whether output goes to a terminal.
  var isTerminal: Bool { get }
  /// Whether writing some output has failed.
  var isBroken: Bool { get }
  /// Shows a value. On standard error this happens at once, otherwise with the next flush.
  func show(_ output: Output)
  /// The bytes that show a value, which are not shown now. All pending output is written first.
  func bytes(of output: Output) -> [UInt8]
  /// The prompt for a line.
  func prompt(for request: LineRequest) -> [UInt8]
  /// Writes a prompt.
  func show(prompt: [UInt8])
  /// Writes all pending output.
  func flush()

  /// Writes what is taken at once of all pending output, as the program ends by a signal.
  func flushAtOnce()
  /// Marks the end of a command, before the line of the next one is read.
  ///
  /// - Parameter waits: Whether reading may block, so that output has to be written first.
  func commandEnds(beforeWaiting waits: Bool)
  /// Whether output is pending that ed would have written before it read the current command.
  var hasOutputDue: Bool { get }
  /// Writes as much pending output as ed would have written by now without a flush.
  func catchUp()
  /// Whether programs read the output, who may wait for an answer even if the next command has begun.
  var answersPrograms: Bool { get }
  /// A shell command that may print is about to run, after a flush.
  func childBegins()
  /// The shell command has ended.
  func childEnds()
  /// Sets the size of the terminal.
  func setScreen(_ size: TerminalSize)
  /// How many rows of a table a person sees at once; nil when all are shown.
  var tableHeight: Int? { get }
}
