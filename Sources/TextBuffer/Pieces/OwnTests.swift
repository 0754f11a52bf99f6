#if DEBUG
  /// The tests of this package. Their nodes and pieces are so small that short texts make deep
  /// trees.
  enum OwnTests {
    /// Whether the tests are running. Debug builds of other programs have the sizes of release
    /// builds.
    static let areRunning = CommandLine.arguments.first?.contains("uedPackageTests") ?? false
  }
#endif
