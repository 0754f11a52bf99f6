import Glibc
import TextBuffer
import TextLines

/// Loading the history of a file.
extension HistoryKeeper {
  /// Continues the stored history, if there is one, of a text that has just been read, or begins a
  /// new one. The file name may be empty. The text of a missing file is empty.
  mutating func open(_ text: inout EditedText, of fileName: [UInt8], isMissing: Bool) {
    startOver()
    guard policy.isOn else { return }
    defer { if !policy.staysOpen { suspend(isBrief: true) } }
    if isMissing { own.effect = .makes }
    text.document.trackChanges()
    own.settled = HistorySession.Position(of: text)
    if PrivateFolder.state == nil { policy.index.tellOnce(.trouble(.noFolder), in: &notices) }
    if fileName.isEmpty {
      state = .waiting(nil)
      openUnnamed(&text)
    } else if let place = place(of: fileName, for: text, isNamedLater: false) {
      state = .waiting(place)
      if !isMissing && !policy.isReadOnly && !place.exists,
        let old = policy.index.takeLost(for: text.buffer, usesCRLF: text.usesCRLF, at: place),
        policy.isForPerson
      {
        notices.append(.renamed(from: old.file))
      }
      readHistory(of: &text, at: place, isMissing: isMissing)
      if !isMissing, let place = self.place { own.opened = FileStamp(of: place.file) }
      noteFile(own.opened, as: text)
    } else if let place = try? FilePlace(following: fileName), place.folder.path.isEmpty {
      // Without /proc, the path of the file is unknown.
      policy.index.tellOnce(.trouble(.folder(Array("/proc".utf8), code: ENOENT)), in: &notices)
    }
    text.lines = LineTracking(opening: text.history)
    (own.start, own.unchanged) = (text.history.current, text.history.current)
  }

  /// Commits a group that drops carriage returns, if any, from the text as read. The text counts as
  /// saved, as if the history began with it. Only a later group or a save stores the group.
  mutating func strip(_ text: inout EditedText, to stripped: PieceTable) {
    guard text.buffer != stripped || text.usesCRLF else { return }
    let parent = text.history[text.history.current]
    let isSettled = HistorySession.Position(of: text) == own.settled
    if let id = earlier?.reader.revision(with: ContentHash(of: stripped)), text.isRevision(id),
      text.history[id].parent == parent.id
    {
      // An earlier run has committed the same group.
      text.document.move(to: id)
      text.usesCRLF = false
      text.document.markSaved()
      if id == parent.preferredChild { dropFirstUnsaved() }
    } else {
      commit(.carriageReturnsStripped, stripped, usesCRLF: false, in: &text)
    }
    if isSettled { own.settled = HistorySession.Position(of: text) }
    own.unchanged = text.history.current
    text.updateContext()
    text.lines = LineTracking(opening: text.history)
  }

  /// Corrects the notice about unsaved groups after the first of them has been redone.
  private mutating func dropFirstUnsaved() {
    for case (let index, .unsaved(let groups, let cutOff, let origin)) in notices.enumerated() {
      if groups > 1 {
        notices[index] = .unsaved(groups: groups - 1, cutOff: cutOff, origin)
      } else {
        notices.remove(at: index)
      }
      return
    }
  }

  /// Commits the difference to another text as a group, and marks the result as saved.
  private mutating func commit(
    _ kind: GroupLabel.Kind, _ new: PieceTable, usesCRLF: Bool, in text: inout EditedText
  ) {
    let (old, changesEnds) = (text.buffer, text.document.context.usesCRLF != usesCRLF)
    text.usesCRLF = usesCRLF
    text.document.begin()
    text.document.edit { $0.replaceWhatDiffers(from: old, to: new) }
    text.document.context = text.context(label: GroupLabel(kind))
    _ = text.document.commitNow(
      date: SystemClock.now, coalescing: .none, keepsEmpty: changesEnds)
    own.hashes[text.history.current] = ContentHash(of: new, usesCRLF: usesCRLF)
    text.document.markSaved()
  }

  /// The place of a file's history; nil if no history is kept. A text named later can't use an
  /// existing history, which belongs to another text.
  mutating func place(
    of fileName: [UInt8], for text: EditedText, isNamedLater: Bool
  ) -> HistoryPlace? {
    guard let place = HistoryPlace(of: fileName) else {
      if !policy.isAskedFor, OpenFile.status(of: fileName)?.isRegular == false {
        notices.append(.notKept(.device))
      }
      return nil
    }
    if !policy.isAskedFor, let kind = PrivateFiles.kind(of: place.file) {
      notices.append(.notKept(kind))
      return nil
    }
    if text.showsReturns {
      stop(because: .showsReturns)
      return nil
    }
    if text.buffer.byteCount > HistoryPlace.largestText {
      stop(because: .textTooLarge)
      return nil
    }
    if isNamedLater && place.exists {
      stop(because: .fileHasHistory)
      return nil
    }
    return place
  }

  /// Opens the database of a place; nil if it does not exist or is empty.
  func openStore(at place: HistoryPlace) throws(StorageError) -> HistoryStore? {
    try waiting { () throws(StorageError) in try open(place) }
  }

  /// Opens the database and loads its history. A corrupt one is set aside.
  private mutating func readHistory(
    of text: inout EditedText, at place: HistoryPlace, isMissing: Bool
  ) {
    do throws(StorageError) {
      guard let store = try openStore(at: place) else { return }
      if let found = try store.load() {
        try adopt(found, of: store, in: &text, isMissing: isMissing)
      }
    } catch {
      giveUp(place, because: error)
    }
  }

  /// Gives the text a stored history, whose database this run then uses.
  ///
  /// - Throws: `damaged` if it is corrupt; the text is then unchanged.
  mutating func adopt(
    _ found: StoredHistory, of store: HistoryStore, in text: inout EditedText, isMissing: Bool
  ) throws(StorageError) {
    let before = text
    let session = HistorySession(store)
    do throws(StorageError) {
      try restore(found, from: session, to: &text, isMissing: isMissing)
      if let failure = earlier?.reader.failure { throw failure }
      if text.history.isDamaged { throw .damaged }
    } catch {
      let cause = earlier?.reader.failure ?? error
      text = before
      (earlier, own.hashes, own.settled) = (nil, [:], HistorySession.Position(of: text))
      store.close()
      throw cause
    }
    session.stored.count = found.count
    state = .open(session)
  }

  /// Stops storing a history that can't be read, or sets it aside if it is corrupt.
  mutating func giveUp(_ place: HistoryPlace, because error: StorageError) {
    let error = place.confirmed(error)
    if !error.isDamage {
      fail(error)
    } else if let aside = place.setAside() {
      policy.index.setAside(place, as: aside)
      notices.append(.trouble(.setAside(aside)))
    } else {
      stop(because: .damagedInPlace)
    }
  }

  /// Begins a new history if the restored one proves damaged; returns whether it was.
  mutating func replaceDamaged(in text: inout EditedText, of fileName: [UInt8]) -> Bool {
    guard text.document.hasDamagedHistory else { return false }
    text.replaceDamagedHistory(of: fileName)
    let failure = earlier?.reader.failure ?? .damaged
    if let store = session?.store, isStored {
      store.close()
      state = .waiting(store.place)
      giveUp(store.place, because: failure)
    }
    (earlier, own.hashes, own.start, own.settled) = (nil, [:], 0, HistorySession.Position(of: text))
    return true
  }

  /// Gives the document its stored history, at the revision with the content hash of its text.
  /// Without one, the changes made outside ued become a group after the last saved revision.
  ///
  /// - Throws: `damaged` if the history is corrupt.
  private mutating func restore(
    _ found: StoredHistory, from session: HistorySession, to text: inout EditedText,
    isMissing: Bool
  ) throws(StorageError) {
    let (store, stored) = (session.store, found)
    let reader = RevisionReader(
      store, count: stored.count, for: text.buffer, length: stored.firstLength)
    earlier = Earlier(reader: reader)
    reader.endsWithProgram = true
    defer { reader.endsWithProgram = false }
    try reader.pinLast()
    let unfinished = stored.unfinished
    if try !reader.isInTree(stored.saved ?? 0) { throw .damaged }
    var hash = ContentHash(of: text.wholeFileText)
    /// Whether a revision with the hash of the text has its line ends, too. They may differ if a last
    /// line without a newline ends with a CR.
    func hasLineEnds(_ id: Int, _ usesCRLF: Bool) -> Bool {
      !text.hidesReturns || text.buffer.isEmpty || reader.usesCRLF(id) == usesCRLF
    }
    func revision(with hash: ContentHash, usesCRLF: Bool) -> Int? {
      reader.revision(with: hash).flatMap { hasLineEnds($0, usesCRLF) ? $0 : nil }
    }
    if text.lastLine.value == 1, text.lacksLastNewline, text.hidesReturns, !text.usesCRLF,
      revision(with: hash, usesCRLF: false) == nil
    {
      // A file without line ends may be one of CR LF whose other lines were deleted.
      let withReturn = ContentHash(of: text.buffer, usesCRLF: true)
      if revision(with: withReturn, usesCRLF: true) != nil {
        (hash, text.usesCRLF) = (withReturn, true)
      }
    }
    let isSaved =
      stored.saved.map { reader.hash(of: $0) == hash && hasLineEnds($0, text.usesCRLF) } ?? false
    // With `--record`, a return to an earlier text also becomes a group.
    let match =
      isSaved
      ? stored.saved : policy.recordsOthers ? nil : revision(with: hash, usesCRLF: text.usesCRLF)
    let base: Int
    if let known = match ?? stored.saved.flatMap({ reader.hash(of: $0) == nil ? nil : $0 }) {
      base = known
    } else {
      base = try store.lastHashed()
    }
    let (present, usesCRLF) = (text.buffer, text.usesCRLF)
    // A plain script keeps CR in the text, so `usesCRLF` may differ though the hashes are equal.
    let lineEndsDiffer = !present.isEmpty && match.map { reader.usesCRLF($0) != usesCRLF } ?? false
    var old = lineEndsDiffer ? text.wholeFileText : present
    if match == nil {
      let first = try store.firstText(hash: reader.hash(of: 0), usesCRLF: reader.usesCRLF(0))
      old = try reader.text(of: base, from: first)
    } else {
      reader.setLength(old.byteCount, of: base)
    }
    if let failure = reader.failure { throw failure }
    guard reader.contexts(base..<base + 1) != nil else { throw .damaged }
    do {
      text.document = try Document(
        restoring: old, reader.source, contexts: reader.contexts, current: base, saved: base)
    } catch {
      throw .damaged
    }
    text.document.trackChanges()
    text.textOnDisk = present
    var left: [Int] = []
    /// A recovered group whose save was cut off after the file had been replaced.
    var savedGroup: Int?
    for run in unfinished {
      var (last, entered) = (run.current, run.entered)
      if let id = last, try !reader.isInTree(id) {
        let group = try recoverOpenGroup(id, in: &text, run: run.number)
        if entered?.base == id { entered?.base = group }
        if match == nil, reader.hash(of: id) == hash, reader.usesCRLF(id) == usesCRLF {
          savedGroup = group
        }
        last = group
      }
      let recovered = entered.flatMap { recover($0, in: &text, run: run.number) }
      if let id = recovered ?? last { left.append(id) }
    }
    // `redo` leads to what was left last.
    if let newest = left.first {
      for id in text.history.path(to: newest).forward {
        text.document.prefer(id, of: text.history[id].parent ?? 0)
      }
    }
    session.unsettled = unfinished.map(\.number)
    session.stored.position = HistorySession.Position(current: base, saved: base)
    session.stored.saved = stored.saved
    own.settled = HistorySession.Position(of: text)
    if let savedGroup {
      text.document.move(to: savedGroup)
      text.document.markSaved()
    } else if match == nil || lineEndsDiffer {
      let outside = policy.recordsOthers ? GroupLabel.Kind.recorded : .changedOutside
      commit(
        match == nil ? outside : .lineEndsChanged(usesCRLF: usesCRLF), present, usesCRLF: usesCRLF,
        in: &text)
    }
    text.updateContext()
    reportOpening(
      of: text, stored, left, at: savedGroup ?? base, isFound: (match ?? savedGroup) != nil,
      isMissing: isMissing, in: session)
    for run in stored.others where policy.isForPerson {
      notices.append(.isShared(since: run.tag.time))
    }
  }

  /// Adds a notice if the file was changed or deleted outside ued, or changes were left unsaved.
  private mutating func reportOpening(
    of text: EditedText, _ stored: StoredHistory, _ left: [Int], at base: Int, isFound: Bool,
    isMissing: Bool, in session: HistorySession
  ) {
    let place = session.store.place
    let newest = left.first ?? base
    // A run that ended in an undo left nothing unsaved; one that wrote part of the text did.
    let (back, forward) = text.history.path(to: newest)
    let isPart = !isFound && stored.saved == nil && newest > 0
    let unsaved = forward.isEmpty && !isPart ? nil : newest
    defer {
      for id in left.dropFirst()
      where id != newest && !text.history[id].wasSaved
        && !text.history.path(to: id).forward.isEmpty
      {
        notices.append(.unsavedElsewhere(id))
      }
    }
    // A missing file matches revision 0 if that is empty.
    let saved = stored.saved ?? 0
    if isMissing && (!isFound || saved != base) {
      let last = isFound ? saved : base
      notices.append(.goneOutside(last))
      if let unsaved, unsaved != last { notices.append(.unsavedElsewhere(unsaved)) }
      return
    }
    if !isFound {
      notices.append(.changedOutside(text.history.current, unsaved: unsaved))
      return
    }
    // If `unsaved` was saved, the file was reset to an older revision; or a kill cut off its save,
    // if the file is the version to be replaced.
    let last = stored.unfinished.first
    let isCutOff = last?.replacedVersion != nil && last?.replacedVersion == place.fileVersion
    guard let unsaved, !text.history[unsaved].wasSaved || isCutOff else { return }
    let cutOff = last?.entered == nil ? nil : text.title(unsaved)
    if place.isUnnamed { session.offered = forward }
    let origin: UnsavedOrigin =
      place.isUnnamed
      ? .unnamedText : last?.number == session.store.run ? .thisSession : .earlierSession
    notices.append(
      back.isEmpty
        ? .unsaved(groups: forward.count, cutOff: cutOff, origin)
        : .unsavedElsewhere(unsaved))
  }
}

// MARK: - News

/// Adding to the text what other runs have stored.
extension HistoryKeeper {
  /// The number of new revisions that are read at once; more are read on demand.
  private static let mostReadAtOnce = 200

  /// Adds the revisions that other runs have stored to the history of the text, as branches with
  /// their numbers, and the names that they gave to known ones. Groups that this run has not stored
  /// yet get the next numbers. Returns false if revisions have to wait for the end of an open group.
  ///
  /// - Throws: `changedMeanwhile` if the history has become another one.
  mutating func readNews(for text: inout EditedText) throws(StorageError) -> Bool {
    guard let session else { return true }
    guard try readRevisions(for: &text, session) else { return false }
    let (history, changed) = (text.history, Set(text.document.changedRevisions))
    let names = try session.store.readNames(below: session.stored.count) {
      changed.contains($0) || history[$0].name == $1
    }
    for (id, name) in names { text.document.adoptName(name, of: id) }
    return true
  }

  private mutating func readRevisions(
    for text: inout EditedText, _ session: HistorySession
  ) throws(StorageError) -> Bool {
    guard session.store.hasNews else { return true }
    return try session.store.readNews { (known) throws(StorageError) in
      // An open group is stored as a revision that the text does not have.
      var known = min(known, try unchangedCount(of: &text, session))
      let (count, stored) = (text.history.revisions.count, session.stored.count)
      // The open group of another run may have grown, which does not matter, or ended.
      let last = stored - 1
      if last > 0, known >= last, last < session.store.count, text.history[last].isDropped,
        !isOwn(last)
      {
        known = try session.store.rows(last..<stored)[0].record.isDropped ? stored : last
      }
      let isClosed = !text.isInStep && !text.isInGroup && !text.document.isInTransaction
      let new = session.store.count - known
      if known == stored && count == stored && (new <= Self.mostReadAtOnce || !isClosed) {
        try addBranches(from: known, to: &text, session)
      } else if isClosed {
        let before = text
        do throws(StorageError) {
          try moveOwnGroups(in: &text, behind: known, session)
        } catch {
          text = before
          throw error
        }
      } else {
        return false
      }
      session.stored.count = session.store.count
      return true
    }
  }

  /// Adds the revision that stores the open group to the text, as one that has left the tree, if
  /// other processes use the history. Since they may have read that revision, the group gets another
  /// number when it ends.
  func keepOpenGroup(of text: inout EditedText) throws(StorageError) {
    guard let session, session.stored.openGroup == session.stored.count,
      text.history.revisions.count == session.stored.count,
      policy.index.isShared(session.store.place)
    else { return }
    try addBranches(from: session.stored.count, to: &text, session)
    session.stored.count += 1
  }

  /// Keeps the revisions that other processes have read, if any use the history. A stored group that
  /// has grown becomes a new one, and an open group that is saved, or grows after a save, does too.
  mutating func keepStoredGroup(
    of text: inout EditedText, _ session: HistorySession
  ) throws(StorageError) {
    guard !text.isInStep, policy.index.isShared(session.store.place) else { return }
    if let open = session.stored.openGroup {
      if open == session.stored.count && !text.isInGroup {
        // The group has ended with the number that others know.
        try moveOwnGroups(in: &text, behind: open, session)
        (session.stored.count, session.stored.openGroup) = (session.store.count, nil)
      } else if open < session.stored.count,
        (session.stored.saved == open) != (text.save.unrecorded == .current)
      {
        session.stored.openGroup = nil
      }
    }
    guard !text.isInGroup, session.stored.count > 1 else { return }
    let count = try unchangedCount(of: &text, session)
    if count == session.stored.count { return }
    try moveOwnGroups(in: &text, behind: count, session)
    session.stored.count = session.store.count
  }

  /// The number of stored revisions that are unchanged in the text. If the last group has grown
  /// by one command, first makes that command a separate group, as other processes may build on
  /// the stored one.
  private func unchangedCount(
    of text: inout EditedText, _ session: HistorySession
  ) throws(StorageError) -> Int {
    if !text.isInStep, try hasLastChanged(in: text, session) { text.keepStoredGroup() }
    return session.stored.count - (try hasLastChanged(in: text, session) ? 1 : 0)
  }

  /// Whether the last stored group of this run has been extended or dropped since it was stored.
  private func hasLastChanged(
    in text: EditedText, _ session: HistorySession
  ) throws(StorageError) -> Bool {
    let id = session.stored.count - 1
    guard id > 0, id < text.history.revisions.count, isOwn(id), session.adopted[id] == nil,
      text.document.changedRevisions.contains(id), let parent = text.history[id].parent
    else { return false }
    if text.history[id].isDropped { return true }
    let changes = StoredChanges(text.document.changes(of: id)) {
      var before = text.document.committedBuffer
      text.document.move(&before, from: text.history.current, to: parent)
      return before
    }
    return try !session.store.has(changes.bytes[...], of: id, after: parent)
  }

  private func isOwn(_ id: Int) -> Bool { earlierRun(of: id) ?? currentRun == currentRun }

  /// Adds revisions of the store to a text that has all before them.
  private func addBranches(
    from first: Int, to text: inout EditedText, _ session: HistorySession
  ) throws(StorageError) {
    let reader = RevisionReader(
      session.store, count: session.store.count, for: text.buffer, at: text.history.current,
      length: text.document.committedBuffer.byteCount)
    for id in first..<reader.count {
      let row = try reader.block(id..<id + 1)[0]
      guard let frame = reader.contexts(id..<id + 1)?.first else { throw .damaged }
      var record = row.readableRecord
      (record.preferredChild, record.newestChild) = (nil, nil)
      text.document.adopt(record, try reader.changes(of: id), frame)
      session.adopted[id] = row.run
    }
  }

  /// Rebuilds the history of a text: the stored revisions, then the unstored groups of this run.
  /// Text and store share the first `known` revisions.
  ///
  /// - Throws: `damaged` if the history is corrupt.
  private mutating func moveOwnGroups(
    in text: inout EditedText, behind known: Int, _ session: HistorySession
  ) throws(StorageError) {
    let (old, history, store) = (text.document, text.history, session.store)
    let recovered = earlier?.recovered ?? [:]
    let isSettled = HistorySession.Position(of: text) == own.settled
    var numbers: [Int: Int] = [:]
    func number(_ id: Int) -> Int { numbers[id] ?? id }
    var base = history.current
    while base > 0 && base >= known { base = history[base].parent ?? 0 }
    var start = old.committedBuffer
    old.move(&start, from: history.current, to: base)
    let reader = RevisionReader(store, count: store.count, for: start, length: store.firstLength)
    /// The first text of this run, if another run began the history with a later text.
    var older: PieceTable?
    if known == 0 {
      if let first = reader.revision(with: ContentHash(of: start, at: 0, in: old)) {
        numbers[0] = first
      } else {
        older = start
        start = try store.firstText(hash: reader.hash(of: 0), usesCRLF: reader.usesCRLF(0))
      }
    }
    try reader.pinLast()
    reader.setLength(start.byteCount, of: number(base))
    // Keeps the current revision and this run's groups, with ancestors that others changed.
    var needed: Set<Int> = [history.current]
    let kept = (max(known, 1)..<max(known, 1, history.revisions.count)).reversed().filter { id in
      let isKept = isOwn(id) || needed.contains(id) || recovered[id] != nil
      if isKept, let parent = history[id].parent { needed.insert(parent) }
      return isKept
    }.reversed()
    do {
      text.document = try Document(
        restoring: start, reader.source, contexts: reader.contexts, current: number(base),
        saved: history.saved.flatMap { $0 < known || $0 == 0 ? number($0) : nil })
    } catch {
      throw .damaged
    }
    text.document.trackChanges()
    if let older {
      let context = old.contextAfter(0)
      let branch = text.addBranch(
        to: older, context.usesCRLF,
        isUnterminated: context.marks[Marks.unterminatedLine] != nil)
      guard let branch else { throw .changedMeanwhile }
      numbers[0] = branch
      session.stored.saved = history.saved.map { _ in branch }
      own.hashes[0] = ContentHash(of: older, at: 0, in: old)
    }
    for id in kept {
      let revision = history[id]
      if let run = recovered[id], let twin = try reader.group(of: run, like: revision, number) {
        numbers[id] = twin
      } else {
        var after = old.contextAfter(id)
        for index in after.details.votes.indices {
          after.details.votes[index].group = number(after.details.votes[index].group)
        }
        var record = RevisionRecord(revision)
        (record.parent, record.preferredChild, record.newestChild) = (
          revision.parent.map(number), nil, nil
        )
        numbers[id] = text.document.history.revisions.count
        text.document.adopt(
          record, revision.isDropped ? [] : old.changes(of: id),
          Document.Frame(before: old.contextBefore(id), after: after))
        text.document.markChanged(number(id))
      }
      if let parent = revision.parent, history[parent].preferredChild == id {
        text.document.prefer(number(id), of: number(parent))
      }
    }
    // `redo` leads where it led, whatever others did after the same revision.
    var id = history.current
    while let child = history[id].preferredChild, child < known || numbers[child] != nil {
      text.document.prefer(number(child), of: number(id))
      id = child
    }
    for id in old.changedRevisions where id < max(known, 1) {
      if let name = history[id].name { text.document.setName(name, of: number(id)) }
    }
    if let saved = history.saved.flatMap({ $0 >= known ? numbers[$0] : nil }), saved > 0 {
      text.document.move(to: saved)
      text.document.markSaved()
    }
    text.document.move(to: number(history.current))
    if reader.failure != nil || text.buffer.byteCount != old.buffer.byteCount { throw .damaged }
    text.updateContext()
    text.renumberRevisions(number)
    own.renumberRevisions(number)
    if isSettled { own.settled = HistorySession.Position(of: text) }
    session.offered = session.offered.map(number)
    session.adopted = [:]
    session.stored.position.current = -1
    // The user may have seen the old number of a group that could not be stored, of a recovered one
    // or, in a dialogue, of an unchanged text.
    let shown = (failure == nil ? [0] : [history.current, kept.last ?? 0])
      .first { number($0) != $0 }
    let isTold = policy.retries && (failure != nil || !policy.isForPerson)
    for id in Set(kept + [history.current]).sorted() where policy.retries && number(id) != id {
      if recovered[id] != nil || isTold && id == shown {
        notices.append(.renumbered(id, now: number(id)))
      }
    }
    earlier = Earlier(
      reader: reader,
      recovered: Dictionary(
        recovered.map { (number($0.key), $0.value) }.filter { $0.0 >= store.count },
        uniquingKeysWith: { $1 }))
  }
}

extension HistoryKeeper.OwnRun {
  /// Gives all revisions their new numbers.
  fileprivate mutating func renumberRevisions(_ number: (Int) -> Int) {
    (start, unchanged) = (number(start), number(unchanged))
    hashes = Dictionary(hashes.map { (number($0.key), $0.value) }, uniquingKeysWith: { $1 })
  }
}

// MARK: - Texts of others

/// Keeping text that another program has written to the file.
extension HistoryKeeper {
  /// Makes a revision of the file's text before it is overwritten, on a branch from the last saved
  /// revision. Returns it, or the known revision with that text. The edited text, undo and redo
  /// are not affected.
  ///
  /// The save stores the branch along with the groups. During an open step it stores no groups, so
  /// this stores the branch at once.
  mutating func keepOthersText(
    _ other: LoadedText, in text: inout EditedText, of fileName: [UInt8]
  ) -> Int? {
    // Another run may have stored that text.
    if !text.isInStep { refresh(&text, keepsLock: true) }
    // The same conversion as when a file is read into the text.
    let (new, usesCRLF) = other.text.asEdited
    let lacksNewline = other.text.lacksLastNewline ?? false
    let hash = ContentHash(of: new, usesCRLF: usesCRLF)
    if let known = own.hashes.first(where: { $1 == hash && text.isRevision($0) })?.key
      ?? revision(with: hash, in: text)
    {
      return known
    }
    let isUnterminated = lacksNewline && other.hasNUL
    guard let id = text.addBranch(to: new, usesCRLF, isUnterminated: isUnterminated) else {
      return text.history.saved
    }
    own.hashes[id] = hash
    if text.isInStep { record(&text, of: fileName, inStep: true) }
    return id
  }
}

extension EditedText {
  /// Adds a text that another program made from the last saved revision, as a branch; nil if the
  /// texts are equal. In the file, its lines may end with CR LF, and its last newline may be
  /// missing.
  fileprivate mutating func addBranch(
    to other: PieceTable, _ usesCRLF: Bool, isUnterminated: Bool
  ) -> Int? {
    let base = history.saved ?? history.revisions.last { $0.wasSaved && !$0.isDropped }?.id ?? 0
    var new = document.committedBuffer
    document.move(&new, from: history.current, to: base)
    var marks = document.contextAfter(base).marks
    let changes = LineDifference.affordableHunks(from: new, to: other).reversed().map { hunk in
      let old = new
      let change = new.replaceLines(hunk.old, with: other.slice(other.byteRange(of: hunk.new)))
      marks.follow(hunk.old, inserting: change.insertedNewlineCount, from: old, to: new)
      return change
    }
    let last = LineNumber(other.newlineCount)
    marks[Marks.unterminatedLine] = isUnterminated ? last : nil
    return document.addBranch(
      changes, from: base, date: SystemClock.now,
      context: EditorContext(
        line: last, marks: marks, usesCRLF: usesCRLF, label: GroupLabel(.changedOutside)),
      keepsEmpty: usesCRLF != document.contextAfter(base).usesCRLF)
  }
}
