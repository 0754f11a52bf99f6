import TextBuffer

/// A group of this text, as an error names it.
struct NamedGroup: Equatable, Sendable {
  var id: Int
  var title: String
}

/// Lines that two texts have changed in different ways.
struct MergeConflict: Equatable, Sendable {
  /// The lines in the present text; an empty range is a gap.
  var lines: LineRange
  /// The group that changed them here; nil if it is not known.
  var ours: NamedGroup?
  /// The group that changed them there; nil if it is not known, or none of this history.
  var theirs: NamedGroup?
}

/// `pick` and `merge`: joining this text with another that was made from the same one.
extension EditedText {
  /// The replacements that do a group of another branch in the present text.
  ///
  /// Its lines are followed by all groups between the text that it changed and the present one.
  ///
  /// - Parameter id: The group, which is not revision 0.
  /// - Throws: `pickOverlaps` with a group in between that changed the same lines, `pickBuildsOn` with one that is not
  ///   part of the text.
  /// - Returns: The replacements, in order of their lines.
  func replacements(toPick id: Int) throws(EditorError) -> [Reversal] {
    let parent = history[id].parent ?? 0
    let (back, forward) = history.path(to: parent)
    let (before, after) = (try text(of: parent), try text(of: id))
    let picked = try LineDifference.interruptible(from: before, to: after).hunks.map {
      Reversal(lines: $0.old, removed: after.slice(after.byteRange(of: $0.new)))
    }
    let steps: [Step] =
      forward.reversed().map { ($0, document.changes(of: $0).inverse) }
      + back.reversed().map { ($0, document.changes(of: $0)) }
    do throws(EditorError) {
      return try follow(picked, undoing: [], pathsTo: [history.current, parent]) {
        (start, ids) throws(EditorError) in
        try follow(start, from: before, along: steps, undoing: ids)
      }
    } catch {
      guard case .revertOverlaps(let other) = error else { throw error }
      throw forward.contains(other.id) ? .pickBuildsOn(other) : .pickOverlaps(other)
    }
  }

  /// The replacements by which what was one revision and became another does so in the present text, too;
  /// nil if there are conflicts.
  ///
  /// Texts are compared, not groups: what one group changed, another may have changed back.
  ///
  /// - Throws: `interrupted`.
  func replacements(making id: Int, of base: Int) throws(EditorError) -> [Reversal]? {
    let merge = try LineMerge.interruptible(
      of: buffer, and: try text(of: id), from: try text(of: base))
    if !merge.conflicts.isEmpty { return nil }
    return merge.theirRegions.map { Reversal(lines: $0.ours, removed: merge.theirLines(of: $0)) }
  }

  /// Whether a group moved lines. Texts do not show where lines have gone that were moved again.
  ///
  /// - Throws: `interrupted`.
  func isMove(_ id: Int) throws(EditorError) -> Bool {
    var text = try text(of: history[id].parent ?? 0)
    return document.goOn(over: id, from: &text).isMove
  }

  /// A group as an error names it.
  func group(_ id: Int) -> NamedGroup { NamedGroup(id: id, title: title(id)) }

  /// The latest revision from which both the present one and another were made.
  func commonAncestor(with id: Int) -> Int {
    history.path(to: id).back.last.map { history[$0].parent ?? 0 } ?? history.current
  }

  /// Finds the groups that made the conflicts of a merge.
  ///
  /// - Parameters:
  ///   - merge: The merge of a text into this one.
  ///   - ancestor: The revision of its base; nil if the base is none.
  ///   - id: The revision of the other text; nil if that is none.
  /// - Throws: `interrupted`.
  /// - Returns: The conflicts, in order of their lines. Only the first ones have the groups that made them: to find
  ///   those compares texts.
  func conflicts(
    of merge: LineMerge, since ancestor: Int?, with id: Int? = nil
  ) throws(EditorError) -> [MergeConflict] {
    let ours = ancestor.map { history.path(to: $0).back } ?? []
    let theirs = id.map { groups(from: ancestor ?? 0, to: $0) } ?? []
    var conflicts: [MergeConflict] = []
    for conflict in merge.conflicts {
      let isFirst = conflicts.count < Self.namedConflicts
      conflicts.append(
        MergeConflict(
          lines: conflict.ours,
          ours: try isFirst ? newest(of: ours, touching: conflict.ours, of: merge.ours) : nil,
          theirs: try isFirst
            ? newest(of: theirs, touching: conflict.theirs, of: merge.theirs) : nil))
    }
    return conflicts
  }

  private static let namedConflicts = 100

  /// The groups that lead from a revision to one that was made from it, newest first.
  func groups(from ancestor: Int, to id: Int) -> [Int] {
    var groups: [Int] = []
    var next = id
    while next > ancestor, let parent = history[next].parent {
      groups.append(next)
      next = parent
    }
    return groups
  }

  /// Finds the newest of some groups that touched lines.
  ///
  /// - Parameters:
  ///   - groups: The groups that made the text, newest first.
  ///   - lines: The lines; of a gap, those beside it.
  ///   - text: The text after the groups.
  /// - Throws: `interrupted`.
  /// - Returns: The group; nil if none did.
  private func newest(
    of groups: [Int], touching lines: LineRange, of text: PieceTable
  ) throws(EditorError) -> NamedGroup? {
    let isGap = lines.count == 0
    var text = text
    var tracked = TrackedLines(
      isGap
        ? LineRange(max(lines.last, LineNumber(1)), min(lines.first, LineNumber(text.lineCount)))
        : lines)
    for id in groups {
      if Interrupts.isInterrupted { throw .interrupted }
      let lineCount = text.lineCount
      let step = document.goBack(over: id, from: &text)
      if tracked.goBack(over: step, lineCount: lineCount) != nil { return group(id) }
    }
    return nil
  }

  /// Makes this the merged text.
  ///
  /// - Parameters:
  ///   - merge: The merge of another text into this one.
  ///   - names: What the texts are called where conflicts are left in the text.
  mutating func join(_ merge: LineMerge, marking names: ConflictNames) {
    for region in merge.regions.reversed() {
      switch region.kind {
      case .ours, .both: continue
      case .theirs:
        let lines = merge.theirLines(of: region).bytes
        replace(region.ours, with: lines, count: region.theirs.count)
      case .conflict:
        let lines = names.marked(region, of: merge)
        replace(region.ours, with: lines, count: lines.count { $0 == .newline })
      }
      save.isDirty = true
      currentLine = min(max(region.ours.first, LineNumber(1)), lastLine)
    }
  }
}

extension EditedText {
  /// The first line that begins a conflict, and is not in the saved text; nil if there is none.
  var firstConflict: LineNumber? {
    let text = buffer
    func lines(of text: PieceTable) -> [(number: LineNumber, bytes: [UInt8])] {
      text.ranges(of: "<<<<<<< ").compactMap { range in
        let number = text.lineNumber(at: range.lowerBound)
        let bytes = text.byteRange(of: LineRange(number))
        return bytes.lowerBound == range.lowerBound ? (number, text.bytes(in: bytes)) : nil
      }
    }
    guard let last = lines(of: text).last,
      text.firstRange(of: "\n>>>>>>> ", in: text.byteRange(of: LineRange(last.number, lastLine)))
        != nil
    else { return nil }
    var old = document.committedBuffer
    document.move(&old, from: history.current, to: history.saved ?? 0)
    let known = Set(lines(of: old).map(\.bytes))
    return lines(of: text).first { !known.contains($0.bytes) }?.number
  }
}

/// What the three texts of a merge are called where their conflicts are written.
struct ConflictNames: Equatable, Sendable {
  var ours: String
  var base: String
  var theirs: String

  /// A conflict as `diff3 -m` writes it.
  func marked(_ region: LineMerge.Region, of merge: LineMerge) -> [UInt8] {
    func lines(_ range: LineRange, _ text: PieceTable) -> [UInt8] {
      text.bytes(in: text.byteRange(of: range))
    }
    return Array("<<<<<<< \(ours)\n".utf8) + lines(region.ours, merge.ours)
      + Array("||||||| \(base)\n".utf8) + lines(region.base, merge.base)
      + Array("=======\n".utf8) + lines(region.theirs, merge.theirs)
      + Array(">>>>>>> \(theirs)\n".utf8)
  }
}

extension LineMerge {
  /// The regions that only the second text has changed.
  var theirRegions: [Region] { regions.filter { $0.kind == .theirs } }

  /// What the second text has in a region.
  func theirLines(of region: Region) -> PieceTable {
    theirs.slice(theirs.byteRange(of: region.theirs))
  }
}
