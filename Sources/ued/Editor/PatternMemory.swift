import TextBuffer

/// The patterns and the substitution that later commands refer to.
struct PatternMemory {
  /// The pattern that an empty one stands for.
  private(set) var last: Pattern?
  /// What `s` without a pattern repeats.
  var substitution = LastSubstitution()
  /// The patterns compiled last, newest first, so that a command list does not compile its own
  /// again and again.
  private var recent: [Pattern] = []
  private static let recentLimit = 8

  /// Compiles a regular expression, which becomes the last one; an empty one stands for the last.
  mutating func compile(
    _ written: PatternText, isExtended: Bool, isBinary: Bool
  ) throws(EditorError) -> Pattern {
    switch written {
    case .previous(let withIgnoreCase):
      guard let last else { throw .noPreviousPattern }
      if withIgnoreCase { throw .parse(.ignoreCaseOnEmptyPattern) }
      return last
    case .text(let bytes, let ignoreCase):
      let source = isBinary ? bytes.map { $0 == 0 ? .newline : $0 } : bytes
      if let known = recent.first(where: {
        $0.source == source && $0.ignoresCase == ignoreCase
      }) {
        last = known
        return known
      }
      let pattern: Pattern
      do {
        pattern = try Pattern(source, extended: isExtended, ignoreCase: ignoreCase)
      } catch {
        throw .match(error)
      }
      last = pattern
      recent.insert(pattern, at: 0)
      if recent.count > Self.recentLimit { recent.removeLast() }
      return pattern
    }
  }
}

/// What a repeated substitution needs of the last one.
struct LastSubstitution {
  var pattern: Pattern?
  var template: ReplacementTemplate?
  /// Which match of a line: 0 is all of them.
  var count = 1
  /// How the last changed line was printed.
  var format: LineFormat = []
  /// What the flag `p` of a repetition turns on and off.
  var toggledFormat: LineFormat = .plain
  /// The regular expression and the replacement as written, for the name of the group.
  var writtenPattern: [UInt8] = []
  var writtenTemplate: [UInt8] = []
}
