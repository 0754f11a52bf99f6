import TextBuffer

/// Numbers lines so that two lines have the same number if, and only if, they have the same bytes.
/// It has a hash table of its own, with linear probing: with a `Dictionary` the comparison of two
/// texts of 400,000 lines takes 0.22 s instead of 0.11 s.
struct LineNumbering {
  /// The first line with each number.
  private var lines: [Extent] = []
  private var hashes: [UInt64] = []
  /// The index of the first line with each number.
  private var firstPlaces: [Int] = []
  /// The table: numbers plus one, and 0 for an empty slot. Its size is a power of two.
  private var slots: [Int32]
  /// A random seed, so that nobody can choose lines whose hashes collide.
  private let seed = UInt64.random(in: .min ... .max)
  /// Contiguous copies of the lines that are not contiguous in their text.
  private var cutLines = PieceTable()

  /// A numbering for about `lineCount` lines.
  init(lineCount: Int) {
    var size = 16
    while size < lineCount { size *= 2 }
    slots = [Int32](repeating: 0, count: size)
  }

  /// The number of different lines, which are numbered from 0.
  var count: Int { lines.count }

  /// Numbers the lines in a range of bytes; the newline is part of a line here. The text must live
  /// as long as the numbering. `model` has the expected numbers in order; a line as expected needs
  /// no lookup.
  mutating func numbers(
    of text: PieceTable, in range: Range<Int>, lineCount: Int, like model: [Int32] = []
  ) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(lineCount)
    var guess = Guess(model: model, knownCount: count)
    var cursor = Cursor(text, at: range.lowerBound)
    var scratch: [UInt8] = []
    while var extent = cursor.nextMaximalExtent(upTo: range.upperBound) {
      while extent.count > 0 {
        let length = extent.firstNewline.map { $0 + 1 } ?? extent.count
        let line = extent.prefix(length)
        extent = extent.dropping(length)
        let isCut = extent.count == 0 && cursor.offset < range.upperBound && !line.endsWithNewline
        if isCut || !scratch.isEmpty { line.append(to: &scratch) }
        if isCut { continue }
        if scratch.isEmpty {
          result.append(number(of: line, at: result.count, &guess))
        } else {
          let start = cutLines.byteCount
          cutLines.insert(scratch, at: ByteOffset(start))
          var added = Cursor(cutLines, at: start)
          if let whole = added.nextMaximalExtent(upTo: cutLines.byteCount) {
            result.append(number(of: whole, at: result.count, &guess))
          }
          scratch.removeAll(keepingCapacity: true)
        }
      }
    }
    return result
  }

  /// A prediction of the next line.
  private struct Guess {
    /// The numbers of the expected lines.
    var model: [Int32]
    /// Smaller numbers belong to lines of the model.
    var knownCount: Int
    /// The index of the next line in `model`.
    var place = 0
  }

  private mutating func number(of line: Extent, at place: Int, _ guess: inout Guess) -> Int32 {
    defer { guess.place += 1 }
    if guess.place < guess.model.count {
      let number = guess.model[guess.place]
      if lines[Int(number)].hasSameBytes(as: line) { return number }
    }
    let number = number(of: line, at: place)
    // Resume in the model below this line. A line not in the model counts as a changed one.
    if number < guess.knownCount { guess.place = firstPlaces[Int(number)] }
    return number
  }

  private mutating func number(of line: Extent, at place: Int) -> Int32 {
    let hash = line.hash(seed: seed)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] > 0 {
      let number = Int(slots[slot] - 1)
      if hashes[number] == hash, lines[number].hasSameBytes(as: line) { return Int32(number) }
      slot = (slot + 1) & (slots.count - 1)
    }
    lines.append(line)
    hashes.append(hash)
    firstPlaces.append(place)
    slots[slot] = Int32(lines.count)
    if lines.count * 2 > slots.count { grow() }
    return Int32(lines.count - 1)
  }

  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = [Int32](repeating: 0, count: mask + 1)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] > 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number + 1)
    }
  }
}

extension Extent {
  fileprivate var endsWithNewline: Bool {
    count > 0 && dropping(count - 1).firstNewline != nil
  }

  fileprivate func hash(seed: UInt64) -> UInt64 {
    withSpan { span in
      var state = seed ^ UInt64(truncatingIfNeeded: span.byteCount)
      func mix(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        state = product.high ^ product.low
      }
      // SAFETY: all loads are inside the span, and any bytes are an integer.
      var offset = 0
      while offset + 8 <= span.byteCount {
        mix(unsafe span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      var last: UInt64 = 0
      while offset < span.byteCount {
        last =
          last << 8
          | UInt64(unsafe span.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
        offset += 1
      }
      mix(last)
      mix(seed)
      return state
    }
  }
}
