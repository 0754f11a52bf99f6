import Glibc

/// Hints for a new user: how to continue from the first screen, and how to end a text. The hints
/// end once the user has ended a text with a period; a file next to the histories records that.
struct FirstSteps {
  private(set) var areDone: Bool
  private let isRemembered: Bool
  /// Whether the hint how a text ends has been shown.
  private var hasToldEnd = false

  /// Whether the hint that commands in a text are text has been shown.
  private var hasToldOfText = false
  /// Whether the hint about `tree` has been shown in this session.
  var hasToldTree = false
  /// Commands that vi users type to end a text.
  private static let commands = [":wq", ":q", ":q!", ":w", ":x", "ZZ"].map { Array($0.utf8) }

  /// No hints are shown if `areDone`; later sessions learn of it if `isRemembered`.
  init(areDone: Bool, isRemembered: Bool) {
    self.isRemembered = isRemembered
    self.areDone = areDone || Self.path.map { OpenFile.status(of: $0) != nil } ?? false
  }

  /// Whether to show how a text ends: once per session.
  mutating func tellsEnd() -> Bool {
    defer { hasToldEnd = true }
    return !areDone && !hasToldEnd
  }

  /// Whether to show that a line of text is not a command: once per session.
  mutating func tellsOfText(_ line: [UInt8]) -> Bool {
    guard !hasToldOfText, Self.commands.contains(line) else { return false }
    hasToldOfText = true
    return true
  }

  /// Records that the user has ended a text with a period. Best effort: after a failure, later
  /// sessions show the hints again.
  mutating func finish() {
    guard !areDone else { return }
    areDone = true
    guard isRemembered, let folder = PrivateFolder.state, let path = Self.path else { return }
    do throws(SystemError) {
      try PrivateFolder.make(at: folder)
      _ = try OpenFile(path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
    } catch {}
  }

  private static var path: [UInt8]? {
    PrivateFolder.state.map { $0 + Array("/first-steps".utf8) }
  }
}
