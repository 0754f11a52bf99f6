#if DEBUG
  /// Detects the tests of this package, which use tiny nodes and pieces so that short texts make
  /// deep trees.
  enum OwnTests {
    /// Whether this process runs those tests. Debug builds of other programs use the release sizes.
    static let areRunning = CommandLine.arguments.first?.contains("uedPackageTests") ?? false
  }
#endif
