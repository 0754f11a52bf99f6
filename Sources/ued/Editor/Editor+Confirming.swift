import TextBuffer

/// `s` with the flag `c`, which asks about each match.
extension Editor {
  /// What is to be done with a match.
  private enum Reply { case yes, no, all, quit }

  /// What the answers so far mean for the matches to come.
  private struct Answers {
    /// The last one.
    var reply: Reply
    /// Whether a dialogue has been interrupted: the replies that were sent are read, and nothing is replaced.
    var isGivenUp = false
    /// Why nothing can be asked any more.
    var failure: EditorError?
  }

  /// Replaces the matches in lines that the user accepts.
  ///
  /// - Returns: Whether there was any match.
  /// - Throws: What a substitution throws, that the input has ended, or `interrupted`.
  mutating func replaceConfirmed(
    in lines: LineRange, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    var pass = pass
    var answers = Answers(reply: text.activeLines?.acceptsAllMatches == true ? .all : .yes)
    var hasMatched = false
    var changedCount = 0
    var line = lines.first
    for index in 0..<lines.count where answers.reply != .quit {
      let old = text.buffer.line(line)
      pass.chosen = nil
      var isReplaced = try replace(in: old, with: &pass)
      hasMatched = hasMatched || isReplaced
      if isReplaced && answers.reply != .all {
        isReplaced = try replaceAccepted(in: old, line, with: &pass, &answers)
      }
      guard isReplaced else {
        line = line + 1
        continue
      }
      let count = pass.newlineCount
      text.cut = .removed(
        text.replace(LineRange(line), with: pass.text, count: count, keepsFirst: true))
      text.save.isDirty = true
      changedCount += 1
      labelSubstitution(of: changedCount, to: lines.first + index)
      line = line + count
      text.currentLine = line - 1
    }
    // In a global command an answer for all is one for the lines that it has yet to visit, too.
    if answers.reply == .all { text.activeLines?.acceptsAllMatches = true }
    if answers.reply == .quit { text.activeLines?.removeAll() }
    if let failure = answers.failure { throw failure }
    if answers.isGivenUp { throw .interrupted }
    return hasMatched
  }

  /// Asks about each match in the bytes of a line, and replaces those that are accepted.
  ///
  /// - Returns: Whether there are any.
  private mutating func replaceAccepted(
    in old: [UInt8], _ line: LineNumber, with pass: inout SubstitutionPass, _ answers: inout Answers
  ) throws(EditorError) -> Bool {
    pass.chosen = []
    var isReplaced = false
    for (number, range) in pass.candidates {
      text.currentLine = line
      if answers.reply != .all { try ask(about: range, of: old, in: line, &answers) }
      if takeInterruptOfDialogue() { answers.isGivenUp = true }
      if answers.isGivenUp && answers.reply == .all { answers.reply = .quit }
      if answers.reply == .quit { break }
      if answers.reply == .no || answers.isGivenUp { continue }
      pass.chosen?.insert(number)
      // Once a signal ends the program, nothing is searched for any more.
      if options.isFriendly && answers.reply == .yes {
        isReplaced = try replace(in: old, with: &pass)
      }
    }
    return answers.failure == nil ? try replace(in: old, with: &pass) : isReplaced
  }

  /// Asks about a match. A person keeps what was accepted before the input ended, or a signal ended the program.
  private mutating func ask(
    about match: Range<Int>, of bytes: [UInt8], in line: LineNumber, _ answers: inout Answers
  ) throws(EditorError) {
    do throws(EditorError) {
      answers.reply = try ask(about: match, of: bytes, in: line)
    } catch {
      text.keepsInterrupted = text.keepsInterrupted || Interrupts.endingSignal != nil
      if !options.isFriendly || error == .interrupted && !text.keepsInterrupted { throw error }
      (answers.failure, answers.reply) = (error, .quit)
    }
  }

  private func replace(
    in line: [UInt8], with pass: inout SubstitutionPass
  ) throws(EditorError) -> Bool {
    do {
      return try unsafe pass.replace(in: line.span.bytes)
    } catch {
      throw .match(error)
    }
  }

  /// Shows a match and asks about it.
  private mutating func ask(
    about match: Range<Int>, of bytes: [UInt8], in line: LineNumber
  ) throws(EditorError) -> Reply {
    while true {
      try readAnswer(.confirmation, about: .match(match, of: bytes, in: line), in: line)
      switch console.line {
      case [UInt8(ascii: "y")]: return .yes
      case [UInt8(ascii: "n")]: return .no
      case [UInt8(ascii: "a")]: return .all
      case [UInt8(ascii: "q")]: return .quit
      default:
        // A person may try again.
        if !options.isFriendly { throw .badReply(console.line) }
        console.say(.error(.badReply(console.line), .brief))
      }
    }
  }
}
