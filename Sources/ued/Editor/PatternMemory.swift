/// The last patterns and the last substitution, which later commands can refer to.
struct PatternMemory {
  /// The last pattern, which an empty one repeats.
  private(set) var last: Pattern?
  /// The last substitution, which `s` without a pattern repeats.
  var substitution = LastSubstitution()
  /// The pattern by which a person's command has found its lines, to be seen where they are printed.
  var searched: Pattern?
  /// A cache of compiled patterns, newest first, for the commands of a command list.
  private var recent: [Pattern] = []
  private static let recentLimit = 8

  /// Forgets what later commands can refer to; compiled patterns stay in the cache.
  mutating func forget() {
    last = nil
    substitution = LastSubstitution()
  }

  /// Compiles a regular expression, which becomes the last one; an empty one repeats the last.
  mutating func compile(
    _ written: PatternText, isExtended: Bool, isBinary: Bool
  ) throws(EditorError) -> Pattern {
    switch written {
    case .previous(let withIgnoreCase):
      guard let last else { throw .noPreviousPattern }
      if withIgnoreCase { throw .parse(.ignoreCaseOnEmptyPattern) }
      return last
    case .text(let bytes, let ignoreCase), .literal(let bytes, let ignoreCase):
      var isPlainText = false
      if case .literal = written { isPlainText = true }
      let bytes = isBinary ? bytes.map { $0 == 0 ? .newline : $0 } : bytes
      if let known = recent.first(where: {
        $0.written == bytes && $0.ignoresCase == ignoreCase && $0.isPlainText == isPlainText
      }) {
        last = known
        return known
      }
      let pattern: Pattern
      do {
        pattern = try Pattern(
          bytes, extended: isExtended, ignoreCase: ignoreCase, isPlainText: isPlainText)
      } catch {
        throw error == .abandoned ? .interrupted : .match(error)
      }
      last = pattern
      recent.insert(pattern, at: 0)
      if recent.count > Self.recentLimit { recent.removeLast() }
      return pattern
    }
  }
}

/// The last substitution.
struct LastSubstitution {
  var pattern: Pattern?
  var template: ReplacementTemplate?
  /// The number of the match to replace in a line; 0 for all.
  var count = 1
  /// Whether each match is asked about first.
  var asks = false
  /// How the last changed line is printed.
  var format: LineFormat = []
  /// The format that the flag `p` of a repetition toggles.
  var toggledFormat: LineFormat = .plain
  /// The replacement as written, of which `template` was made.
  var replacement = ReplacementText.template([])
}
