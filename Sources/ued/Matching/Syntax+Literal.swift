extension Syntax {
  /// Bytes that are in every match, those that are the rarest in usual texts; nil when there are
  /// none, or none that are worth looking for.
  var requiredLiteral: [UInt8]? {
    var runs: [[UInt8]] = [[]]
    collectLiterals(into: &runs)
    guard let best = runs.max(by: { Self.rarity($0) < Self.rarity($1) }),
      Self.rarity(best) >= 5
    else { return nil }
    return best
  }

  /// Adds the bytes that must be there: the last run goes on as long as nothing can be between.
  private func collectLiterals(into runs: inout [[UInt8]]) {
    switch self {
    case .bytes(let set):
      if let byte = set.onlyByte { runs[runs.count - 1].append(byte) } else { runs.append([]) }
    case .assertion: break
    case .concatenation(let parts): for part in parts { part.collectLiterals(into: &runs) }
    case .group(_, let part): part.collectLiterals(into: &runs)
    case .multibyteCharacter, .alternation: runs.append([])
    case .repetition(let part, let minimum, _):
      runs.append([])
      if minimum > 0 {
        part.collectLiterals(into: &runs)
        runs.append([])
      }
    }
  }

  /// How rare some bytes are in usual texts: greater is rarer.
  private static func rarity(_ bytes: [UInt8]) -> Int {
    bytes.reduce(0) { sum, byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "e"): sum + 3
      case _ where Array("taoinshrdlucm".utf8).contains(byte): sum + 4
      case _ where byte.isLowercase: sum + 5
      case 0x80...: sum + 4
      default: sum + 6
      }
    }
  }
}
