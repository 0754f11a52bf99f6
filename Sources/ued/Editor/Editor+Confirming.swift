import TextBuffer

/// `s` with the flag `c`, which asks about each match.
extension Editor {
  /// What is to be done with a match.
  private enum Reply { case yes, no, all, quit }

  /// Replaces the matches in lines that the user accepts.
  ///
  /// - Returns: Whether there was any match.
  /// - Throws: What a substitution throws, that the input has ended, or `interrupted`.
  mutating func replaceConfirmed(
    in lines: LineRange, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    var pass = pass
    var hasMatched = false
    var isGivenUp = false
    var failure: EditorError?
    var changedCount = 0
    var reply = text.activeLines?.acceptsAllMatches == true ? Reply.all : .yes
    var line = lines.first
    for index in 0..<lines.count where reply != .quit {
      let old = text.buffer.line(line)
      pass.chosen = nil
      guard try replace(in: old, with: &pass) else {
        line = line + 1
        continue
      }
      hasMatched = true
      if reply != .all {
        pass.chosen = []
        var isReplaced = false
        for (number, range) in pass.candidates {
          text.currentLine = line
          if reply != .all {
            do throws(EditorError) {
              reply = try ask(about: range, of: old, in: line)
            } catch {
              // A person keeps what was accepted before the input ended, or a signal ended the program.
              text.keepsInterrupted = text.keepsInterrupted || Interrupts.endingSignal != nil
              if !options.isFriendly || error == .interrupted && !text.keepsInterrupted {
                throw error
              }
              (failure, reply) = (error, .quit)
            }
          }
          if takeInterruptOfDialogue() { isGivenUp = true }
          if isGivenUp && reply == .all { reply = .quit }
          if reply == .quit { break }
          if reply == .no || isGivenUp { continue }
          pass.chosen?.insert(number)
          // Once a signal ends the program, nothing is searched for any more.
          if options.isFriendly && reply == .yes { isReplaced = try replace(in: old, with: &pass) }
        }
        if failure == nil { isReplaced = try replace(in: old, with: &pass) }
        guard isReplaced else {
          line = line + 1
          continue
        }
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
    if reply == .all { text.activeLines?.acceptsAllMatches = true }
    if reply == .quit { text.activeLines?.removeAll() }
    if let failure { throw failure }
    if isGivenUp { throw .interrupted }
    return hasMatched
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
