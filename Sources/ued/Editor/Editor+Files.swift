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
  /// Runs `e`: replaces the text by that of a file or command.
  mutating func edit(_ argument: FileArgument) throws(EditorError) {
    try edit(try place(argument), mayBeMissing: options.isFriendly)
  }

  /// Replaces the text by that of a file or command.
  ///
  /// - Parameters:
  ///   - place: The file or command.
  ///   - mayBeMissing: Whether a file that does not exist begins empty.
  /// - Throws: Why it can't be read; or `groupIsOpen`, as a group can't be in the histories of two files.
  mutating func edit(_ place: TextPlace, mayBeMissing: Bool = false) throws(EditorError) {
    if options.isFriendly || keeper.isOn, case .file = place { try text.refuseInGroup() }
    let isBeginning = beginsHistory(with: place)
    enterRevision()
    let isSplit = text.endStep()
    // If it fails, the step stays open for the rest of the global command.
    if isSplit { text.openStep() }
    var isMissing = false
    do throws(EditorError) {
      try perform { (editor) throws(EditorError) in
        do throws(EditorError) {
          try editor.replaceText(by: place)
        } catch {
          // But for ed, the text stays where the other one can't be read.
          let isKept = editor.options.isFriendly || editor.options.json
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
    // A successful `e` can't be undone by `u`.
    text.undoPoint = nil
    text.didSave()
    if isSplit { text.openStep() }
    if isBeginning { startHistory(isMissing: isMissing) }
    if case .file = place { enterOpenedFile() }
  }

  private mutating func replaceText(by place: TextPlace) throws(EditorError) {
    text.replace(LineRange(LineNumber(1), text.lastLine), with: [], count: 0)
    // As many lines as before are not these, changed in place.
    text.lines.note(.removed([]))
    text.cut = nil
    text.marks = Marks()
    text.currentLine = .zero
    text.save.isDirty = false
    text.isBinary = false
    text.keepsMissingNewline = false
    text.usesCRLF = false
    if case .file(let name) = place {
      (file.name, file.nameIsUntried) = (name, false)
      file.later.removeAll { $0 == name }
    }
    // If reading fails, `u` removes what was read.
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
        count = try editor.read(place, after: line, allowingStatus: editor.options.isFriendly)
      } catch {
        // As in ed, a script is told of the failure only.
        let isTold = editor.options.isFriendly || editor.options.json
        if isTold && editor.text.lastLine.value > lineCount { editor.text.save.isDirty = true }
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
  /// - Throws: The error that ended reading; what was read before it is in the buffer.
  mutating func open(_ name: [UInt8]) throws(EditorError) {
    try checkAccess(name)
    let isShell = name.first == .bang && !options.namesAreFiles
    let place: TextPlace = isShell ? .shell(Array(name.dropFirst())) : .file(name)
    defer {
      _ = Memory.takeExhausted()
      if !isShell { enterOpenedFile() }
    }
    if case .file(let name) = place {
      file.name = name
      if options.isStrict { try checkKind(of: name) }
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

  /// Finishes or undoes a run over several files, among them one in the folder of a file, that was killed.
  ///
  /// - Returns: Whether there was one.
  private mutating func mendRun(beside name: [UInt8], isNoLink: Bool) -> Bool {
    let folder = FilePlace.split(name).folder
    // Usually all files are in one folder, where nothing was found.
    if folder == batch.foundIntact && (isNoLink || !OpenFile.isLink(name)) { return false }
    let mending = FileTransaction.mend(beside: name)
    let isIntact =
      mending == .nothing && options.fileNames.count > 1 && OpenFile.canAddNames(beside: name)
    batch.foundIntact = isIntact ? folder : nil
    if mending == .nothing { return false }
    console.say(.warning(.mended(mending)))
    return true
  }

  /// Begins a new history with the current text, or continues the stored one.
  ///
  /// - Parameters:
  ///   - name: What was opened, if not the default file.
  ///   - isMissing: Whether the file does not exist.
  ///   - isWhole: Whether the text is the whole file.
  private mutating func startHistory(
    named name: [UInt8]? = nil, isMissing: Bool = false, isWhole: Bool = true
  ) {
    text.restoresMissingNewline = options.isStrict
    text.startHistory(opening: name ?? file.name)
    keeper.startOver()
    if takeBackText() { return }
    if isWhole {
      let (stripped, read) = (text.buffer, textBeforeStripping)
      if let read { text.startHistory(opening: name ?? file.name, with: read) }
      keeper.open(
        &text, of: file.name, isMissing: isMissing, keepsReturns: options.undoesRun)
      if read != nil { keeper.strip(&text, to: stripped) }
    }
    // What these say of the file is not true of a text that waits to be written to it.
    if file.pending.text(of: file.name) != nil {
      keeper.notices.removeAll { if case .trouble = $0 { false } else { true } }
    }
  }

  /// The text of the file, where carriage returns were dropped from it and the history is to have them.
  private var textBeforeStripping: PieceTable? {
    guard options.stripTrailingCR, keeper.isOn || options.isFriendly,
      file.pending.text(of: file.name) == nil, let known = file.known, known.path == file.name,
      known.isWhole
    else { return nil }
    return known.texts.first?.withLastNewline
  }

  /// Whether `e` begins a history of its own for a file, because the current one is stored or the text
  /// is saved.
  private mutating func beginsHistory(with place: TextPlace) -> Bool {
    guard keeper.isOn, !text.isInGlobal, !text.isInGroup, case .file = place else { return false }
    if !options.defersWrites { keeper.record(&text, of: file.historyName) }
    guard keeper.canLeave(text) else { return false }
    if options.defersWrites { leaveText() }
    return true
  }

  // MARK: - Reading

  /// Inserts the text of a file or command after a line. A status of the command is told if it is allowed.
  ///
  /// - Returns: The number of inserted lines.
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
        // What was locked may not be the file of that name any more.
        if mendRun(beside: name, isNoLink: locked != nil) {
          locked = batch.locks.readableFile(at: name)
        }
        loaded = try file.read(
          name, strippingCR: options.stripTrailingCR, isBinary: text.isBinary,
          isInIntactFolder: batch.foundIntact != nil, from: locked)
      }
    } catch {
      // A file that is to be created need not be there.
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

  /// Inserts loaded text after a line, and reports an added newline.
  ///
  /// - Returns: The number of inserted lines.
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
    let keepsEnd = lacksNewline && options.isStrict && text.lastLine == .zero
    let new = text.comparable(loaded.text)
    var byteCount = loaded.text.byteCount
    if lacksNewline && !text.isBinary && !keepsEnd {
      byteCount = new.byteCount + (text.usesCRLF ? new.newlineCount : 0)
    }
    let count = new.lineCount
    if count > 0 { text.replace(LineRange(line + 1, line), with: new, count: count) }
    text.currentLine = line + count
    guard loaded.failure == nil || loaded.failure?.attempt == .closeInput else { return count }
    if line > .zero && isAtEnd && count > 0 && wasUnterminated {
      console.say(.newlineInserted)
    } else if lacksNewline && !keepsEnd && (!isAtEnd || !text.isBinary) {
      console.say(.newlineAppended)
    }
    if !isAtEnd && text.isBinary && !wasBinary && lacksNewline { byteCount += 1 }
    if keepsEnd { text.keepsMissingNewline = true }
    if isAtEnd && text.isBinary && (lacksNewline || count == 0) && text.lastLine > .zero {
      text.marks[Marks.unterminatedLine] = text.lastLine
    }
    if loaded.failure == nil {
      console.say(
        .loaded(name: place.shownName, lineCount: count, byteCount: byteCount))
    }
    return count
  }

  /// Reports the system's error unless it is an interrupt, and wraps it to be thrown.
  func reported(_ error: FileError) -> EditorError {
    if error.code != EINTR { console.say(.failure(error)) }
    return EditorError(error)
  }
}
