import Glibc
import TextBuffer

/// Loading the history of a file.
extension HistoryKeeper {
  /// Continues the stored history of a text that has just been read, or begins a new one.
  ///
  /// - Parameters:
  ///   - text: The text, which gets the stored history if there is one.
  ///   - fileName: The name of its file, which may be empty.
  ///   - isMissing: Whether the file does not exist; the text is empty then.
  mutating func open(_ text: inout EditedText, of fileName: [UInt8], isMissing: Bool) {
    startOver()
    guard policy.isOn else { return }
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
        policy.patience == .brief
      {
        notices.append(.renamed(from: old.file))
      }
      readHistory(of: &text, at: place, isMissing: isMissing)
      if !isMissing, let place = self.place { own.opened = FileStamp(of: place.file) }
      noteFile(own.opened, as: text)
    }
    text.lines = LineTracking(opening: text.history)
    (own.start, own.unchanged) = (text.history.current, text.history.current)
  }

  /// Commits a group that drops carriage returns from the text as read. The text counts as saved,
  /// as if the history began with it. Only a later group or a save stores the group.
  ///
  /// - Parameters:
  ///   - text: The text, with its history, as it is in the file.
  ///   - stripped: The text without these carriage returns; the same text if there were none.
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
    for case (let index, .unsaved(let groups, let cutOff, let isUnnamed)) in notices.enumerated() {
      if groups > 1 {
        notices[index] = .unsaved(groups: groups - 1, cutOff: cutOff, isUnnamed: isUnnamed)
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

  /// Opens the database of a place. A script creates a missing one, so that other scripts wait.
  ///
  /// - Returns: The open database; nil if it does not exist.
  func openStore(at place: HistoryPlace) throws(StorageError) -> HistoryStore? {
    let begins = policy.patience == .long && !policy.isReadOnly
    return try policy.patience.wait { () throws(StorageError) in
      // A failure is reported once there is something to store.
      if begins && !place.exists { try? place.makeDatabase() }
      guard place.exists else { return nil }
      do throws(StorageError) {
        return try HistoryStore(opening: place, index: policy.index)
      } catch {
        throw error.isMissing && !place.exists ? .inUse : error
      }
    }
  }

  /// Opens the database and loads its history. A corrupt one is set aside.
  private mutating func readHistory(
    of text: inout EditedText, at place: HistoryPlace, isMissing: Bool
  ) {
    do throws(StorageError) {
      guard let store = try openStore(at: place) else { return }
      if let found = try store.load() {
        try adopt(found, of: store, in: &text, isMissing: isMissing)
      } else {
        state = .open(HistorySession(store))
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
      stop(because: error)
    } else if place.isBlank {
      do {
        try place.delete()
      } catch {
        stop(because: .folder(place.folder, code: error.code))
      }
    } else if let aside = place.setAside() {
      policy.index.setAside(place, as: aside)
      notices.append(.trouble(.setAside(aside)))
    } else {
      stop(because: .damagedInPlace)
    }
  }

  /// Begins a new history if the restored one turns out to be damaged.
  ///
  /// - Returns: Whether the history was damaged.
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

  /// Gives the document its stored history, at the revision with the content hash of its text. If
  /// no revision has it, the changes made outside ued become a group after the last saved revision.
  ///
  /// - Throws: `damaged` if the history is corrupt.
  private mutating func restore(
    _ found: StoredHistory, from session: HistorySession, to text: inout EditedText,
    isMissing: Bool
  ) throws(StorageError) {
    let store = session.store
    var stored = found
    let reader = RevisionReader(
      store, count: stored.count, for: text.buffer, length: stored.firstLength)
    earlier = Earlier(reader: reader, count: stored.count)
    reader.endsWithProgram = true
    defer { reader.endsWithProgram = false }
    for id in [stored.current, stored.saved ?? 0] where try !reader.isInTree(id) { throw .damaged }
    let hash = ContentHash(of: text.wholeFileText)
    let isSaved = stored.saved.map { reader.hash(of: $0) == hash } ?? false
    // Recording needs a change, even one that leads back to an earlier text.
    let match = isSaved ? stored.saved : policy.recordsOthers ? nil : reader.revision(with: hash)
    let base: Int
    if let known = match ?? stored.saved.flatMap({ reader.hash(of: $0) == nil ? nil : $0 }) {
      base = known
    } else {
      base = try store.lastHashed()
    }
    let (present, usesCRLF) = (text.buffer, text.usesCRLF)
    // A plain script keeps carriage returns in the text, so line ends may differ at equal hashes.
    let isOther = match.map { reader.usesCRLF($0) != usesCRLF } ?? false
    var old = isOther ? text.wholeFileText : present
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
    if let entered = stored.entered, let id = recover(entered, in: &text, run: store.run - 1) {
      stored.current = id
    }
    session.stored.position = HistorySession.Position(current: base, saved: base)
    own.settled = HistorySession.Position(of: text)
    if match == nil || isOther {
      let outside = policy.recordsOthers ? GroupLabel.Kind.recorded : .changedOutside
      commit(
        match == nil ? outside : .lineEndsChanged(usesCRLF: usesCRLF), present, usesCRLF: usesCRLF,
        in: &text)
    }
    text.updateContext()
    reportOpening(
      of: text, stored, at: base, isFound: match != nil, isMissing: isMissing, in: session)
  }

  /// Adds a notice if the file was changed or deleted outside ued, or changes were left unsaved.
  private mutating func reportOpening(
    of text: EditedText, _ stored: StoredHistory, at base: Int, isFound: Bool, isMissing: Bool,
    in session: HistorySession
  ) {
    let place = session.store.place
    // A run that ended in an undo has no unsaved changes. A run that wrote part of the text has.
    let (back, forward) = text.history.path(to: stored.current)
    let isPart = !isFound && stored.saved == nil && stored.current > 0
    let unsaved = forward.isEmpty && !isPart ? nil : stored.current
    // A deleted file that began empty matches its first text.
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
    // The file may have been reset to an older saved revision. Or a kill cut off the last save, if
    // the file is still the version to be replaced.
    let isCutOff = stored.preparedOver != nil && stored.preparedOver == place.fileVersion
    guard let unsaved, unsaved != stored.saved || isCutOff else { return }
    let cutOff = stored.entered == nil ? nil : text.title(unsaved)
    if place.isUnnamed { session.offered = forward }
    notices.append(
      back.isEmpty
        ? .unsaved(groups: forward.count, cutOff: cutOff, isUnnamed: place.isUnnamed)
        : .unsavedElsewhere(unsaved))
  }
}

// MARK: - Texts of others

/// Keeping text that another program has written to the file.
extension HistoryKeeper {
  /// Stores a text that is about to be overwritten as a revision, on a branch next to the last
  /// saved one, unless a known revision has it.
  ///
  /// The branch is stored with the groups before the save. An open step defers those groups, so the
  /// branch is then stored at once.
  ///
  /// - Parameters:
  ///   - other: The text as read from the file.
  ///   - text: The text that owns the history. Its content and the effect of undo and redo stay the
  ///     same.
  ///   - fileName: The file name.
  /// - Returns: The revision that has it.
  mutating func keepOthersText(
    _ other: LoadedText, in text: inout EditedText, of fileName: [UInt8]
  ) -> Int? {
    // The same conversion as when a file is read into the text.
    let (new, usesCRLF) = other.text.asEdited
    let lacksNewline = other.text.lacksLastNewline ?? false
    let hash = ContentHash(of: new, usesCRLF: usesCRLF)
    if let known = own.hashes.first(where: { $1 == hash && text.isRevision($0) })?.key
      ?? earlier?.reader.revision(with: hash)
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
  /// Adds a text that another program made from the last saved revision, as a branch.
  ///
  /// - Parameters:
  ///   - other: The text.
  ///   - usesCRLF: Whether its lines end with CR LF in the file.
  ///   - isUnterminated: Whether its last newline is not in the file.
  /// - Returns: The new revision; nil if the text equals the saved one.
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
