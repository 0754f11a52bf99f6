import Differential

/// A text as the simulation expects it: its lines, and whether the file ends with a newline.
struct SimulatedText: Equatable, Hashable {
  var lines: [[UInt8]] = []
  var endsWithNewline = true

  init() {}

  /// The text of a file.
  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    endsWithNewline = lines.last == []
    if endsWithNewline { lines.removeLast() }
    if bytes.isEmpty { endsWithNewline = true }
  }

  /// The content of a file after `w`: each line with a newline.
  var saved: [UInt8] { lines.flatMap { $0 + [0x0A] } }

  /// The content of the file, without a last newline if it has none.
  var bytes: [UInt8] { endsWithNewline ? saved : saved.dropLast() }
}

/// An edit that ued and the model both understand.
enum SimulatedEdit {
  /// Text after a line.
  case append(Int, [[UInt8]])
  case change(ClosedRange<Int>, [[UInt8]])
  case delete(ClosedRange<Int>)
  /// Text at the beginning of each line.
  case prefix(ClosedRange<Int>, [UInt8])
  case move(ClosedRange<Int>, Int)
  case copy(ClosedRange<Int>, Int)
  /// All lines in reverse order, by one command.
  case reverse

  /// An edit that the text allows. The inserted lines are unique.
  static func random(
    of text: SimulatedText, _ random: inout SeededGenerator, _ token: () -> [UInt8]
  ) -> SimulatedEdit {
    let count = text.lines.count
    func lines(_ random: inout SeededGenerator) -> [[UInt8]] {
      let number = 1 + random.below(3)
      let repeats = random.chance(2) ? 4000 : random.chance(5) ? 200 : 1
      return (0..<number).map { _ in Array(repeatElement(token(), count: repeats).joined()) }
    }
    if count == 0 { return .append(0, lines(&random)) }
    let first = 1 + random.below(count)
    let range = first...min(count, first + random.below(3))
    switch random.below(12) {
    case 0...3: return .append(random.below(count + 1), lines(&random))
    case 4, 5: return .change(range, lines(&random))
    case 6: return .delete(range)
    case 7, 8: return .prefix(range, token())
    case 9 where count > range.count:
      let target = random.chance(50) ? 0 : count
      return range.contains(target) || target == range.lowerBound - 1
        ? .copy(range, target) : .move(range, target)
    case 10 where count > 1 && count < 100: return .reverse
    default: return .copy(range, random.below(count + 1))
    }
  }

  /// The command, with the lines that belong to it.
  var command: [UInt8] {
    func text(_ lines: [[UInt8]]) -> [UInt8] {
      [0x0A] + lines.flatMap { $0 + [0x0A] } + Array(".".utf8)
    }
    switch self {
    case .append(let line, let lines): return Array("\(line)a".utf8) + text(lines)
    case .change(let range, let lines): return Self.address(range) + Array("c".utf8) + text(lines)
    case .delete(let range): return Self.address(range) + Array("d".utf8)
    case .prefix(let range, let prefix):
      return Self.address(range) + Array("s/^/".utf8) + prefix + Array("/".utf8)
    case .move(let range, let line): return Self.address(range) + Array("m\(line)".utf8)
    case .copy(let range, let line): return Self.address(range) + Array("t\(line)".utf8)
    case .reverse: return Array("g/^/m0".utf8)
    }
  }

  private static func address(_ range: ClosedRange<Int>) -> [UInt8] {
    Array("\(range.lowerBound),\(range.upperBound)".utf8)
  }

  /// The text after the edit. A missing last newline stays missing.
  func applied(to text: SimulatedText) -> SimulatedText {
    var lines = text.lines
    switch self {
    case .append(let line, let new): lines.insert(contentsOf: new, at: line)
    case .change(let range, let new): lines.replaceSubrange(Self.bounds(range), with: new)
    case .delete(let range): lines.removeSubrange(Self.bounds(range))
    case .prefix(let range, let prefix):
      for index in Self.bounds(range) { lines[index] = prefix + lines[index] }
    case .move(let range, let line):
      let moved = Array(lines[Self.bounds(range)])
      lines.removeSubrange(Self.bounds(range))
      lines.insert(contentsOf: moved, at: line < range.lowerBound ? line : line - range.count)
    case .copy(let range, let line):
      lines.insert(contentsOf: Array(lines[Self.bounds(range)]), at: line)
    case .reverse: lines.reverse()
    }
    var result = text
    result.lines = lines
    return result
  }

  private static func bounds(_ range: ClosedRange<Int>) -> Range<Int> {
    range.lowerBound - 1..<range.upperBound
  }
}
