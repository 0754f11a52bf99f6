/// The syntax tree of a regular expression over bytes.
indirect enum Syntax: Sendable {
  case bytes(ByteSet)
  /// Any UTF-8 character of two to four bytes.
  case multibyteCharacter
  case assertion(Assertion)
  case concatenation([Syntax])
  case alternation([Syntax])
  /// From `minimum` to `maximum` times, without a limit if `maximum` is nil.
  case repetition(Syntax, minimum: Int, maximum: Int?)
  case group(Int, Syntax)

  /// A condition on the position between two bytes.
  enum Assertion: Sendable {
    case lineStart, lineEnd, textStart, textEnd
    case wordStart, wordEnd, wordEdge

    /// Whether it depends on word characters.
    var dependsOnWords: Bool {
      switch self {
      case .lineStart, .lineEnd, .textStart, .textEnd: false
      case .wordStart, .wordEnd, .wordEdge: true
      }
    }

    /// Whether it holds between `previous` and `next`.
    func holds(between previous: Surrounding, and next: Surrounding) -> Bool {
      switch self {
      case .lineStart: previous == .lineStart
      case .textStart: previous == .lineStart || previous == .restart
      case .lineEnd, .textEnd: next == .end
      case .wordStart: previous != .word && next == .word
      case .wordEnd: previous == .word && next != .word
      case .wordEdge: (previous == .word) != (next == .word)
      }
    }
  }

  /// What is on one side of a position: an end of the text, or a kind of byte.
  enum Surrounding: UInt16, Sendable {
    /// The start of a line, where `^` matches.
    case lineStart
    /// Where a search goes on behind an earlier match: taken for the start of the text, but `^` does not
    /// match.
    case restart
    /// The end of the line.
    case end
    case word
    case other

    init(byte: UInt8) { self = ByteSet.word.contains(byte) ? .word : .other }
  }
}

extension Syntax {
  /// Calls `body` with this node and all its descendants.
  func visit(_ body: (Syntax) -> Void) {
    body(self)
    switch self {
    case .bytes, .multibyteCharacter, .assertion: break
    case .concatenation(let parts), .alternation(let parts): for part in parts { part.visit(body) }
    case .repetition(let part, _, _), .group(_, let part): part.visit(body)
    }
  }

  /// Whether this node or a descendant satisfies a predicate.
  func hasPart(where predicate: (Syntax) -> Bool) -> Bool {
    var isFound = false
    visit { if predicate($0) { isFound = true } }
    return isFound
  }

  var hasAssertion: Bool {
    hasPart { if case .assertion = $0 { true } else { false } }
  }

  /// Whether every match begins at the start of the text.
  var isAnchored: Bool {
    switch self {
    case .assertion(.lineStart), .assertion(.textStart): true
    case .bytes, .multibyteCharacter, .repetition, .assertion: false
    case .concatenation(let parts): parts.first?.isAnchored ?? false
    case .alternation(let parts): parts.allSatisfy { $0.isAnchored }
    case .group(_, let part): part.isAnchored
    }
  }

  /// The length of every match in bytes; nil when matches differ in length.
  var byteCount: Int? {
    switch self {
    case .bytes: return 1
    case .multibyteCharacter: return nil
    case .assertion: return 0
    case .concatenation(let parts):
      var sum = 0
      for part in parts {
        guard let count = part.byteCount else { return nil }
        sum += count
      }
      return sum
    case .alternation(let parts):
      guard let count = parts.first?.byteCount, parts.allSatisfy({ $0.byteCount == count })
      else { return nil }
      return count
    case .repetition(let part, let minimum, let maximum):
      guard minimum == maximum, let count = part.byteCount else { return nil }
      return count * minimum
    case .group(_, let part): return part.byteCount
    }
  }
}
