import Glibc

/// The program, from its command line to its exit status.
enum Program {
  static func run() -> Int32 {
    let posixlyCorrect = ProcessArguments.environment("POSIXLY_CORRECT") != nil
    do throws(UsageError) {
      switch try Options.parse(ProcessArguments.arguments, posixlyCorrect: posixlyCorrect) {
      case .showHelp: return show(UsageText.help)
      case .showVersion: return show(UsageText.versionText)
      case .edit(let options): return edit(options)
      }
    } catch {
      var renderer = Renderer(
        descriptor: STDERR_FILENO, isQuiet: false, omitsLineEnd: false)
      renderer.write(UsageText.message(for: error, calledAs: ProcessArguments.programName))
      renderer.flush()
      return 1
    }
  }

  private static func edit(_ options: Options) -> Int32 {
    if let terminal = TerminalLines() {
      var loop = CommandLoop(options: options, source: terminal)
      return loop.run()
    }
    var loop = CommandLoop(options: options, source: DescriptorLines(descriptor: STDIN_FILENO))
    return loop.run()
  }

  private static func show(_ text: String) -> Int32 {
    var renderer = Renderer(descriptor: STDOUT_FILENO, isQuiet: false, omitsLineEnd: false)
    renderer.write(Array(text.utf8))
    renderer.flush()
    return renderer.isBroken ? 1 : 0
  }
}
