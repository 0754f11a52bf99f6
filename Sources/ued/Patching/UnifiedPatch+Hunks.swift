/// Reading hunks.
extension PatchParser {
  /// The numbers in the header of a hunk.
  private struct Numbers {
    var oldStart, oldCount, newStart, newCount: Int

    /// Reads `@@ -1,2 +3,4 @@`; nil for anything else. Numbers that are too large become the largest one.
    init?(_ text: ArraySlice<UInt8>) {
      var rest = text.dropFirst(2)
      func skip(_ byte: UInt8) -> Bool {
        if rest.first != byte { return false }
        rest = rest.dropFirst()
        return true
      }
      func number() -> Int? {
        guard rest.first?.isDigit == true else { return nil }
        var value = 0
        while let digit = rest.first, digit.isDigit {
          value = min(value * 10 + Int(digit - .zero), Int(Int32.max))
          rest = rest.dropFirst()
        }
        return value
      }
      func range(_ mark: UInt8) -> (Int, Int)? {
        while skip(.space) {}
        guard skip(mark), let start = number() else { return nil }
        guard skip(UInt8(ascii: ",")) else { return (start, 1) }
        return number().map { (start, $0) }
      }
      guard let old = range(UInt8(ascii: "-")), let new = range(UInt8(ascii: "+")) else {
        return nil
      }
      (oldStart, oldCount) = old
      (newStart, newCount) = new
      while skip(.space) {}
      guard rest.starts(with: "@@".utf8) else { return nil }
    }

    /// How many old and new lines a hunk has less than the header says; none if it has too many of one kind.
    func lacking(from hunk: Hunk) -> (old: Int, new: Int) {
      let (old, new) = (oldCount - hunk.oldCount, newCount - hunk.newCount)
      return min(old, new) < 0 ? (0, 0) : (old, new)
    }
  }

  /// Reads a hunk, from its header on.
  mutating func takeHunk(_ text: ArraySlice<UInt8>, _ header: Line) throws(PatchError) {
    // Of a single file it may be clear without its name.
    if files.isEmpty { files.append(FileDifference(patchLine: lineNumber)) }
    (isInGitHeader, hasNames) = (false, false)
    hunkCount += 1
    if hunkCount > Self.hunkLimit { throw .hasTooManyHunks }
    let numbers = Numbers(text)
    var hunk = Hunk(
      patchLine: lineNumber, oldStart: numbers?.oldStart, newStart: numbers?.newStart, body: [])
    advance(past: header)
    if let numbers, try takeCounted(&hunk, numbers) {
      hunk.isCounted = true
      try checkBehindCounted()
    } else {
      try takeAll(&hunk)
      let lacking = numbers?.lacking(from: hunk) ?? (old: 0, new: 0)
      try checkBehindUncounted(lacking: max(lacking.old, lacking.new))
      if lacking != (0, 0) { shortHunk = (hunkCount, lacking) }
    }
    if hunk.oldCount + hunk.newCount == 0 { throw .badHeader(line: hunk.patchLine) }
    files[files.count - 1].hunks.append(hunk)
  }

  /// Reads as many lines as the header says.
  ///
  /// - Returns: False if the counts can't be right; then nothing is read.
  private mutating func takeCounted(
    _ hunk: inout Hunk, _ numbers: Numbers
  ) throws(PatchError) -> Bool {
    let (start, startNumber, empty) = (position, lineNumber, hunk)
    while let line = line(at: position) {
      let isFull = hunk.oldCount == numbers.oldCount && hunk.newCount == numbers.newCount
      if isFull && line.text.first != .backslash { break }
      guard add(line, to: &hunk), hunk.oldCount <= numbers.oldCount,
        hunk.newCount <= numbers.newCount
      else { break }
      advance(past: line)
    }
    hunk.body = bytes[start..<position]
    if hunk.oldCount == numbers.oldCount && hunk.newCount == numbers.newCount,
      !isInHunk(at: position)
    {
      return true
    }
    (position, lineNumber, hunk) = (start, startNumber, empty)
    return false
  }

  /// Reads all lines that may belong to a hunk, except for empty ones at its end.
  private mutating func takeAll(_ hunk: inout Hunk) throws(PatchError) {
    let start = position
    var (end, endNumber) = (position, lineNumber)
    while let line = line(at: position), isInHunk(at: position) || isBlank(line) {
      if !isBlank(line) {
        // Empty lines before it are text.
        while end < position, let blank = self.line(at: end) {
          _ = add(blank, to: &hunk)
          end = blank.end
        }
        if !add(line, to: &hunk) { throw .strayLine(lineNumber) }
        (end, endNumber) = (line.end, lineNumber + 1)
      }
      advance(past: line)
    }
    (position, lineNumber) = (end, endNumber)
    hunk.body = bytes[start..<end]
  }

  /// Whether a line has no byte, not even a mark.
  private func isBlank(_ line: Line) -> Bool { text(of: line).isEmpty }

  /// Whether a line has a mark and begins nothing else.
  private func isInHunk(at start: Int) -> Bool {
    guard let line = line(at: start), let mark = line.text.first else { return false }
    switch mark {
    case .space, UInt8(ascii: "+"), .backslash: return true
    case UInt8(ascii: "-"): return !isHeader(at: start) && !isSignature(line)
    default: return false
    }
  }

  /// Whether a line begins the signature of a mail, as `git format-patch` makes one.
  private func isSignature(_ line: Line) -> Bool { text(of: line).elementsEqual("-- ".utf8) }

  /// Counts a line of a hunk.
  ///
  /// - Returns: False if it can't be one.
  private func add(_ line: Line, to hunk: inout Hunk) -> Bool {
    var (isOld, isNew) = (true, true)
    switch line.text.first {
    case .space, nil: break
    case .carriageReturn where line.text.count == 1: break
    case UInt8(ascii: "-"): isNew = false
    case UInt8(ascii: "+"): isOld = false
    case .backslash:
      let body = hunk.lastMark
      if body == nil { return false }
      if body != .added { hunk.oldLacksNewline = true }
      if body != .removed { hunk.newLacksNewline = true }
      return true
    default: return false
    }
    // There is nothing behind a last line.
    if isOld && hunk.oldLacksNewline || isNew && hunk.newLacksNewline { return false }
    hunk.lastMark = isOld ? isNew ? .kept : .removed : .added
    let returnCount = line.text.last == .carriageReturn ? 1 : 0
    if isOld {
      hunk.oldCount += 1
      hunk.oldReturnCount += returnCount
    }
    if isNew {
      hunk.newCount += 1
      hunk.newReturnCount += returnCount
    }
    return true
  }

  // MARK: - Behind a hunk

  /// Throws if lines that are behind empty ones seem to go on with a hunk whose counts are met.
  private func checkBehindCounted() throws(PatchError) {
    var (offset, number) = (position, lineNumber)
    while let line = line(at: offset), isBlank(line) || isInHunk(at: offset) {
      if Self.changes(line) { throw .strayLine(number) }
      (offset, number) = (line.end, number + 1)
    }
  }

  /// Looks for the line without its mark at which a hunk ended too early.
  ///
  /// - Parameter missingCount: How many lines the hunk has less than its header says.
  /// - Throws: `strayLine` if there are further lines with marks before the next header, or as many lines without
  ///   as the hunk has too few.
  private func checkBehindUncounted(lacking missingCount: Int) throws(PatchError) {
    var (offset, number) = (position, lineNumber)
    /// The first line that is not empty, and how many such lines follow each other from there, or from the hunk.
    var (stray, count, isAdjacent): (Int?, Int, Bool) = (nil, 0, true)
    while let line = line(at: offset), !isStructure(line, at: offset) {
      if isBlank(line) {
        isAdjacent = false
      } else {
        stray = stray ?? number
        if isAdjacent { count += 1 }
      }
      if let stray, isInHunk(at: offset) { throw .strayLine(stray) }
      (offset, number) = (line.end, number + 1)
    }
    if let stray, missingCount > 0, count == missingCount { throw .strayLine(stray) }
  }

  private static func changes(_ line: Line) -> Bool {
    line.text.first == UInt8(ascii: "+") || line.text.first == UInt8(ascii: "-")
  }

  /// Whether a line begins something else than text: a header, a hunk, a fence, a signature.
  private func isStructure(_ line: Line, at offset: Int) -> Bool {
    ["@@", "diff ", "Index: ", "```", "~~~", "***"].contains { line.text.starts(with: $0.utf8) }
      || isSignature(line) || isHeader(at: offset)
  }
}
