/// A regular expression as a tree, in bytes.
indirect enum Syntax: Sendable {
  case bytes(ByteSet)
  /// A character that is more than one byte in UTF-8.
  case multibyteCharacter
  case assertion(Assertion)
  case concatenation([Syntax])
  case alternation([Syntax])
  /// From `minimum` to `maximum` times; nil is no limit.
  case repetition(Syntax, minimum: Int, maximum: Int?)
  case group(Int, Syntax)

  /// What must hold at a place between two bytes.
  enum Assertion: Sendable {
    case lineStart, lineEnd, textStart, textEnd
    case wordStart, wordEnd, wordEdge

    /// Whether it looks at word characters.
    var isAboutWords: Bool {
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

  /// What is on one side of a place between two bytes.
  enum Surrounding: UInt16, Sendable {
    /// Nothing, and `^` matches.
    case lineStart
    /// Nothing, and `^` does not match.
    case restart
    case end
    case word
    case other

    /// What a byte is.
    init(byte: UInt8) { self = ByteSet.word.contains(byte) ? .word : .other }
  }
}

extension Syntax {
  /// Calls `body` with this part and all parts of it.
  func visit(_ body: (Syntax) -> Void) {
    body(self)
    switch self {
    case .bytes, .multibyteCharacter, .assertion: break
    case .concatenation(let parts), .alternation(let parts): for part in parts { part.visit(body) }
    case .repetition(let part, _, _), .group(_, let part): part.visit(body)
    }
  }

  /// Whether any part is one that `isWanted`.
  func hasPart(where isWanted: (Syntax) -> Bool) -> Bool {
    var isFound = false
    visit { if isWanted($0) { isFound = true } }
    return isFound
  }

  var hasAssertion: Bool {
    hasPart { if case .assertion = $0 { true } else { false } }
  }

  /// Whether a match can only be where the text starts.
  var isAnchored: Bool {
    switch self {
    case .assertion(.lineStart), .assertion(.textStart): true
    case .bytes, .multibyteCharacter, .repetition, .assertion: false
    case .concatenation(let parts): parts.first?.isAnchored ?? false
    case .alternation(let parts): parts.allSatisfy { $0.isAnchored }
    case .group(_, let part): part.isAnchored
    }
  }

  /// The number of bytes of every match, when all have the same.
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
