import TextBuffer

/// Taking changes from elsewhere: `pick` from another branch, `merge` from a revision or from the file.
extension Editor {
  /// Runs `pick`: does a group of another branch here as well.
  ///
  /// - Throws: `groupsInTheWay`.
  mutating func pick(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(argument, for: .pick)
    guard let parent = text.history[id].parent else { throw .nothingToPick(id) }
    // The text may have all of it already, by other groups.
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: try text.comparableText(of: id),
      from: try text.comparableText(of: parent))
    if merge.text == text.buffer { throw .nothingToPick(id) }
    let reversal = try text.reversal(picking: id)
    guard text.isChanged(by: reversal) else { throw .nothingToPick(id) }
    try make(reversal, GroupLabel(.picked(name: calledName(of: id))))
    if options.isFriendly {
      report(.picked(text.title(id), to: text.history.current), printsLine: true)
    }
  }

  /// Runs `merge` or `merge!`: joins the text with another, on what both were made from.
  ///
  /// - Throws: `mergeConflicts` if both have changed the same lines, unless conflicts are to be marked.
  mutating func merge(_ argument: [UInt8], marksConflicts: Bool) throws(EditorError) {
    try text.refuseInGroup()
    if argument == Array("disk".utf8) { return try mergeDisk(marksConflicts: marksConflicts) }
    let id = try revision(argument, for: marksConflicts ? .mergeMarking : .merge)
    let ancestor = text.commonAncestor(with: id)
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: try text.comparableText(of: id),
      from: try text.comparableText(of: ancestor))
    let conflicts = try text.conflicts(of: merge, since: ancestor, with: id)
    if !conflicts.isEmpty && !marksConflicts { throw .mergeConflicts(conflicts, with: argument) }
    try join(merge, named: String(id), base: String(ancestor))
  }

  /// Joins the text with what the file contains now. That counts as read, and may be written over.
  private mutating func mergeDisk(marksConflicts: Bool) throws(EditorError) {
    guard let present = try loadFromDisk() else { throw .noFileToMerge }
    let known = file.known(as: file.name)?.texts.first
    let saved = try text.history.saved.map { (id) throws(EditorError) in try text.fileText(of: id) }
    // A text without its carriage returns is not what the file contained.
    guard let base = options.stripTrailingCR ? saved : known ?? saved else {
      throw .noSuchRevision(Array("saved".utf8))
    }
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: text.comparable(present.text), from: text.comparable(base))
    let (end, keepsMissingNewline) = (text.fileText.lacksLastNewline, text.keepsMissingNewline)
    let conflicts = try text.conflicts(of: merge, since: base == saved ? text.history.saved : nil)
    if !conflicts.isEmpty && !marksConflicts {
      throw .mergeConflicts(conflicts, with: Array("disk".utf8))
    }
    try join(merge, named: "disk", base: "saved")
    text.setMissingNewline(
      Self.lacksLastNewline(
        ours: end, theirs: present.text.lacksLastNewline, base: base.lacksLastNewline))
    batch.ledger.update(file.name, to: present.original ?? present.text, isWritten: false)
    file.didMerge(
      KnownFile(path: file.name, present), into: text.history.current,
      keptMissingNewline: keepsMissingNewline)
  }

  /// Whether a merged text has no last newline: what only one side has changed wins. A text without lines
  /// has changed nothing.
  private static func lacksLastNewline(ours: Bool?, theirs: Bool?, base: Bool?) -> Bool {
    let base = base ?? false
    let (ours, theirs) = (ours ?? base, theirs ?? base)
    return ours == base ? theirs : ours
  }

  /// Forgets what was merged from the file, when the merge has been undone or taken back.
  mutating func forgetUndoneMerge(takingBack ids: Set<Int> = []) {
    guard let merge = file.merge else { return }
    if ids.contains(merge.revision) || !text.isHere(merge.revision) {
      text.keepsMissingNewline = merge.keptMissingNewline
      file.forgetMerge()
    }
  }

  /// Makes the merged text the present one, as a group.
  private mutating func join(
    _ merge: LineMerge, named name: String, base: String
  ) throws(EditorError) {
    let current = text.history.current
    let hasNews = merge.regions.contains { $0.kind == .theirs || $0.kind == .conflict }
    if hasNews {
      let names = ConflictNames(ours: String(current), base: base, theirs: name)
      try perform {
        $0.text.join(merge, marking: names)
        $0.text.label = GroupLabel(.merged(name: name, into: current))
      }
    }
    guard options.isFriendly else { return }
    let conflictCount = merge.conflicts.count
    report(
      .merged(hasNews ? name : nil, conflictCount: conflictCount, to: text.history.current),
      printsLine: hasNews)
  }
}
