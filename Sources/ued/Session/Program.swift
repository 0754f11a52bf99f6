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
      case .showHelp: return show(UsageText.help)
      case .showVersion: return show(UsageText.versionText)
      case .edit(let options): return edit(options)
      }
    } catch {
      TerminalOutput.write(
        UsageText.message(for: error, calledAs: ProcessArguments.programName), to: STDERR_FILENO)
      return 1
    }
  }

  private static func edit(_ options: Options) -> Int32 {
    if !options.scriptParts.isEmpty {
      guard let script = script(options) else { return 1 }
      var loop = CommandLoop(options: options, source: ScriptLines(script, kind: .regularFile))
      return loop.runToExit()
    }
    if !options.traditional, let terminal = TerminalLines(recall: { recall(options) }) {
      var loop = CommandLoop(options: options, source: terminal)
      return loop.run()
    }
    var loop = CommandLoop(options: options, source: DescriptorLines(descriptor: STDIN_FILENO))
    return loop.runToExit()
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

  /// The script of `-e` and `-f`; nil if a file can't be read, which is reported.
  private static func script(_ options: Options) -> [UInt8]? {
    var script: [UInt8] = []
    for part in options.scriptParts {
      switch part {
      case .expression(let lines): script += lines
      case .file(let name):
        let path = name == [UInt8(ascii: "-")] ? Array("/dev/stdin".utf8) : name
        do throws(FileError) {
          let loaded = try DiskFiles().read(path, strippingCR: false)
          if let failure = loaded.failure { throw failure }
          script += loaded.text.bytes
        } catch {
          TerminalOutput.write(Messages.systemReason(error) + [.newline], to: STDERR_FILENO)
          return nil
        }
      }
      if script.last != .newline && !script.isEmpty { script.append(.newline) }
    }
    return script
  }

  /// Prints a text on standard output, and returns the exit status.
  private static func show(_ text: String) -> Int32 {
    var output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.write(Array(text.utf8))
    output.flush()
    return output.isBroken ? 1 : 0
  }
}
