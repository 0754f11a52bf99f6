import Glibc
import TextBuffer

/// Strict runs: writes are made together, under locks that keep other strict runs from the files.
extension Editor {
  // MARK: - Locks

  /// Whether files are locked before they are read: the run will write them, or their histories.
  var locksBeforeReading: Bool {
    !options.isDry && (options.defersWrites || options.keepsHistory == true)
  }

  /// Locks files, in addition to the locked ones.
  ///
  /// - Throws: If another run holds one of the locks for too long.
  mutating func lock(_ paths: [[UInt8]]) throws(EditorError) {
    if paths.isEmpty { return }
    for path in paths where FilePlace.isPlanted(path) {
      throw .file(FileError(attempt: .openOutput, path: path, code: EACCES))
    }
    // Another run may hold the locks for long, so the output so far is shown first. Every run locks
    // files before histories, so that run may wait for the history.
    recordHistoryBeforeBlocking()
    releaseHistories()
    console.rendering.flush()
    do {
      if batch.locks.isEmpty {
        batch.locks = try FileLocks(paths)
        return
      }
      // Further locks break the lock order, so two runs could deadlock: the wait is short.
      batch.furtherLocks = try FileLocks(paths, waitingAtMost: Self.secondsOutOfOrder)
    } catch {
      throw error.code == ETIMEDOUT
        ? .fileIsLocked(by: LockHolder.find(on: paths))
        : EditorError(FileError(attempt: .openOutput, path: [], code: error.code))
    }
  }

  /// Whether a write needs no further lock: its file is locked, missing or not regular.
  private func isLocked(_ write: FileWrite) -> Bool {
    if batch.locks.cover(write.known?.identity) { return true }
    guard let status = OpenFile.status(of: write.path), status.isRegular else { return true }
    return batch.locks.cover(FileIdentity(status))
  }

  /// The longest wait for a lock that breaks the lock order.
  private static let secondsOutOfOrder = 2.0

  mutating func unlock() {
    batch.locks = FileLocks()
    batch.furtherLocks = FileLocks()
  }

  /// Releases locks and databases, so that a shell command may write the files.
  mutating func letOthersWrite() {
    releaseHistories()
    unlock()
  }

  private mutating func releaseHistories() {
    keeper.suspend(isBrief: true)
    suspendLeft()
  }

  /// Releases the databases of texts whose files the run has left; see ``LeftText``.
  private mutating func suspendLeft() {
    for index in batch.leftTexts.indices where batch.leftTexts[index].keeper.isOpen {
      batch.leftTexts[index].keeper.suspend(isBrief: true)
    }
  }

  // MARK: - Leaving a text

  /// The maximum number of open histories, and the longest time in seconds that others wait for
  /// them.
  private static let (mostOpen, longestOpen) = (min(64, OpenFile.descriptorLimit / 16), 0.5)

  /// Keeps the text and its history for the commit, before another file is edited.
  mutating func leaveText() {
    guard keeper.isStored, text.history.revisions.count > 1 || keeper.hasUnstoredEffect else {
      return
    }
    if batch.openUntil == nil {
      batch.openUntil = SystemClock.uptime + Self.longestOpen
    }
    if batch.leftTexts.count >= Self.mostOpen || SystemClock.uptime > batch.openUntil ?? 0 {
      releaseHistories()
    }
    if let place = keeper.place { batch.leftPlaces.insert(place.name) }
    batch.leftTexts.append(LeftText(fileName: file.name, text: text, keeper: keeper.handOver()))
  }

  /// Resumes the left text of the same file, with its history, if its last save equals the present
  /// text. Returns whether it did.
  mutating func takeBackText() -> Bool {
    guard !batch.leftTexts.isEmpty, let place = HistoryPlace(of: file.name),
      let index = leftText(at: place) ?? leftTextOfOtherName()
    else { return false }
    batch.leftTexts[index].keeper.suspend(isBrief: true)
    var left = batch.leftTexts[index]
    if let saved = left.text.history.saved, !left.text.isInGroup { try? left.text.jump(to: saved) }
    guard left.text.buffer == text.buffer, left.text.usesCRLF == text.usesCRLF else { return false }
    batch.leftTexts.remove(at: index)
    text.document = left.text.document
    text.lines = left.text.lines
    text.updateContext()
    keeper = left.keeper
    return true
  }

  /// The index of the left text whose history is at `place`; nil without one.
  private func leftText(at place: HistoryPlace) -> Int? {
    guard batch.leftPlaces.contains(place.name) else { return nil }
    return batch.leftTexts.firstIndex { $0.keeper.place == place }
  }

  /// The index of a left text whose file is another hard link to the present file.
  private func leftTextOfOtherName() -> Int? {
    guard let status = OpenFile.status(of: file.name), status.st_nlink > 1 else { return nil }
    let present = FileIdentity(status)
    return batch.leftTexts.firstIndex {
      OpenFile.status(of: $0.fileName).map { FileIdentity($0).isSameFile(as: present) } ?? false
    }
  }

  /// Starts over with an empty text and new command lines; keeps only pending writes and histories.
  mutating func startOver(lines: consuming any LineSource & ~Copyable) {
    leaveFile()
    console.startOver(lines: lines, isVerbose: options.verbose)
  }

  /// Starts over with an empty text; keeps only pending writes and histories.
  mutating func leaveFile() {
    leaveText()
    addRevisionToLedger()
    text = EditedText(conduct)
    file.startOver()
    patterns.forget()
    script = ScriptState(ownForms: .allowed)
    keeper.startOver()
    (refusal, toldFile) = (nil, nil)
  }

  // MARK: - Committing

  /// Makes the write of a changed text pending, in a run that writes at the end.
  mutating func writeAtEnd() throws(EditorError) {
    let written = keeper.own.written.flatMap { $0.name == file.name ? $0.revision : nil }
    // A write to another file makes the text unmodified, too.
    let mayDiffer = text.history.current != written ?? keeper.own.unchanged
    guard options.writesAtEnd, text.isModified || mayDiffer else { return }
    // Commands such as `s/a/a/` modify the text, but make no group.
    if !mayDiffer, !file.pending.contains(file.name),
      let known = file.known(as: file.name), known.identity != nil,
      known.texts.last == text.fileText
    {
      return
    }
    if file.name.isEmpty { throw .noCurrentFileName }
    try keeper.beginWrite()
    try file.postpone(
      text.fileText, to: file.name, appending: false, makesAgain: options.undoesRun)
    text.didSave()
  }

  /// Makes the pending writes, and stores the histories of all texts. With `savingText`, the present
  /// text counts as saved by them. In a window, which is several files of `-i` (see `StrictRun`),
  /// the writes are made together, but a kill may leave some made.
  ///
  /// - Throws: The first error. With `--atomic` or in a window, no write has been made then;
  ///   otherwise the writes before the failing one have been made.
  mutating func commitWrites(
    isWindow: Bool = false, savingText savesText: Bool = false
  ) throws(RunFailure) {
    defer { letOthersWrite() }
    let waiting = file.pending.all
    addWritesToLedger()
    do throws(EditorError) {
      var unlocked: [[UInt8]] = []
      for write in waiting where !write.isStream && !isLocked(write) { unlocked.append(write.path) }
      // Waiting stores the text, which is not yet saved.
      try lock(unlocked)
    } catch {
      throw RunFailure(file: waiting.first?.path ?? file.name, error: error)
    }
    file.pending = PendingWrites()
    // The history must have the save before the file is written.
    let unsaved = savesText ? text : nil
    if savesText { text.didSave() }
    do throws(RunFailure) {
      try prepareHistories(isWindow: isWindow)
      let (changing, done) = parted(waiting)
      for write in done { try sync(write) }
      if isWindow || options.atomic || options.validation != nil
        || changing.count == 1 && changing.allSatisfy(Self.mustNotExist)
        || changing.contains(where: { !$0.otherChanges.isEmpty })
      {
        try commitTogether(changing, isWindow: isWindow) { $0.commitHistories() }
      } else {
        try checkDangers(changing)
        for write in changing { try commit(write) }
        commitHistories()
      }
      // Another program may have written the same text.
      for write in done where !options.defersWrites {
        file.didWrite(write.text, to: write.path, as: write.status.map { FileIdentity($0) })
      }
    } catch {
      // Two names of the run may have one history, so the last save is taken back first.
      keeper.rollBackSave()
      for index in batch.leftTexts.indices.reversed() {
        batch.leftTexts[index].update { _, keeper, _ in keeper.rollBackSave() }
      }
      if let unsaved { text.takeBackSave(to: unsaved) }
      throw error
    }
    batch.forgetLeft()
    addRevisionToLedger()
    batch.ledger.keepRevisions()
  }

  /// Whether a write must create its file: the file did not exist when opened, and still does not.
  private static func mustNotExist(_ write: FileWrite) -> Bool {
    guard write.status == nil, let known = write.known else { return false }
    return known.identity == nil
  }

  /// Separates writes that will change their file from writes whose text the file already has.
  func parted(_ writes: [FileWrite]) -> (changing: [FileWrite], done: [FileWrite]) {
    var (changing, done): ([FileWrite], [FileWrite]) = ([], [])
    for var write in writes {
      write.status = OpenFile.status(of: write.path)
      if isOnDisk(write) {
        done.append(write)
      } else {
        write.backup = backup(of: write.path)
        changing.append(write)
      }
    }
    return (changing, done)
  }

  /// Drops pending writes and left texts, and releases the locks.
  mutating func giveUp() {
    file.pending = PendingWrites()
    suspendLeft()
    batch.forgetLeft()
    // Only a dialogue empties the database's log; a script leaves that to a later run or session.
    keeper.stop(emptiesLog: conduct.awaitsAnswers)
    unlock()
    batch.hasWritten = false
  }

  /// Whether a file already has the text of a write.
  private func isOnDisk(_ write: FileWrite) -> Bool {
    guard !write.isStream, !file.isUnsure(of: write.path), let status = write.status,
      status.isRegular,
      Int(status.st_size) == write.text.byteCount,
      !write.otherChanges.isRemoved, write.otherChanges.accepts(status.st_mode & 0o7777)
    else { return false }
    if let known = write.known {
      let isUnchanged = known.identity == FileIdentity(status)
      if isUnchanged && !known.texts.isEmpty { return known.texts.contains(write.text) }
      // Another program may have written the same text. A script does not count its write as made
      // then, or one of two equal changes would be lost. A dialogue does: its program has seen the
      // content that its text is based on.
      let isSeen = known.texts.isEmpty ? isUnchanged : known.texts.contains(write.text)
      if conduct.defersStoring && !isSeen { return false }
    }
    return (try? file.disk.textIfThere(write.path)) == write.text
  }

  /// The path for the backup of a file as it was before the run; nil if no backup is due.
  private func backup(of path: [UInt8]) -> [UInt8]? {
    guard let suffix = options.inPlaceSuffix, !suffix.isEmpty, !batch.hasReplaced(path)
    else { return nil }
    return path + suffix
  }

  /// Notes that a write has been made, with the file's new state.
  private mutating func didMake(_ write: FileWrite, as identity: FileIdentity?) {
    batch.hasWritten = true
    file.didMake(write.path, as: identity)
    batch.ledger.update(
      write.path, to: write.otherChanges.isRemoved ? nil : write.text, isWritten: true)
    // A later backup would not have the content from before the run.
    if options.inPlaceSuffix?.isEmpty == false { batch.didReplace(write.path, identity) }
    if !options.defersWrites { file.didWrite(write.text, to: write.path, as: identity) }
  }

  /// Syncs a file that already has its new text.
  private mutating func sync(_ write: FileWrite) throws(RunFailure) {
    do throws(FileError) {
      try file.sync(write.path, write.status)
    } catch {
      file.didFail(write.text, to: write.path)
      throw RunFailure(file: write.path, error: .file(error))
    }
  }

  /// Makes one write.
  private mutating func commit(_ write: FileWrite) throws(RunFailure) {
    if Self.mustNotExist(write) { return try commitTogether([write]) }
    let (path, text) = (write.path, write.text)
    var status = write.status
    do {
      if write.isStream {
        try file.disk.feed(text, to: path)
        return didMake(write, as: nil)
      }
      if let backup = write.backup {
        try file.disk.backUp(path, to: backup)
        // If the backup path was a hard link to the file, the link count has changed.
        if let old = status, let new = OpenFile.status(of: path),
          FileIdentity(new).hasContent(of: FileIdentity(old))
        {
          status = new
        }
      }
      let all = ByteOffset(0)..<ByteOffset(text.byteCount)
      didMake(
        write,
        as: try file.disk.write(
          text, all, to: path, appending: false, expecting: expectation(of: path, status)))
    } catch {
      file.didFail(text, to: path)
      throw RunFailure(
        file: path,
        error: error.code == ESTALE ? .fileUnseen(.changedOutside) : EditorError(error))
    }
  }

  /// The state that a file must keep until it is replaced; nil if the file does not exist.
  private mutating func expectation(of path: [UInt8], _ status: stat?) -> ExpectedFile? {
    guard let identity = status.map({ FileIdentity($0) }) else { return nil }
    return ExpectedFile(
      identity: identity, locked: batch.locks.file(identity), folder: batch.folder(of: path))
  }

  /// A shell line that redirects the output of the next command to standard error.
  private static let toErrors = Array("exec >&2\n".utf8)

  /// Makes all writes or none; in a window, a kill may leave some made. `finally` is called after
  /// the writes, while other runs can't lock the new files yet.
  private mutating func commitTogether(
    _ writes: [FileWrite], isWindow: Bool = false,
    finally: (inout Editor) -> Void = { _ in }
  ) throws(RunFailure) {
    do {
      var folders = FolderMaker()
      let mayMakeFolders = options.patch != nil || options.historyTask != nil
      for write in writes where mayMakeFolders && write.known?.identity == nil {
        try FileError.attempt(.openOutput, write.path) { () throws(SystemError) in
          try folders.makeFolders(of: write.path)
        }
      }
      var transaction = try FileTransaction(
        staging: writes, isMendable: !isWindow)
      if let template = options.validation.map(ShellTemplate.init) {
        try transaction.validate { (staged, replacement) throws(FileError) in
          let status = file.disk.run(Self.toErrors + template.command(for: staged))
          // The signal that interrupted ued may have ended the command before it judged the file.
          if Interrupts.isInterrupted { throw .notWritable(replacement.path, EINTR) }
          if status != 0 { throw .rejected(path: replacement.path) }
        }
      }
      try transaction.commit()
      folders.keep()
      finally(&self)
      for (write, identity) in zip(writes, transaction.finish()) { didMake(write, as: identity) }
    } catch {
      for write in writes { file.didFail(write.text, to: write.path) }
      throw RunFailure(error)
    }
  }

  // MARK: - Histories

  /// Stores the histories of existing files, with the saves that are about to be made. In a window,
  /// any history that can't be stored is a failure, since the run then edits that file alone.
  ///
  /// - Throws: The first failure.
  private mutating func prepareHistories(isWindow: Bool) throws(RunFailure) {
    var failure: RunFailure?
    let unsynced = gatherForEachHistory { text, keeper, name in
      guard failure == nil, keeper.isStored, !keeper.own.forgetsAtEnd else { return }
      if OpenFile.status(of: name) == nil {
        // The history of a new file is stored after its write; this checks that it can be stored.
        if keeper.policy.isRequired && keeper.sessionForWriting(&text) != nil {
          keeper.suspend(isBrief: true)
        }
        failure = keeper.obstacle.map { RunFailure(file: name, error: $0) }
        return
      }
      // We add nothing to this history, so a concurrent change does not matter.
      if keeper.hasNothingNew(of: text) {
        keeper.suspend(isBrief: true)
      } else if keeper.resume(&text) == .changed {
        failure = RunFailure(file: name, error: .historyChanged)
      } else {
        keeper.prepare(&text, of: name)
        failure = keeper.obstacle.map { RunFailure(file: name, error: $0) }
        if isWindow, let cause = keeper.failure {
          failure = RunFailure(file: name, error: .historyNotKept(cause))
        }
      }
      if Interrupts.isRequested { failure = RunFailure(file: name, error: .interrupted) }
    }
    if isWindow, let error = unsynced {
      failure = failure ?? RunFailure(file: file.name, error: .historyNotKept(error))
    } else if let error = unsynced {
      forEachHistory { _, keeper, name in
        if keeper.preparedSave?.isStored != true { return }
        keeper.fail(error)
        failure = failure ?? keeper.obstacle.map { RunFailure(file: name, error: $0) }
      }
    }
    if let failure { throw failure }
  }

  /// Marks all histories as saved. For a file that the run created, this also stores the history.
  private mutating func commitHistories() {
    let unsynced = gatherForEachHistory { text, keeper, name in
      guard keeper.isStored else { return }
      if keeper.own.forgetsAtEnd { return keeper.forgetNow(&text) }
      if keeper.preparedSave == nil && keeper.resume(&text) == .unchanged {
        keeper.prepare(&text, of: name)
      }
      keeper.commitSave(&text)
    }
    if let unsynced { keeper.fail(unsynced) }
  }

  /// Runs `body` as `forEachHistory` does, but combines the updates of the index in a few
  /// transactions, and syncs all histories at the end. Returns the reason why they can't be synced.
  private mutating func gatherForEachHistory(
    _ body: (inout EditedText, inout HistoryKeeper, [UInt8]) -> Void
  ) -> StorageError? {
    if !batch.leftTexts.isEmpty { return keeper.policy.index.gather { forEachHistory(body) } }
    forEachHistory(body)
    return nil
  }

  /// Runs `body` on each left text, then on the present one, with its history and file name.
  private mutating func forEachHistory(
    _ body: (inout EditedText, inout HistoryKeeper, [UInt8]) -> Void
  ) {
    for index in batch.leftTexts.indices {
      batch.leftTexts[index].update(body)
      let name = batch.leftTexts[index].fileName
      for notice in batch.leftTexts[index].keeper.takeNotices() {
        batch.notices.append((name, notice))
      }
    }
    body(&text, &keeper, file.name)
  }
}

extension HistoryKeeper {
  /// Stores all groups and any save, then releases the database to other runs.
  fileprivate mutating func prepare(_ text: inout EditedText, of name: [UInt8]) {
    // A run that only reads leaves no trace.
    if hasNothingNew(of: text) { return suspend(isBrief: true) }
    if text.history.saved == nil && !text.isInGroup {
      record(&text, of: name)
    } else {
      prepareSave(&text, of: name, revision: text.isInGroup ? nil : text.history.saved)
    }
    suspend(isBrief: true)
  }
}

// MARK: - Strict opening

/// Opening a file of a strict run.
extension Editor {
  /// Opens a file, whose content must match `hash` unless `hash` is nil.
  mutating func openStrictly(
    _ name: [UInt8], expecting hash: HashPrefix?
  ) throws(RunFailure) {
    do throws(EditorError) {
      try open(name)
    } catch {
      let isMissing = error.isMissingFile
      if isMissing && hash != nil {
        throw RunFailure(file: name, error: .unexpectedContent(nil))
      }
      if !isMissing || !options.create {
        throw RunFailure(file: name, error: error, isOpening: true)
      }
    }
    guard let hash else { return }
    let found = SHA256Hash(of: try content(of: name))
    if !hash.matches(found) { throw RunFailure(file: name, error: .unexpectedContent(found)) }
  }

  /// Stores the changes that other programs made to the opened file, as a group of this run.
  mutating func recordOthers() throws(EditorError) {
    let isMissing = file.known(as: file.name)?.identity == nil
    if isMissing && !keeper.isOnDisk {
      throw .file(FileError(attempt: .openInput, path: file.name, code: ENOENT))
    }
    try keeper.recordOthers(&text, isMissing: isMissing)
    // The run was started to record these changes, so notices of them are redundant.
    for notice in keeper.takeNotices() {
      switch notice {
      case .changedOutside, .goneOutside: continue
      default: batch.notices.append((file.name, notice))
      }
    }
  }

  /// The content of the opened file, even if a pending write will replace it.
  private func content(of name: [UInt8]) throws(RunFailure) -> PieceTable {
    if let text = file.known?.texts.first { return text }
    do {
      return try file.disk.textIfThere(name)
    } catch {
      throw RunFailure(file: name, error: .file(error), isOpening: true)
    }
  }

  /// Throws if a strict run can't edit a file: a pipe might block forever. A special file in `/dev`
  /// or `/proc` may only be read.
  func checkKind(of name: [UInt8]) throws(EditorError) {
    // A lock is held only on a regular file, or on the folder of a missing one.
    if options.fileNames.count == 1 || !options.atomic, !batch.locks.isEmpty { return }
    guard let status = OpenFile.status(of: name), !status.isRegular, !status.isFolder else {
      return
    }
    let isInDevOrProc = name.starts(with: "/dev/".utf8) || name.starts(with: "/proc/".utf8)
    if options.defersWrites || options.historyTask == .record || !isInDevOrProc {
      throw .notRegularFile
    }
  }
}

// MARK: - Ending

/// The rescue of unsaved text when a signal ends the program.
extension Editor {
  /// Writes unsaved text to `ed.hup` after a hangup, in the current or else in the home folder.
  /// Returns whether all text is saved now.
  mutating func saveForHangUp() -> Bool {
    guard text.lastLine > .zero, text.isModified else { return true }
    let text = text.fileText
    let lineCount = self.text.lastLine.value
    for path in Self.rescuePaths {
      let content = FileContent(
        text: text, range: ByteOffset(0)..<ByteOffset(text.byteCount), path: path)
      do throws(FileError) {
        try file.disk.rescue(content)
        console.say(
          .written(
            name: path, lineCount: lineCount, byteCount: content.byteCount,
            isAppended: false))
        return true
      } catch {
        console.say(.failure(error))
      }
    }
    return false
  }

  /// The paths for the text after a hangup; the second is the fallback.
  private static var rescuePaths: [[UInt8]] {
    let name = Array("ed.hup".utf8)
    guard let home = ProcessArguments.environment("HOME"), !home.isEmpty else { return [name] }
    return [name, home + (home.last == .slash ? [] : [.slash]) + name]
  }

  /// Warns of a text saved for this user after a hangup, unless its file is the edited one.
  func sayRescuedText() {
    for path in Self.rescuePaths {
      guard path != file.name, let status = OpenFile.status(of: path), status.isRegular,
        status.st_uid == SystemUser.number
      else { continue }
      return console.say(.warning(.leftByHangUp(path)))
    }
  }
}

/// A text whose file has been left for another one before its writes were made.
struct LeftText {
  let fileName: [UInt8]
  var text: EditedText
  var keeper: HistoryKeeper

  mutating func update(
    _ body: (inout EditedText, inout HistoryKeeper, [UInt8]) -> Void
  ) {
    body(&text, &keeper, fileName)
  }
}

/// The state that a strict run holds until its files are written.
struct Batch: ~Copyable {
  /// Locks on the files that the run reads and writes, then on files that it only writes.
  var locks = FileLocks()
  var furtherLocks = FileLocks()
  /// The folder of the last file, in a run of several. Nil if no new files can be added there, or
  /// if a killed run had to be mended there.
  var foundIntact: [UInt8]?
  /// The texts that were left before their writes were made; their histories are not stored yet.
  var leftTexts: [LeftText] = []
  /// The names of the histories of left texts.
  var leftPlaces: Set<[UInt8]> = []
  /// The uptime at which the histories of left texts are released; nil before the first one.
  var openUntil: Double?
  /// Notices about the histories of left texts, with the names of their files.
  var notices: [(file: [UInt8], notice: HistoryNotice)] = []
  /// Whether anything has been written since the last `giveUp`, so that the script can't simply run
  /// again.
  var hasWritten = false
  /// The files that the run has opened or written, kept for JSON reports.
  var ledger = FileLedger(isKept: false)
  /// The names of the backups of the run's files.
  var backups: Set<FileNameID> = []
  /// The names of the files that the whole run has replaced or created, if it makes backups.
  private var replacedNames: Set<[UInt8]> = []
  /// The same files as they were left; a file may have several names.
  private var replacedFiles = SeenFiles()
  /// The folder of the last written file. It is opened when the next file is in the same folder.
  private var lastFolder: (path: [UInt8], opened: SharedFile?)?

  mutating func didReplace(_ path: [UInt8], _ identity: FileIdentity?) {
    replacedNames.insert(path)
    if let identity { replacedFiles.add(identity) }
  }

  /// Whether the run has replaced a file, under this name or another one.
  func hasReplaced(_ path: [UInt8]) -> Bool {
    if replacedNames.contains(path) { return true }
    guard let identity = OpenFile.status(of: path).map(FileIdentity.init) else { return false }
    return replacedFiles.file(identity.number)?.hasContent(of: identity) == true
  }

  mutating func forgetLeft() {
    (leftTexts, leftPlaces, openUntil) = ([], [], nil)
  }

  /// The open folder of a file, if the last file was in the same folder; otherwise nil.
  mutating func folder(of path: [UInt8]) -> SharedFile? {
    let folder = FilePlace.split(path).folder
    guard let last = lastFolder, last.path == folder else {
      lastFolder = (folder, nil)
      return nil
    }
    if let opened = last.opened { return opened }
    guard let place = try? FilePlace(replacing: path) else { return nil }
    let opened = SharedFile(place.takeFolder())
    lastFolder?.opened = opened
    return opened
  }
}
