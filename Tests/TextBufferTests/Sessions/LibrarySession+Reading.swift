import TextBuffer
import TextBufferTesting

/// Reads, beside the same from an array and from a string.
extension LibrarySession {
  mutating func read() throws {
    let table = isChance(3) ? document.text(of: plain.current) : document.buffer
    let text = isChance(3) ? table.bytes : table == PieceTable(text) ? text : table.bytes
    let reader = PlainReader(table, text, isUnicode: alphabet == .unicode)
    for _ in 0..<2 {
      switch random(8) {
      case 0:
        action = "read bytes"
        try reader.checkBytes(generator.range(in: text.count))
      case 1:
        action = "read collections"
        try reader.checkCollections(generator.range(in: text.count))
      case 2:
        action = "read lines"
        try reader.checkLines(random(reader.lines.count + 1), random(reader.lines.count + 1))
      case 3:
        action = "read strings"
        try reader.checkStrings(generator.range(in: text.count))
      case 4:
        action = "read UTF-16"
        try reader.checkUTF16(generator.range(in: text.count))
      case 5:
        action = "read positions"
        try reader.checkPositions(random(text.count + 1))
      case 6:
        action = "search"
        let range = generator.range(in: text.count)
        var wanted = Array(text[range].prefix(3))
        if wanted.isEmpty { wanted = [0x61] }
        try reader.checkSearch(wanted, generator.range(in: text.count))
      default:
        action = "search by expression"
        try reader.checkExpression()
      }
    }
  }

  /// Follows places through changes, and compares texts by lines.
  mutating func compare() throws {
    action = "compare"
    if isChance(2) { return try followPlaces() }
    let ids = plain.reachable
    let (old, new) = (ids[random(ids.count)], ids[random(ids.count)])
    let (before, after) = (document.text(of: old), document.text(of: new))
    let difference = LineDifference(from: before, to: after)
    var (lines, shift) = (PlainReader.linesWithNewlines(plain.revisions[old].text), 0)
    let wanted = PlainReader.linesWithNewlines(plain.revisions[new].text)
    for hunk in difference.hunks {
      let start = hunk.old.first.value - 1 + shift
      try require(hunk.new.first.value - 1 == start, "the place of a hunk")
      lines.replaceSubrange(
        start..<start + hunk.old.count, with: wanted[start..<start + hunk.new.count])
      shift += hunk.new.count - hunk.old.count
    }
    try require(lines == wanted, "a difference by lines")
    try require(
      difference.addedLineCount - difference.removedLineCount == shift, "counts of a difference")
    let merge = LineMerge(of: after, and: before, from: before)
    try require(merge.text?.bytes == plain.revisions[new].text, "a merge with the base")
    let origins = document.lineOrigins()
    try require(
      origins.lineCount == document.committedBuffer.lineCount, "the number of origins")
    let line = Set(plain.line(of: plain.current)).union([0])
    for run in origins.runs
    where plain.levelLimit == nil && plain.reachable.count == plain.revisions.count {
      try require(line.contains(run.origin), "a line of revision \(run.origin)")
    }
  }

  /// Follows each byte, and each place between two, through changes.
  private mutating func followPlaces() throws {
    // Each byte has a number; what is inserted has none. The ends of the text have one, too.
    var (table, tags) = (document.buffer, [-2] + Array(text.indices) + [-3])
    for _ in 0...random(3) {
      let edit = RandomEdit(of: table.bytes, inserting: 5, alphabet, using: &generator)
      let change = edit.apply(to: &table)
      var next = tags
      let (lower, upper, count) = (edit.range.lowerBound, edit.range.upperBound, edit.bytes.count)
      next.replaceSubrange(lower + 1..<upper + 1, with: Array(repeating: -1, count: count))
      for place in 0...tags.count - 2 {
        let isLeftKept = !edit.range.contains(place - 1)
        let isRightKept = !edit.range.contains(place)
        for affinity in [ByteOffset.Affinity.before, .after] {
          // It stays with the byte next to it that is kept; between two such ones, with that of its side.
          let isLeft = isLeftKept && (!isRightKept || affinity == .before)
          let isAtLower = isLeft || !isRightKept && affinity == .before
          let isMoved = place > lower || place == lower && !isAtLower
          let expected =
            place < lower || place == lower && isAtLower
            ? place
            : place > upper || place == upper && (isRightKept && !isLeft || !isLeftKept) && isMoved
              ? place + count - (upper - lower) : isAtLower ? lower : lower + count
          let found = ByteOffset(place).adjusted(by: change, affinity: affinity)
          try require(
            found.value == expected,
            "place \(place) by \(edit) \(affinity): \(found.value), not \(expected)")
        }
        if place < tags.count - 2, isRightKept, tags[place + 1] >= 0 {
          let range = offsets(place..<place + 1).adjusted(by: change)
          try require(
            range.count == 1 && next[range.lowerBound.value + 1] == tags[place + 1],
            "a byte is not where it is")
        }
      }
      tags = next
    }
  }
}
