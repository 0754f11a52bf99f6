import TextBuffer

/// The differences of files, in the form of `diff -u` and `git diff`, or between `*** Begin Patch`
/// and `*** End Patch`, or in blocks of `<<<<<<< SEARCH` and `>>>>>>> REPLACE`.
///
///     let patch = try UnifiedPatch(bytes)
///     let changes = try HunkPlacement(of: patch.files[0].hunks, in: text).changes
///
/// Text around the differences is ignored: mail, prose, the fences of Markdown. If the counts in
/// the header of a hunk are wrong, its lines are counted.
struct UnifiedPatch: Equatable, Sendable {
  /// The files, in the order of the patch.
  var files: [FileDifference]
}

extension UnifiedPatch {
  /// Reads all bytes of a patch in O(bytes).
  ///
  /// - Throws: The reason why the patch can't be read; no part of it should be applied then.
  init(_ bytes: [UInt8]) throws(PatchError) {
    var parser = PatchParser(bytes)
    self.init(files: try parser.parse())
  }
}

/// The changes of a patch to one file.
struct FileDifference: Equatable, Sendable {
  /// A name in a header.
  enum Name: Equatable, Sendable {
    /// No header has the name.
    case unknown
    /// `/dev/null`: the file does not exist.
    case none
    case path([UInt8])

    var path: [UInt8]? { if case .path(let path) = self { path } else { nil } }
  }

  /// The first line of the difference in the patch.
  var patchLine: Int
  /// The old and new names, without the prefixes `a/` and `b/` if the patch has them.
  var old = Name.unknown
  var new = Name.unknown
  /// Whether a header renames the file.
  var isRename = false
  /// Whether the file is executable afterwards; nil to leave that unchanged.
  var isExecutable: Bool?
  /// Whether the header of the old, or new, file has the time that `diff -N` writes for a missing
  /// file.
  var oldIsMissing = false
  var newIsMissing = false
  /// Whether the file is removed, whatever its content.
  var removesAll = false
  /// git's hashes of the old and the new text, perhaps abbreviated; empty if unknown.
  var gitNames: [String] = []
  var hunks: [Hunk] = []

  var hasChanges: Bool {
    !hunks.isEmpty || isRename || isExecutable != nil || old == .none || new == .none
  }

  /// Whether it creates, removes or renames the file.
  var isUnusual: Bool { old == .none || new == .none || isRename }

  /// The difference that undoes this one. Only names and hunks are inverted.
  var inverse: FileDifference {
    var inverse = self
    (inverse.old, inverse.new) = (new, old)
    inverse.hunks = hunks.map(\.inverse)
    return inverse
  }
}

/// Lines to find in a text, and the lines that replace them.
struct Hunk: Equatable, Sendable {
  enum Mark: Equatable, Sendable { case kept, removed, added }

  /// The first line of the hunk in the patch.
  var patchLine: Int
  /// The first old line or, without old lines, the line after which the hunk adds lines. Nil if the
  /// header has no number.
  var oldStart: Int?
  var newStart: Int?
  /// The lines that must occur above the hunk, each without leading and trailing blanks.
  var anchors: [ArraySlice<UInt8>] = []
  /// The lines of the patch, each with its mark.
  var body: ArraySlice<UInt8>
  var oldCount = 0
  var newCount = 0
  /// The number of old lines, and of new ones, that end with a carriage return.
  var oldReturnCount = 0
  var newReturnCount = 0
  /// Whether the header lines above the hunk end with carriage returns.
  var headerHasReturn = false
  /// Whether the last old, or new, line ends the text without a newline.
  var oldLacksNewline = false
  var newLacksNewline = false
  /// The mark of the last line read.
  var lastMark: Mark?
  /// Whether it has as many lines as its header says.
  var isCounted = false
  /// Whether it is the last hunk of the patch, and has fewer lines than its header says.
  var isShort = false
  /// Whether the hunk is complete only if it reaches the end of the text; otherwise it was cut off.
  var needsEnd = false
  /// Whether `*** End of File` follows: the last line of the hunk is the last one of the text.
  var isAtEnd = false
  /// Whether it may apply above hunks that precede it in the patch.
  var isUnordered = false
  /// Whether the marks of removed and added lines are swapped.
  var isInverted = false

  /// Whether its line number, shifted like the preceding hunk, is reliable. Its header must be
  /// right, and it must have as many unchanged lines above the changes as below. `diff` shows fewer
  /// on one side only at an end of the text.
  var hasReliableLine: Bool { isCounted && context.above == context.below }

  /// Whether its last line must be the last one of the text.
  var endsText: Bool { isAtEnd || oldLacksNewline || newLacksNewline }

  /// The numbers of unchanged lines above and below the changes; without changes, all are above.
  var context: (above: Int, below: Int) {
    var (above, below, isAbove) = (0, 0, true)
    forEachLine { mark, _ in
      if mark != .kept {
        (isAbove, below) = (false, 0)
      } else if isAbove {
        above += 1
      } else {
        below += 1
      }
    }
    return (above, below)
  }

  /// Whether it adds or removes carriage returns at the ends of otherwise unchanged lines.
  var changesLineEnds: Bool {
    var lines: [Mark: (bare: Set<ArraySlice<UInt8>>, withReturn: Set<ArraySlice<UInt8>>)] = [:]
    var (old, new) = (0, 0)
    forEachLine { mark, line in
      if mark != .added { old += 1 }
      if mark != .removed { new += 1 }
      // A last line without a newline has no line end.
      let isOpen =
        mark == .removed ? oldLacksNewline && old == oldCount : newLacksNewline && new == newCount
      if mark == .kept || isOpen { return }
      if line.last != .carriageReturn {
        lines[mark, default: ([], [])].bare.insert(line)
      } else if line.count > 1 {
        lines[mark, default: ([], [])].withReturn.insert(line.dropLast())
      }
    }
    guard let removed = lines[.removed], let added = lines[.added] else { return false }
    return !removed.withReturn.isDisjoint(with: added.bare)
      || !removed.bare.isDisjoint(with: added.withReturn)
  }

  var inverse: Hunk {
    var inverse = self
    (inverse.oldStart, inverse.newStart) = (newStart, oldStart)
    (inverse.oldCount, inverse.newCount) = (newCount, oldCount)
    (inverse.oldReturnCount, inverse.newReturnCount) = (newReturnCount, oldReturnCount)
    (inverse.oldLacksNewline, inverse.newLacksNewline) = (newLacksNewline, oldLacksNewline)
    inverse.isInverted.toggle()
    return inverse
  }

  /// Visits the lines, each without its mark and newline.
  func forEachLine(_ body: (Mark, ArraySlice<UInt8>) -> Void) {
    var rest = self.body
    while !rest.isEmpty {
      let end = rest.firstIndex(of: .newline) ?? rest.endIndex
      let line = rest[rest.startIndex..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      switch line.first {
      case UInt8(ascii: "-"): body(isInverted ? .added : .removed, line.dropFirst())
      case UInt8(ascii: "+"): body(isInverted ? .removed : .added, line.dropFirst())
      case .backslash: break
      case .space: body(.kept, line.dropFirst())
      // The space that marks an empty kept line is often lost.
      default: body(.kept, line)
      }
    }
  }

  /// The old lines, each with a newline.
  func oldLines(droppingReturns: Bool) -> [UInt8] {
    var lines: [UInt8] = []
    forEachLine { mark, line in
      if mark != .added { lines += Self.line(line, droppingReturn: droppingReturns) }
    }
    return lines
  }

  /// A line with a newline; `droppingReturn` removes the carriage return at its end.
  static func line(_ line: ArraySlice<UInt8>, droppingReturn: Bool) -> ArraySlice<UInt8> {
    (droppingReturn && line.last == .carriageReturn ? line.dropLast() : line) + [.newline]
  }
}
