/// What lines are asked for, and how that is shown.
extension Editor {
  /// Whether prompts tell more than ed's.
  private var showsFriendlyPrompt: Bool { isFriendly && showsPrompt && options.prompt == nil }

  /// A command is asked for.
  var commandPurpose: LinePurpose {
    let prompt =
      showsFriendlyPrompt
      ? Prompts.command(line: currentLine, isModified: isModified) : options.prompt ?? Prompts.plain
    return .command(prompt: showsPrompt ? prompt : [])
  }

  /// Text is asked for that becomes a line.
  func textPurpose(line: Int) -> LinePurpose {
    LinePurpose(kind: .text, prompt: showsFriendlyPrompt ? Prompts.text(line: line) : [])
  }

  /// An answer is asked for, or more of a command.
  func replyPurpose(isAnswer: Bool) -> LinePurpose {
    guard showsFriendlyPrompt else { return .reply }
    return LinePurpose(
      kind: .reply, prompt: isAnswer ? Prompts.answer(line: currentLine) : Prompts.continuation)
  }
}
