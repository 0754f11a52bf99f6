extension Syntax {
  /// The required literal: bytes that occur in every match. Of several, the one that is rarest in usual
  /// texts; nil when there is none that is rare enough to search for.
  var requiredLiteral: [UInt8]? {
    var runs: [[UInt8]] = [[]]
    collectLiterals(into: &runs)
    guard let best = runs.max(by: { Self.rarity($0) < Self.rarity($1) }),
      Self.rarity(best) >= 5
    else { return nil }
    return best
  }

  /// Appends the bytes of this node that every match has. They extend the last run, which ends wherever
  /// other bytes may follow.
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

  /// An estimate of how rare a literal is in usual texts; greater is rarer.
  private static func rarity(_ bytes: [UInt8]) -> Int {
    bytes.reduce(0) { $0 + $1.rarity }
  }
}

extension UInt8 {
  /// An estimate of how rare it is in usual texts, from 3 to 6; greater is rarer.
  var rarity: Int {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "e"): 3
    case _ where Array("taoinshrdlucm".utf8).contains(self): 4
    case _ where isLowercase: 5
    case 0x80...: 4
    default: 6
    }
  }
}
