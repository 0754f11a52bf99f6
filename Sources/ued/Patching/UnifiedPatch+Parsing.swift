extension UnifiedPatch {
  /// Reads a patch.
  ///
  /// - Parameter bytes: All of it.
  /// - Throws: What makes it unclear; nothing of it should be applied then.
  /// - Complexity: O(bytes).
  init(_ bytes: [UInt8]) throws(PatchError) {
    var parser = PatchParser(bytes)
    self.init(files: try parser.parse())
  }
}

/// Reads a patch line by line.
struct PatchParser {
  /// A line without its newline and a carriage return before it, and where the next one begins.
  struct Line {
    var text: ArraySlice<UInt8>
    var end: Int
  }

  let bytes: [UInt8]
  /// Where the next line begins, and its number.
  var position = 0
  var lineNumber = 1
  var files: [FileDifference] = []
  /// Whether headers of git have been read, and no hunk since.
  var isInGitHeader = false
  /// Whether the names of that file have been told by `---` and `+++`.
  var hasNames = false
  /// What is behind `diff --git` in its first line.
  var gitNames: ArraySlice<UInt8> = []
  var hunkCount = 0
  /// The line of the patch that begins the fence which is open, and what closes it.
  private var fence: (line: Int, marks: ArraySlice<UInt8>, hunkCount: Int)?
  /// Where the last line begins that is not empty, if it is behind all headers and hunks.
  private var lastText: Int?
  /// The last hunk that has fewer old and new lines than its header says, and how many fewer.
  var shortHunk: (number: Int, lacking: (old: Int, new: Int))?
  /// Whether hunks have been in a fence that is closed.
  private var hasClosedFence = false

  static let hunkLimit = 1 << 22

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(PatchError) -> [FileDifference] {
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
        if text.starts(with: "diff --git ".utf8) {
          takeGitLine(text)
        } else if isInGitHeader {
          try takeExtendedHeader(text)
        } else if Self.isBinary(text) {
          throw .isBinary(line: lineNumber)
        }
        takeFence(text)
        if !text.isEmpty { lastText = position }
        advance(past: line)
      }
    }
    let last = files.last
    files.removeAll { !$0.hasChanges }
    if files.isEmpty { throw .hasNoChanges }
    try checkEnd(last)
    return files
  }

  // MARK: - The end

  /// Notes a line that opens or closes a fence of Markdown.
  private mutating func takeFence(_ text: ArraySlice<UInt8>) {
    guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return
    }
    let marks = text.prefix { $0 == mark }
    if fence == nil && marks.count >= 3 {
      fence = (lineNumber, marks, hunkCount)
    } else if let open = fence, marks.starts(with: open.marks),
      text[marks.endIndex...].allSatisfy(\.isSpace)
    {
      if hunkCount > open.hunkCount { hasClosedFence = true }
      fence = nil
    }
  }

  /// Checks the end of the patch. `last` is its last file, which may have no change.
  ///
  /// - Throws: `isCutOff` if the patch ends within a line, a fence, a header or a hunk.
  private mutating func checkEnd(_ last: FileDifference?) throws(PatchError) {
    if let fence, hunkCount > fence.hunkCount { throw .isCutOff(line: fence.line) }
    // Behind what a fence holds it may be prose.
    let isOutside = hasClosedFence && lastText ?? 0 > bytes.lastIndex(of: .newline) ?? 0
    if bytes.last != .newline && !isOutside { throw .isCutOff(line: lineNumber - 1) }
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

  // MARK: - Lines

  /// The line that begins at an offset; nil at the end.
  func line(at start: Int) -> Line? {
    guard start < bytes.count else { return nil }
    let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
    return Line(text: bytes[start..<end], end: min(end + 1, bytes.count))
  }

  /// A line of a header: without a carriage return at its end.
  func text(of line: Line) -> ArraySlice<UInt8> {
    line.text.last == .carriageReturn ? line.text.dropLast() : line.text
  }

  mutating func advance(past line: Line) {
    position = line.end
    lineNumber += 1
  }

  /// Whether two lines at an offset name the files of a difference: a hunk begins behind them.
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
    advance(past: line)
    advance(past: next)
  }

  /// Whether `---` and `+++` name the file of the header of git above them. If they name another one, that header
  /// is complete without a hunk.
  ///
  /// - Throws: `contradictsHeader` if they name the same file, and say something else of it.
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
    // A header often leaves out that the file is new, or removed.
    let isUsual = file.old == file.new && !file.isRename
    if isUsual && (old == .none || old == file.old) && (new == .none || new == file.new) {
      return true
    }
    throw .contradictsHeader(line: lineNumber)
  }

  /// Reads `diff --git a/NAME b/NAME`. The names are clear only if they are the same; otherwise the lines
  /// that follow tell them.
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

  /// Whether a mode of git is that of a file that can be run.
  private func isExecutable(_ mode: ArraySlice<UInt8>) throws(PatchError) -> Bool {
    if mode.elementsEqual("100755".utf8) { return true }
    if mode.elementsEqual("120000".utf8) || mode.elementsEqual("160000".utf8) {
      throw .isNoFile(line: lineNumber)
    }
    guard mode.elementsEqual("100644".utf8) else { throw .badHeader(line: lineNumber) }
    return false
  }
}
