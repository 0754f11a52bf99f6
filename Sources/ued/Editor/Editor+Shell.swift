import TextBuffer

/// `!`, and file arguments.
extension Editor {
  /// Runs a shell command.
  mutating func run(_ shell: ShellText) throws(EditorError) {
    let command = try expand(shell)
    yieldToChild()
    let ended = file.disk.run(command)
    console.rendering.childEnds()
    guard let status = ended else { throw .shellUnavailable }
    if Interrupts.isInterrupted { throw .interrupted }
    if options.isStrict && status != 0 { throw .shellFailed(status) }
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
      $0.text.save.isDirty = true
    }
  }

  /// Prepares for a shell command, which may read on in the script, and edit the same files.
  mutating func yieldToChild() {
    recordHistoryBeforeBlocking()
    console.yieldToChild(isInList: text.isInGlobal)
    if options.isStrict { letOthersWrite() }
  }

  /// Prepares for opening a file: a pipe, whose other end may wait for output, standard input under another name, or
  /// the file that standard output goes to.
  mutating func yieldToFile(at name: [UInt8]) {
    guard let status = OpenFile.status(of: name) else { return }
    if status.isRegular { return console.catchUp() }
    recordHistoryBeforeBlocking()
    console.yieldToFile()
  }

  /// Resolves a file argument.
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
      // As in ed, a NUL ends a name or a command, and no name is the default one.
      let whole = Array(name.prefix { $0 != 0 })
      try checkAccess(whole)
      // As in ed, also behind a newline that an escape has taken away.
      if written.endsWithEscape, whole.first == .bang {
        return .shell(try expand(ShellText(bytes: Array(whole.dropFirst()))))
      }
      return .file(whole.isEmpty ? file.name : whole)
    }
  }

  /// Makes a file name the default one, if there is none, or a person's command that gave one has failed.
  mutating func takeName(of place: TextPlace) {
    guard file.name.isEmpty || file.nameIsUntried, case .file(let name) = place else { return }
    (file.name, file.nameIsUntried) = (name, options.isFriendly)
    // A run may make the file that gives its text a name.
    keeper.effect = OpenFile.status(of: name) == nil ? .makes : []
  }

  /// Notes that a file has been read or written: if it gave the text its name, that is the one of its history, too.
  mutating func noteUse(of place: TextPlace) {
    if case .file(file.name) = place { file.nameIsUntried = false }
  }

  /// Throws if a name is not allowed in restricted mode.
  func checkAccess(_ name: [UInt8]) throws(EditorError) {
    guard options.restricted else { return }
    if name.first == .bang { throw .shellRestricted }
    if name == [.dot, .dot] || name.contains(.slash) { throw .folderRestricted }
  }

  /// Expands `!` and `%` in a shell command, which becomes the last one. An expanded command is
  /// printed.
  private mutating func expand(_ shell: ShellText) throws(EditorError) -> [UInt8] {
    var rest = try extended(shell.bytes, keepingNewlines: false)[...]
    // As in ed, the lines that continue the command have been read.
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
        // In a run over files with any names, a name must not become a part of a command.
        if options.isStrict && !ShellTemplate.isPlain(file.name) { throw .nameIsNoWord }
        command += file.name
        isReplaced = true
      } else if byte == .backslash, let escaped = rest.popFirst() {
        command += escaped == .percent ? [.percent] : [.backslash, escaped]
      } else {
        command.append(byte)
      }
    }
    // As in ed, a NUL ends what the shell gets, but not what `!!` repeats, to which no more can be added then.
    file.lastShellCommand = command
    command = Array(command.prefix { $0 != 0 })
    if isReplaced { console.say(.shellCommand(command)) }
    return command
  }
}
