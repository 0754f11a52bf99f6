import Glibc
import TextBuffer

/// A source or destination of text: a file or a shell command.
enum TextPlace {
  case file([UInt8])
  /// The command without its `!`.
  case shell([UInt8])

  /// The file name, or the command with its `!`.
  var shownName: [UInt8] {
    switch self {
    case .file(let name): name
    case .shell(let command): [.bang] + command
    }
  }
}

/// `e`, `f`, `r`, and the file given on the command line.
extension Editor {
  /// Runs `e`.
  mutating func edit(_ argument: FileArgument) throws(EditorError) {
    try edit(try place(argument), mayBeMissing: conduct.beginsMissingFiles)
  }

  /// Replaces the text with the content of a file or the output of a command.
  ///
  /// - Throws: The reason why it can't be read, or `groupIsOpen`: a group can't be in two
  ///   histories.
  mutating func edit(_ place: TextPlace, mayBeMissing: Bool = false) throws(EditorError) {
    if conduct.keepsHistory || keeper.policy.isOn, case .file = place { try text.refuseInGroup() }
    let isBeginning = leaveHistory(with: place)
    addRevisionToLedger()
    let isSplit = text.endStep()
    // If `e` fails, the step stays open for the rest of the global command.
    if isSplit { text.openStep() }
    var isMissing = false
    do throws(EditorError) {
      try perform { (editor) throws(EditorError) in
        do throws(EditorError) {
          try editor.replaceText(by: place)
        } catch {
          // ed drops the old text even if reading fails; friendly and JSON runs keep it.
          let isKept = editor.conduct.restoresText
          let isNew = mayBeMissing && error.isMissingFile
          editor.text.isStepFailed = isKept && !isNew && !editor.text.isInGlobal
          throw error
        }
      }
    } catch {
      guard mayBeMissing, error.isMissingFile else { throw error }
      isMissing = true
      if !options.isSilent { console.say(.newFile(file.name)) }
    }
    text.endStep()
    if !text.isInGroup { text.lines.opened = text.history.current }
    // A successful `e` can't be undone by `u`.
    text.undoPoint = nil
    text.didSave()
    if isSplit { text.openStep() }
    if isBeginning { startHistory(isMissing: isMissing) }
    if case .file = place { addOpenedFileToLedger() }
  }

  private mutating func replaceText(by place: TextPlace) throws(EditorError) {
    text.replace(LineRange(LineNumber(1), text.lastLine), with: [], count: 0)
    // New lines are not old lines changed in place, even if their number is the same.
    text.note(.removed([]))
    (text.earlierCut, text.cut) = (text.cut?.text ?? text.earlierCut, nil)
    text.marks = Marks()
    text.currentLine = .zero
    text.save.isDirty = false
    text.isBinary = false
    text.lastNewline.setMissing(false)
    text.usesCRLF = false
    if case .file(let name) = place {
      (file.name, file.nameIsUntried) = (name, false)
      file.later.removeAll { $0 == name }
    }
    // If reading fails, `u` removes the lines read so far.
    text.setUndoPoint(line: .zero, isModified: true)
    text.document.begin()
    do throws(EditorError) {
      let count = try read(place, after: .zero)
      text.document.commit()
      text.label = GroupLabel(.edited(name: place.shownName, lines: count))
    } catch {
      text.document.commit()
      text.undoPoint?.route = .changes(text.document.latestChanges.inverse)
      throw error
    }
  }

  mutating func setFileName(_ argument: FileArgument) throws(EditorError) {
    if argument != .none || !options.traditional {
      let place = try place(argument)
      guard case .file(let name) = place else { throw .invalidRedirection }
      takeName(of: place)
      (file.name, file.nameIsUntried) = (name, false)
    }
    console.say(.fileName(file.name))
  }

  mutating func read(_ argument: FileArgument, after line: LineNumber) throws(EditorError) {
    let place = try place(argument)
    takeName(of: place)
    let lineCount = text.lastLine.value
    try perform { (editor) throws(EditorError) in
      let count: Int
      do throws(EditorError) {
        count = try editor.read(place, after: line, allowingStatus: editor.conduct.announces)
      } catch {
        // As in ed, a failed read does not make the text of a plain script dirty.
        let countsAsChange = editor.conduct.restoresText
        if countsAsChange && editor.text.lastLine.value > lineCount {
          editor.text.save.isDirty = true
        }
        throw error
      }
      editor.text.label = GroupLabel(.read(name: place.shownName, lines: count))
      if count > 0 { editor.text.save.isDirty = true }
      editor.noteUse(of: place)
    }
  }

  // MARK: - The file on the command line

  /// Reads the file given on the command line into the empty buffer.
  ///
  /// - Throws: The error that ended reading; the buffer has the text read before it.
  mutating func open(_ name: [UInt8]) throws(EditorError) {
    try checkAccess(name)
    let isShell = name.first == .bang && !options.namesAreFiles
    let place: TextPlace = isShell ? .shell(Array(name.dropFirst())) : .file(name)
    defer {
      _ = Memory.takeExhausted()
      if !isShell { addOpenedFileToLedger() }
    }
    if case .file(let name) = place {
      file.name = name
      if conduct.treatsDoubtsAsErrors { try checkKind(of: name) }
    }
    do throws(EditorError) {
      try perform { (editor) throws(EditorError) in _ = try editor.read(place, after: .zero) }
    } catch {
      let isMissing = error.isMissingFile
      startHistory(named: name, isMissing: isMissing, isWhole: isMissing)
      throw error
    }
    startHistory(named: name)
  }

  /// Reads all of standard input into the empty buffer.
  mutating func readInput() throws(EditorError) {
    let name = [UInt8(ascii: "-")]
    let loaded = file.disk.load(
      from: STDIN_FILENO, sizeHint: 0, path: name, strippingCR: options.stripTrailingCR)
    if let failure = loaded.failure { throw EditorError(failure) }
    try perform { _ = $0.insert(loaded, of: .file(name), after: .zero) }
    text.startHistory(opening: name)
    text.didSave()
  }

  /// Finishes or undoes a killed run over several files, if one of them is in the folder of `name`.
  /// Returns whether there was such a run.
  private mutating func mendRun(beside name: [UInt8], forbidsLink: Bool) -> Bool {
    let folder = FilePlace.split(name).folder
    // Usually all files are in one folder, which was found intact for the first file.
    if folder == batch.foundIntact && (forbidsLink || !OpenFile.isLink(name)) { return false }
    let mending = TransactionMender.mend(beside: name)
    let isIntact =
      mending == .nothing && options.fileNames.count > 1 && OpenFile.canAddNames(beside: name)
    batch.foundIntact = isIntact ? folder : nil
    if mending == .nothing { return false }
    console.say(.warning(.mended(mending)))
    return true
  }

  /// Begins a new history with the current text, or continues the stored one; `isWhole` if the text
  /// is the whole file. `name` is nil for the default file.
  private mutating func startHistory(
    named name: [UInt8]? = nil, isMissing: Bool = false, isWhole: Bool = true
  ) {
    text.startHistory(opening: name ?? file.name)
    keeper.startOver()
    reportedBorder = nil
    if takeBackText() { return }
    if isWhole {
      let (stripped, read) = (text.buffer, textBeforeStripping)
      if let read {
        text.usesCRLF = read.usesCRLF
        text.startHistory(opening: name ?? file.name, with: read.text)
      }
      keeper.open(&text, of: file.name, isMissing: isMissing)
      if read != nil { keeper.strip(&text, to: stripped) }
      // A session that follows ed stores its revisions as ending in a newline.
      if text.lastNewline == .missing { text.setMissingNewline(true) }
    }
    // A pending write will replace the file, so notices about its present content do not apply.
    if file.isAhead(of: file.name) {
      keeper.notices.removeAll { if case .trouble = $0 { false } else { true } }
    }
  }

  /// The text with its carriage returns, if they were dropped but the history needs them.
  private var textBeforeStripping: (text: PieceTable, usesCRLF: Bool)? {
    guard options.stripTrailingCR, keeper.policy.isOn || conduct.keepsHistory,
      !file.isAhead(of: file.name), let known = file.known, known.path == file.name,
      known.isWhole
    else { return nil }
    return known.texts.first?.asEdited
  }

  /// Stores the current history, unless writes are deferred. Returns whether `e` begins a new one:
  /// the current one is stored, or the text is saved.
  private mutating func leaveHistory(with place: TextPlace) -> Bool {
    guard keeper.policy.isOn, !text.isInGlobal, !text.isInGroup, case .file = place else {
      return false
    }
    if !options.defersWrites { keeper.record(&text, of: file.historyName) }
    guard keeper.canLeave(text) else { return false }
    if options.defersWrites { leaveText() }
    return true
  }

  // MARK: - Reading

  /// Inserts the text of a file or command after a line, and returns the number of inserted lines.
  /// If `isAllowed`, an exit status other than 0 is reported, not thrown.
  private mutating func read(
    _ place: TextPlace, after line: LineNumber, allowingStatus isAllowed: Bool = false
  ) throws(EditorError) -> Int {
    var loaded: LoadedText
    do throws(FileError) {
      switch place {
      case .shell(let command):
        yieldToChild()
        defer { console.rendering.childEnds() }
        loaded = try file.disk.output(of: command, strippingCR: options.stripTrailingCR)
      case .file(let name):
        yieldToFile(at: name)
        var locked = batch.locks.readableFile(at: name)
        // After mending, the name may refer to another file than the locked one.
        if mendRun(beside: name, forbidsLink: locked != nil) {
          locked = batch.locks.readableFile(at: name)
        }
        loaded = try file.read(
          name, strippingCR: options.stripTrailingCR, isBinary: text.isBinary,
          isInIntactFolder: batch.foundIntact != nil, from: locked)
      }
    } catch {
      // The run will create this file, so its absence is not reported.
      if options.create && error.code == ENOENT && error.path == file.name { throw .file(error) }
      throw reported(error)
    }
    if let oldText = loaded.oldText {
      console.say(.warning(.savedInPart(place.shownName, oldText: oldText)))
    }
    let isToldOnly = isAllowed && loaded.failure?.shellStatus ?? 0 != 0
    if isToldOnly { loaded.failure = nil }
    let count = insert(loaded, of: place, after: line)
    if isToldOnly { console.say(.shellEnded(status: loaded.shellStatus)) }
    if Interrupts.isInterrupted {
      if case .file(let name) = place, name == file.known?.path { file.known?.isWhole = false }
      throw .interrupted
    }
    if let failure = loaded.failure { throw reported(failure) }
    return count
  }

  /// Inserts loaded text, reports an added newline, and returns the number of inserted lines.
  private mutating func insert(
    _ loaded: LoadedText, of place: TextPlace, after line: LineNumber
  ) -> Int {
    let wasBinary = text.isBinary
    let isAtEnd = line == text.lastLine
    let wasUnterminated = text.hasUnterminatedLine
    if loaded.hasNUL { text.isBinary = true }
    if text.hidesReturns, text.lastLine == .zero, !text.usesCRLF {
      text.usesCRLF = loaded.text.usesCRLF
    }
    let lacksNewline = loaded.text.lacksLastNewline == true
    let keepsEnd = lacksNewline && text.lastNewline != .ofLine && text.lastLine == .zero
    let new = text.comparable(loaded.text)
    var byteCount = loaded.text.byteCount
    if lacksNewline && !text.isBinary && !keepsEnd {
      byteCount = new.byteCount + (text.usesCRLF ? new.newlineCount : 0)
    }
    let count = new.lineCount
    // The command decides whether the inserted text counts as a change.
    let isDirty = text.save.isDirty
    if count > 0 { text.replace(LineRange(line + 1, line), with: new, count: count) }
    text.save.isDirty = isDirty
    text.currentLine = line + count
    guard loaded.failure == nil || loaded.failure?.attempt == .closeInput else { return count }
    if line > .zero && isAtEnd && count > 0 && wasUnterminated {
      console.say(.newlineInserted)
    } else if lacksNewline && !keepsEnd && (!isAtEnd || !text.isBinary) {
      let isOwn = if case .file(file.name) = place { true } else { false }
      console.say(.newlineAppended(source: isOwn ? nil : place.shownName))
    }
    if !isAtEnd && text.isBinary && !wasBinary && lacksNewline { byteCount += 1 }
    if keepsEnd { text.lastNewline = .missing }
    // In a script of ed, empty text, too, makes the last line of a binary text unterminated.
    let marksEnd = lacksNewline || count == 0 && !conduct.announces
    if isAtEnd && text.isBinary && marksEnd && text.lastLine > .zero {
      text.marks[Marks.unterminatedLine] = text.lastLine
    }
    if loaded.failure == nil {
      console.say(
        .loaded(name: place.shownName, lineCount: count, byteCount: byteCount))
    }
    return count
  }

  /// Reports the system's error unless it is an interrupt, and returns an error to throw.
  func reported(_ error: FileError) -> EditorError {
    if error.code != EINTR { console.say(.failure(error)) }
    return EditorError(error)
  }
}

// MARK: - Writing

/// `w`, `wq` and `W`.
extension Editor {
  mutating func write(
    _ argument: FileArgument, _ given: ResolvedAddresses, appending: Bool, then: AfterWrite
  ) throws(EditorError) -> CommandResult {
    let place = try place(argument)
    let lines = try self.lines(given, .lines(or: .allOrNone))
    takeName(of: place)
    var isSave = lines.count == text.lastLine.value
    var overwritten: (danger: KnownFile.Danger, revision: Int?)?
    var isOwn = true
    switch place {
    case .shell:
      isSave = false
      yieldToChild()
    case .file(let name):
      let isWhole = isSave && !appending && file.isEdited(name)
      let whole = isWhole && !conduct.treatsDoubtsAsErrors ? text.fileText : nil
      if conduct.asksFirst {
        isOwn = file.isEdited(name)
        try refuseOnce(writing: lines, whole, to: name, appending: appending, isOwn: isOwn)
        isSave = isSave && isOwn && !appending
      }
      if !appending && !conduct.treatsDoubtsAsErrors {
        overwritten = try keepOverwritten(name, by: whole)
      }
    }
    try write(lines, to: place, appending: appending, isSave: isSave)
    noteUse(of: place)
    if case .file(let name) = place {
      if let revision = overwritten?.revision, conduct.announces {
        console.say(.notice(.overwrote(revision)))
      } else if let overwritten, !conduct.announces {
        console.say(.warning(.overwriting(name, overwritten.danger)))
      }
      // A person's file now has only a part of the text, whatever was saved before.
      if conduct.asksFirst && isOwn && !isSave && !(appending && lines.count == 0) {
        text.didSavePart()
      }
    }
    // A strict run has already marked the text as saved, before storing its history.
    if isSave && !conduct.treatsDoubtsAsErrors {
      text.didSave()
      keeper.noteSave(of: text)
    }
    switch then {
    case .nothing: return .goOn
    case .quit where isSave: try refuseToLeaveFiles()
    case .quit: try refuseToQuit()
    case .quitDiscarding: break
    }
    return .quit
  }

  /// Writes lines to a file or command; `isSave` if the text counts as saved afterwards.
  private mutating func write(
    _ lines: LineRange, to place: TextPlace, appending: Bool, isSave: Bool
  ) throws(EditorError) {
    if case .file(let name) = place {
      yieldToFile(at: name)
      let isPart = appending || lines.count < text.lastLine.value
      // The history of a script must have the whole text, not only the written part.
      if isPart && keeper.isKept && !conduct.asksFirst && file.isEdited(name) {
        text.save.unrecorded = .outdated
        text.recordSave()
      }
    }
    var bytes = text.buffer.byteRange(of: lines)
    // Appended text and other files end in a newline, so that a later append begins a new line.
    var addsLastNewline = appending
    if case .file(let name) = place { addsLastNewline = addsLastNewline || !file.isEdited(name) }
    if lines.count > 0 && lines.last == text.lastLine,
      addsLastNewline ? text.hasUnterminatedLine : text.lacksLastNewline
    {
      bytes = bytes.lowerBound..<bytes.upperBound - 1
    }
    let lineContent = text.buffer.slice(bytes)
    let content = text.usesCRLF ? lineContent.withCRLF : lineContent
    var isMadeAgain = false
    switch place {
    case .shell where options.atomic || options.isDry:
      throw .shellCannotWait
    case .shell(let command):
      defer { console.rendering.childEnds() }
      do {
        try file.disk.write(content, toCommand: command)
      } catch {
        throw reported(error)
      }
    case .file(let name) where isBackup(name): throw .backupIsWritten(name)
    case .file(let name) where appending && appendsAtOnce(to: name):
      try appendAtOnce(content, to: name)
    case .file(let name) where conduct.treatsDoubtsAsErrors:
      try keeper.beginWrite()
      do throws(EditorError) {
        try file.postpone(content, to: name, appending: appending)
      } catch {
        throw commandError(RunFailure(file: name, error: error))
      }
      let isWhole = lines.count == text.lastLine.value
      if isWhole && !appending && file.isEdited(name) {
        keeper.own.written = (file.name, text.history.current)
      }
      if !options.defersWrites {
        do throws(RunFailure) {
          try commitWrites(savingText: isWhole)
        } catch {
          throw commandError(error)
        }
      } else if isWhole {
        text.didSave()
      }
    case .file(let name):
      // Without an identity, there was no file when the name was opened.
      isMadeAgain =
        conduct.announces && file.known(as: name)?.identity != nil && !OpenFile.exists(name)
      keeper.willSave(&text, of: file.historyName)
      if let obstacle = keeper.obstacle { throw obstacle }
      do throws(FileError) {
        try file.save(content, to: name, appending: appending)
      } catch {
        throw reported(error)
      }
    }
    console.say(
      .written(
        name: place.shownName, lineCount: lines.count,
        byteCount: content.byteCount, isAppended: appending,
        isMadeAgain: isMadeAgain))
    if options.json, keeper.policy.isOn, let failure = keeper.failure {
      console.say(.notice(.trouble(failure)))
    }
    tellUnkeptHistory()
  }

  /// The error of a command that could not write a file. It names the file, unless that is the
  /// edited one or the message has the name anyway.
  private func commandError(_ failure: RunFailure) -> EditorError {
    switch failure.error {
    case .file, .interrupted, .outOfMemory: failure.error
    default: failure.file == file.name ? failure.error : .onFile(failure.file, failure.error)
    }
  }

  // MARK: - Appending in a strict run

  /// Whether a strict run appends to a file in place, because other programs may have it open, such
  /// as a log. Deferred, validated and JSON runs do not, and a file that the run has read is
  /// replaced.
  func appendsAtOnce(to name: [UInt8]) -> Bool {
    conduct.treatsDoubtsAsErrors && !options.defersWrites && options.validation == nil
      && !options.json && !options.historyIsRequired
      && name != file.name && file.known(as: name) == nil
  }

  mutating func appendAtOnce(_ content: PieceTable, to name: [UInt8]) throws(EditorError) {
    // From now on the script can't simply run again.
    batch.hasWritten = true
    do throws(FileError) {
      try file.save(content, to: name, appending: true)
    } catch {
      throw EditorError(error)
    }
  }
}

// MARK: - Overwriting

/// Protection of unread content, of the text's file when only a part is written, and of the run's
/// backups.
extension Editor {
  /// Throws if a person's write would destroy something, unless it repeats the refused command.
  /// `whole` is the new content of the edited file; nil if it is another file or a part.
  func refuseOnce(
    writing lines: LineRange, _ whole: PieceTable?, to path: [UInt8], appending: Bool, isOwn: Bool
  ) throws(EditorError) {
    let danger = appending ? nil : file.dangerForPerson(ofWriting: path, whole)
    let present = danger?.present ?? OpenFile.status(of: path).map { FileIdentity($0) }
    let reason: RefusedWrite.Reason
    if let danger {
      reason = .unseen(danger.danger)
    } else if isOwn, !appending, lines.count < text.lastLine.value, present?.byteCount ?? 0 > 0 {
      reason = .isPart
    } else if isOwn, let line = text.firstConflict {
      reason = .hasConflicts(line)
    } else {
      return
    }
    let refused = EditorError.writeRefused(
      RefusedWrite(
        reason: reason, path: path, lines: lines, isAppended: appending, file: present))
    if refusal != refused { throw refused }
  }

  /// Keeps as a revision the content that another program wrote to a file about to be overwritten.
  /// Returns the danger to warn a script of, and the revision if one was made.
  ///
  /// - Throws: If a script would overwrite a file whose reading has failed.
  private mutating func keepOverwritten(
    _ path: [UInt8], by whole: PieceTable?
  ) throws(EditorError) -> (danger: KnownFile.Danger, revision: Int?)? {
    guard let danger = file.danger(ofWriting: path, whole) else { return nil }
    if danger != .changedOutside {
      if conduct.asksFirst || file.known?.isClosed == true { return (danger, nil) }
      console.say(.warning(.notOverwritten(path, danger)))
      throw .fileUnseen(danger)
    }
    guard keeper.isStored || conduct.asksFirst else { return (danger, nil) }
    do throws(FileError) {
      let other = try file.readOthersText(
        path, strippingCR: options.stripTrailingCR, limit: HistoryPlace.largestText)
      return (danger, keeper.keepOthersText(other, in: &text, of: file.historyName))
    } catch {
      console.say(.warning(.othersTextNotKept(error)))
      return (danger, nil)
    }
  }

  /// Whether `-i` uses a name for the backup of one of the run's files.
  func isBackup(_ name: [UInt8]) -> Bool {
    !batch.backups.isEmpty && !batch.backups.isDisjoint(with: FileNameID.all(of: name))
  }

  /// Notes the backups of the run's files.
  ///
  /// - Throws: `backupIsFile` if a backup would replace another file of the run.
  mutating func noteBackups(of names: [[UInt8]]) throws(RunFailure) {
    guard let suffix = options.inPlaceSuffix, !suffix.isEmpty else { return }
    let files = Set(names.flatMap { FileNameID.all(of: $0) })
    for name in names {
      guard let backup = FileNameID(replacing: name + suffix) else { continue }
      if files.contains(backup) {
        throw RunFailure(file: name, error: .backupIsFile(name + suffix))
      }
      batch.backups.insert(backup)
    }
  }

  /// Throws if a write would destroy changes that another program made since the file was read, or
  /// re-create a file that it removed.
  func checkDangers(_ writes: [FileWrite]) throws(RunFailure) {
    for write in writes where !write.isStream {
      guard let known = write.known else { continue }
      let status = write.status
      let isGone = known.identity != nil && status == nil
      let danger =
        isGone || status?.isRegular == false
        ? .changedOutside
        : file.disk.danger(ofWriting: write.path, status, over: known)?.danger
      if let danger { throw RunFailure(file: write.path, error: .fileUnseen(danger)) }
    }
  }
}

// MARK: - Shell

/// `!`, and file arguments.
extension Editor {
  mutating func run(_ shell: ShellText) throws(EditorError) {
    let command = try expand(shell)
    yieldToChild()
    let ended = file.disk.run(command)
    console.rendering.childEnds()
    guard let status = ended else { throw .shellUnavailable }
    if Interrupts.isInterrupted { throw .interrupted }
    if conduct.treatsDoubtsAsErrors && status != 0 { throw .shellFailed(status) }
    console.say(.shellEnded(status: status))
  }

  /// Replaces lines by the output of a shell command that reads them.
  ///
  /// - Throws: If the command fails or reads nothing; the text is then unchanged.
  mutating func filter(_ lines: LineRange, through shell: ShellText) throws(EditorError) {
    let command = try expand(shell)
    yieldToChild()
    defer { console.rendering.childEnds() }
    let old = text.buffer
    let (loaded, hasRead): (LoadedText, Bool)
    do {
      (loaded, hasRead) = try file.disk.output(of: command, from: old, old.byteRange(of: lines))
    } catch {
      throw reported(error)
    }
    if Interrupts.isInterrupted { throw .interrupted }
    // The status of the shell for an unknown command.
    if loaded.shellStatus == 127 { throw .filterNotFound(command) }
    if loaded.shellStatus != 0 { throw .shellFailed(loaded.shellStatus) }
    if let failure = loaded.failure { throw reported(failure) }
    // A command that reads no input is not a filter, and would only delete the lines.
    if !hasRead { throw .linesNotRead }
    let output = text.comparable(loaded.text)
    try perform {
      $0.text.label = GroupLabel(.filtered(lines, command: command))
      if loaded.hasNUL { $0.text.isBinary = true }
      let count = output.newlineCount
      $0.text.replace(lines, with: output, count: count)
      $0.text.currentLine = min(lines.first + (max(count, 1) - 1), $0.text.lastLine)
    }
  }

  /// Prepares for a shell command, which may read more of the script, and edit the same files.
  mutating func yieldToChild() {
    recordHistoryBeforeBlocking()
    console.yieldToChild(isInList: text.isInGlobal)
    if conduct.treatsDoubtsAsErrors { letOthersWrite() }
  }

  /// Prepares for opening a file: a pipe's other end may wait for output, and other names may mean
  /// standard input or output.
  mutating func yieldToFile(at name: [UInt8]) {
    guard let status = OpenFile.status(of: name) else { return }
    if status.isRegular { return console.catchUp() }
    recordHistoryBeforeBlocking()
    console.yieldToFile()
  }

  mutating func place(_ argument: FileArgument) throws(EditorError) -> TextPlace {
    switch argument {
    case .none:
      if file.name.isEmpty { throw .noCurrentFileName }
      return .file(file.name)
    case .shell(let shell):
      return .shell(try expand(shell))
    case .name(let written):
      let name = withHomeFolder(try extended(written, keepingNewlines: false))
      guard name.count < DiskFiles.longestName else { throw .fileNameTooLong }
      // As in ed, a NUL ends a name or a command, and an empty name means the default one.
      let whole = Array(name.prefix { $0 != 0 })
      try checkAccess(whole)
      // As in ed, a `!` on the line after an escaped newline also begins a shell command.
      if written.endsWithEscape, whole.first == .bang {
        return .shell(try expand(ShellText(bytes: Array(whole.dropFirst()))))
      }
      return .file(whole.isEmpty ? file.name : whole)
    }
  }

  /// Makes a file name the default, unless there is one already. A name set by a person's failed
  /// command is replaced.
  mutating func takeName(of place: TextPlace) {
    guard file.name.isEmpty || file.nameIsUntried, case .file(let name) = place else { return }
    (file.name, file.nameIsUntried) = (name, conduct.allowsCorrection)
    // If the file does not exist, the run creates it.
    keeper.own.effect = OpenFile.status(of: name) == nil ? .makes : []
  }

  /// Notes a use of a file. If it is the default file, its name also becomes the history's name.
  mutating func noteUse(of place: TextPlace) {
    if case .file(file.name) = place { file.nameIsUntried = false }
  }

  /// Throws if a name is not allowed in restricted mode.
  func checkAccess(_ name: [UInt8]) throws(EditorError) {
    guard options.restricted else { return }
    if name.first == .bang { throw .shellRestricted }
    if name == [.dot, .dot] || name.contains(.slash) { throw .folderRestricted }
  }

  /// Expands `!` and `%` in a shell command, which becomes the last one, and prints the expansion.
  private mutating func expand(_ shell: ShellText) throws(EditorError) -> [UInt8] {
    var rest = try extended(shell.bytes, keepingNewlines: false)[...]
    // As in ed, this fails only after the continuation lines have been read.
    if options.restricted { throw .shellRestricted }
    var command: [UInt8] = []
    var isReplaced = false
    if rest.first == .bang {
      guard let last = file.lastShellCommand, !options.traditional || !last.isEmpty else {
        throw .noPreviousCommand
      }
      rest.removeFirst()
      command = last
      isReplaced = true
    }
    while let byte = rest.popFirst() {
      if byte == .percent {
        if file.name.isEmpty { throw .noCurrentFileName }
        // In a strict run, shell syntax in a file name must not become part of a command.
        if conduct.treatsDoubtsAsErrors && !ShellTemplate.isPlain(file.name) {
          throw .nameNeedsQuotes
        }
        command += file.name
        isReplaced = true
      } else if byte == .backslash, let escaped = rest.popFirst() {
        command += escaped == .percent ? [.percent] : [.backslash, escaped]
      } else {
        command.append(byte)
      }
    }
    // As in ed, the shell gets the bytes before a NUL, but `!!` repeats all of them.
    file.lastShellCommand = command
    command = Array(command.prefix { $0 != 0 })
    if isReplaced { console.say(.shellCommand(command)) }
    return command
  }
}

// MARK: - Changes by others

/// Warnings to a person that the file has changed.
extension Editor {
  /// Warns a person once when another program has changed or removed the file.
  mutating func warnOfChangedFile() {
    guard let known = file.known(as: file.name)?.identity else { return }
    let present = OpenFile.status(of: file.name).map { FileIdentity($0) }
    if present == known { return toldChange = nil }
    if toldChange == .some(present) { return }
    toldChange = .some(present)
    if present == nil || file.danger(ofWriting: file.name) == .changedOutside {
      console.say(
        .warning(
          savedByOthers() ?? .changedMeanwhile(file.name, isGone: present == nil)))
    }
  }

  /// The warning that another run has saved the present content of the file; nil if none has.
  private mutating func savedByOthers() -> Warning? {
    keeper.refresh(&text, keepsLock: false)
    guard keeper.isStored,
      let other = try? file.readOthersText(
        file.name, strippingCR: options.stripTrailingCR, limit: HistoryPlace.largestText)
    else { return nil }
    let (new, usesCRLF) = other.text.asEdited
    defer { keeper.suspend(isBrief: true) }
    let id = keeper.revision(with: ContentHash(of: new, usesCRLF: usesCRLF), in: text)
    guard let id, let run = keeper.earlierRun(of: id), run != keeper.currentRun else { return nil }
    return .savedMeanwhile(file.name, run: keeper.title(ofRuns: [run]), revision: id)
  }
}
