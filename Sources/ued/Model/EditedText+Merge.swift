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

/// `merge`: joining this text with another that was made from the same one.
extension EditedText {
  /// The latest revision from which both the present one and another were made.
  func commonAncestor(with id: Int) -> Int {
    history.path(to: id).back.last.map { history[$0].parent ?? 0 } ?? history.current
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
