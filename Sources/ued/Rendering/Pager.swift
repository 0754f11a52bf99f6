import Glibc

/// Shows output that does not fit the screen through a program such as `less`, if the user wants
/// one. If the program quits early, the rest of the output is dropped without an error.
///
/// SAFETY: `settings` outlives the calls that fill or read it.
@safe final class Pager {
  private let command: [UInt8]
  private let terminal: Int32
  private let rows: Int?
  private var shell: ShellProcess?
  private var settings = termios()
  /// Whether the program has quit before the end of the output.
  private(set) var hasQuit = false

  /// The pager that UED_PAGER asks for; nil without one, or if the terminal can't move its cursor.
  /// The height in `rows` overrides the terminal's.
  init?(for terminal: Int32, rows: Int?) {
    let name = ProcessArguments.environment("TERM") ?? []
    guard TerminalOutput.isOn("UED_PAGER"), !name.isEmpty, name != Array("dumb".utf8),
      isatty(terminal) == 1
    else { return nil }
    let wanted = ProcessArguments.environment("UED_PAGER") ?? []
    if wanted.allSatisfy(\.isSpace) { return nil }
    let usual = ProcessArguments.environment("PAGER") ?? []
    var chosen = wanted == [UInt8(ascii: "1")] ? usual : wanted
    if chosen.isEmpty { chosen = Array(Self.fallback.utf8) }
    // `less` shows colours only with the option R.
    command = Array(": ${LESS=R}; export LESS; ".utf8) + chosen
    self.terminal = terminal
    self.rows = rows
  }

  private static let fallback =
    "if command -v less >/dev/null; then exec less -R; else exec more; fi"

  deinit { finish() }

  /// Whether output goes through the program. Output that does not fit the screen starts it.
  func takes(_ output: [UInt8]) -> Bool {
    if shell == nil && !hasRoom(for: output) { start() }
    return shell != nil
  }

  /// Whether the screen has room for all of an output and a prompt.
  private func hasRoom(for output: [UInt8]) -> Bool {
    guard let size = TerminalSize(of: terminal), size.rows > 2, size.columns > 0 else {
      return true
    }
    return DisplayWidth.rows(of: output, columns: size.columns) < self.rows ?? size.rows
  }

  func write(_ output: RawSpan) {
    guard let pipe = shell?.pipe, !hasQuit else { return }
    do throws(SystemError) {
      try DescriptorWriter.writeToReader(output, of: pipe)
    } catch {
      hasQuit = true
    }
  }

  private func start() {
    unsafe tcgetattr(terminal, &settings)
    shell = try? ShellProcess(command, .patient, passing: .input)
    if shell != nil { Interrupts.leaveInterrupts(toChild: true) }
  }

  /// Waits for the program to end, if it runs, and restores the settings of the terminal. Returns
  /// false if the shell could not run it.
  @discardableResult
  func finish() -> Bool {
    guard let shell = shell.take() else { return true }
    let status = shell.wait()
    hasQuit = false
    unsafe tcsetattr(terminal, TCSADRAIN, &settings)
    Interrupts.leaveInterrupts(toChild: false)
    return ![126, 127].contains(status)
  }
}
