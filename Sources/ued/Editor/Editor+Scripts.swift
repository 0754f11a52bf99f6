/// What is left of an error, or of a form of ued's own, for the rest of a script.
struct ScriptState {
  /// Whether commands may have forms of ued's own.
  var ownForms: OwnForms
  /// How many `end`s are missing up to the one that belongs to an aborted group; 0 without such a group.
  var abortedGroups = 0
}

/// Whether the commands of a script may have forms of ued's own, which are errors in ed.
///
/// After an error ed goes on with the next line, even if that is text of an `a` that failed. So a script
/// made for ed may have lines that only look like forms of ued, and they have to fail as in ed. A script
/// made for ued has shown that before its first error.
enum OwnForms {
  /// They may, since there has been none, but no error either.
  case undecided
  case allowed
  /// They may not: there was an error first.
  case refused
}

/// What is particular to commands of scripts: ued's own forms, and groups that were aborted.
extension Editor {
  /// Makes the plain edits that come next in a script and have been read ahead, without a command each.
  mutating func makePlainEdits() {
    let isPlain =
      !options.isFriendly && !console.showsPrompt && script.abortedGroups == 0
      && file.merge == nil
    guard isPlain, text.canEditPlainly else { return }
    if console.takeAhead(&text, { $0.makePlainEdits(in: $1) }) > 0 { refusal = nil }
  }

  /// Allows ued's own forms for the rest of the script, since there is one.
  mutating func allowOwnForms() {
    if script.ownForms == .undecided { script.ownForms = .allowed }
  }

  /// Aborts all open groups after an error in a script, and decides about ued's own forms.
  mutating func commandOfScriptFailed(_ error: EditorError) {
    if !console.hasReadFurther { skipInput() }
    if script.ownForms == .undecided { script.ownForms = .refused }
    if error != .bufferModified && text.isInGroup {
      script.abortedGroups = text.openGroups.count
      text.abortAllGroups()
    }
  }

  /// Refuses a command of an aborted group, unless it is the `end` or `abort` that belongs to the group.
  mutating func passOver(_ parsed: ParsedCommand) throws(EditorError) -> CommandResult {
    if case .word(let word, let argument) = parsed.command, parsed.addresses.isEmpty {
      switch word {
      case .begin: script.abortedGroups += 1
      case .end where argument.isEmpty, .abort where argument.isEmpty: script.abortedGroups -= 1
      default: break
      }
      if script.abortedGroups == 0 { return .goOn }
    }
    throw .groupWasAborted
  }

  /// What ends the text that a program has sent with a line that failed because of a slip.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - parsed: The command that it was taken for.
  /// - Returns: The ends, whose lines are still to be read.
  func strayTextEnds(of line: [UInt8], _ parsed: ParsedCommand) -> [TextEnd] {
    var line = line
    var isInList = false
    if case .global(let global) = parsed.command {
      // The last line of a list may want further lines.
      isInList = console.hasReadFurther && global.list.last == .backslash
      if isInList { line = console.line }
    }
    if !isInList {
      if console.hasReadFurther || parsed.fault == nil && !parsed.command.textEnds.isEmpty {
        return []
      }
      if parsed.fault == nil, !parsed.command.maySlip { return [] }
    }
    let ends = StrayText.ends(of: line, isInList: isInList)
    return ends == [.period] && parsed.fault == nil ? [] : ends
  }

  /// Reads lines that are no commands, up to an end, and drops them.
  mutating func dropText(upTo end: TextEnd) { _ = try? readText(upTo: end, at: text.currentLine) }

  /// Reads the lines that belong to a command that failed before it read them, so that they are not taken
  /// for commands: those of a here-document, and in a group or with `--json` of every command. Elsewhere
  /// ed's way holds.
  private mutating func skipInput() {
    let parsed = parseCommand()
    guard parsed.fault == nil else { return }
    // A program sends the lines together with their command.
    let isKnown = options.json || text.isInGroup || script.abortedGroups > 0
    let ends = parsed.command.textEnds
    if !ends.isEmpty {
      for end in ends where isKnown || end != .period {
        dropText(upTo: end)
      }
    } else if isKnown, let line = parsed.command.continuedLine {
      _ = try? extended(line, keepingNewlines: false)
    } else if isKnown, case .substitute(var substitution) = parsed.command {
      do throws(EditorError) {
        while substitution.continues { _ = try continueSubstitution(&substitution) }
      } catch {}
    }
  }
}

extension Command {
  /// Whether a failure may be that of a text which the command does not take.
  fileprivate var maySlip: Bool {
    switch self {
    case .expect, .replace, .shell, .substitute, .repeatSubstitute: false
    default: true
    }
  }

  /// The end of the command's line, if a backslash there continues it on the next one.
  fileprivate var continuedLine: [UInt8]? {
    switch self {
    case .edit(let file, _), .fileName(let file), .read(let file), .write(let file, _, _):
      switch file {
      case .name(let name): name
      case .shell(let shell): shell.bytes
      case .none: nil
      }
    case .global(let global): global.list
    case .shell(let shell): shell.bytes
    default: nil
    }
  }
}
