import TextBuffer

/// The differences of files, in the form of `diff -u` and `git diff`, or between `*** Begin Patch` and
/// `*** End Patch`, or in blocks of `<<<<<<< SEARCH` and `>>>>>>> REPLACE`.
///
///     let patch = try UnifiedPatch(bytes)
///     let changes = try HunkPlacement(of: patch.files[0].hunks, in: text).changes
///
/// What stands around the differences is ignored: mail, prose, the fences of Markdown. How many lines a hunk
/// has is taken from its lines where the counts of its header are wrong.
struct UnifiedPatch: Equatable, Sendable {
  /// The files, in the order of the patch.
  var files: [FileDifference]
}

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

/// What a patch changes in one file.
struct FileDifference: Equatable, Sendable {
  /// A name in a header.
  enum Name: Equatable, Sendable {
    /// No header has told it.
    case unknown
    /// `/dev/null`: there is no such file.
    case none
    case path([UInt8])

    /// The path; nil when there is none.
    var path: [UInt8]? { if case .path(let path) = self { path } else { nil } }
  }

  /// The line of the patch where it begins.
  var patchLine: Int
  /// The names before and after, without the `a/` and `b/` of a patch that has them.
  var old = Name.unknown
  var new = Name.unknown
  /// Whether a header says that the file has another name afterwards.
  var isRename = false
  /// Whether the file can be run afterwards; nil if that stays as it is.
  var isExecutable: Bool?
  /// Whether the old or the new text has the time by which `diff -N` tells that there is no file.
  var oldIsMissing = false
  var newIsMissing = false
  /// Whether the file is removed whatever is in it.
  var removesAll = false
  /// The names that git has given the old and the new text, or as much of them as is written; empty if unknown.
  var gitNames: [String] = []
  var hunks: [Hunk] = []

  /// Whether it changes anything.
  var hasChanges: Bool {
    !hunks.isEmpty || isRename || isExecutable != nil || old == .none || new == .none
  }

  /// Whether it makes, removes or renames the file.
  var isUnusual: Bool { old == .none || new == .none || isRename }

  /// The change that takes this one back, as far as texts go.
  var inverse: FileDifference {
    var inverse = self
    (inverse.old, inverse.new) = (new, old)
    inverse.hunks = hunks.map(\.inverse)
    return inverse
  }
}

/// Lines to be found in a text, and those that take their place.
struct Hunk: Equatable, Sendable {
  enum Mark: Equatable, Sendable { case kept, removed, added }

  /// The line of the patch where it begins.
  var patchLine: Int
  /// The first line that it is about; if it has no old lines, the one behind which it adds some. Nil if its
  /// header does not tell.
  var oldStart: Int?
  var newStart: Int?
  /// The lines that it is behind, each without the blanks at its ends.
  var anchors: [ArraySlice<UInt8>] = []
  /// The lines of the patch, each with its mark.
  var body: ArraySlice<UInt8>
  var oldCount = 0
  var newCount = 0
  /// How many of the old lines, and of the new ones, end with a carriage return.
  var oldReturnCount = 0
  var newReturnCount = 0
  /// Whether the last old line is the last one of the text, without a newline; and the same of the new one.
  var oldLacksNewline = false
  var newLacksNewline = false
  /// The mark of the last line that was read.
  var lastMark: Mark?
  /// Whether it has as many lines as its header says.
  var isCounted = false
  /// Whether it is the last one of the patch, and has fewer lines than its header says.
  var isShort = false
  /// Whether it was cut off unless it reaches the end of the text.
  var needsEnd = false
  /// Whether it may be above hunks that come before it.
  var isUnordered = false
  /// Whether the marks of removed and added lines are exchanged.
  var isInverted = false

  /// Whether its number tells which one of several places is meant: its header is right, and there are as many
  /// unchanged lines above the changes as below. `diff` shows fewer on one side only at an end of the text.
  var isPlaced: Bool { isCounted && context.above == context.below }

  /// How many unchanged lines are above the changes and below; without changes all are above.
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

  /// Whether it adds or takes carriage returns at the ends of lines which it otherwise leaves as they are.
  var changesLineEnds: Bool {
    var lines: [Mark: (bare: Set<ArraySlice<UInt8>>, withReturn: Set<ArraySlice<UInt8>>)] = [:]
    var (old, new) = (0, 0)
    forEachLine { mark, line in
      if mark != .added { old += 1 }
      if mark != .removed { new += 1 }
      // A last line without a newline has none of these ends.
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

  /// The hunk that takes this one back.
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
      // The blank of an empty line is often lost.
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

  /// A line with a newline, without the carriage return at its end if that is dropped.
  static func line(_ line: ArraySlice<UInt8>, droppingReturn: Bool) -> ArraySlice<UInt8> {
    (droppingReturn && line.last == .carriageReturn ? line.dropLast() : line) + [.newline]
  }
}
