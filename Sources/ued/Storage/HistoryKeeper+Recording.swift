import Glibc
import TextBuffer

/// Writing the history to disk.
extension HistoryKeeper {
  /// Writes all new and changed revisions in one transaction. The first non-empty file name
  /// determines the location of the history. With `inStep`, writes even during an open step,
  /// excluding it.
  mutating func record(
    _ text: inout EditedText, of fileName: [UInt8], inStep: Bool = false
  ) {
    defer { suspend(isBrief: true) }
    guard isStored, inStep || !text.isInStep else { return }
    if text.showsReturns {
      if needsWriting(text) { stop(because: .showsReturns) }
      return
    }
    replaceLost(of: text)
    locateNamed(fileName, of: text)
    if !inStep { entered = [] }
    if let session {
      if session.offered.contains(text.history.current) { session.offered = [] }
      let known = max(session.stored.count, earlier?.count ?? 0)
      if text.history.revisions.count > known { leaveOffer(of: text) }
    }
    write(&text)
  }

  /// Whether the database lacks anything of the text that this run has to store.
  private func needsWriting(_ text: EditedText) -> Bool {
    if text.isInGroup || hasUnstoredEffect { return true }
    if let session {
      if session.stored.openGroup != nil || session.store.hasDraft { return true }
      if session.stored.enteredCount > 0 || !entered.isEmpty { return true }
      if session.stored.count > 0 && HistorySession.Position(of: text) == session.stored.position {
        return false
      }
    } else if !entered.isEmpty {
      return true
    }
    let position = HistorySession.Position(of: text)
    return position != own.settled || own.hasWrites && position.changeCount > 0
  }

  /// Stores all of a person's history again if its database has been removed.
  mutating func replaceLost(of text: EditedText) {
    guard policy.retries, let session, session.stored.count > 0,
      !session.store.place.exists
    else { return }
    text.readHistory()
    session.store.close()
    state = .waiting(session.store.place.isUnnamed ? nil : session.store.place)
    earlier = nil
  }

  /// Stores changes that other programs made to the file, which has just been opened, as a group of
  /// this run. A file without a history gets one.
  ///
  /// - Throws: The reason why it can't be stored.
  mutating func recordOthers(_ text: inout EditedText, isMissing: Bool) throws(EditorError) {
    let wasMissing =
      earlier?.reader.runs.last { !$0.effect.isEmpty }?.effect.contains(.removes) ?? false
    own.effect =
      isMissing == wasMissing ? [] : isMissing ? .removes : earlier == nil ? [] : .makes
    try beginWrite()
    let id = text.history.current
    own.hashes[id] = ContentHash(of: text.buffer, at: id, in: text.document)
    // A file without a history gets one.
    if !isOnDisk { text.document.markChanged(id) }
    write(&text)
    if let obstacle { throw obstacle }
  }

  /// Writes everything not stored yet, in one transaction. Records a prepared `save` in advance,
  /// and puts the replaced rows into it, for a rollback. With `isForDraft`, before a line is typed,
  /// even a text without changes gets a history.
  private mutating func write(
    _ text: inout EditedText, saving save: inout PreparedSave?, isForDraft: Bool = false
  ) {
    guard save != nil || isForDraft || needsWriting(text),
      let session = sessionForWriting(&text, isForDraft)
    else { return }
    do throws(StorageError) {
      try keepStoredGroup(of: &text, session)
    } catch {
      return handle(error, of: session)
    }
    let (history, store) = (text.history, session.store)
    var update = HistoryUpdate(
      count: history.revisions.count, current: history.current,
      saved: save?.revision ?? history.saved, unsettled: session.unsettled, start: own.start,
      effect: own.effect, entered: entered,
      grace: GracePeriod(heedsInterrupts: !policy.isForPerson))
    if save != nil { update.replacedVersion = store.place.fileVersion }
    do throws(StorageError) {
      if GracePeriod.isSpent { throw .interrupted }
      let ids =
        session.stored.count == 0
        ? Array(history.revisions.indices) : text.document.changedRevisions
      try askForMemory(for: text, ids)
      try gather(ids, in: &update, of: text, session)
      // Do not store groups on top of an unreadable history.
      if text.history.isDamaged { return }
      let openGroup = try Self.addOpenGroup(
        of: text, to: &update,
        as: session.stored.openGroup.flatMap { $0 < session.stored.count ? $0 : nil },
        run: store.run,
        isSaved: save.map { $0.revision == nil } ?? (text.save.unrecorded == .current))
      update.isSave = save != nil || update.saved != session.stored.saved
      if save != nil {
        save?.replaced = try store.content(replacedBy: update)
        save?.before = session.stored
      }
      try store.write(update)
      save?.isStored = true
      session.stored = HistorySession.Stored(
        count: history.revisions.count,
        position: HistorySession.Position(
          current: history.current, saved: save?.revision ?? history.saved), saved: update.saved,
        openGroup: openGroup, enteredCount: entered.count)
      // After a rollback of a prepared save, its groups must be stored again.
      if save == nil { _ = text.document.takeChangedRevisions() }
      noteSuccess()
      if save == nil { session.unsettled = [] }
      session.deleteReplaced()
      // The index has a row for a history only after the first write.
      noteFile(own.opened, as: text)
    } catch {
      if error == .inUse && store.isEmpty && store.place.exists {
        // Another run has made the history meanwhile.
        state = .waiting(store.place.isUnnamed ? nil : store.place, after: session.replaced)
        return write(&text, saving: &save, isForDraft: isForDraft)
      }
      handle(error, of: session, storing: update)
    }
  }

  private mutating func write(_ text: inout EditedText, isForDraft: Bool = false) {
    var none: PreparedSave?
    write(&text, saving: &none, isForDraft: isForDraft)
  }

  /// Checks that memory suffices to store all groups not stored yet.
  ///
  /// - Throws: `outOfMemory` if memory is short. A missing group would make all later ones
  ///   unreadable.
  private func askForMemory(for text: EditedText, _ ids: [Int]) throws(StorageError) {
    guard Memory.isLimited else { return }
    var byteCount = ids.first == 0 ? text.document.committedBuffer.byteCount : 0
    for id in ids where text.isRevision(id) {
      for change in text.document.changes(of: id) {
        byteCount += change.removedByteCount + change.insertedByteCount
      }
    }
    if text.isInGroup { byteCount += text.buffer.byteCount }
    // The row, SQLite and its log each copy the bytes; comparing lines takes tables, too.
    if Memory.isShort(for: 4 * byteCount) { throw .outOfMemory }
  }

  /// Stores the history and the content hash of a text about to be saved, so that the file can be
  /// matched to its revision even after a crash.
  mutating func willSave(_ text: inout EditedText, of fileName: [UInt8]) {
    guard isKept, !text.isInStep else { return }
    own.hasWrites = true
    let id = text.history.current
    if id > 0, text.openGroups.first.map({ $0.text == text.buffer }) ?? true {
      own.hashes[id] = ContentHash(of: text.buffer, at: id, in: text.document)
      text.document.markChanged(id)
    }
    record(&text, of: fileName)
  }

  /// Notes in the index the file that a text has just been read from or written to.
  mutating func noteFile(_ stamp: FileStamp?, as text: EditedText) {
    guard let stamp, let store = session?.store, !policy.isReadOnly, !store.isEmpty else { return }
    own.opened = nil
    let content = text.history.saved.flatMap { hash(of: $0) }
    policy.index.note(
      stamp,
      content
        ?? ContentHash(
          of: text.textOnDisk ?? text.buffer, at: text.history.current, in: text.document),
      of: store.place)
  }

  /// Notes in the index the file that the text has just been saved as.
  mutating func noteSave(of text: EditedText) {
    guard let place, isStored else { return }
    noteFile(FileStamp(of: place.file), as: text)
  }

  /// Returns the open database, created or opened if needed; nil if there is nothing to store, or
  /// the database can't be used.
  mutating func sessionForWriting(
    _ text: inout EditedText, _ isForDraft: Bool = false
  ) -> HistorySession? {
    guard
      session.map({ $0.stored.count > 0 }) ?? false || text.history.revisions.count > 1
        || text.isInGroup || text.history[0].name != nil || text.history.saved == nil
        || !entered.isEmpty || hasUnstoredEffect || policy.recordsOthers || isForDraft
    else { return nil }
    switch resume(&text) {
    case .unchanged: break
    case .changed: stop(because: .changedMeanwhile)
    case .later, .notKept: return nil
    }
    do throws(StorageError) {
      switch state {
      case .off: return nil
      case .waiting(let place, let old):
        let made = if let place { try makeStore(place) } else { try makeUnnamedStore() }
        guard let store = made else { return nil }
        state = .open(HistorySession(store, replacing: old))
        if try !readNews(for: &text) { return nil }
      case .open: break
      }
    } catch {
      fail(error)
      return nil
    }
    return session
  }

  /// Begins a new history, or opens one that another run has made meanwhile.
  func makeStore(_ place: HistoryPlace) throws(StorageError) -> HistoryStore {
    // The run may have left another text of the same file.
    try policy.index.finishStaged(at: place)
    return try waiting { () throws(StorageError) in
      if let store = try open(place) { return store }
      let staged = try StagedDatabase(at: place)
      policy.index.shrink(sparing: place)
      return try HistoryStore(creating: staged, index: policy.index)
    }
  }

  /// Opens the database of a place; nil if it does not exist or is empty. Deletes an empty one.
  func open(_ place: HistoryPlace) throws(StorageError) -> HistoryStore? {
    if !place.exists { return nil }
    do throws(StorageError) {
      let store = try HistoryStore(opening: place, index: policy.index)
      if !store.isEmpty { return store }
      store.close()
      return nil
    } catch {
      if error.isMissing && !place.exists { return nil }
      throw error
    }
  }

  private mutating func noteSuccess() {
    if failure != nil && policy.retries { notices.append(.keptAgain) }
    failure = nil
  }

  /// Stops storing the history, or keeps the revisions for the next write after a transient error.
  /// At the size limit, stores as many groups of the failed update as fit.
  private mutating func handle(
    _ error: StorageError, of session: HistorySession, storing update: HistoryUpdate? = nil
  ) {
    let (store, stored) = (session.store, session.stored)
    let bytesPerRow = 100
    let byteCount = update.map { $0.byteCount + bytesPerRow * $0.revisions.count } ?? 0
    if store.place.byteCount + byteCount + (1 << 20) > HistoryPlace.largestHistory {
      // Pages of the log may be only half full, so an eighth of the rows that fitted is left out.
      if var part = update?.first(store.doneCount / 8 * 7), !part.revisions.isEmpty {
        part.saved = stored.count > 0 ? stored.position.saved : 0
        try? store.write(part)
      }
      stop(because: .full)
    } else {
      fail(error)
    }
  }

  /// The content hash of the text of a revision, if it was saved or is the first one.
  private func hash(of id: Int) -> ContentHash? {
    own.hashes[id] ?? earlier?.reader.hash(of: id)
  }

  /// Adds revisions to an update.
  ///
  /// - Throws: `groupTooLarge` if a group has more bytes than a history can have. Later groups
  ///   would be unreadable without it.
  private mutating func gather(
    _ ids: [Int], in update: inout HistoryUpdate, of text: EditedText, _ session: HistorySession
  ) throws(StorageError) {
    let stored = session.stored
    let (document, history) = (text.document, text.history)
    /// A committed text that moves from revision to revision.
    var (cursor, cursorID) = (document.committedBuffer, history.current)
    func moveCursor(to id: Int) {
      document.move(&cursor, from: cursorID, to: id)
      cursorID = id
    }
    // After a signal, the grace period begins now, not only at a later check.
    update.grace.isOverNow()
    if stored.count == 0 {
      var first = cursor
      let isFirst = document.move(&first, from: cursorID, to: 0) { update.grace.isOverNow() }
      if !isFirst { throw .interrupted }
      update.firstText = first
      own.hashes[0] = ContentHash(of: first, at: 0, in: text.document)
    }
    // The last stored revision may have been extended by coalescing.
    let firstWhole = max(min(earlier?.count ?? 0, stored.count), stored.count - 1)
    for id in ids.reversed() {
      if update.grace.isOver() { throw .interrupted }
      let revision = history[id]
      // A revision whose save failed may have changed since it was hashed.
      let needsHash =
        revision.wasSaved ? hash(of: id) == nil : id > 0 && own.hashes[id] != nil
      if needsHash && !revision.isDropped {
        moveCursor(to: id)
        own.hashes[id] = ContentHash(of: cursor, at: id, in: text.document)
      }
      var row = StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: revision.parent,
          preferredChild: revision.preferredChild == revision.newestChild
            ? nil : revision.preferredChild ?? id,
          name: revision.name, time: revision.time,
          wasSaved: revision.wasSaved || id == update.saved, isDropped: revision.isDropped),
        run: earlierRun(of: id) ?? session.store.run,
        hash: revision.isDropped ? nil : hash(of: id),
        title: document.descriptionBytes(of: id),
        context: StoredContexts.bytes(
          before: document.contextBefore(id), after: document.contextAfter(id)))
      row.undone = document.lendContextAfter(id) { $0.label?.undoneRuns ?? [] }
      if id < firstWhole {
        row.changes = nil
      } else if let parent = revision.parent, !revision.isDropped {
        let changes = StoredChanges(document.changes(of: id)) {
          moveCursor(to: parent)
          return cursor
        }
        if changes.areTooLarge { throw .groupTooLarge }
        row.changes = changes.bytes[...]
      }
      update.revisions.append(row)
    }
    update.revisions.reverse()
  }

  /// Adds the open manual group to an update, as if it ended here. Until it is saved or ends, its
  /// revision is stored as one that has left the tree, since its text may still change and other
  /// runs must not build on it. After a kill, the next run recovers it. Returns its number; nil
  /// without an open group. A group that the text has as revision `old` keeps that number.
  private static func addOpenGroup(
    of text: EditedText, to update: inout HistoryUpdate, as old: Int?, run: Int, isSaved: Bool
  ) throws(StorageError) -> Int? {
    guard let group = text.openGroups.first else { return nil }
    let changes = StoredChanges(from: group.text, to: text.buffer)
    if changes.areTooLarge { throw .groupTooLarge }
    if changes.isEmpty { return nil }
    let id = old ?? update.count
    update.revisions.append(
      StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: text.history.current, name: group.name, time: SystemClock.now,
          wasSaved: isSaved, isDropped: !isSaved),
        run: run, hash: ContentHash(of: text.buffer, usesCRLF: text.usesCRLF),
        title: Array(GroupNames.openGroup.utf8)[...],
        context: StoredContexts.bytes(
          before: EditorContext(
            line: group.line, marks: group.marks, usesCRLF: group.form.usesCRLF),
          after: text.context()),
        changes: changes.bytes[...]))
    update.current = id
    update.count = max(update.count, id + 1)
    if isSaved { update.saved = id }
    return id
  }
}

// MARK: - Entering

/// Storing lines while the user enters them, before the command that reads them commits its group.
/// The lines are rows of their own. The transaction that stores the group deletes them. Lines left
/// by a kill become a group when the history is next opened.
extension HistoryKeeper {
  /// The number of lines entered so far for the command that reads them.
  var enteredLineCount: Int {
    entered.reduce(0) { $0 + $1.text.count { $0 == .newline } }
  }

  /// Stores lines that a person has entered, in one transaction; the text need not contain them
  /// yet. After a failure, they are stored with the next lines.
  mutating func keepEntered(_ lines: EnteredLines, into text: inout EditedText) {
    defer { suspend(isBrief: true) }
    if isStored {
      replaceLost(of: text)
      leaveOffer(of: text)
    }
    entered.append(lines)
    guard isStored, session == nil || resume(&text) == .unchanged else { return }
    if let session = readySession(for: text) {
      do throws(StorageError) {
        let new = Array(entered.dropFirst(session.stored.enteredCount))
        try session.store.append(
          new, after: base(in: text, session), start: (own.start, own.effect))
        session.stored.enteredCount = entered.count
        noteSuccess()
      } catch {
        handle(error, of: session)
      }
    } else if !(text.isInStep && text.isInGroup) {
      // Storing an open group would include the changes of its open step.
      write(&text)
    }
  }

  /// The database, if entered lines can be stored on top of its content.
  private func readySession(for text: EditedText) -> HistorySession? {
    guard let session, session.stored.count > 0,
      session.stored.openGroup != nil
        || text.openGroups.first.map({ $0.text == text.buffer }) ?? true,
      HistorySession.Position(of: text) == session.stored.position
    else {
      return nil
    }
    return session
  }

  /// The stored revision before the entered lines.
  private func base(in text: EditedText, _ session: HistorySession) -> Int {
    session.stored.openGroup ?? text.history.current
  }

  /// Returns a function that stores a line while a person types it; the line replaces the lines at
  /// `place`. Each call overwrites the line of the previous call. Failures are ignored: the next
  /// entered lines report them. Nil if no history is kept, or one of an earlier session is offered.
  mutating func draftWriter(
    replacing place: LineRange, in text: inout EditedText
  ) -> (([UInt8]) -> Void)? {
    guard isStored, policy.isForPerson, session?.offered.isEmpty ?? true,
      !(text.isInStep && text.isInGroup)
    else { return nil }
    defer { suspend(isBrief: true) }
    if readySession(for: text) == nil { write(&text, isForDraft: true) }
    guard let session = readySession(for: text), session.stored.enteredCount == entered.count
    else { return nil }
    let (store, base, start, effect) = (
      session.store, base(in: text, session), own.start, own.effect
    )
    return { line in
      let lines = line.isEmpty ? [] : [EnteredLines(replaced: place, text: line + [.newline])]
      if lines.isEmpty && !store.hasDraft { return }
      defer { store.close(isBrief: true) }
      // The number of a new run depends on the numbers of other runs, so their news must be read
      // first.
      guard (try? store.open()) != nil, store.hasRun || !store.hasNews else { return }
      try? store.append(lines, after: base, start: (start, effect), isDraft: !lines.isEmpty)
    }
  }

  /// Adds the group that `run` had open when it was killed to the text, without going there. Returns
  /// its new number.
  ///
  /// - Throws: `damaged` if the stored revision is not such a group.
  mutating func recoverOpenGroup(
    _ id: Int, in text: inout EditedText, run: Int
  ) throws(StorageError) -> Int {
    guard let reader = earlier?.reader else { throw .damaged }
    let row = try reader.block(id..<id + 1)[0]
    guard row.title.elementsEqual(GroupNames.openGroup.utf8), let parent = row.record.parent,
      text.isRevision(parent), let frame = reader.contexts(id..<id + 1)?.first
    else { throw .damaged }
    var record = row.readableRecord
    (record.isDropped, record.preferredChild) = (false, nil)
    let new = text.history.revisions.count
    text.document.adopt(record, try reader.changes(of: id, isDropped: true), frame)
    text.document.markChanged(new)
    earlier?.recovered[new] = run
    return new
  }

  /// Turns the lines of a cut-off command of `run` into a group after the revision that they
  /// change, and goes back to the current one. Nil if they do not fit that revision.
  mutating func recover(
    _ cutOff: EnteredText, in text: inout EditedText, run: Int
  ) -> Int? {
    let here = text.history.current
    guard text.isRevision(cutOff.base), let time = cutOff.lines.last?.time else { return nil }
    text.document.move(to: cutOff.base)
    defer { text.document.move(to: here) }
    var marks = text.document.context.marks
    text.document.begin()
    for lines in cutOff.lines {
      let (old, range) = (text.buffer, lines.replaced)
      guard range.first > .zero, range.count >= 0, range.last.value <= old.newlineCount else {
        text.document.rollBack()
        return nil
      }
      let change = text.document.edit { $0.replaceLines(range, with: lines.text) }
      marks.follow(
        range, inserting: change.insertedNewlineCount, from: old, to: text.document.buffer)
      text.document.context = EditorContext(
        line: range.first + (change.insertedNewlineCount - 1), marks: marks,
        usesCRLF: text.document.context.usesCRLF, changedLine: cutOff.lines[0].replaced.first,
        label: cutOff.label)
    }
    guard let id = text.document.commit(date: time)?.to else { return nil }
    earlier?.recovered[id] = run
    return id
  }
}

extension EnteredText {
  /// The label of the recovered group; nil for one change, which needs none.
  fileprivate var label: GroupLabel? {
    guard lines.count > 1, let first = lines.first, let last = lines.last else { return nil }
    // Only `edit` enters lines that do not follow each other.
    let growth = lines.dropLast().reduce(0) {
      $0 + $1.text.count(where: { $0 == .newline }) - $1.replaced.count
    }
    return GroupLabel(.linesEdited(LineRange(first.replaced.first, last.replaced.last - growth)))
  }
}

// MARK: - Prepared saves

/// A save that the history records before the file is replaced.
struct PreparedSave {
  /// The saved revision; nil for the text of an open manual group.
  var revision: Int?
  /// Whether the history on disk has the save.
  var isStored = false
  /// The content that the save replaced; nil if nothing was stored before.
  var replaced: HistoryStore.Replaced?
  /// The content of the database before the save.
  fileprivate var before = HistorySession.Stored()
}

/// Saves in two steps, for runs that replace the file later, or several files together:
///
///     keeper.prepareSave(&text, of: name)     // one transaction
///     // Rename the staged file. The history may be suspended meanwhile.
///     keeper.commitSave(&text)              // no transaction; or, if the file was not renamed:
///     keeper.rollBackSave()                 // one transaction
///
/// A kill before `prepareSave` leaves file and history as they were. A kill before the rename
/// leaves the old file, and a history that can redo all groups of the run; a message says so when
/// the file is next opened. A kill after the rename leaves the new file, whose text is the saved
/// revision.
///
/// For a new file, the rename comes first, then `prepareSave` and `commitSave`, since no other
/// process can read its history before the rename. A kill in between leaves the new file without
/// these groups.
extension HistoryKeeper {
  /// Whether the database already has everything that this run must store.
  func hasNothingNew(of text: EditedText) -> Bool {
    !needsWriting(text)
      && (own.settled == HistorySession.Position(of: text) || session?.stored.count ?? 0 > 0)
  }

  /// Stores all groups, and marks `revision` as saved, in one transaction. Without a revision,
  /// marks the present text, even in an open manual group. The text stays modified. A failure to
  /// write the history becomes a notice.
  ///
  /// - Precondition: No save is prepared, and no step is open.
  mutating func prepareSave(
    _ text: inout EditedText, of fileName: [UInt8], revision: Int? = nil
  ) {
    let saved = revision ?? (text.isInGroup ? nil : text.history.current)
    var save: PreparedSave? = PreparedSave(revision: saved)
    if isStored {
      locateNamed(fileName, of: text)
      if let saved {
        var new = text.document.committedBuffer
        text.document.move(&new, from: text.history.current, to: saved)
        own.hashes[saved] = ContentHash(of: new, at: saved, in: text.document)
        text.document.markChanged(saved)
      }
      write(&text, saving: &save)
    }
    preparedSave = save
  }

  /// Marks the text of the prepared save as saved once the file has been replaced. The history on
  /// disk has the save already, so it can stay suspended.
  mutating func commitSave(_ text: inout EditedText) {
    guard let prepared = preparedSave else { return }
    preparedSave = nil
    if prepared.revision == nil || prepared.revision == text.history.current { text.didSave() }
    if prepared.isStored {
      _ = text.document.takeChangedRevisions()
      session?.unsettled = []
      noteSave(of: text)
    }
  }

  /// Restores the history on disk as it was before `prepareSave`, after the file could not be
  /// replaced. Groups stored with the save are removed; a database created for it is deleted. The
  /// next `record` stores the groups again, since the document still counts them as changed.
  mutating func rollBackSave() {
    guard let prepared = preparedSave else { return }
    preparedSave = nil
    guard prepared.isStored, let session else { return }
    do throws(StorageError) {
      try waiting { () throws(StorageError) in try session.store.open() }
      if let replaced = prepared.replaced {
        try session.store.restore(replaced)
        if !session.store.hasNews { session.stored = prepared.before }
      } else if !session.store.hasNews {
        try? session.store.discard()
        state = .waiting(session.store.place)
      }
    } catch {
      stop(because: error)
    }
  }
}
