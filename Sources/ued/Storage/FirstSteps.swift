import Glibc

/// State of the hints for a new user: how to continue from the first screen, and how to end a text.
/// Both hints stop once the user has ended a text with a period; a file next to the histories
/// records that.
struct FirstSteps {
  private(set) var areDone: Bool
  private let isRemembered: Bool
  /// Whether the hint how to end a text has been shown in this session.
  private var hasToldEnd = false

  /// Whether the hint that a line such as `:wq` was taken as text has been shown in this session.
  private var hasToldOfText = false
  /// Whether the hint about `tree` has been shown in this session.
  var hasToldTree = false
  /// Commands that vi users type to end a text.
  private static let commands = [":wq", ":q", ":q!", ":w", ":x", "ZZ"].map { Array($0.utf8) }

  /// `areDone` turns off the hints how to continue from the first screen and how to end a text.
  /// `isRemembered` lets ``finish()`` also turn them off for later sessions.
  init(areDone: Bool, isRemembered: Bool) {
    self.isRemembered = isRemembered
    self.areDone = areDone || Self.path.map { OpenFile.status(of: $0) != nil } ?? false
  }

  /// Whether to show how to end a text now; true at most once per session.
  mutating func tellsEnd() -> Bool {
    defer { hasToldEnd = true }
    return !areDone && !hasToldEnd
  }

  /// Whether to show now that a line was taken as text although it looks like a command of vi; true
  /// at most once per session.
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
