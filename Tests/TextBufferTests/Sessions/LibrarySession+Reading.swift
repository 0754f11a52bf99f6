import TextBuffer
import TextBufferModels
import TextBufferTesting
import TextLines

/// Steps that read the text, and compare the results with an array and a string.
extension LibrarySession {
  mutating func read() throws {
    let table = oneIn(3) ? document.text(of: plain.current) : document.buffer
    let text = oneIn(3) ? table.bytes : table == PieceTable(text) ? text : table.bytes
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
    if oneIn(2) { return try followPlaces() }
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
    guard plain.levelLimit == nil && plain.reachable.count == plain.revisions.count else { return }
    var weave = Weave(document.text(of: 0))
    try require(document.bring(&weave, to: plain.current), "the weave")
    let text = document.committedBuffer
    let end: [UInt8] = text.isEmpty || text.endsWithNewline ? [] : [0x0A]
    try require(weave.text.bytes == text.bytes + end, "the text of the weave")
    let path = Set(plain.lineage(of: plain.current)).union([0])
    for line in 0..<weave.lineCount {
      let id = weave.group(showing: LineNumber(line + 1))
      try require(path.contains(id), "a line is of revision \(id), outside the path")
    }
  }

  /// Follows each byte, and each place between two bytes, through changes.
  private mutating func followPlaces() throws {
    // Each byte has its number as a tag, an inserted one -1. The ends of the text have tags, too.
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
          // A place stays next to its neighbour that is kept. If both are, the affinity decides.
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
            "a kept byte is at a wrong place")
        }
      }
      tags = next
    }
  }
}

/// Compares the answers of a piece table with results computed from its bytes.
struct PlainReader {
  let table: PieceTable
  let bytes: [UInt8]
  let isUnicode: Bool

  init(_ table: PieceTable, _ bytes: [UInt8], isUnicode: Bool) {
    (self.table, self.bytes, self.isUnicode) = (table, bytes, isUnicode)
  }

  /// The lines as editors show them: an empty line follows a final newline.
  var caretLines: [[UInt8]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  }

  var lines: [[UInt8]] { TextBufferTests.lines(of: bytes) }

  static func linesWithNewlines(_ bytes: [UInt8]) -> [[UInt8]] {
    let lines = TextBufferTests.lines(of: bytes)
    return lines.enumerated().map {
      $1 + ($0 < lines.count - 1 || bytes.last == 0x0A ? [0x0A] : [])
    }
  }

  private static func array(_ span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
  }

  func checkBytes(_ range: Range<Int>) throws {
    let (wanted, offsets) = (Array(bytes[range]), offsets(range))
    try require(table.bytes(in: offsets) == wanted, "bytes in a range")
    let slice = table.slice(offsets)
    slice.checkInvariants()
    try require(slice.bytes == wanted, "a slice")
    try require(slice.isEmpty == wanted.isEmpty, "an empty slice")
    var chunks: [UInt8] = []
    table.forEachChunk(in: offsets) { span in
      chunks += Self.array(span)
      return true
    }
    try require(chunks == wanted, "chunks")
    let place = ByteOffset(range.lowerBound)
    let whole = bytes
    try table.withChunk(at: place) { span, start in
      let end = start.value + span.byteCount
      try require(
        start <= place && (place.value < end || place.value == whole.count && span.isEmpty)
          && Self.array(span) == Array(whole[start.value..<end]), "a chunk")
    }
    let (chunk, start) = unsafe table.unsafeChunk(at: place)
    try require(
      unsafe chunk.elementsEqual(bytes[start.value..<start.value + chunk.count]), "an unsafe chunk")
    var builder = PieceTable.Builder(from: table)
    builder.keep(offsets)
    builder.append(wanted)
    builder.append(slice)
    try require(builder.byteCount == 3 * wanted.count, "the length of a builder")
    try require(builder.finish().bytes == wanted + wanted + wanted, "the text of a builder")
  }

  func checkCollections(_ range: Range<Int>) throws {
    let view = table.utf8
    try require(view.elementsEqual(bytes), "utf8")
    try require(view.reversed().elementsEqual(bytes.reversed()), "utf8 backwards")
    let part = view[offsets(range)]
    try require(part.elementsEqual(bytes[range]), "a part of utf8")
    try require(part.count == range.count, "the length of a part")
    if let last = part.indices.last {
      try require(part[last] == bytes[range].last, "the last byte")
    }
    let index = view.index(view.startIndex, offsetBy: range.upperBound)
    try require(
      view.index(index, offsetBy: -range.count).value == range.lowerBound
        && view.distance(from: index, to: view.startIndex) == -range.upperBound, "index arithmetic")
    try require(
      view.firstIndex(of: 0x0A)?.value == bytes.firstIndex(of: 0x0A)
        && view.lastIndex(of: 0x0A)?.value == bytes.lastIndex(of: 0x0A), "index of a newline")
    try require(
      table.lines.map(\.bytes) == lines
        && table.lines.indices == LineNumber(1)..<LineNumber(lines.count + 1), "lines")
    let carets = bytes.isEmpty ? [[]] : caretLines
    try require(table.caretLines.map(\.bytes) == carets, "caret lines")
    try require(
      table.caretLines.reversed().map(\.bytes) == carets.reversed(), "caret lines backwards")
    try require(table.caretLineCount == carets.count, "number of caret lines")
    if carets.count > 1 {
      let tail = table.caretLines.suffix(2)
      try require(tail.map(\.bytes) == Array(carets.suffix(2)), "the last lines")
    }
  }

  func checkLines(_ first: Int, _ second: Int) throws {
    let (lines, whole) = (lines, Self.linesWithNewlines(bytes))
    try require(table.lineCount == lines.count, "number of lines")
    try require(table.newlineCount == bytes.count { $0 == 0x0A }, "number of newlines")
    try require(table.endsWithNewline == (bytes.last == 0x0A), "the last newline")
    let (lower, upper) = (min(first, second), max(first, second))
    let range = LineNumber(lower + 1)..<LineNumber(upper + 1)
    let before = whole[..<lower].reduce(0) { $0 + $1.count }
    let count = whole[lower..<upper].reduce(0) { $0 + $1.count }
    try require(
      table.byteRange(of: LineRange(range)) == offsets(before..<before + count),
      "bytes of lines \(range)")
    try require(table.offset(ofLine: range.lowerBound).value == before, "offset of a line")
    var seen: [[UInt8]] = []
    table.forEachLine(in: LineRange(range)) { number, span in
      if number.value == lower + 1 + seen.count { seen.append(Self.array(span)) }
      return true
    }
    try require(seen == Array(lines[lower..<upper]), "visited lines")
    for index in lower..<min(upper, lower + 3) {
      try require(table.line(LineNumber(index + 1)) == lines[index], "line \(index + 1)")
      let length = table.withLine(LineNumber(index + 1)) { $0.byteCount }
      try require(length == lines[index].count, "length of line \(index + 1)")
    }
  }

  func checkStrings(_ range: Range<Int>) throws {
    try require(String(table) == String(decoding: bytes, as: UTF8.self), "the string")
    let part = String(decoding: bytes[range], as: UTF8.self)
    try require(
      String(table, in: offsets(range)).utf8.elementsEqual(part.utf8), "a part of the string")
    let other = PieceTable(bytes)
    try require(other == table && other.hashValue == table.hashValue, "the same text")
    var set: Set = [table]
    try require(!set.insert(other).inserted, "a set of texts")
    let changed = PieceTable(bytes + [0x61])
    try require(changed != table, "another text")
    if !bytes.isEmpty {
      var last = bytes
      last[range.lowerBound == bytes.count ? 0 : range.lowerBound] ^= 1
      try require(PieceTable(last) != table, "a text with another byte")
    }
    _ = table.description
    if isUnicode { try require(PieceTable(String(table)) == table, "a text of a string") }
  }

  /// The number of UTF-16 units in some bytes: two for the first of four bytes, none for a
  /// continuation byte, and one for any other.
  private func units(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : (0xF0...0xF4).contains($1) ? 2 : 1) }
  }

  func checkUTF16(_ range: Range<Int>) throws {
    try require(table.utf16Count == units(bytes), "number of units")
    if isUnicode {
      try require(table.utf16Count == String(table).utf16.count, "units of the string")
    }
    // The beginnings of characters: any byte but a continuation, or the end.
    func isBoundary(_ place: Int) -> Bool { place == bytes.count || bytes[place] & 0xC0 != 0x80 }
    let bounds = [range.lowerBound, range.upperBound]
    for place in bounds where isBoundary(place) {
      let unit = units(bytes[..<place])
      try require(table.utf16Offset(at: ByteOffset(place)) == unit, "units before \(place)")
      try require(table.byteOffset(utf16: unit).value == place, "the offset of unit \(unit)")
      // The second unit of a surrogate pair has the offset of the whole character.
      if place < bytes.count, (0xF0...0xF4).contains(bytes[place]) {
        try require(
          table.byteOffset(utf16: unit + 1).value == place,
          "the offset of the second unit of a pair")
      }
    }
    if isUnicode, var place = bounds.first, !isBoundary(place) {
      repeat { place -= 1 } while !isBoundary(place)
      try require(
        table.utf16Offset(at: ByteOffset(bounds[0])) == units(bytes[..<place]),
        "units inside the character at \(place)")
    }
    if bounds.allSatisfy(isBoundary) {
      let wide = units(bytes[..<bounds[0]])..<units(bytes[..<bounds[1]])
      try require(table.utf16Range(of: offsets(range)) == wide, "a byte range as UTF-16 units")
      try require(
        table.byteRange(utf16: wide) == offsets(range), "a range of UTF-16 units as bytes")
    } else {
      let wide = table.utf16Range(of: offsets(range))
      try require(wide.upperBound <= table.utf16Count, "a range inside a character")
    }
  }

  func checkPositions(_ place: Int) throws {
    let offset = ByteOffset(place)
    let before = bytes[..<place]
    let line = before.count { $0 == 0x0A } + 1
    let start = (before.lastIndex(of: 0x0A) ?? -1) + 1
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    try require(table.lineNumber(at: offset).value == line, "line of \(place)")
    try require(
      table.contentRange(ofCaretLine: LineNumber(line)) == offsets(start..<end), "content of a line"
    )
    let position = table.position(at: offset, in: .utf8)
    try require(
      position == LinePosition(LineNumber(line), column: place - start), "position of \(place)")
    try require(table.offset(of: position, in: .utf8) == offset, "offset of a position")
    let far = LinePosition(LineNumber(line), column: end - start + 7)
    for unit in [LinePosition.Unit.utf8, .utf16] {
      try require(
        table.offset(of: far, in: unit).value == end, "a position beyond the end of the line")
    }
    let wide = table.position(at: offset, in: .utf16)
    try require(wide.line.value == line, "line of \(place) in UTF-16")
    let units = (
      table.utf16Offset(at: ByteOffset(start)), table.utf16Offset(at: offset),
      table.utf16Offset(at: table.offset(of: wide, in: .utf16))
    )
    try require(
      units.1 - units.0 == wide.column && units.2 == units.1, "units of the column of \(place)")
    if place == bytes.count || bytes[place] & 0xC0 != 0x80 {
      try require(wide.column == self.units(bytes[start..<place]), "column of \(place) in UTF-16")
      try require(table.offset(of: wide, in: .utf16) == offset, "offset of a column in UTF-16")
    }
  }

  private func places(of wanted: [UInt8], in range: Range<Int>) -> [Range<ByteOffset>] {
    var (found, start) = ([Range<ByteOffset>](), range.lowerBound)
    while start + wanted.count <= range.upperBound {
      let isThere = bytes[start..<start + wanted.count].elementsEqual(wanted)
      if isThere { found.append(offsets(start..<start + wanted.count)) }
      start += isThere ? wanted.count : 1
    }
    return found
  }

  func checkSearch(_ wanted: [UInt8], _ range: Range<Int>) throws {
    let all = places(of: wanted, in: 0..<bytes.count)
    try require(table.ranges(of: wanted) == all, "places of \(wanted)")
    try require(table.firstRange(of: wanted) == all.first, "the first place of \(wanted)")
    let some = places(of: wanted, in: range)
    try require(table.ranges(of: wanted, in: offsets(range)) == some, "places in \(range)")
    try require(table.firstRange(of: wanted, in: offsets(range)) == some.first, "first in \(range)")
    if let string = String(validating: wanted, as: UTF8.self) {
      try require(table.ranges(of: string) == all, "places of a string")
      try require(table.firstRange(of: string, in: offsets(range)) == some.first, "a string")
    }
  }

  func checkExpression() throws {
    let regex = /a[^a]?|b+|\u{E4}/.matchingSemantics(.unicodeScalar)
    var (found, start) = ([Range<Int>](), 0)
    for line in lines {
      if let string = String(validating: line, as: UTF8.self) {
        found += string.matches(of: regex).map { match in
          let lower = string.utf8.distance(from: string.startIndex, to: match.range.lowerBound)
          let upper = string.utf8.distance(from: string.startIndex, to: match.range.upperBound)
          return start + lower..<start + upper
        }
      }
      start += line.count + 1
    }
    let ranges = table.ranges(of: regex)
    if String(validating: bytes, as: UTF8.self) != nil {
      try require(ranges == found.map { offsets($0) }, "matches are \(ranges), not \(found)")
    }
    try require(table.firstRange(of: regex) == ranges.first, "the first match")
    var outputs: [String] = []
    table.forEachMatch(of: regex) { range, output in
      outputs.append(String(output))
      return true
    }
    let repaired = ranges.map { String(table, in: $0) }
    try require(outputs == repaired, "the matched texts are \(outputs), not \(repaired)")
  }
}
