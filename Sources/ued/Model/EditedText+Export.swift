import TextBuffer

/// The texts of many revisions, one after the other.
extension EditedText {
  /// The revisions from the first to the current one.
  var pathToCurrent: [Int] { [0] + history.path(to: 0).back.reversed() }

  /// All revisions, each before those that were made from it, and a branch to its end before the next one.
  var revisionsByBranch: [Int] {
    var (found, ahead) = ([Int](), [0])
    while let id = ahead.popLast() {
      found.append(id)
      ahead += history.children(of: id)
    }
    return found
  }

  /// Visits the texts of revisions as they would be written.
  ///
  /// One text goes from revision to revision, so that none is kept.
  ///
  /// - Parameters:
  ///   - ids: The revisions.
  ///   - body: Called with each revision and its text; false ends the visit.
  /// - Complexity: O(log *p*) for each change on the way, for *p* pieces.
  func forEachFileText(of ids: [Int], _ body: (Int, PieceTable) -> Bool) {
    var (text, here) = (document.committedBuffer, history.current)
    for id in ids {
      document.move(&text, from: here, to: id)
      here = id
      if !body(id, fileText(of: id, isUnterminated(id, text) ? text.withoutLastNewline : text)) {
        return
      }
    }
  }
}
