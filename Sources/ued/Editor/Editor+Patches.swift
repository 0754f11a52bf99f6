import Glibc
import TextBuffer
import TextLines

/// `apply` and `--apply`: the changes of a unified diff.
extension Editor {
  /// Applies a patch to the text, from a file or a here-document.
  mutating func apply(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { throw .missingArgument("apply") }
    let patch: UnifiedPatch
    var name: [UInt8]?
    if let word = CommandParser.hereWord(argument) {
      patch = try Self.patch(try readText(upTo: .word(word), at: text.currentLine).bytes)
    } else {
      guard case .file(let path) = try place(.name(argument)) else {
        throw .badArgument(argument, of: "apply")
      }
      patch = try Self.patch(try patchBytes(path))
      name = path
    }
    guard patch.files.count == 1 else { throw .patch(.hasSeveralFiles(patch.files.count)) }
    let file = patch.files[0]
    if file.isRename || file.removesAll || file.isExecutable != nil && file.old != .none {
      throw .patch(.changesMoreThanText)
    }
    try apply(file, named: name)
  }

  private static func patch(_ bytes: [UInt8]) throws(EditorError) -> UnifiedPatch {
    do {
      return try UnifiedPatch(bytes)
    } catch {
      throw .patch(error)
    }
  }

  private func patchBytes(_ path: [UInt8]) throws(EditorError) -> [UInt8] {
    do throws(FileError) {
      let loaded = try file.disk.read(path, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      return loaded.text.bytes
    } catch {
      throw reported(error)
    }
  }

  /// Applies the hunks of a file as one group; the last changed line becomes the current one.
  ///
  /// - Throws: The first hunk that does not fit; the text is then unchanged.
  mutating func apply(
    _ difference: FileDifference, named name: [UInt8]?
  ) throws(EditorError) {
    if difference.hunks.isEmpty { return }
    let isUnterminated = text.lacksLastNewline
    let placement: HunkPlacement
    let changesLineEnds = difference.hunks.contains(where: \.changesLineEnds)
    // A plain script sees the carriage returns of the file, which a patch may lack.
    let showsReturns = text.buffer.usesCRLF && !changesLineEnds
    var shown = text.buffer
    if showsReturns { shown = shown.withoutCRLF ?? shown }
    if changesLineEnds && text.usesCRLF {
      shown = shown.inFile(lackingNewline: isUnterminated, usingCRLF: true).withLastNewline
    }
    do {
      placement = try HunkPlacement(
        of: difference.hunks, in: shown,
        isUnterminated: isUnterminated || conduct.treatsDoubtsAsErrors ? isUnterminated : nil,
        usesCRLF: !changesLineEnds && (text.usesCRLF || showsReturns))
    } catch {
      if Interrupts.isInterrupted { throw .interruption }
      if case .isRejected(let rejection) = error, case .isNowhere = rejection.reason {
        let hunk = difference.hunks[rejection.hunk - 1]
        let block = LineBlock(hunk.oldLines(droppingReturns: text.usesCRLF))
        if !block.lines.isEmpty, let past = past(of: block) { throw .hunkIsStale(rejection, past) }
      }
      throw .patch(error)
    }
    try perform { (editor) throws(EditorError) in
      let parts = placement.changes.prefix(3).map {
        (lines: $0.lines, count: $0.new.count { $0 == .newline })
      }
      editor.text.label = GroupLabel(
        .applied(patch: name, replacements: parts, count: placement.changes.count))
      let old = editor.text.fileText
      if changesLineEnds {
        editor.text.join(placement.changes, madeTo: shown)
      } else {
        try editor.text.make(placement.changes, addingReturns: showsReturns)
      }
      guard let hunk = difference.hunks.last, hunk.isShort else { return }
      let isOpen = placement.lacksNewline ?? isUnterminated
      let new = editor.text.buffer.inFile(
        lackingNewline: isOpen, usingCRLF: editor.text.usesCRLF)
      if difference.contradicts(SHA256Hash.gitName(of: old), SHA256Hash.gitName(of: new)) {
        editor.text.isStepFailed = true
        throw .patch(.isCutOff(line: hunk.patchLine))
      }
    }
    guard let lacksNewline = placement.lacksNewline else { return }
    text.setMissingNewline(lacksNewline)
  }
}

/// Files of a patch.
extension Editor {
  /// Opens a file, applies its part of a patch, and makes the write pending, under `newPath`. Each
  /// change builds on the one before; a created, removed or renamed file has only one.
  ///
  /// - Throws: The reason why it can't be applied; nothing is pending then.
  mutating func apply(
    _ differences: [FileDifference], to path: [UInt8], as newPath: [UInt8], named name: [UInt8]?
  ) throws(EditorError) {
    guard let difference = differences.first, let last = differences.last else { return }
    if try openFindsNone(path) {
      if difference.old != .none && !difference.oldIsMissing {
        throw difference.new == .none || difference.isRename && OpenFile.exists(newPath)
          ? .patch(.isAppliedAlready())
          : .file(FileError(attempt: .openInput, path: path, code: ENOENT))
      }
    } else if difference.old == .none, text.lastLine > .zero || difference.hunks.isEmpty {
      throw .patch(try refusalToCreate(difference))
    }
    if difference.isRename && (file.pending.text(of: newPath) != nil || OpenFile.exists(newPath)) {
      batch.ledger.add(newPath, contentIfThere(newPath))
      throw .patch(.fileExists)
    }
    // A mode that the file already has does not count as a change.
    let mode = OpenFile.status(of: path).map { $0.st_mode & 0o7777 }
    let isExecutable = differences.last { $0.isExecutable != nil }?.isExecutable
    let isSameMode = mode.map { NonTextChanges(isExecutable: isExecutable).accepts($0) }
    if differences.allSatisfy(\.hunks.isEmpty) && !difference.isRename && last.new != .none,
      isSameMode == true
    {
      throw .patch(.isAppliedAlready())
    }
    let old = text.buffer
    for difference in differences { try apply(difference, named: name) }
    if last.removesAll { try replaceAll(with: PieceTable(), lineCount: 0, named: name) }
    if difference.isRename {
      return try move(to: newPath, isExecutable: isExecutable, named: name)
    }
    let isRemoved = text.lastLine == .zero && last.newIsMissing || last.new == .none
    if last.new == .none && text.lastLine > .zero {
      let removed = LineDifference(from: old, to: text.buffer).hunks.first?.old
      let first = removed?.first == LineNumber(1) ? (removed?.last ?? .zero) + 1 : LineNumber(1)
      let line = min(first, LineNumber(max(old.newlineCount, 1)))
      throw .patch(.isNotEmpty(line, text.buffer.line(LineNumber(1))))
    }
    try postpone(
      isRemoved ? PieceTable() : text.fileText,
      otherChanges: NonTextChanges(isRemoved: isRemoved, isExecutable: isExecutable))
  }

  /// Moves the text to a file with another name, and removes the old file. Each of the two
  /// histories gets a group: the old file loses its text, the new file gains it.
  private mutating func move(
    to newPath: [UInt8], isExecutable: Bool?, named name: [UInt8]?
  ) throws(EditorError) {
    let (oldPath, old, new) = (file.name, text, text.fileText)
    try replaceAll(with: PieceTable(), lineCount: 0, named: name)
    try postpone(PieceTable(), otherChanges: NonTextChanges(isRemoved: true))
    leaveFile()
    _ = try openFindsNone(newPath)
    (text.isBinary, text.usesCRLF) = (old.isBinary, old.usesCRLF)
    try replaceAll(with: old.buffer, lineCount: old.lastLine.value, named: name)
    try postpone(
      new, otherChanges: NonTextChanges(attributesOf: oldPath, isExecutable: isExecutable))
  }

  private mutating func replaceAll(
    with new: PieceTable, lineCount: Int, named name: [UInt8]?
  ) throws(EditorError) {
    try perform { (editor) throws(EditorError) in
      let all = LineRange(LineNumber(1), editor.text.lastLine)
      editor.text.label = GroupLabel(
        .applied(patch: name, replacements: [(all, lineCount)], count: 1))
      editor.text.replace(all, with: new, count: lineCount)
    }
  }

  mutating func postpone(_ new: PieceTable, otherChanges: NonTextChanges) throws(EditorError) {
    try keeper.beginWrite()
    if otherChanges.isRemoved { keeper.own.effect.insert(.removes) }
    do throws(FileError) {
      try file.pending.add(
        new, to: file.name, appending: false, known: file.known(as: file.name), disk: file.disk,
        otherChanges: otherChanges)
    } catch {
      throw .file(error)
    }
    text.didSave()
  }

  /// Opens a file of a patch, and returns whether it is missing.
  private mutating func openFindsNone(_ path: [UInt8]) throws(EditorError) -> Bool {
    do throws(EditorError) {
      try open(path)
      return false
    } catch {
      guard case .file(let failure) = error, failure.code == ENOENT, failure.path == path else {
        throw error
      }
      return true
    }
  }

  /// The error of a patch that creates an existing file: the patch is applied already, or the file
  /// differs.
  private func refusalToCreate(_ difference: FileDifference) throws(EditorError) -> PatchError {
    let isUnterminated = text.lacksLastNewline
    do {
      let made = try HunkPlacement(
        of: difference.hunks, in: PieceTable(), isUnterminated: false)
      let isSame = text.comparable(PieceTable(made.changes.flatMap(\.new))) == text.buffer
      return isSame && (made.lacksNewline ?? false) == isUnterminated
        ? .isAppliedAlready() : .fileExists
    } catch {
      throw .patch(error)
    }
  }
}

extension FileDifference {
  /// Whether the git object names of a patch match the old text but not the new one.
  fileprivate func contradicts(_ old: String, _ new: String) -> Bool {
    guard gitNames.count == 2 else { return false }
    func isNone(_ name: String) -> Bool { name.allSatisfy { $0 == "0" } }
    let isOfOld = isNone(gitNames[0]) ? self.old == .none : old.hasPrefix(gitNames[0])
    return isOfOld && !isNone(gitNames[1]) && !new.hasPrefix(gitNames[1])
  }
}

extension EditedText {
  /// Replaces the lines that differ from the result of ascending changes to `text`, which has the
  /// carriage returns of the file.
  fileprivate mutating func join(
    _ changes: [HunkPlacement.Change], madeTo text: PieceTable
  ) {
    var patched = text
    for change in changes.reversed() {
      patched.replaceLines(change.lines, with: change.new)
    }
    let (new, usesCRLF) = hidesReturns ? patched.asEdited : (patched, false)
    let hunks = LineDifference.affordableHunks(from: buffer, to: new)
    replace(hunks, at: LineNumber(1), with: new)
    self.usesCRLF = usesCRLF
    save.isDirty = true
    if let last = hunks.last { currentLine = min(last.new.last, lastLine) }
  }

  /// Makes replacements, given in ascending order. The last changed line becomes the current one.
  fileprivate mutating func make(
    _ changes: [HunkPlacement.Change], addingReturns: Bool
  ) throws(EditorError) {
    var growth = 0
    for change in changes.reversed() {
      if Interrupts.isInterrupted { throw .interrupted }
      let count = change.new.count { $0 == .newline }
      let new = PieceTable(change.new)
      replace(change.lines, with: addingReturns ? new.withCRLF : new, count: count)
      growth += count - change.lines.count
    }
    save.isDirty = true
    guard let last = changes.last else { return }
    currentLine = min(LineNumber(last.lines.last.value + growth), lastLine)
  }
}

// MARK: - Merge

/// `pick` and `merge`: changes taken from another branch, a revision, or the file.
extension Editor {
  /// Runs `pick`: applies a group of another branch here.
  ///
  /// - Throws: `groupsInTheWay`; `nothingToPick` if the group would change nothing here.
  mutating func pick(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = try revision(argument, for: "pick")
    guard let parent = text.history[id].parent else { throw .nothingToPick(id) }
    // Other groups may have made the same changes already.
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: try text.comparableText(of: id),
      from: try text.comparableText(of: parent))
    if merge.text == text.buffer { throw .nothingToPick(id) }
    let reversal = try text.reversal(picking: id)
    guard text.isChanged(by: reversal) else { throw .nothingToPick(id) }
    try make(reversal, GroupLabel(.picked(name: calledName(of: id))))
    if conduct.announces {
      report(.picked(text.title(id), to: text.history.current))
    }
  }

  /// Runs `merge` or `merge!`: merges another text into this one, from their common ancestor.
  ///
  /// - Throws: `mergeConflicts` if both sides changed the same lines, unless `marksConflicts`.
  mutating func merge(_ argument: [UInt8], marksConflicts: Bool) throws(EditorError) {
    try text.refuseInGroup()
    if argument == Array("disk".utf8) { return try mergeDisk(marksConflicts: marksConflicts) }
    let id = try revision(argument, for: marksConflicts ? "merge!" : "merge")
    let ancestor = text.commonAncestor(with: id)
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: try text.comparableText(of: id),
      from: try text.comparableText(of: ancestor))
    let conflicts = try text.conflicts(of: merge, since: ancestor, with: id)
    if !conflicts.isEmpty && !marksConflicts { throw .mergeConflicts(conflicts, with: argument) }
    try join(merge, named: String(id), base: String(ancestor))
    // Another run may have saved that revision.
    if file.danger(ofWriting: file.name) == .changedOutside, let present = try? loadFromDisk(),
      let merged = try? text.fileText(of: id), present.text == merged
    {
      file.didMerge(
        KnownFile(path: file.name, present), into: text.history.current,
        lastNewline: text.lastNewline)
    }
  }

  /// Merges the present file into the text; its content counts as read, so a write may replace it.
  private mutating func mergeDisk(marksConflicts: Bool) throws(EditorError) {
    guard let present = try loadFromDisk() else { throw .noFileToMerge }
    let known = file.known(as: file.name)?.texts.first
    let saved = try text.history.saved.map { (id) throws(EditorError) in try text.fileText(of: id) }
    // If carriage returns were dropped, the text as read is not the content of the file.
    guard let base = options.stripTrailingCR ? saved : known ?? saved else {
      throw .noSuchRevision(Array("saved".utf8))
    }
    let merge = try LineMerge.interruptible(
      of: text.buffer, and: text.mergeable(present.text), from: text.mergeable(base))
    let usesCRLF = Self.merged(
      ours: text.usesCRLF, theirs: text.usesCRLF(in: present.text), base: text.usesCRLF(in: base))
    let (end, lastNewline) = (text.fileText.lacksLastNewline, text.lastNewline)
    let conflicts = try text.conflicts(of: merge, since: base == saved ? text.history.saved : nil)
    if !conflicts.isEmpty && !marksConflicts {
      throw .mergeConflicts(conflicts, with: Array("disk".utf8))
    }
    try join(merge, named: "disk", base: "saved", usesCRLF: usesCRLF)
    text.setMissingNewline(
      Self.merged(
        ours: end, theirs: present.text.lacksLastNewline, base: base.lacksLastNewline))
    batch.ledger.update(file.name, to: present.original ?? present.text, isWritten: false)
    file.didMerge(
      KnownFile(path: file.name, present), into: text.history.current,
      lastNewline: lastNewline)
  }

  /// Merges one property of a text: a change on one side wins. A side without lines has no change.
  private static func merged(ours: Bool?, theirs: Bool?, base: Bool?) -> Bool {
    let base = base ?? false
    let (ours, theirs) = (ours ?? base, theirs ?? base)
    return ours == base ? theirs : ours
  }

  /// Forgets the merged file content, once the merge has been undone or taken back.
  mutating func forgetUndoneMerge(takingBack ids: Set<Int> = []) {
    guard let merge = file.merge else { return }
    if ids.contains(merge.revision) || !text.isHere(merge.revision) {
      text.lastNewline = merge.lastNewline
      file.forgetMerge()
    }
  }

  /// Makes the merged text the present one, as a group.
  private mutating func join(
    _ merge: LineMerge, named name: String, base: String, usesCRLF: Bool? = nil
  ) throws(EditorError) {
    let current = text.history.current
    let hasNews =
      merge.regions.contains { $0.kind == .theirs || $0.kind == .conflict }
      || usesCRLF ?? text.usesCRLF != text.usesCRLF
    if hasNews {
      let names = ConflictNames(ours: String(current), base: base, theirs: name)
      try perform {
        $0.text.join(merge, marking: names)
        if let usesCRLF { $0.text.usesCRLF = usesCRLF }
        $0.text.label = GroupLabel(.merged(name: name, into: current))
      }
    }
    let conflicts = merge.markedLines
    // A program must not write the markers unawares.
    guard conduct.announces || options.json && !conflicts.isEmpty else { return }
    report(.merged(hasNews ? name : nil, conflicts: conflicts, to: text.history.current))
  }
}
