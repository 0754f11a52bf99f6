import TextBuffer
import TextLines

/// A history in the format of `git fast-import`: a commit for each revision, and a tag for each
/// name. Branches end at the current revision and at each revision without children.
struct FastImportStream {
  let export: HistoryExport

  /// The branch that ends with the current revision.
  private static let currentBranch = "main"

  /// Writes the stream in blocks, until `sink` returns false.
  func write(to sink: @escaping (RawSpan) -> Bool) {
    var writer = BlockWriter(sink)
    // Makes git reject a stream that is cut off.
    writer.write("feature done\n")
    let (committer, file) = (Self.committer, Self.fileCommand(export))
    export.text.forEachFileText(of: export.text.revisionsByBranch) { id, text in
      writeCommit(id, text, committer, file, to: &writer)
      return !writer.isStopped
    }
    for (name, id) in branches + tags {
      Self.write("reset \(name)\nfrom :\(id + 1)\n\n", to: &writer)
    }
    writer.write("done\n")
    writer.flush()
  }

  private func writeCommit(
    _ id: Int, _ text: PieceTable, _ committer: [UInt8], _ file: [UInt8],
    to writer: inout BlockWriter
  ) {
    let revision = export.text.history[id]
    let title = Array("\(export.text.title(id))\n".utf8)
    // Marks are positive.
    Self.write("commit refs/heads/\(Self.currentBranch)\nmark :\(id + 1)\n", to: &writer)
    unsafe writer.write(committer.span.bytes)
    // At most the last second of the year 9999.
    let seconds = Int(min(max(revision.time, 0), 253_402_300_799))
    Self.write(" \(seconds) +0000\ndata \(title.count)\n", to: &writer)
    unsafe writer.write(title.span.bytes)
    if let parent = revision.parent { Self.write("from :\(parent + 1)\n", to: &writer) }
    unsafe writer.write(file.span.bytes)
    Self.write("data \(text.byteCount)\n", to: &writer)
    text.forEachChunk(in: ByteOffset(0)..<ByteOffset(text.byteCount)) { chunk in
      writer.write(chunk)
      return !writer.isStopped
    }
    writer.write("\n")
  }

  private static func write(_ text: String, to writer: inout BlockWriter) {
    unsafe writer.write(Array(text.utf8).span.bytes)
  }

  /// The command that stores the file in a commit.
  private static func fileCommand(_ export: HistoryExport) -> [UInt8] {
    Array("M \(export.isExecutable ? "100755" : "100644") inline ".utf8)
      + FileNameQuoting.quoted(export.baseName) + [.newline]
  }

  /// The committer from git's environment variables; without them, one without a person's name.
  private static var committer: [UInt8] {
    func value(_ name: String, or usual: String) -> [UInt8] {
      let value = (ProcessArguments.environment(name) ?? []).filter {
        $0 >= .space && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
      }
      return value.isEmpty ? Array(usual.utf8) : value
    }
    return Array("committer ".utf8) + value("GIT_COMMITTER_NAME", or: "ued")
      + Array(" <".utf8) + value("GIT_COMMITTER_EMAIL", or: "ued@localhost") + Array(">".utf8)
  }

  // MARK: - References

  private var branches: [(name: String, id: Int)] {
    let history = export.text.history
    let ends = history.revisions.filter {
      !$0.isDropped && $0.newestChild == nil && $0.id != history.current
    }
    return [(Self.currentBranch, history.current)].map { ("refs/heads/\($0)", $1) }
      + ends.map { ("refs/heads/ued-\($0.id)", $0.id) }
  }

  /// The tags: names of revisions, each unique among tags and branches.
  private var tags: [(name: String, id: Int)] {
    var taken: Set = ["HEAD", Self.currentBranch]
    var tags: [(String, Int)] = []
    for revision in export.text.history.revisions where !revision.isDropped {
      guard let name = revision.name else { continue }
      var tag = Self.tagName(name)
      while tag.isEmpty || taken.contains(tag) {
        tag += tag.isEmpty ? "revision-\(revision.id)" : "-\(revision.id)"
      }
      taken.insert(tag)
      tags.append(("refs/tags/\(tag)", revision.id))
    }
    return tags
  }

  /// A name by the rules of `git check-ref-format`; hyphens replace forbidden characters.
  private static func tagName(_ name: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for character in name.unicodeScalars {
      let isForbidden =
        character.value <= 0x20 || character.value == 0x7F
        || "~^:?*[\\/@".unicodeScalars.contains(character)
        || character == "." && (cleaned.isEmpty || cleaned.last == ".")
      if isForbidden && cleaned.last == "-" { continue }
      cleaned.append(isForbidden ? "-" : character)
      if cleaned.count == longestName { break }
    }
    while let last = cleaned.last, last == "." || last == "-" { cleaned.removeLast() }
    let tag = String(String.UnicodeScalarView(cleaned.drop { $0 == "-" }))
    if tag.hasSuffix(".lock") { return tag.dropLast(5) + "-lock" }
    // The names of branches begin like this.
    return tag.hasPrefix("ued-") ? "tag-" + tag : tag
  }

  /// The maximum number of characters in a tag, which is also a file name in the repository.
  private static let longestName = 50
}

/// The current branch as unified diffs, oldest first. `patch` and `git apply` turn the first text
/// into the current one with them, and ignore the line about the group before each diff.
struct PatchSeries {
  let export: HistoryExport
  /// Whether to use the colours of a terminal.
  let isColored: Bool
  /// Whether lines are written as `VisibleText`, so that they can't control a terminal.
  let showsVisibly: Bool

  /// Writes the series in blocks, until `sink` returns false.
  func write(to sink: @escaping (RawSpan) -> Bool) {
    let text = export.text
    let path = export.relativePath
    var old: PieceTable?
    text.forEachFileText(of: text.pathToCurrent) { id, new in
      guard let before = old else {
        old = new
        return true
      }
      old = new
      guard let lines = LineDifference.unlessInterrupted(from: before, to: new) else {
        return false
      }
      var goesOn = unsafe sink(heading(of: id).span.bytes)
      let difference = UnifiedDiff(
        old: UnifiedDiff.Side(text: before, name: Array("a/".utf8) + path),
        new: UnifiedDiff.Side(text: new, name: Array("b/".utf8) + path),
        hunks: lines.hunks,
        isColored: isColored, showsVisibly: showsVisibly)
      difference.write { block in
        goesOn = goesOn && sink(block)
        return goesOn
      }
      return goesOn
    }
  }

  /// The line about a group. No line of a patch begins like it.
  private func heading(of id: Int) -> [UInt8] {
    let time = SystemClock.standardText(export.text.history[id].time)
    let line = Array("revision \(id), \(time): \(export.text.title(id))".utf8)
    return (showsVisibly ? VisibleText.of(line) : line) + [.newline]
  }
}
