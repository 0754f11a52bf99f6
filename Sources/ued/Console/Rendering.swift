/// Turns what commands say into bytes for the user; the only way by which anything is printed.
protocol Rendering: AnyObject {
  /// Whether output goes to a terminal.
  var isTerminal: Bool { get }
  /// Whether some output could not be written.
  var isBroken: Bool { get }
  /// Shows a value: at once on standard error, else when output is next flushed.
  func show(_ output: Output)
  /// What stands before a line that is asked for.
  func prompt(for request: LineRequest) -> [UInt8]
  /// Writes a prompt.
  func show(prompt: [UInt8])
  /// Writes all output that has gathered.
  func flush()
  /// Notes that the line of the next command is about to be read.
  ///
  /// - Parameter waits: Whether that may take time, so that output has to be written first.
  func commandEnds(beforeWaiting waits: Bool)
  /// Writes as much as ed would have written by now without being asked to.
  func catchUp()
  /// Adopts the width of a terminal.
  func setColumns(_ columns: Int)
}
