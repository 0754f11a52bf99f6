import Glibc
import TextBuffer

/// A run that ends at its first error, without making its pending writes. Executes a script on the
/// files of the command line, applies a patch, or undoes another run.
struct StrictRun: ~Copyable {
  private let options: Options
  private let script: Script
  /// The other run to undo; nil to run the script or apply the patch.
  private let undone: RunToUndo?
  /// The patch to apply, with one step for each file; nil without a patch.
  private let patch: PatchRun?
  private let rendering: StrictRendering
  /// The same object as `rendering` with `--json`; otherwise nil.
  private let answers: JSONRendering?
  private var editor: Editor
  /// The notices about histories in this attempt, each with its file.
  private var notices: [(file: [UInt8], notice: HistoryNotice)] = []
  /// Whether a dry run has found a change to make.
  private var wouldChange = false

  init(
    options: Options, script: Script, undoing undone: RunToUndo? = nil, patch: PatchRun? = nil
  ) {
    self.options = options
    self.undone = undone
    self.script = script
    self.patch = patch
    answers = options.json ? JSONRendering(options: options) : nil
    rendering = answers ?? StrictRendering(descriptor: STDOUT_FILENO, options: options)
    editor = Editor(
      options: options,
      console: Console(lines: script.lines, rendering: rendering))
  }

  mutating func run() -> Int32 {
    var status: Int32 = 0
    do throws(RunFailure) {
      let newPaths = patch?.steps.map(\.newPath) ?? []
      try editor.noteBackups(of: options.fileNames + newPaths)
      if options.atomic {
        status = edit(options.fileNames[...])
      } else if options.fileNames.isEmpty {
        status = edit([])
      } else {
        status = editEach()
      }
    } catch {
      editor.console.say(.runFailure(error))
      status = error.status
    }
    let isDone = status == 0
    if isDone && options.check && wouldChange { status = 4 }
    answers?.end(status: status)
    editor.console.close()
    Progress.end()
    // Ignore a signal that comes after all work is done.
    if Interrupts.hangUp && !isDone { Interrupts.dieOf(Interrupts.takeHangUp()) }
    if rendering.isBroken {
      // The JSON answer that would report the failure is lost, too.
      if status == 0 || answers != nil {
        let failure = RunFailure(file: [], error: .outputFailed)
        Program.report(failure, json: false, quiet: options.quiet)
      }
    }
    return rendering.hasLostOutput ? max(status, 1) : status
  }

  /// Runs the script and exits at once: freeing texts and histories first would only cost time.
  mutating func runToExit() -> Int32 {
    let status = run()
    return withExtendedLifetime(self) { exit(status) }
  }

  /// Runs the script on each file with a commit of its own, and returns the highest exit status.
  private mutating func editEach() -> Int32 {
    var status: Int32 = 0
    var rest = options.fileNames[...]
    while let first = rest.first {
      if rest.startIndex > 0 && Interrupts.isInterrupted {
        let failure = RunFailure(file: first, error: .interruption)
        editor.console.say(.runFailure(failure))
        return max(status, failure.status)
      }
      let count = editWindow(rest, &status)
      if count == 0 { status = max(status, edit(rest.prefix(1))) }
      // All further files would fail for the same reason.
      if rendering.isBroken { break }
      rest = rest.dropFirst(max(1, count))
    }
    return status
  }

  // MARK: - Windows

  /// Whether files may be written together. False once a script has output or writes to a stream,
  /// since a file's output must precede its write.
  private var writesWindows = true

  private static let filesPerWindow = min(128, OpenFile.descriptorLimit / 8)
  private static let bytesPerWindow = 16 << 20

  /// Runs the script on the first of some files, and writes them together. This takes far fewer
  /// syncs, as files share the sync of their folder. Returns the number of files that are done. A
  /// failure leaves all files as they were; those before the failed one are retried. After 0, the
  /// caller edits one file. Raises the exit status if the next run has to restore files.
  private mutating func editWindow(
    _ files: ArraySlice<[UInt8]>, _ status: inout Int32
  ) -> Int {
    var window = self.window(files)
    while window.count > 1 {
      rendering.holdOutput()
      do throws(RunFailure) {
        try attempt(window, isWindow: true)
        rendering.releaseOutput()
        showNotices()
        addFiles()
        return window.count
      } catch {
        let failed = window.firstIndex(of: error.file) ?? window.startIndex
        editor.giveUp()
        forgetAttempt()
        rendering.releaseOutput()
        if case .notUndone = error.error {
          editor.console.say(.runFailure(error))
          status = max(status, error.status)
          return window.count
        }
        window = Interrupts.isInterrupted ? [] : window[..<failed]
      }
    }
    return 0
  }

  /// Drops the output, the notices and the report of a failed attempt.
  private mutating func forgetAttempt() {
    notices = []
    editor.batch.ledger.clear()
    rendering.discardOutput()
  }

  /// The longest prefix of some files that can be written together; empty if none can. Scripts with
  /// shell commands have no window, since a command must see earlier files written. Files with
  /// several names are overwritten in place, which a window can't do.
  private func window(_ files: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
    guard writesWindows, files.count > 1, options.writesAtEnd, !options.isDry, !options.json,
      patch == nil, undone == nil, options.historyTask == nil, options.validation == nil,
      !script.bytes.contains(UInt8(ascii: "!"))
    else { return [] }
    var byteCount = 0
    return files.prefix(Self.filesPerWindow).prefix { file in
      guard let status = OpenFile.status(of: file), status.isRegular, status.st_nlink == 1 else {
        return false
      }
      byteCount += Int(status.st_size)
      return byteCount <= Self.bytesPerWindow
    }
  }

  /// Runs the script on files and commits them together. Retries if other programs change the files
  /// meanwhile.
  private mutating func edit(_ files: ArraySlice<[UInt8]>) -> Int32 {
    var retries = options.retries
    defer { addFiles() }
    while true {
      // The output of a failed attempt must not appear twice.
      if retries > 0 { rendering.holdOutput() }
      do throws(RunFailure) {
        try attempt(files)
        editor.addRevisionToLedger()
        rendering.releaseOutput()
        showNotices()
        return 0
      } catch {
        // Changes that are already written must not be made twice.
        let mayRepeat = error.isTransient && !editor.batch.hasWritten && !Interrupts.isInterrupted
        editor.giveUp()
        if mayRepeat && retries > 0 {
          retries -= 1
          forgetAttempt()
          continue
        }
        rendering.releaseOutput()
        showNotices()
        editor.batch.ledger.dropRevisions()
        editor.addToLedger(error.file)
        if error.isTransient { editor.addForeignContentToLedger(of: error.file) }
        var failure = error
        failure.suggestsRetry = mayRepeat && options.retries == 0
        editor.console.say(.runFailure(failure))
        return error.status
      }
    }
  }

  /// Edits files once, and commits them. Throws the first failure, without any file written. In a
  /// window, a kill may leave some files written.
  private mutating func attempt(
    _ files: ArraySlice<[UInt8]>, isWindow: Bool = false
  ) throws(RunFailure) {
    do throws(EditorError) {
      if editor.locksBeforeReading { try editor.lock(Array(files)) }
    } catch {
      throw RunFailure(file: files.first ?? [], error: error)
    }
    if let undone {
      defer { takeNotices() }
      try undo(undone, in: files)
      return try finish()
    }
    for index in files.indices {
      showProgress(index)
      editor.startOver(lines: script.lines)
      rendering.fileName = files[index]
      defer { takeNotices() }
      if let patch {
        try apply(patch.steps[index], named: patch.name)
        continue
      }
      try editor.openStrictly(
        files[index], expecting: options.expectedHashes.dropFirst(index).first)
      if options.historyTask == .record { try recordOthers() } else { try runScript() }
    }
    if options.isFilter { return try filter() }
    if files.isEmpty {
      editor.keeper.open(&editor.text, of: [], isMissing: false)
      try runScript()
      if lacksFile { throw RunFailure(file: [], error: .noFileToEdit) }
    }
    defer { takeNotices() }
    if isWindow && (rendering.hasHeldOutput || editor.file.pending.all.contains(where: \.isStream))
    {
      writesWindows = false
      throw RunFailure(file: files.first ?? [], error: .outputFailed)
    }
    try finish(isWindow: isWindow)
  }

  /// Shows how many files are done, if the run takes long.
  private func showProgress(_ done: Int) {
    let count = options.fileNames.count
    if count > 1 && !options.json && !options.quiet { Progress.show(done, of: count) }
  }

  /// Records changes that other programs made to the opened file as a group of this run.
  private mutating func recordOthers() throws(RunFailure) {
    do throws(EditorError) {
      try editor.recordOthers()
    } catch {
      let isOpening = if case .file = error { true } else { false }
      throw RunFailure(file: editor.file.name, error: error, isOpening: isOpening)
    }
  }

  /// Runs the script on standard input, and writes the text to standard output; after `Q`, the text
  /// as read.
  private mutating func filter() throws(RunFailure) {
    do throws(EditorError) {
      try editor.readInput()
    } catch {
      throw RunFailure(file: [], error: error, isOpening: true)
    }
    let input = editor.text.fileText
    let isDiscarded = try runScript() == .quitDiscarding
    try finish()
    let output = isDiscarded ? input : editor.text.fileText
    // Control characters of the text must not act on a terminal.
    if isatty(STDOUT_FILENO) == 1 {
      let lines = output.withLastNewline
      let all = LineRange(LineNumber(1), LineNumber(lines.newlineCount))
      if all.count > 0 { editor.console.say(.lines(all, of: lines, as: .plain)) }
      return rendering.flush()
    }
    do throws(FileError) {
      try DiskFiles.write(output, to: STDOUT_FILENO)
    } catch {
      throw RunFailure(file: [], error: .outputFailed)
    }
  }

  /// Undoes a run in all files.
  ///
  /// - Throws: The error of the last file that failed; earlier errors have been reported.
  private mutating func undo(
    _ run: RunToUndo, in files: ArraySlice<[UInt8]>
  ) throws(RunFailure) {
    var failure: RunFailure?
    var hasEffect = false
    for (index, file) in zip(files.indices, files) {
      showProgress(index)
      editor.startOver(lines: script.lines)
      do throws(RunFailure) {
        if try undo(run, in: file) { hasEffect = true }
      } catch {
        if let earlier = failure { editor.console.say(.runFailure(earlier)) }
        failure = error
      }
      if Interrupts.isInterrupted { throw RunFailure(file: file, error: .interruption) }
    }
    if let failure { throw failure }
    if editor.file.pending.isEmpty {
      let reason: NothingToUndo = hasEffect ? .isUndone : .changedNothing
      editor.console.say(
        .warning(.nothingToUndo(run: run.title, reason, isInGivenFiles: run.isInGivenFiles)))
    }
  }

  /// Undoes a run in a file, and returns whether the run has changed the file.
  private mutating func undo(_ run: RunToUndo, in file: [UInt8]) throws(RunFailure) -> Bool {
    defer { takeNotices() }
    try editor.openStrictly(file, expecting: nil)
    do throws(EditorError) {
      if run.damaged.contains(file) { throw .historyOfRunIsDamaged }
      if !editor.keeper.isOnDisk {
        throw editor.keeper.isInUse ? .historyInUse : .noHistoryOnDisk
      }
      let runs = editor.keeper.runs.filter { run.identities.contains($0.tag.identity) }
      let numbers = Set(runs.map(\.number))
      if editor.isGone {
        if editor.hadUndone(numbers, title: run.title) { return true }
        throw .fileOfRunIsGone
      }
      try editor.refuseMoved(runs)
      let hasChanged = try editor.undoRuns(numbers, title: run.title)
      try editor.postponeReverted(runs, hasChanged: hasChanged)
      return hasChanged || runs.contains { !$0.effect.isEmpty }
        || !editor.keeper.groups(of: numbers, in: editor.text.document).isEmpty
    } catch {
      throw RunFailure(file: file, error: error, text: editor.text.buffer)
    }
  }

  /// Passes the files of an attempt to the last JSON answer.
  private mutating func addFiles() {
    answers?.add(editor.batch.ledger.files)
    editor.batch.ledger.clear()
  }

  /// Collects the notices about histories so far, to show at the end of the last attempt.
  private mutating func takeNotices() {
    notices += editor.batch.notices
    editor.batch.notices = []
    for notice in editor.keeper.takeNotices() { notices.append((editor.file.name, notice)) }
  }

  private mutating func showNotices() {
    takeNotices()
    for (file, notice) in notices {
      rendering.fileName = file
      editor.console.say(.notice(notice))
    }
    notices = []
  }

  // MARK: - One file

  /// Opens the file of a step of a patch, and applies the step to its text.
  private mutating func apply(
    _ step: PatchRun.Step, named patchName: [UInt8]?
  ) throws(RunFailure) {
    do throws(EditorError) {
      try editor.apply(step.differences, to: step.path, as: step.newPath, named: patchName)
    } catch {
      let isOpening = if case .file = error { true } else { false }
      let isNew = error == .patch(.fileExists)
      throw RunFailure(
        file: isNew ? step.newPath : step.path, error: error, text: editor.text.buffer,
        isOpening: isOpening)
    }
  }

  /// Runs all commands on the opened file, and returns the result of the last one.
  ///
  /// - Throws: The first error, with its place.
  @discardableResult
  private mutating func runScript() throws(RunFailure) -> CommandResult {
    var line = 0
    do throws(EditorError) {
      var result = CommandResult.goOn
      while result == .goOn, editor.readCommand(completions: nil) == .line {
        line = editor.console.lineNumber
        answers?.begin(editor.console.line)
        let parsed = editor.parseCommand()
        do throws(EditorError) {
          result = try editor.run(parsed)
        } catch {
          // The last reply has failed.
          if parsed.readsReplies { line = editor.console.lineNumber }
          guard isIgnored(error) else { throw error }
          editor.skipInput()
        }
        takeNotices()
        if Interrupts.isInterrupted { throw .interruption }
        if let answers { answers.end(editor.state, editor.takeNewHash()) }
      }
      // From here on, errors belong to no command.
      line = 0
      editor.text.endAllGroups()
      if result == .quitDiscarding { return result }
      if !options.isFilter { try editor.writeAtEnd() }
      if result == .goOn && editor.text.isModified && !options.writesAtEnd { throw .bufferModified }
      return result
    } catch {
      let place = line > 0 ? script.place(ofLine: line) : []
      if line > 0, let answers {
        answers.end(
          error, at: place, in: editor.text.buffer, editor.state, editor.takeNewHash())
      }
      if lacksFile && isOfEmptyText(error) { throw RunFailure(file: [], error: .noFileToEdit) }
      throw RunFailure(error, editing: editor.file.name, at: place)
    }
  }

  /// Whether a run that defers its writes has no file: the command line gives none, and the script
  /// has not named or written one.
  private var lacksFile: Bool {
    options.defersWrites && !options.isFilter && options.fileNames.isEmpty
      && editor.file.name.isEmpty && editor.file.pending.isEmpty
  }

  /// Whether a command fails only because a filter's text is empty; a filter ignores that.
  private func isIgnored(_ error: EditorError) -> Bool {
    options.isFilter && isOfEmptyText(error)
  }

  /// Whether a command fails only because the text is empty.
  private func isOfEmptyText(_ error: EditorError) -> Bool {
    guard editor.text.lastLine == .zero else { return false }
    return switch error {
    case .lineDiffers, .noSuchLine, .noMatch, .noMatchBecause: true
    default: false
    }
  }

  /// Makes the pending writes, or shows them in a dry run.
  private mutating func finish(isWindow: Bool = false) throws(RunFailure) {
    rendering.flush()
    if rendering.isBroken { throw RunFailure(file: [], error: .outputFailed) }
    if options.diff || options.json {
      // The changes are compared only after the writes, so check the memory for that now.
      let lineCount = editor.file.pending.all.reduce(0) { $0 + $1.text.lineCount }
      if Comparison.lacksMemory(lineCount: 2 * lineCount) {
        throw RunFailure(file: [], error: .outOfMemory)
      }
    }
    if options.isDry { try showWrites() } else { try editor.commitWrites(isWindow: isWindow) }
    editor.giveUp()
  }

  /// Shows the changes of the pending writes, and keeps them for later reads of the same files.
  private mutating func showWrites() throws(RunFailure) {
    var changing: [FileWrite] = []
    for var write in editor.file.pending.all {
      if let before = editor.file.previewed.text(of: write.path) {
        write.status = OpenFile.status(of: write.path)
        if before != write.text { changing.append(write) }
      } else {
        changing += editor.parted([write]).changing
      }
    }
    try editor.checkDangers(changing)
    editor.addWritesToLedger()
    for write in changing where !write.isStream {
      wouldChange = true
      let isRemoved = write.otherChanges.isRemoved
      editor.batch.ledger.update(write.path, to: isRemoved ? nil : write.text, isWritten: false)
      do {
        if options.diff {
          let before = editor.file.previewed.text(of: write.path)
          let old = try editor.file.disk.readIfThere(write.path)
          let isSameMode =
            write.status.map { write.otherChanges.accepts($0.st_mode & 0o7777) } ?? true
          editor.console.say(
            .difference(
              from: before ?? old.text, to: write.text, of: write.path,
              isNew: before == nil && old.identity == nil, isRemoved: isRemoved,
              isExecutable: isSameMode ? nil : write.otherChanges.isExecutable))
          answers?.keepDifference(of: write.path)
        }
        if options.fileNames.count > 1 && !options.atomic && patch == nil {
          try editor.file.previewed.add(
            write.text, to: write.path, appending: false, known: write.known,
            disk: editor.file.disk)
        }
      } catch {
        throw RunFailure(file: write.path, error: .file(error))
      }
      if Interrupts.isInterrupted { throw RunFailure(file: write.path, error: .interruption) }
    }
  }
}
