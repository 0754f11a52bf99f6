extension Document {
  /// The revision that wrote or moved each line of the present revision last.
  ///
  /// Origins that are known need not be found out again:
  ///
  ///     let kept = (revision: document.history.current, origins: document.lineOrigins())
  ///     // After further groups:
  ///     document.lineOrigins { id, _ in id == kept.revision ? kept.origins : nil }
  ///
  /// - Parameters:
  ///   - known: The origins of a revision whose number and number of lines it is given; nil if they are not
  ///     known. It is asked for the present revision and its ancestors, the newest first, until it
  ///     has an answer with that number of lines.
  ///   - visit: Is called with each revision after that one, oldest first, and its origins.
  /// - Returns: The numbers of the revisions; 0 for lines of the first text, and for all lines if the history is
  ///   damaged.
  /// - Complexity: O(*g* log *p*), for *g* groups since the known origins, besides what their steps cost.
  public func lineOrigins(
    known: (_ revision: Int, _ lineCount: Int) -> LineOrigins? = { _, _ in nil },
    visit: (_ revision: Int, _ origins: LineOrigins) -> Void = { _, _ in }
  ) -> LineOrigins {
    let history = history
    var (text, id) = (committedBuffer, history.current)
    var path: [(id: Int, changes: [Change])] = []
    var found = known(id, text.lineCount)
    while found?.lineCount != text.lineCount, let parent = history.revisions[entry: id].parent.id {
      let changes = changes(of: id)
      apply(changes.reversed().map(\.inverse), to: &text)
      path.append((id, changes))
      id = parent
      found = known(id, text.lineCount)
    }
    var origins = LineOrigins(lineCount: text.lineCount)
    if let found, found.lineCount == text.lineCount { origins = found }
    for (id, changes) in path.reversed() {
      let before = text
      apply(changes, to: &text)
      // What a store has wrong was not applied.
      if history.isDamaged { return LineOrigins(lineCount: committedBuffer.lineCount) }
      origins.apply(LineStep(of: changes, from: before, to: text), by: id)
      visit(id, origins)
    }
    return origins
  }

  /// Goes back over the groups of the present revision, to see whether finding out origins takes long.
  ///
  /// - Parameter body: Is called with each revision, the number of changes that led to it, and of the lines that these
  ///   removed and added; returns whether to go on.
  package func goBack(_ body: (_ revision: Int, _ changeCount: Int, _ lineCount: Int) -> Bool) {
    let revisions = history.revisions
    var id = history.current
    while let parent = revisions[entry: id].parent.id {
      let changeCount = revisions.stepCount(of: id)
      var lineCount = 0
      for index in 0..<changeCount {
        lineCount += revisions.withStep(index, of: id) {
          $0.removedNewlineCount + $0.insertedNewlineCount
        }
      }
      guard body(id, changeCount, lineCount) else { return }
      id = parent
    }
  }
}
