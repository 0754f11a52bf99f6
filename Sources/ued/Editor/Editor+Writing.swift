import Glibc
import TextBuffer

/// `w`, `wq` and `W`.
extension Editor {
  /// Runs `w`, `wq` or `W`.
  mutating func write(
    _ argument: FileArgument, _ given: ResolvedAddresses, appending: Bool, then: AfterWrite
  ) throws(EditorError) -> CommandResult {
    let place = try place(argument)
    let lines = try self.lines(given, .lines(or: .allOrNone))
    takeName(of: place)
    var isSave = lines.count == text.lastLine.value
    var overwritten: (danger: KnownFile.Danger, revision: Int?)?
    var isOwn = true
    switch place {
    case .shell:
      isSave = false
      yieldToChild()
    case .file(let name):
      if options.isFriendly {
        isOwn = file.isEdited(name)
        try refuseOnce(writing: lines, to: name, appending: appending, isOwn: isOwn)
        isSave = isSave && isOwn && !appending
      }
      if !appending && !options.isStrict { overwritten = try keepOverwritten(name) }
    }
    try write(lines, to: place, appending: appending, isSave: isSave)
    noteUse(of: place)
    if case .file(let name) = place {
      if let revision = overwritten?.revision, options.isFriendly {
        console.say(.notice(.overwrote(revision)))
      } else if let overwritten, !options.isFriendly {
        console.say(.warning(.overwriting(name, overwritten.danger)))
      }
      // The file of a person's text is something else now, whatever was saved before.
      if options.isFriendly && isOwn && !isSave { text.didSavePart() }
    }
    // A strict run has marked it before its history was stored.
    if isSave && !options.isStrict {
      text.didSave()
      keeper.noteSave(of: text)
    }
    switch then {
    case .nothing: return .goOn
    case .quit where isSave: try refuseToLeaveFiles()
    case .quit: try refuseToQuit()
    case .quitDiscarding: break
    }
    return .quit
  }

  /// Writes lines to a file or command; `isSave` if the text counts as saved afterwards.
  private mutating func write(
    _ lines: LineRange, to place: TextPlace, appending: Bool, isSave: Bool
  ) throws(EditorError) {
    if case .file(let name) = place {
      yieldToFile(at: name)
      let isPart = appending || lines.count < text.lastLine.value
      // The history of a script is to have the rest.
      if isPart && keeper.isKept && !options.isFriendly && file.isEdited(name) {
        text.save.unrecorded = .outdated
        text.recordSave()
      }
    }
    var bytes = text.buffer.byteRange(of: lines)
    // What is appended later begins at a line of its own, in files other than the edited one, too.
    var isWhole = appending
    if case .file(let name) = place { isWhole = isWhole || !file.isEdited(name) }
    if lines.count > 0 && lines.last == text.lastLine,
      isWhole ? text.hasUnterminatedLine : text.lacksLastNewline
    {
      bytes = bytes.lowerBound..<bytes.upperBound - 1
    }
    let lineContent = text.buffer.slice(bytes)
    let content = text.usesCRLF ? lineContent.withCRLF : lineContent
    var isMadeAgain = false
    switch place {
    case .shell where options.atomic || options.isDry:
      throw .shellCannotWait
    case .shell(let command):
      defer { console.rendering.childEnds() }
      do {
        try file.disk.write(content, toCommand: command)
      } catch {
        throw reported(error)
      }
    case .file(let name) where isBackup(name): throw .backupIsWritten(name)
    case .file(let name) where appending && appendsAtOnce(to: name):
      try appendAtOnce(content, to: name)
    case .file(let name) where options.isStrict:
      try keeper.beginWrite()
      try file.postpone(content, to: name, appending: appending)
      // The history is to have the save before the file is written.
      let unsaved = text
      if lines.count == text.lastLine.value { text.didSave() }
      if !options.defersWrites {
        do {
          try commitWrites()
        } catch {
          text = unsaved
          throw error.error
        }
      }
    case .file(let name):
      isMadeAgain = options.isFriendly && file.known(as: name) != nil && !OpenFile.exists(name)
      keeper.willSave(&text, of: file.historyName)
      if !isSave || keeper.obstacle != nil { keeper.didNotSave(text) }
      if let obstacle = keeper.obstacle { throw obstacle }
      do throws(FileError) {
        try file.save(content, to: name, appending: appending)
      } catch {
        keeper.didNotSave(text)
        throw reported(error)
      }
    }
    console.say(
      .written(
        name: place.shownName, lineCount: lines.count,
        byteCount: content.byteCount, isAppended: appending,
        isMadeAgain: isMadeAgain))
    if options.json, keeper.isOn, let failure = keeper.failure {
      console.say(.notice(.trouble(failure)))
    }
  }

  // MARK: - Appending in a strict run

  /// Whether a strict run appends to a file in place, as others may have it open, such as a log. It does not where the
  /// write waits for the end or for a check, where programs are told of the whole file, and for a file that it has
  /// read.
  func appendsAtOnce(to name: [UInt8]) -> Bool {
    options.isStrict && !options.defersWrites && options.validation == nil && !options.json
      && name != file.name && file.known(as: name) == nil
  }

  /// Appends to a file in place.
  mutating func appendAtOnce(_ content: PieceTable, to name: [UInt8]) throws(EditorError) {
    try refusePlanted(name)
    // From now on the script can't simply run again.
    batch.hasWritten = true
    do throws(FileError) {
      try file.save(content, to: name, appending: true)
    } catch {
      throw EditorError(error)
    }
  }
}
