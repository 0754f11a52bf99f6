import Glibc

/// The program, from its command line to its exit status.
enum Program {
  static func run() -> Int32 {
    do throws(UsageError) {
      switch try Options.parse(
        ProcessArguments.arguments,
        posixlyCorrect: ProcessArguments.environment("POSIXLY_CORRECT") != nil,
        history: ProcessArguments.environment("UED_HISTORY"))
      {
      case .showHelp: return show(OptionRow.help)
      case .showVersion:
        let commit = String(decoding: ProcessArguments.commit, as: UTF8.self)
        return show(UsageText.versionText(commit: commit))
      case .edit(var options):
        let isNamed = options.runName != nil
        try options.adopt(ProcessArguments.environment)
        return try edit(options, isNamed: isNamed)
      }
    } catch {
      let message = UsageText.message(for: error, calledAs: ProcessArguments.programName)
      if ProcessArguments.arguments.contains(Array("--json".utf8)) {
        report(RunFailure(file: [], error: .usage(error)), json: true)
      }
      TerminalOutput.write(
        isatty(STDERR_FILENO) == 1 ? VisibleText.of(message) : message, to: STDERR_FILENO)
      return 1
    }
  }

  /// Runs ued; `isNamed` if an option, not the environment, names the run. Except at a terminal, a
  /// named run without a history is a usage error.
  private static func edit(_ options: Options, isNamed: Bool) throws(UsageError) -> Int32 {
    if Memory.isTooShortToStart {
      TerminalOutput.write(Messages.noMemoryToStart, to: STDERR_FILENO)
      return 1
    }
    Memory.keepReserve()
    if let task = options.historyTask { return HistoryTasks.run(task, options) }
    let lacksHistory = isNamed && options.keepsHistory != true
    if options.isStrict {
      if lacksHistory { throw .wordNeedsOther("run", ["history"]) }
      return try runStrictly(options)
    }
    if !options.traditional,
      let terminal = TerminalLines(
        readsSettings: !options.restricted, recall: { recall(options) })
    {
      var loop = CommandLoop(options: options, source: terminal)
      return loop.run()
    }
    if lacksHistory { throw .wordNeedsOther("run", ["history"]) }
    var loop = CommandLoop(
      options: options,
      source: DescriptorLines(
        descriptor: STDIN_FILENO, endsPrompts: !options.traditional))
    return loop.runToExit()
  }

  private static func runStrictly(_ options: Options) throws(UsageError) -> Int32 {
    if let patch = options.patch { return apply(patch, options) }
    if options.isDialogue {
      var dialogue = Dialogue(options: options)
      let status = dialogue.run()
      return withExtendedLifetime(dialogue) { exit(status) }
    }
    if options.scriptParts.isEmpty && isatty(STDIN_FILENO) == 1 { throw .scriptIsMissing }
    if options.scriptParts.isEmpty, !options.create,
      let name = options.fileNames.first(where: {
        CommandParser.isCommand($0) && !OpenFile.exists($0)
      })
    {
      throw .fileIsCommand(name)
    }
    do throws(FileError) {
      var run = StrictRun(options: options, script: try Script(options.scriptParts))
      return run.runToExit()
    } catch {
      _ = fail(RunFailure(file: error.path, error: .scriptUnreadable(error)), options)
      return 1
    }
  }

  /// Reports the failure to read a script or patch, and returns the exit status. If a signal was the
  /// cause, dies of it.
  private static func fail(_ failure: RunFailure, _ options: Options) -> Int32 {
    let failure =
      Interrupts.isRequested ? RunFailure(file: failure.file, error: .interruption) : failure
    report(failure, json: options.json, quiet: options.quiet)
    if Interrupts.hangUp { Interrupts.dieOf(Interrupts.takeHangUp()) }
    return failure.status
  }

  /// Applies a patch, and returns the exit status.
  private static func apply(_ patch: [UInt8], _ options: Options) -> Int32 {
    do throws(RunFailure) {
      let patch = try PatchRun(reading: patch)
      var options = options
      options.fileNames = patch.steps.map(\.path)
      guard let script = try? Script([.expression([])]) else { return 1 }
      var run = StrictRun(options: options, script: script, patch: patch)
      return run.runToExit()
    } catch {
      return fail(error, options)
    }
  }

  /// The commands of earlier sessions, unless no history is kept for the file.
  private static func recall(_ options: Options) -> CommandRecall? {
    guard options.isFriendly, options.keepsHistory != false else { return nil }
    if options.keepsHistory == nil, let place = options.fileName.flatMap({ HistoryPlace(of: $0) }),
      PrivateFiles.contain(place.file)
    {
      return nil
    }
    return CommandRecall.open()
  }

  static func report(_ failure: RunFailure, json: Bool, quiet: Bool = false) {
    if json {
      TerminalOutput.write(JSONValue.end(status: failure.status, [failure]).bytes + [.newline])
    } else if !quiet {
      TerminalOutput.write(Messages.text(failure) + [.newline], to: STDERR_FILENO)
    }
  }

  /// Prints a text on standard output, and returns the exit status.
  private static func show(_ text: String) -> Int32 {
    var output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.write(Array(text.utf8))
    output.flush()
    if output.isBroken { report(RunFailure(file: [], error: .outputFailed), json: false) }
    return output.isBroken ? 1 : 0
  }
}
