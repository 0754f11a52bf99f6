import Glibc

/// What a new user is told: how to go on from the first screen, and how to end a text.
///
/// It is told until a text has been closed with a period once. A file beside the histories remembers that.
struct FirstSteps {
  /// Whether nothing is told any more.
  private(set) var areDone: Bool
  private let isRemembered: Bool
  /// Whether it has been told how a text ends.
  private var hasToldEnd = false

  /// Whether it has been told that commands are text in a text.
  private var hasToldOfText = false
  /// Whether it has been told in this session that `tree` shows branches.
  var hasToldTree = false
  /// What those who are used to vi end a text with.
  private static let commands = [":wq", ":q", ":q!", ":w", ":x", "ZZ"].map { Array($0.utf8) }

  /// - Parameters:
  ///   - areDone: Whether nothing is told in any case.
  ///   - isRemembered: Whether later sessions are to know.
  init(areDone: Bool, isRemembered: Bool) {
    self.isRemembered = isRemembered
    self.areDone = areDone || Self.path.map { OpenFile.status(of: $0) != nil } ?? false
  }

  /// Whether the user is to be told how a text ends: once in a session.
  mutating func tellsEnd() -> Bool {
    defer { hasToldEnd = true }
    return !areDone && !hasToldEnd
  }

  /// Whether the user is to be told that a line of text is no command: once in a session.
  mutating func tellsOfText(_ line: [UInt8]) -> Bool {
    guard !hasToldOfText, Self.commands.contains(line) else { return false }
    hasToldOfText = true
    return true
  }

  /// Remembers that a text has been closed with a period. Best effort: if that fails, later sessions tell
  /// again.
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
