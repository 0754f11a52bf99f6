import TextBuffer
import TextLines

/// Reads a patch line by line.
struct PatchParser {
  /// A line without its newline, and the start of the next line.
  struct Line {
    var text: ArraySlice<UInt8>
    var end: Int
  }

  let bytes: [UInt8]
  /// The start of the next line; `lineNumber` is its number.
  var position = 0
  var lineNumber = 1
  var files: [FileDifference] = []
  /// Whether headers of git have been read, and no hunk since.
  var isInGitHeader = false
  /// Whether `---` and `+++` have named the file of that header.
  var hasNames = false
  /// Whether the last `---` and `+++` ended with carriage returns; true before the first ones.
  private var namesHaveReturns = true
  /// The text after `diff --git` in the first line of that header.
  var gitNames: ArraySlice<UInt8> = []
  var hunkCount = 0
  /// The line of the patch that begins the open fence, and the marks that close it. With a name, as
  /// of a language, the line can't be the end of another fence.
  private var fence: (line: Int, marks: ArraySlice<UInt8>, hasName: Bool, hunkCount: Int)?
  /// The last line outside of all hunks that is neither empty nor a fence.
  private var textAbove: ArraySlice<UInt8> = []
  /// The start of the last non-empty line, if it comes after all headers and hunks.
  private var lastText: Int?
  /// The last hunk with fewer lines than its header says; `lacking` counts the missing lines.
  var shortHunk: (number: Int, lacking: (old: Int, new: Int))?
  /// The first line outside of all hunks that begins like a block.
  private var searchMark: Int?
  /// Whether a closed fence had hunks in it.
  private var hasClosedFence = false

  static let hunkLimit = 1 << 22

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(PatchError) -> [FileDifference] {
    if let form = Form(of: bytes) { return try parse(form) }
    while let line = line(at: position) {
      if Interrupts.isInterrupted { throw .isInterrupted }
      let text = text(of: line)
      if text.starts(with: "@@@".utf8) { throw .isCombined(line: lineNumber) }
      if text.starts(with: "@@".utf8) {
        try takeHunk(text, line)
        lastText = nil
      } else if isHeader(at: position) {
        try takeNames(text)
      } else {
        if isStray(text, line) { throw .badHeader(line: lineNumber) }
        if text.starts(with: "diff --git ".utf8) {
          takeGitLine(text)
        } else if isInGitHeader {
          try takeExtendedHeader(text)
        } else if Self.isBinary(text) {
          throw .isBinary(line: lineNumber)
        }
        takeFence(text)
        if text.starts(with: "<<<<<<<".utf8) { searchMark = searchMark ?? lineNumber }
        if !text.isEmpty { lastText = position }
        advance(past: line)
      }
    }
    let last = files.last
    files.removeAll { !$0.hasChanges }
    if files.isEmpty {
      throw searchMark.map { .badMark(line: $0) } ?? indentedLine.map { .isIndented(line: $0) }
        ?? .hasNoChanges
    }
    try checkEnd(last)
    return files
  }

  /// The first line that begins a hunk, but for blanks before it.
  private var indentedLine: Int? {
    bytes.split(separator: .newline, omittingEmptySubsequences: false).firstIndex { line in
      let bare = Self.trimmed(line)
      return line.first != bare.first
        && ["@@", "*** Begin Patch", "<<<<<<< SEARCH"].contains { bare.starts(with: $0.utf8) }
    }.map { $0 + 1 }
  }

  // MARK: - The end

  /// Notes a line that opens or closes a fence of Markdown.
  private mutating func takeFence(_ text: ArraySlice<UInt8>) {
    guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return
    }
    let marks = text.prefix { $0 == mark }
    let hasName = !text[marks.endIndex...].allSatisfy(\.isSpace)
    if fence == nil && marks.count >= 3 {
      fence = (lineNumber, marks, hasName, hunkCount)
    } else if let open = fence, marks.starts(with: open.marks), !hasName {
      if hunkCount > open.hunkCount { hasClosedFence = true }
      fence = nil
    }
  }

  /// Checks the end of the patch. `last` is its last file, which may have no change.
  ///
  /// - Throws: `isCutOff` if the patch ends within a line, a fence, a header or a hunk.
  private mutating func checkEnd(_ last: FileDifference?) throws(PatchError) {
    try checkFence()
    if bytes.last != .newline && !(hasClosedFence && endsInText) {
      throw .isCutOff(line: lineNumber - 1)
    }
    if last?.isRename == true, last?.old == .unknown || last?.new == .unknown {
      throw .isCutOff(line: last?.patchLine ?? 1)
    }
    let text = lastText.flatMap { line(at: $0)?.text } ?? []
    if last?.hasChanges == false
      || ["diff ", "Index: ", "--- ", "+++ "].contains(where: { text.starts(with: $0.utf8) })
    {
      throw .isCutOff(line: last?.patchLine ?? 1)
    }
    guard let shortHunk, shortHunk.number == hunkCount, var hunk = files.last?.hunks.last else {
      return
    }
    let (above, below) = hunk.context
    if hunk.oldCount == above && hunk.newCount == above { throw .isCutOff(line: hunk.patchLine) }
    // A complete hunk ends with as many unchanged lines as it begins with.
    hunk.isShort = true
    hunk.needsEnd = below == 0 || shortHunk.lacking == (above - below, above - below)
    files[files.count - 1].hunks[files[files.count - 1].hunks.count - 1] = hunk
  }

  private func checkFence() throws(PatchError) {
    if let fence, fence.hasName || hunkCount > fence.hunkCount { throw .isCutOff(line: fence.line) }
  }

  /// Whether the last line has no newline, and comes after all headers and hunks: after a closed
  /// fence it may be prose.
  private var endsInText: Bool { lastText ?? -1 > bytes.lastIndex(of: .newline) ?? -1 }

  // MARK: - Lines

  /// The line that begins at an offset; nil at the end.
  func line(at start: Int) -> Line? {
    guard start < bytes.count else { return nil }
    let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
    return Line(text: bytes[start..<end], end: min(end + 1, bytes.count))
  }

  /// The text of a header line: without a carriage return at its end.
  func text(of line: Line) -> ArraySlice<UInt8> {
    line.text.last == .carriageReturn ? line.text.dropLast() : line.text
  }

  mutating func advance(past line: Line) {
    position = line.end
    lineNumber += 1
  }

  /// Whether two lines at an offset name the files of a difference: a hunk must follow.
  func isHeader(at start: Int) -> Bool {
    guard let first = line(at: start), first.text.starts(with: "--- ".utf8),
      let second = line(at: first.end), second.text.starts(with: "+++ ".utf8),
      let third = line(at: second.end)
    else { return false }
    return third.text.starts(with: "@@".utf8)
  }

  /// Whether a line says that binary files differ, or begins their difference.
  private static func isBinary(_ text: ArraySlice<UInt8>) -> Bool {
    text.elementsEqual("GIT binary patch".utf8)
      || text.starts(with: "Binary files ".utf8) && text.reversed().starts(with: "reffid ".utf8)
  }

  // MARK: - Headers

  /// Reads `---` and `+++`.
  private mutating func takeNames(_ first: ArraySlice<UInt8>) throws(PatchError) {
    guard let line = line(at: position), let next = self.line(at: line.end) else { return }
    let names = (old: first.dropFirst(4), new: text(of: next).dropFirst(4))
    var (old, new) = (HeaderName(names.old), HeaderName(names.new))
    let (writtenOld, writtenNew) = (old.name, new.name)
    HeaderName.strip(&old.name, &new.name, isGit: isInGitHeader)
    if isInGitHeader && !hasNames, try !areOfGitHeader(old.name, new.name, written: names) {
      isInGitHeader = false
      (old.name, new.name) = (writtenOld, writtenNew)
      HeaderName.strip(&old.name, &new.name, isGit: false)
    }
    if !isInGitHeader || hasNames { files.append(FileDifference(patchLine: lineNumber)) }
    let last = files.count - 1
    if !files[last].isRename { (files[last].old, files[last].new) = (old.name, new.name) }
    (files[last].oldIsMissing, files[last].newIsMissing) = (old.isMissing, new.isMissing)
    hasNames = true
    namesHaveReturns = [line, next].allSatisfy { $0.text.last == .carriageReturn }
    advance(past: line)
    advance(past: next)
  }

  /// Whether `---` and `+++` name the file of the header of git above them. If they name another
  /// file, that header is complete without a hunk.
  ///
  /// - Throws: `contradictsHeader` if they name the same file, but contradict the header.
  private func areOfGitHeader(
    _ old: FileDifference.Name, _ new: FileDifference.Name,
    written: (old: ArraySlice<UInt8>, new: ArraySlice<UInt8>)
  ) throws(PatchError) -> Bool {
    let file = files[files.count - 1]
    if file.old == .unknown || file.new == .unknown {
      func name(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { text.prefix { $0 != .tab } }
      return (old == .none || gitNames.starts(with: name(written.old) + [.space]))
        && (new == .none
          || gitNames.reversed().starts(with: ([.space] + name(written.new)).reversed()))
    }
    if old == file.old && new == file.new { return true }
    let paths = [file.old.path, file.new.path].compactMap { $0 }
    guard [old, new].contains(where: { name in name.path.map { paths.contains($0) } ?? false })
    else { return false }
    // A header often does not say that the file is new, or removed.
    let isPlainChange = file.old == file.new && !file.isRename
    if isPlainChange && (old == .none || old == file.old) && (new == .none || new == file.new) {
      return true
    }
    throw .contradictsHeader(line: lineNumber)
  }

  /// Reads `diff --git a/NAME b/NAME`. The names are clear only if they are the same; otherwise the
  /// next lines give them.
  private mutating func takeGitLine(_ text: ArraySlice<UInt8>) {
    files.append(FileDifference(patchLine: lineNumber))
    (isInGitHeader, hasNames) = (true, false)
    gitNames = text.dropFirst("diff --git ".utf8.count)
    guard let (old, new) = HeaderName.pair(gitNames) else { return }
    var (oldName, newName) = (FileDifference.Name.path(old), FileDifference.Name.path(new))
    HeaderName.strip(&oldName, &newName, isGit: true)
    if oldName == newName {
      (files[files.count - 1].old, files[files.count - 1].new) = (oldName, newName)
    }
  }

  /// Reads one of the lines between `diff --git` and the first hunk.
  private mutating func takeExtendedHeader(_ text: ArraySlice<UInt8>) throws(PatchError) {
    let last = files.count - 1
    func rest(behind start: String) -> ArraySlice<UInt8>? {
      text.starts(with: start.utf8) ? text.dropFirst(start.utf8.count) : nil
    }
    if Self.isBinary(text) { throw .isBinary(line: lineNumber) }
    if let mode = rest(behind: "new file mode ") {
      files[last].old = .none
      files[last].isExecutable = try isExecutable(mode)
    } else if let mode = rest(behind: "deleted file mode ") {
      files[last].new = .none
      _ = try isExecutable(mode)
    } else if let mode = rest(behind: "new mode ") {
      files[last].isExecutable = try isExecutable(mode)
    } else if let name = rest(behind: "rename from ") {
      (files[last].old, files[last].isRename) = (.path(HeaderName.unquoted(name)), true)
    } else if let name = rest(behind: "rename to ") {
      (files[last].new, files[last].isRename) = (.path(HeaderName.unquoted(name)), true)
    } else if let names = rest(behind: "index ") {
      files[last].gitNames = String(decoding: names.prefix { $0 != .space }, as: UTF8.self)
        .split(separator: "..").map(String.init)
    } else if rest(behind: "copy ") != nil {
      throw .isCopy(line: lineNumber)
    } else if text.isEmpty {
      isInGitHeader = false
    }
  }

  /// Whether a mode of git makes a file executable.
  private func isExecutable(_ mode: ArraySlice<UInt8>) throws(PatchError) -> Bool {
    if mode.elementsEqual("100755".utf8) { return true }
    if mode.elementsEqual("120000".utf8) || mode.elementsEqual("160000".utf8) {
      throw .isLinkOrSubmodule(line: lineNumber)
    }
    guard mode.elementsEqual("100644".utf8) else { throw .badHeader(line: lineNumber) }
    return false
  }
}

// MARK: - Hunks

/// Reading hunks.
extension PatchParser {
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

    /// How many old and new lines a hunk lacks by its header's counts; 0 if it has too many of
    /// one kind.
    func lacking(from hunk: Hunk) -> (old: Int, new: Int) {
      let (old, new) = (oldCount - hunk.oldCount, newCount - hunk.newCount)
      return min(old, new) < 0 ? (0, 0) : (old, new)
    }
  }

  /// Reads a hunk, from its header on.
  mutating func takeHunk(_ text: ArraySlice<UInt8>, _ header: Line) throws(PatchError) {
    // A patch of one file needs no name.
    if files.isEmpty { files.append(FileDifference(patchLine: lineNumber)) }
    (isInGitHeader, hasNames) = (false, false)
    hunkCount += 1
    if hunkCount > Self.hunkLimit { throw .hasTooManyHunks }
    let numbers = Numbers(text)
    var hunk = Hunk(
      patchLine: lineNumber, oldStart: numbers?.oldStart, newStart: numbers?.newStart, body: [])
    // The heading behind the second '@@' may be a line of the file, with its carriage return.
    hunk.headerHasReturn = namesHaveReturns && header.text.last == .carriageReturn
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

  /// Reads as many lines as the header says; false, and no line read, if the counts can't be right.
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
        // Inner empty lines are context.
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

  /// Whether a line has a hunk's mark and does not begin anything else.
  private func isInHunk(at start: Int) -> Bool {
    guard let line = line(at: start), let mark = line.text.first else { return false }
    switch mark {
    case .space, .backslash: return true
    case UInt8(ascii: "+"): return !isHalfHeader(line)
    case UInt8(ascii: "-"): return !isHeader(at: start) && !isSignature(line)
    default: return false
    }
  }

  /// Whether a line is `---` or `+++` with a name, directly before a hunk.
  private func isHalfHeader(_ line: Line) -> Bool {
    let isName = ["+++ ", "--- "].contains { line.text.starts(with: $0.utf8) }
    return isName && self.line(at: line.end)?.text.starts(with: "@@ -".utf8) ?? false
  }

  /// Whether a line outside of hunks names a file in a form that is not allowed there.
  private func isStray(_ text: ArraySlice<UInt8>, _ line: Line) -> Bool {
    isHalfHeader(line)
      || ["*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** End Patch"].contains {
        text.starts(with: $0.utf8)
      }
  }

  /// Whether a line begins the signature of a mail, as `git format-patch` makes one.
  private func isSignature(_ line: Line) -> Bool { text(of: line).elementsEqual("-- ".utf8) }

  /// Counts a line of a hunk; false if it can't be part of one.
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
    // An unterminated line is last.
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

  /// Throws if lines after empty ones seem to continue a hunk whose counts are met.
  private func checkBehindCounted() throws(PatchError) {
    var (offset, number) = (position, lineNumber)
    while let line = line(at: offset), isBlank(line) || isInHunk(at: offset) {
      if Self.changes(line) { throw .strayLine(number) }
      (offset, number) = (line.end, number + 1)
    }
  }

  /// Looks for a line without a mark that ended a hunk too early. By its header, the hunk lacks
  /// `missingCount` lines.
  ///
  /// - Throws: `strayLine` if lines with marks follow before the next header, or exactly the
  ///   missing number of lines without marks.
  private func checkBehindUncounted(lacking missingCount: Int) throws(PatchError) {
    var (offset, number) = (position, lineNumber)
    /// The first line that is not empty, and the number of lines directly after the hunk.
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

  /// Whether a line begins something other than text: a header, a hunk, a fence, a signature.
  private func isStructure(_ line: Line, at offset: Int) -> Bool {
    ["@@", "diff ", "Index: ", "```", "~~~", "***"].contains { line.text.starts(with: $0.utf8) }
      || isSignature(line) || isHeader(at: offset)
  }
}

// MARK: - Forms without numbers

/// Reading edits in forms made for programs. A hunk has no line number, and goes to the only place
/// of its old lines.
extension PatchParser {
  /// The form of all edits of a patch.
  private enum Form {
    /// `*** Begin Patch` and `*** End Patch`.
    case envelopes
    /// `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.
    case blocks

    init?(of bytes: [UInt8]) {
      for line in bytes.split(separator: .newline) {
        if PatchParser.isMark("*** Begin Patch", line) {
          self = .envelopes
          return
        }
        if PatchParser.isMark("<<<<<<< SEARCH", line) {
          self = .blocks
          return
        }
      }
      return nil
    }
  }

  /// Reads a patch of one of these forms. Prose between the edits is ignored. A line that may be a
  /// mark, or belong to a patch of another form, is an error.
  private mutating func parse(_ form: Form) throws(PatchError) -> [FileDifference] {
    while let line = line(at: position) {
      if Interrupts.isInterrupted { throw .isInterrupted }
      let text = text(of: line)
      if form == .envelopes && Self.isMark("*** Begin Patch", text) {
        try takeEnvelope(line)
        lastText = nil
      } else if form == .blocks && Self.isMark("<<<<<<< SEARCH", text) {
        try takeBlock(line)
        lastText = nil
      } else if mayBeMark(text) || isHeader(at: position) || isHalfHeader(line) {
        throw Self.isLikeMark(text) ? .badMark(line: lineNumber) : .badHeader(line: lineNumber)
      } else {
        takeFence(text)
        if !text.isEmpty && !text.starts(with: "```".utf8) { textAbove = text }
        if !text.isEmpty { lastText = position }
        advance(past: line)
      }
    }
    if files.allSatisfy({ !$0.hasChanges }) { throw .hasNoChanges }
    if let idle = files.first(where: { !$0.hasChanges }) {
      throw .hasNoHunk(line: idle.patchLine)
    }
    try checkFence()
    if bytes.last != .newline && endsInText && !hasClosedFence {
      throw .isCutOff(line: lineNumber - 1)
    }
    return files
  }

  /// Whether a line looks like a mark of any patch, even a misspelled one.
  private func mayBeMark(_ text: ArraySlice<UInt8>) -> Bool {
    let line = String(decoding: Self.trimmed(text), as: UTF8.self).lowercased()
    let bare = line.drop { $0 == ">" || $0 == " " }
    return [line, String(bare)].contains { line in
      ["@@", "diff --git ", "<<<<<", ">>>>>", "------- search", "+++++++ replace"].contains {
        line.hasPrefix($0)
      } || line == "======="
        || ["begin patch", "end patch", "add file:", "delete file:", "update file:", "move to:"]
          .contains { line.hasPrefix("***") && line.contains($0) }
    }
  }

  /// Reads the files to add, to delete and to update between `*** Begin Patch` and `*** End Patch`.
  /// Hunks begin with `@@`, perhaps with an anchor: a line above them.
  private mutating func takeEnvelope(_ first: Line) throws(PatchError) {
    let (start, fileCount) = (lineNumber, files.count)
    advance(past: first)
    while let line = line(at: position) {
      if Interrupts.isInterrupted { throw .isInterrupted }
      let text = text(of: line)
      func name(behind word: String) -> FileDifference.Name? {
        let name = Self.trimmed(text.dropFirst(word.utf8.count))
        return text.starts(with: word.utf8) && !name.isEmpty ? .path(Array(name)) : nil
      }
      var file = FileDifference(patchLine: lineNumber)
      let last = files.count - 1
      if text.elementsEqual("*** End Patch".utf8) {
        textAbove = []
        return advance(past: line)
      } else if let name = name(behind: "*** Add File: ") {
        (file.old, file.new) = (.none, name)
      } else if let name = name(behind: "*** Delete File: ") {
        (file.old, file.new, file.removesAll) = (name, .none, true)
      } else if let name = name(behind: "*** Update File: ") {
        (file.old, file.new) = (name, name)
      } else if let name = name(behind: "*** Move to: "), last >= fileCount,
        files[last].hunks.isEmpty
      {
        (files[last].new, files[last].isRename) = (name, true)
        advance(past: line)
        continue
      } else if last >= fileCount, !files[last].removesAll, text.first != UInt8(ascii: "*") {
        if !isBlank(line) { try takeEnvelopeHunk() } else { advance(past: line) }
        continue
      } else if text.elementsEqual("*** End of File".utf8), last >= fileCount {
        let hunk = files[last].hunks.count - 1
        if hunk >= 0 { files[last].hunks[hunk].isAtEnd = true }
        advance(past: line)
        continue
      } else if isBlank(line) {
        advance(past: line)
        continue
      } else {
        throw .badHeader(line: lineNumber)
      }
      files.append(file)
      advance(past: line)
    }
    throw .isCutOff(line: start)
  }

  /// Reads a hunk of the last file of an envelope, with its anchors.
  private mutating func takeEnvelopeHunk() throws(PatchError) {
    var hunk = Hunk(patchLine: lineNumber, oldStart: nil, newStart: nil, body: [])
    while let line = line(at: position), line.text.starts(with: "@@".utf8) {
      var anchor = Self.trimmed(text(of: line).dropFirst(2))
      if anchor.suffix(3).elementsEqual(" @@".utf8) { anchor = Self.trimmed(anchor.dropLast(2)) }
      // Line numbers do not belong to this form, and are not reliable.
      if !anchor.isEmpty && Numbers(line.text) == nil { hunk.anchors.append(anchor) }
      advance(past: line)
    }
    hunk.headerHasReturn = bytes[..<position].dropLast().last == .carriageReturn
    let start = lineNumber
    try takeAll(&hunk)
    let isNew = files[files.count - 1].old == .none
    if isNew && (hunk.oldCount > 0 || hunk.newCount == 0) {
      let lines = hunk.body.split(separator: .newline, omittingEmptySubsequences: false)
      let index = lines.firstIndex { $0.first != UInt8(ascii: "+") } ?? 0
      throw .lacksPlus(line: start + index)
    }
    if hunk.oldCount + hunk.newCount == 0 { throw .badHeader(line: hunk.patchLine) }
    files[files.count - 1].hunks.append(hunk)
    hunkCount += 1
  }

  /// Reads the lines of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, after the name of a file
  /// or another block of the same file.
  private mutating func takeBlock(_ first: Line) throws(PatchError) {
    let start = lineNumber
    var parts: [[UInt8]] = [[], []]
    var index = 0
    advance(past: first)
    while let line = line(at: position) {
      let text = text(of: line)
      advance(past: line)
      if index == 0 && Self.isMark("=======", text) {
        index = 1
      } else if index == 1 && Self.isMark(">>>>>>> REPLACE", text) {
        return appendBlock(
          from: parts[0], to: parts[1], at: start, first.text.last == .carriageReturn)
      } else if Self.isLikeMark(text) {
        // The ends of the parts are unclear.
        throw .badMark(line: lineNumber - 1)
      } else {
        parts[index] += line.text + [.newline]
      }
    }
    throw .isCutOff(line: start)
  }

  /// Adds a hunk that replaces lines by others. Without old lines, it creates the file.
  private mutating func appendBlock(
    from old: [UInt8], to new: [UInt8], at line: Int, _ headerHasReturn: Bool
  ) {
    var body: [UInt8] = []
    let (before, after) = (PieceTable(old), PieceTable(new))
    func add(_ mark: Character, _ lines: LineRange, of text: PieceTable) {
      for number in lines.numbers {
        body += Array(String(mark).utf8) + text.line(number) + [.newline]
      }
    }
    var kept = LineNumber(1)
    for hunk in LineDifference(from: before, to: after).hunks {
      add(" ", LineRange(kept, hunk.old.first - 1), of: before)
      add("-", hunk.old, of: before)
      add("+", hunk.new, of: after)
      kept = hunk.old.last + 1
    }
    add(" ", LineRange(kept, LineNumber(before.newlineCount)), of: before)
    var hunk = Hunk(patchLine: line, oldStart: nil, newStart: nil, body: body[...])
    hunk.isUnordered = true
    hunk.headerHasReturn = headerHasReturn
    for line in body.split(separator: .newline, omittingEmptySubsequences: true) {
      _ = self.add(Line(text: line, end: 0), to: &hunk)
    }
    let decoration = Set("*`#: ".utf8)
    let end = textAbove.reversed().drop { decoration.contains($0) }
    let name = Array(end.reversed().drop { decoration.contains($0) })
    textAbove = []
    if !name.isEmpty || files.isEmpty {
      var file = FileDifference(patchLine: line)
      // A sentence can't be the name of a new file.
      if !name.isEmpty && !(old.isEmpty && name.contains(.space)) {
        (file.old, file.new) = (.path(name), .path(name))
      }
      file.oldIsMissing = old.isEmpty
      files.append(file)
    }
    files[files.count - 1].hunks.append(hunk)
    hunkCount += 1
  }

  /// Whether a line begins like one of the marks around a block.
  private static func isLikeMark(_ text: ArraySlice<UInt8>) -> Bool {
    ["<<<<<<<", "=======", ">>>>>>>"].contains { text.starts(with: $0.utf8) }
  }

  /// Whether a line is one of the marks around a block, perhaps with blanks at its end.
  private static func isMark(_ mark: String, _ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: mark.utf8) && text.dropFirst(mark.utf8.count).allSatisfy(\.isSpace)
  }

  /// A line without the blanks at its ends.
  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = line.drop(while: \.isSpace)
    return rest.prefix(rest.count - rest.reversed().prefix(while: \.isSpace).count)
  }
}

/// The name of a file in the header of a difference.
struct HeaderName {
  var name: FileDifference.Name
  /// Whether the time after the name is the mark of `diff -N` for a missing file.
  var isMissing = false

  /// Reads a name, up to the first tab.
  init(_ text: ArraySlice<UInt8>) {
    let parts = text.split(separator: .tab, maxSplits: 1, omittingEmptySubsequences: false)
    var written = parts.first ?? []
    // In quotes, and before a tab, blanks belong to the name.
    while parts.count == 1 && written.last == .space { written.removeLast() }
    let path = Self.unquoted(written)
    name = path.isEmpty ? .unknown : path.elementsEqual("/dev/null".utf8) ? .none : .path(path)
    if parts.count > 1 {
      let time = String(decoding: parts[1], as: UTF8.self)
      // Midnight of 1970 in the zone of the patch's author.
      isMissing =
        (time.hasPrefix("1970-01-01 ") || time.hasPrefix("1969-12-31 "))
        && time.contains(":00:00.000000000 ")
    }
  }

  /// Removes the folders `a` and `b` from two names that have them; git has other letters, too.
  static func strip(
    _ old: inout FileDifference.Name, _ new: inout FileDifference.Name, isGit: Bool
  ) {
    let letters = isGit ? Array("abciow".utf8) : []
    func isStripped(_ name: FileDifference.Name, _ letter: UInt8) -> Bool {
      guard let path = name.path else { return name == .none }
      guard path.count > 2, path[1] == .slash else { return false }
      return path[0] == letter || letters.contains(path[0])
    }
    // Of `a/f a/f`, as `--no-prefix` writes it, the folder belongs to the name.
    guard isStripped(old, UInt8(ascii: "a")), isStripped(new, UInt8(ascii: "b")),
      old.path?.first != new.path?.first
    else { return }
    if let path = old.path { old = .path(Array(path.dropFirst(2))) }
    if let path = new.path { new = .path(Array(path.dropFirst(2))) }
  }

  /// The two names after `diff --git`; nil unless they are quoted, or have the same length.
  static func pair(_ text: ArraySlice<UInt8>) -> (old: [UInt8], new: [UInt8])? {
    if text.first == quote {
      guard
        let end = text.dropFirst().indices.first(where: {
          text[$0] == quote && text[..<$0].reversed().prefix { $0 == .backslash }.count % 2 == 0
        }), end + 2 < text.endIndex
      else { return nil }
      return (unquoted(text[...end]), unquoted(text[(end + 2)...]))
    }
    let middle = text.startIndex + text.count / 2
    guard text.count % 2 == 1, text[middle] == .space else { return nil }
    return (Array(text[..<middle]), Array(text[(middle + 1)...]))
  }

  private static let quote = UInt8(ascii: "\"")

  /// A name without the quotes and escapes of the patch.
  static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.first == quote, text.count > 1, text.last == quote else { return Array(text) }
    var name: [UInt8] = []
    var rest = text.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == .backslash, let next = rest.popFirst() else {
        name.append(byte)
        continue
      }
      if let index = Array("abtnvfr".utf8).firstIndex(of: next) {
        name.append(UInt8(7 + index))
      } else if (.zero..<UInt8(ascii: "8")).contains(next) {
        let digits = [next] + rest.prefix(2)
        rest = rest.dropFirst(2)
        name.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 & 7) }))
      } else {
        name.append(next)
      }
    }
    return name
  }
}
