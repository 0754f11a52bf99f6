import Glibc
import TextBuffer

extension Editor {
  /// A file, or a command of the shell.
  enum Target {
    /// No name was given: the default one.
    case defaultFile
    case file([UInt8])
    /// The command without its `!`.
    case shell([UInt8])
  }

  /// Runs a command on files or the shell.
  mutating func executeOnFiles<Source: LineSource & ~Copyable>(
    _ parsed: ParsedCommand, _ addresses: ResolvedAddresses,
    reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> Outcome {
    switch parsed.command {
    case .edit(let argument, let discarding):
      if isModified && !discarding && !mayDiscard { throw .bufferModified }
      try refuse(addresses)
      try checkFault(parsed)
      let target = try target(argument, reading: &source, writing: &renderer)
      let isBeginning = beginsHistory(with: target)
      do throws(EditorError) {
        try edit(target, reading: &source, writing: &renderer)
      } catch {
        undoPoint?.way = .changes(document.latestChanges.inverse)
        throw error
      }
      finishEdit()
      if isBeginning { startHistory() }
    case .fileName(let argument):
      try refuse(addresses)
      try checkFault(parsed)
      let target = try target(
        argument, mayBeMissing: options.traditional, reading: &source, writing: &renderer)
      switch target {
      case .shell: throw .invalidRedirection
      case .file(let name): fileName = name
      case .defaultFile: break
      }
      renderer.printLine(fileName)
    case .read(let argument):
      try checkFault(parsed)
      let target = try target(argument, reading: &source, writing: &renderer)
      let line = addresses.count == 0 ? lastLine : addresses.second
      takeName(of: target)
      beginChange()
      let lines = try read(target, after: line, reading: &source, writing: &renderer)
      label = GroupLabel(.read(name: shownName(of: target), lines: lines))
      if lines > 0 { isModified = true }
    case .write(let argument, let appending, let then):
      try checkFault(parsed)
      let target = try target(argument, reading: &source, writing: &renderer)
      let lines =
        addresses.count == 0 && lastLine == 0
        ? LineRange(1, 0) : try range(addresses, orElse: 1, lastLine)
      takeName(of: target)
      var isSaved = lines.count == lastLine
      if case .shell = target {
        isSaved = false
        prepareForChild(reading: &source, writing: &renderer)
      } else if !appending && !defersWrites {
        try checkUnseen(name(of: target), writing: &renderer)
      }
      try write(lines, to: target, appending: appending, writing: &renderer)
      if isSaved {
        noteSave()
      } else if then == .quit && isModified && !mayDiscard {
        throw .bufferModified
      }
      if then != .nothing { return .quit }
    case .shell(let text) where addresses.count > 0:
      try filter(text, addresses, reading: &source, writing: &renderer)
    case .shell(let text):
      let command = try shellCommand(text, reading: &source, writing: &renderer)
      prepareForChild(reading: &source, writing: &renderer)
      guard files.run(command) else { throw .shellUnavailable }
      if Interrupts.hangUp { throw .interrupted }
      if !isSilent { renderer.printLine([.bang]) }
    default: preconditionFailure("not a command on files: \(parsed.command)")
    }
    return .goOn
  }

  /// Reads the file that the command line names into an empty buffer.
  ///
  /// - Throws: Why it could not be read whole. What could be read is in the buffer.
  mutating func open<Source: LineSource & ~Copyable>(
    _ name: [UInt8], reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) {
    try checkAccess(name)
    let target: Target =
      name.first == .bang ? .shell(Array(name.dropFirst())) : .file(name)
    if case .file(let name) = target { fileName = name }
    openTransaction()
    do throws(EditorError) {
      _ = try read(target, after: 0, reading: &source, writing: &renderer)
    } catch {
      var isMissing = false
      if case .file(let failure) = error { isMissing = failure.code == ENOENT }
      startHistory(named: name, isMissing: isMissing, isWhole: isMissing)
      throw error
    }
    startHistory(named: name)
  }

  /// Makes the present text the first one of a new history, or finds its history again.
  ///
  /// - Parameters:
  ///   - name: What was opened, if not the file.
  ///   - isMissing: Whether there is no such file.
  ///   - isWhole: Whether the text is all of the file.
  private mutating func startHistory(
    named name: [UInt8]? = nil, isMissing: Bool = false, isWhole: Bool = true
  ) {
    endChange()
    undoPoint = nil
    noteContext()
    document = Document(
      buffer, context: document.context, name: "Opened \(GroupNames.shown(name ?? fileName))",
      time: SystemClock.now)
    keeping.startOver()
    if isWhole { bindHistory(isMissing: isMissing) }
  }

  /// Whether the history of a file that is about to be edited begins apart from the present one:
  /// that one is on the disk, or there is nothing in it that is not.
  private mutating func beginsHistory(with target: Target) -> Bool {
    guard keeping.isOn, activeLines == nil, !isInGroup else { return false }
    if case .shell = target { return false }
    endChange()
    keepHistory()
    let isStored: Bool
    switch keeping.target {
    case .new, .open: isStored = keeping.pending.isEmpty
    case .none, .unnamed: isStored = false
    }
    if isStored || !document.isModified { return true }
    if case .unnamed = keeping.target { keeping.giveUp(.textWithoutName) }
    return false
  }

  /// Replaces the text by that of a file or command.
  private mutating func edit<Source: LineSource & ~Copyable>(
    _ target: Target, reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) {
    endChange()
    openTransaction()
    if lastLine > 0 { replaceLines(from: 1, removing: lastLine, with: [], count: 0) }
    cut = nil
    marks = Marks()
    currentLine = 0
    isModified = false
    isBinary = false
    if case .file(let name) = target { fileName = name }
    // When the text comes, but with an error, `u` takes it away again.
    setUndoPoint(line: 0, isModified: true)
    document.begin()
    defer { document.commit() }
    let lines = try read(target, after: 0, reading: &source, writing: &renderer)
    label = GroupLabel(.edited(name: shownName(of: target), lines: lines))
  }

  /// Ends an `e` that succeeded: from here on there is nothing to undo for `u`.
  private mutating func finishEdit() {
    let isInGlobal = activeLines != nil
    endChange()
    undoPoint = nil
    noteSave()
    if isInGlobal { openTransaction() }
  }

  /// Puts the text of a file or command after a line.
  ///
  /// - Returns: How many lines came.
  private mutating func read<Source: LineSource & ~Copyable>(
    _ target: Target, after line: Int, reading source: inout Source,
    writing renderer: inout Renderer
  ) throws(EditorError) -> Int {
    let loaded: LoadedText
    switch target {
    case .shell(let command):
      prepareForChild(reading: &source, writing: &renderer)
      loaded = try attempt(writing: &renderer) { () throws(FileError) in
        try files.output(of: command, strippingCR: options.stripTrailingCR)
      }
    case .file, .defaultFile:
      loaded = try load(name(of: target), writing: &renderer)
    }
    let count = insert(loaded, of: target, after: line, writing: &renderer)
    if Interrupts.isInterrupted { throw .interrupted }
    if let failure = loaded.failure {
      renderer.reportReason(failure)
      throw .file(failure)
    }
    return count
  }

  /// The text of a file, which is taken note of.
  private mutating func load(
    _ name: [UInt8], writing renderer: inout Renderer
  ) throws(EditorError) -> LoadedText {
    do throws(FileError) {
      if let pending = try pending(name) { return pending }
      let loaded = try files.read(name, strippingCR: options.stripTrailingCR)
      noteReading(name, loaded)
      if let place = loaded.oldText {
        renderer.report(Messages.savedInPart(name, oldText: place))
      }
      return loaded
    } catch {
      noteReading(name, failed: error)
      renderer.reportReason(error)
      throw .file(error)
    }
  }

  /// Puts loaded text after a line, and says what became of a missing last newline.
  ///
  /// - Returns: How many lines came.
  private mutating func insert(
    _ loaded: LoadedText, of target: Target, after line: Int, writing renderer: inout Renderer
  ) -> Int {
    let wasBinary = isBinary
    let isAtEnd = line == lastLine
    let wasUnterminated = hasUnterminatedLine
    if loaded.hasNUL { isBinary = true }
    var text = loaded.text
    var byteCount = text.byteCount
    let lacksNewline = !text.isEmpty && !text.endsWithNewline
    if lacksNewline {
      text.insert([.newline], at: ByteOffset(text.byteCount))
      if !isBinary { byteCount += 1 }
    }
    currentLine = line
    let count = text.lineCount
    if count > 0 {
      replaceLines(from: line + 1, removing: 0, with: text, count: count)
      currentLine = line + count
    }
    guard loaded.failure == nil || loaded.failure?.attempt == .closeInput else { return count }
    if line > 0 && isAtEnd && count > 0 && wasUnterminated {
      renderer.printLine(Messages.newlineInserted)
    } else if lacksNewline && (!isAtEnd || !isBinary) {
      renderer.printLine(Messages.newlineAppended)
    }
    if !isAtEnd && isBinary && !wasBinary && lacksNewline { byteCount += 1 }
    if isAtEnd && isBinary && (lacksNewline || count == 0) && lastLine > 0 {
      marks[Marks.unterminatedLine] = lastLine
    }
    if loaded.failure == nil && !isSilent {
      if isFriendly && lastLine == count {
        renderer.printLine(
          Messages.opened(shownName(of: target), lines: count, bytes: byteCount))
      } else {
        renderer.printNumber(byteCount)
      }
    }
    return count
  }

  /// Whether the last line came without a newline, in a buffer where that stays so.
  private var hasUnterminatedLine: Bool {
    lastLine > 0 && marks[Marks.unterminatedLine] == lastLine
  }

  /// Writes lines to a file or command.
  private mutating func write(
    _ lines: LineRange, to target: Target, appending: Bool, writing renderer: inout Renderer
  ) throws(EditorError) {
    var bytes = buffer.byteRange(of: lines)
    if lines.count > 0 && lines.last.value == lastLine && isBinary && hasUnterminatedLine {
      bytes = bytes.lowerBound..<bytes.upperBound - 1
    }
    let text = buffer
    switch target {
    case .shell where defersWrites:
      throw .shellCannotWait
    case .shell(let command):
      try attempt(writing: &renderer) { () throws(FileError) in
        try files.write(text, bytes, toCommand: command)
      }
    case .file, .defaultFile:
      let name = self.name(of: target)
      keepHistoryBeforeSave()
      if defersWrites {
        pendingWrites.append(
          PendingWrite(path: name, text: text.slice(bytes), isAppending: appending))
      } else {
        do throws(FileError) {
          try save(text.slice(bytes), to: name, appending: appending)
        } catch {
          if error.code == EINTR { throw .interrupted }
          renderer.reportReason(error)
          throw .file(error)
        }
      }
    }
    if !isSilent { renderer.printNumber(bytes.upperBound - bytes.lowerBound) }
  }

  /// Does something with files; the system's reason for a failure goes to standard error.
  private func attempt<Result>(
    writing renderer: inout Renderer, _ body: () throws(FileError) -> Result
  ) throws(EditorError) -> Result {
    do {
      return try body()
    } catch {
      renderer.reportReason(error)
      throw .file(error)
    }
  }

  /// Lets a child read and write where ued reads and writes.
  private func prepareForChild<Source: LineSource & ~Copyable>(
    reading source: inout Source, writing renderer: inout Renderer
  ) {
    // The child may have the terminal to itself.
    Progress.end()
    source.surrenderUnread()
    if activeLines == nil || renderer.isTerminal {
      renderer.flush()
    } else {
      renderer.catchUp()
    }
  }

  /// The name of a file, or a command with its `!`.
  private func shownName(of target: Target) -> [UInt8] {
    if case .shell(let command) = target { [.bang] + command } else { name(of: target) }
  }

  /// Puts what a command makes of lines in their place.
  ///
  /// - Throws: When the command fails or reads nothing; nothing has changed then.
  private mutating func filter<Source: LineSource & ~Copyable>(
    _ text: ShellText, _ addresses: ResolvedAddresses, reading source: inout Source,
    writing renderer: inout Renderer
  ) throws(EditorError) {
    let lines = try range(addresses, orElse: currentLine, currentLine)
    let command = try shellCommand(text, reading: &source, writing: &renderer)
    prepareForChild(reading: &source, writing: &renderer)
    let old = buffer
    let (loaded, hasRead) = try attempt(writing: &renderer) { () throws(FileError) in
      try files.output(of: command, from: old, old.byteRange(of: lines))
    }
    if Interrupts.isInterrupted { throw .interrupted }
    if let failure = loaded.failure {
      renderer.reportReason(failure)
      throw .file(failure)
    }
    // What is no filter does not get lines to throw away.
    if !hasRead { throw .linesNotRead }
    var output = loaded.text
    if !output.isEmpty && !output.endsWithNewline {
      output.insert([.newline], at: ByteOffset(output.byteCount))
    }
    beginChange()
    label = GroupLabel(.filtered(lines, command: command))
    if loaded.hasNUL { isBinary = true }
    let count = output.newlineCount
    replaceLines(from: lines.first.value, removing: lines.count, with: output, count: count)
    currentLine = min(lines.first.value + max(count, 1) - 1, lastLine)
    isModified = true
  }

  /// The name of a file.
  private func name(of target: Target) -> [UInt8] {
    if case .file(let name) = target { name } else { fileName }
  }

  /// Makes a name the default one where there is none.
  private mutating func takeName(of target: Target) {
    if fileName.isEmpty, case .file(let name) = target { fileName = name }
  }

  /// What an argument names.
  private mutating func target<Source: LineSource & ~Copyable>(
    _ argument: FileArgument, mayBeMissing: Bool = false, reading source: inout Source,
    writing renderer: inout Renderer
  ) throws(EditorError) -> Target {
    switch argument {
    case .none:
      if fileName.isEmpty && !mayBeMissing { throw .noCurrentFileName }
      return .defaultFile
    case .shell(let text):
      return .shell(try shellCommand(text, reading: &source, writing: &renderer))
    case .name(let text):
      let name = try extended(text, keepingNewlines: false, reading: &source)
      guard name.count < DiskFiles.longestName else { throw .fileNameTooLong }
      try checkAccess(name)
      return .file(name)
    }
  }

  /// Throws when a name is out of bounds in restricted mode.
  private func checkAccess(_ name: [UInt8]) throws(EditorError) {
    guard options.restricted else { return }
    if name.first == .bang { throw .shellRestricted }
    if name == [.dot, .dot] || name.contains(.slash) { throw .folderRestricted }
  }

  /// A shell command with `!` and `%` replaced; it becomes the last one, and is shown when anything
  /// was replaced.
  private mutating func shellCommand<Source: LineSource & ~Copyable>(
    _ text: ShellText, reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> [UInt8] {
    if options.restricted { throw .shellRestricted }
    var rest = try extended(text.bytes, keepingNewlines: false, reading: &source)[...]
    var command: [UInt8] = []
    var isReplaced = false
    if rest.first == .bang {
      guard let lastShellCommand, !options.traditional || !lastShellCommand.isEmpty else {
        throw .noPreviousCommand
      }
      rest.removeFirst()
      command = lastShellCommand
      isReplaced = true
    }
    while let byte = rest.popFirst() {
      if byte == .percent {
        if fileName.isEmpty { throw .noCurrentFileName }
        command += fileName
        isReplaced = true
      } else if byte == .backslash, let escaped = rest.popFirst() {
        command += escaped == .percent ? [.percent] : [.backslash, escaped]
      } else {
        command.append(byte)
      }
    }
    lastShellCommand = command
    if isReplaced {
      renderer.printLine(command)
      renderer.flush()
    }
    return command
  }
}

extension Editor {
  /// Writes unsaved text to `ed.hup`, here or else in the home folder, as ed does when the line is
  /// lost.
  ///
  /// - Returns: Whether all is saved.
  mutating func saveForHangUp(writing renderer: inout Renderer) -> Bool {
    guard lastLine > 0, isModified else { return true }
    let name = Array("ed.hup".utf8)
    var places = [name]
    if let home = ProcessArguments.environment("HOME"), !home.isEmpty {
      places.append(home + (home.last == .slash ? [] : [.slash]) + name)
    }
    let all = LineRange(1, lastLine)
    for place in places {
      let isWritten: Void? = try? write(
        all, to: .file(place), appending: false, writing: &renderer)
      if isWritten != nil { return true }
    }
    return false
  }
}
