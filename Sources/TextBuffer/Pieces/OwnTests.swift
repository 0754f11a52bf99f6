#if DEBUG
  /// The tests of this package, in which nodes and pieces are so small that short texts make deep trees.
  enum OwnTests {
    /// Whether they are what is running. Debug builds of other programs have the sizes of release builds.
    static let areRunning = CommandLine.arguments.first?.contains("uedPackageTests") ?? false
  }
#endif
