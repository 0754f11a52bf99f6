import Glibc
import TextBuffer
import TextLines

/// Commands that insert, delete and move lines: `a c i j m t x`, and `edit`.
extension Editor {
  /// Reads a further line of a command into the console's line.
  mutating func readReply(_ request: LineRequest = LineRequest(kind: .continuation))
    throws(EditorError)
  {
    // A terminal session records history before the command's prompt.
    if console.inputKind != .terminal { recordHistoryBeforeWaiting() }
    try console.readReply(request)
    text.checkForNUL(in: console.line)
  }

  /// Shows a question's subject, and reads the answer into the console's line.
  ///
  /// - Throws: If the input has ended, or an interrupt came first.
  mutating func readAnswer(
    _ kind: LineRequest.Kind, about question: Output, in line: LineNumber
  ) throws(EditorError) {
    var request = LineRequest(kind: kind, line: line)
    request.question = console.ask(about: question)
    if Interrupts.isInterrupted { throw .interrupted }
    try readReply(request)
  }

  /// Consumes an interrupt in a dialogue, and returns whether there was one. The command then still
  /// reads all replies that were sent ahead.
  func takeInterruptOfDialogue() -> Bool { conduct.awaitsAnswers && Interrupts.takeInterrupt() }

  /// A line joined with its continuation lines, without the backslashes before the newlines.
  /// `keepingNewlines` is for command lists. At a terminal, their text is stored as entered
  /// lines.
  mutating func extended(
    _ line: [UInt8], keepingNewlines: Bool
  ) throws(EditorError) -> [UInt8] {
    let keepsLines = keepingNewlines && console.inputKind == .terminal
    var text = line
    // The end of the text being entered, and where the command being entered begins.
    var (end, start) = (TextEnd?.none, 0)
    var lastKept = self.text.currentLine + keeper.enteredLineCount
    while text.endsWithEscape {
      text.removeLast()
      let endsCommand = text.last != .backslash
      if keepingNewlines { text.append(.newline) }
      if keepsLines && end == nil {
        var parser = CommandParser(
          list: Array(text[start...]), allowsOwnForms: script.ownForms != .refused)
        _ = parser.all()
        end = parser.openEnd
        if end == nil && endsCommand { start = text.count }
      }
      try readReply()
      text += console.line
      // An empty line ends the text, even after an escape.
      if console.line.isEmpty { return text }
      guard let textEnd = end else { continue }
      let entered =
        (console.line.endsWithEscape ? console.line.dropLast() : console.line) + [.newline]
      if entered.dropLast().elementsEqual(textEnd.line) {
        (end, start) = (nil, text.count)
      } else {
        keep(
          EnteredLines(
            replaced: LineRange(lastKept + 1, lastKept),
            text: self.text.comparable(Array(entered))))
        lastKept = lastKept + 1
      }
    }
    return text
  }

  // MARK: - Lines

  mutating func join(_ lines: LineRange) throws(EditorError) {
    try perform {
      $0.text.label = GroupLabel(.joined(lines))
      if lines.count > 1 { $0.text.join(lines) }
    }
  }

  mutating func put(_ cut: PieceTable?, after line: LineNumber) throws(EditorError) {
    try perform { (editor) throws(EditorError) in
      guard let cut else { throw .nothingToPut }
      editor.text.label = GroupLabel(.put(lines: cut.newlineCount, after: line))
      editor.text.insertCopy(of: cut, after: line)
    }
  }

  mutating func copy(
    _ lines: LineRange, to target: Addresses, fault: ParseError?
  ) throws(EditorError) {
    let line = try destination(target)
    if let fault { throw .parse(fault) }
    try perform {
      $0.text.label = GroupLabel(.copied(lines, after: line))
      $0.text.insertCopy(of: $0.text.slice(lines), after: line)
    }
  }

  mutating func move(
    _ lines: LineRange, to target: Addresses, fault: ParseError?
  ) throws(EditorError) {
    let line = try destination(target)
    guard line < lines.first || line >= lines.last else { throw .invalidDestination }
    if let fault { throw .parse(fault) }
    try perform {
      $0.text.label = GroupLabel(.moved(lines, after: line))
      $0.text.move(lines, after: line)
    }
  }

  /// Resolves the destination of `m` or `t`.
  private mutating func destination(_ target: Addresses) throws(EditorError) -> LineNumber {
    let resolved = try resolve(target)
    if options.traditional && resolved.count == 0 { throw .parse(.destinationExpected) }
    return resolved.second
  }

  // MARK: - Editing in place

  /// Runs `edit`: lets a person edit each line of a range at the terminal, as one group. An
  /// interrupt leaves its line unchanged and ends the command; edits before it are kept.
  mutating func edit(_ lines: LineRange) throws(EditorError) {
    guard console.editsLines else { throw .needsTerminal("edit") }
    try perform { (editor) throws(EditorError) in try editor.editEach(of: lines) }
  }

  private mutating func editEach(of lines: LineRange) throws(EditorError) {
    var line = lines.first
    var number = lines.first
    /// The range from the first to the last changed line, as numbered at the start.
    var changed: LineRange?
    while number <= lines.last {
      text.currentLine = line
      let old = text.buffer.line(line)
      guard console.canEdit(old) else { throw .lineCantBeEdited(line) }
      let status = readEdited(
        LineRequest(
          kind: .edit, line: line, hasLineAbove: line > LineNumber(1),
          hasLineBelow: number < lines.last, draft: old,
          words: WordSearch(in: text.buffer, near: line)), replacing: line)
      guard let status else { break }
      var new = console.line
      var count = 1
      if new != old {
        changed = LineRange(
          min(changed?.first ?? number, number), max(changed?.last ?? number, number))
        text.label = changed.map { GroupLabel(.linesEdited($0)) }
        new.append(.newline)
        count = new.count { $0 == .newline }
        text.yank(LineRange(line))
        text.replace(LineRange(line), with: new, count: count, keepsFirst: true)
        keep(EnteredLines(replaced: LineRange(line), text: new))
      }
      text.currentLine = line + (count - 1)
      if status != .line { break }
      let isUp = console.lineStep == .up
      line = isUp ? line - 1 : line + count
      number = isUp ? number - 1 : number + 1
    }
  }

  /// Reads into the console a line that a person edits. Returns `.line`, or the status of a hangup
  /// with a line partly typed; nil if the line stays as it was.
  private mutating func readEdited(
    _ request: consuming LineRequest, replacing line: LineNumber
  ) -> LineStatus? {
    let writer = keeper.draftWriter(replacing: LineRange(line), in: &text)
    let status = console.read(request, keepingDraftBy: writer)
    return status == .line || Interrupts.hangUp && !console.line.isEmpty ? status : nil
  }
}

// MARK: - Entered text

/// Text that is entered behind a command: `a i c`.
extension Editor {
  /// Runs `a` or `i`: inserts entered text after a line. Without text, `current` becomes the
  /// current line.
  mutating func enter(
    _ input: InputText, after line: LineNumber, current: LineNumber, _ addresses: Addresses
  ) throws(EditorError) {
    let new = try read(input, replacing: LineRange(line + 1, line))
    if addresses.haveHash, current > .zero {
      let beside = text.buffer.line(current) + [.newline]
      try refuseRepeated(
        line < current ? new.bytes + beside : beside + new.bytes, at: LineRange(current))
    }
    try perform {
      $0.text.currentLine = current
      if !new.bytes.isEmpty { $0.text.insert(new.bytes, after: line) }
    }
    try finish(new)
  }

  mutating func change(
    _ lines: LineRange, to input: InputText, _ addresses: Addresses
  ) throws(EditorError) {
    let new = try read(input, replacing: lines)
    if addresses.haveHash { try refuseRepeated(new.bytes, at: lines) }
    try perform {
      if new.bytes.isEmpty {
        $0.text.delete(lines)
      } else {
        $0.text.change(lines, to: new.bytes)
      }
    }
    try finish(new)
  }

  /// Throws if the new lines include the old ones and already stand around them: the same command,
  /// with its addresses by hash, has probably run before.
  private func refuseRepeated(_ new: [UInt8], at lines: LineRange) throws(EditorError) {
    // A person may enter them again.
    if console.inputKind == .terminal { return }
    let old = LineBlock(lines.numbers.flatMap { text.buffer.line($0) + [.newline] })
    let found = old.lines(LineBlock.lines(of: new), around: lines.first, of: text.buffer)
    if let found { throw .linesAreThere(found) }
  }

  /// A text as it was entered.
  struct Entry {
    var bytes: [UInt8] = []
    /// Whether a signal ended it.
    var isInterrupted = false
  }

  /// Closes the group of a text that a person has entered, however it ended.
  ///
  /// - Throws: `interrupted` except to a person; as in ed, the text is kept.
  private mutating func finish(_ entry: Entry) throws(EditorError) {
    keeper.entered = []
    if entry.isInterrupted && !conduct.allowsCorrection { throw .interrupted }
    if conduct.groupsByPause && !text.document.isInTransaction { text.document.closeGroup() }
  }

  /// The entered text: from the command list, or else from the input.
  private mutating func read(
    _ input: InputText, replacing lines: LineRange
  ) throws(EditorError) -> Entry {
    switch input {
    case .given(let bytes):
      return Entry(bytes: text.comparable(bytes))
    case .toBeRead(upTo: let end):
      return try readText(upTo: end, at: lines.first, replacing: lines)
    }
  }

  /// Reads the lines up to `end`, which is consumed. The first of them will be line `line`. The end
  /// of the input or an interrupt ends a text that a period would end. `lines` is nil if the text
  /// will not become part of the edited text; if cut off, it goes behind the current line. `name`
  /// tells apart several texts of a command.
  ///
  /// - Throws: `interrupted` if a person interrupts the first line. If a here-document is
  ///   interrupted, or has no end: `interrupted`, `textHasNoEnd`, or `endOfInput` at a terminal.
  @discardableResult
  mutating func readText(
    upTo end: TextEnd, at line: LineNumber, replacing lines: LineRange? = nil,
    named name: String = ""
  ) throws(EditorError) -> Entry {
    let (endLine, first) = (end.line, line)
    let isAtTerminal = console.inputKind == .terminal
    var entry = Entry()
    var line = line
    let lastKept = text.currentLine + keeper.enteredLineCount
    var place = lines ?? LineRange(lastKept + 1, lastKept)
    /// The number of bytes of a script's entry that are in the history.
    var storedCount = 0
    // Terminal sessions record history before the prompt.
    var isRecorded = isAtTerminal
    // Whether memory is short: the rest of the text is dropped, and not run as commands.
    var isShort = false
    if conduct.announces, end == .period, firstSteps.tellsEnd() {
      console.say(.endOfText)
      console.rendering.flush()
    }
    while true {
      if !isRecorded { isRecorded = recordHistoryBeforeWaiting() }
      if !isAtTerminal, lines != nil, entry.bytes.count > storedCount, keeper.isStored,
        !conduct.defersStoring, console.waitsForScript
      {
        keep(EnteredLines(replaced: place, text: Array(entry.bytes[storedCount...])))
        storedCount = entry.bytes.count
        place = LineRange(line, line - 1)
      }
      let writer = isAtTerminal ? keeper.draftWriter(replacing: place, in: &text) : nil
      let storeDraft = writer.map { write in
        { (line: [UInt8]) in if line != endLine { write(line) } }
      }
      // A copy of the request would stop `entry.bytes` growing in place.
      let status = console.read(
        LineRequest(
          kind: .text, line: line, textName: name, hasLineAbove: !entry.bytes.isEmpty,
          words: isAtTerminal
            ? WordSearch(in: text.buffer, near: first - 1, after: entry.bytes) : nil),
        keepingDraftBy: storeDraft)
      // The terminal is gone, and with it whoever typed the line.
      if status != .line, Interrupts.hangUp, isAtTerminal, ![[], endLine].contains(console.line) {
        let typed = console.line + [.newline]
        entry.bytes += typed
        keep(EnteredLines(replaced: place, text: typed))
      }
      switch status {
      case .line where console.line == endLine && !console.lineIsLiteral:
        if isShort { throw .outOfMemory }
        if end == .period { firstSteps.finish() }
        text.checkForNUL(in: entry.bytes)
        return entry
      case .line where text.hidesReturns && console.line == endLine + [.carriageReturn]:
        // Taken as a line, it would turn the commands that follow into text.
        throw .parse(.lineEndsWithReturn)
      case .line where console.lineStep == .up:
        let growth = editEntered(&entry, before: line, place: place)
        line = line + growth
        place = LineRange(place.first + growth, place.last + growth)
      case .line:
        let start = entry.bytes.count
        let needed = start + console.line.count + 1
        // The bytes are copied to grow, and again into the text.
        if needed > entry.bytes.capacity && Memory.isShort(for: 4 * needed) { isShort = true }
        if isShort {
          entry.bytes = []
          continue
        }
        entry.bytes += console.line
        if text.usesCRLF && console.line.last == .carriageReturn { entry.bytes.removeLast() }
        entry.bytes.append(.newline)
        line = line + 1
        if !isAtTerminal { continue }
        let entered = console.line
        let pasted = console.takePastedLines(before: endLine)
        for pasted in pasted {
          let bytes = pasted + [.newline]
          entry.bytes += text.comparable(bytes)
        }
        keep(EnteredLines(replaced: place, text: Array(entry.bytes[start...])))
        console.showPasted(pasted, from: line)
        if conduct.announces, end == .period, firstSteps.tellsOfText(entered) {
          console.say(.textLooksLikeCommand(entered))
          console.rendering.flush()
        }
        line = line + pasted.count
        place = LineRange(place.first + (1 + pasted.count), place.first + pasted.count)
      case .end, .failed:
        if case .word(let word) = end {
          throw isAtTerminal ? .endOfInput : .textHasNoEnd(word)
        }
        if isShort { throw .outOfMemory }
        console.lastError = .endOfInput
        text.checkForNUL(in: entry.bytes)
        return entry
      case .interrupted where end != .period && !isAtTerminal && !Interrupts.hangUp:
        // In a script the rest of it is still text.
        try readText(upTo: end, at: line)
        throw .interrupted
      case .interrupted:
        if end != .period || conduct.allowsCorrection && entry.bytes.isEmpty { throw .interrupted }
        entry.isInterrupted = true
        text.checkForNUL(in: entry.bytes)
        return entry
      }
    }
  }

  /// Lets a person edit entered lines, from the last one on up, and back down to the new one, whose
  /// number will be `line`. Returns the growth of the entry in lines.
  private mutating func editEntered(
    _ entry: inout Entry, before line: LineNumber, place: LineRange
  ) -> Int {
    var lines = LineBlock.lines(of: entry.bytes)
    let count = lines.count
    var index = count - 1
    while index < lines.count {
      guard console.canEdit(lines[index]) else {
        console.say(.error(.lineCantBeEdited(line + (index - count)), .brief))
        break
      }
      let old = place.first + (index - count)
      let status = readEdited(
        LineRequest(
          kind: .edit, line: line + (index - count), hasLineAbove: index > 0, hasLineBelow: true,
          draft: lines[index]), replacing: old)
      guard let status else { break }
      let new = LineBlock.lines(of: console.line + [.newline])
      if new != [lines[index]] {
        lines.replaceSubrange(index...index, with: new)
        keep(EnteredLines(replaced: LineRange(old), text: console.line + [.newline]))
      }
      if status != .line { break }
      index += console.lineStep == .up ? -1 : new.count
    }
    entry.bytes = lines.flatMap { $0 + [.newline] }
    return lines.count - count
  }

  /// Makes lines cut off at a terminal a group, and undoes it, so that `redo` brings them back. If
  /// the terminal is gone, they stay in the text.
  mutating func keepCutOffText() {
    let entered = keeper.entered
    guard let place = entered.first?.replaced, console.inputKind == .terminal,
      !conduct.treatsDoubtsAsErrors
    else { return }
    let lines = entered.flatMap(\.text)
    let count = lines.count { $0 == .newline }
    let isInGroup = text.document.isInTransaction
    // It is a group of its own.
    if !isInGroup { text.document.closeGroup() }
    try? perform {
      $0.text.replace(place, with: lines, count: count)
      $0.text.currentLine = place.first + (count - 1)
    }
    if !isInGroup { text.document.closeGroup() }
    if Interrupts.hangUp || isatty(STDIN_FILENO) == 0 { return }
    failureDetail = .cutOff(lines: count, isInGroup: isInGroup)
    _ = try? text.undo()
  }

  /// Stores entered lines before waiting for the next ones.
  mutating func keep(_ lines: EnteredLines) {
    keeper.keepEntered(lines, into: &text)
    let notices = keeper.takeNotices()
    for notice in notices { console.say(.notice(notice)) }
    if !notices.isEmpty { console.rendering.flush() }
  }
}

// MARK: - Blocks

/// Blocks of whole lines: `replace` and `expect`.
extension Editor {
  /// Replaces a block of lines or a text in the expected number of places.
  ///
  /// - Throws: `blockNotFound` with the nearest lines, `blockFound` with the other places, or
  ///   `blockHasEnd`. Nothing has changed then.
  mutating func replace(
    _ replacement: BlockReplacement, in range: LineRange
  ) throws(EditorError) {
    let old = try readText(upTo: replacement.old, at: LineNumber(1), named: "old").bytes
    let new = try readText(upTo: replacement.new, at: LineNumber(1), named: "new").bytes
    if old.isEmpty { throw .blockIsEmpty }
    // The old text itself may have that line, and the rest of it became new text.
    let oldEnd = replacement.old.line
    if replacement.new.line != oldEnd, LineBlock.lines(of: new).contains(oldEnd) {
      throw .blockHasEnd(oldEnd)
    }
    let block = LineBlock(old)
    let count = replacement.places
    switch replacement.matching {
    case .text:
      let lines = LineBlock.lines(of: new)
      try replaceText(block, with: lines, in: range, expecting: count, replacement.isCounted)
    case .lines:
      let places = block.places(in: range, of: text.buffer, allowingOverlap: count == 1)
      try replace(block, at: places, with: new, replacement, in: range)
    case .loose:
      let text = text.buffer
      let loose = LooseBlock(block.lines)
      let exact = block.places(in: range, of: text, allowingOverlap: count == 1)
      let places = loose?.places(in: range, of: text, allowingOverlap: count == 1) ?? exact
      let lines = LineBlock.lines(of: new)
      let style = places.isEmpty ? nil : loose?.otherStyle(than: lines, in: text)
      if !places.isEmpty && places == exact && style == nil {
        var replacement = replacement
        replacement.matching = .lines
        return try replace(block, at: places, with: new, replacement, in: range)
      }
      guard let loose else { throw .blockIsVague }
      try check(places, of: replacement, block, new, in: range)
      let hunks = Self.hunks(from: old, to: new)
      try replace(block, at: places, with: new, hunks: hunks) { (_, place) throws(EditorError) in
        guard let adapted = loose.adapted(lines, differingIn: hunks, at: place, of: text, style)
        else { throw .blockIsTooFarLeft }
        return PieceTable(adapted.flatMap { $0 + [.newline] })
      }
      for place in places.prefix(8) {
        let overlooked = loose.overlooked(at: place, of: text)
        if !overlooked.isEmpty { console.say(.overlooked(overlooked)) }
      }
      if let style, loose.unit(of: lines, at: places[0], of: text, style) == nil {
        console.say(.warning(.indentedOtherwise(fileUsesTabs: style.usesTabs)))
      }
    }
  }

  /// Replaces a block in the places that match exactly, if their number is the expected one.
  private mutating func replace(
    _ block: LineBlock, at places: [LineNumber], with new: [UInt8],
    _ replacement: BlockReplacement, in range: LineRange
  ) throws(EditorError) {
    try check(places, of: replacement, block, new, in: range)
    let hunks = Self.hunks(from: block.bytes, to: new)
    try replace(block, at: places, with: new, hunks: hunks) { new, _ in new }
  }

  private static func hunks(from old: [UInt8], to new: [UInt8]) -> [LineHunk] {
    let (old, new) = (PieceTable(old), PieceTable(new))
    return LineDifference(from: old, to: new).placed(from: old, to: new)
  }

  /// Replaces a block of lines that begins at `places`, in ascending order, by the lines that
  /// `adapted` makes for a place. Lines outside the `hunks` stay as they are, with their marks.
  ///
  /// - Throws: The error of `adapted`, or `interrupted`; nothing has changed then.
  private mutating func replace(
    _ block: LineBlock, at places: [LineNumber], with new: [UInt8], hunks: [LineHunk],
    _ adapted: (PieceTable, LineNumber) throws(EditorError) -> PieceTable
  ) throws(EditorError) {
    let new = PieceTable(new)
    var blocks: [PieceTable] = []
    for place in places { blocks.append(try adapted(new, place)) }
    let growth = new.newlineCount - block.lines.count
    let changed = hunks.first { $0.new.count > 0 }?.new
    let start = changed.map { GroupNames.start(of: new.slice(new.byteRange(of: $0))) } ?? []
    try perform { (editor) throws(EditorError) in
      guard let last = places.last else { return }
      let lines = LineRange(last, last + (block.lines.count - 1))
      editor.text.yank(lines)
      for (place, block) in zip(places, blocks).reversed() {
        if Interrupts.isInterrupted { throw .interrupted }
        editor.text.replace(hunks, at: place, with: block)
      }
      let first = last + growth * (places.count - 1)
      editor.text.currentLine = min(
        first + (max(new.newlineCount, 1) - 1), editor.text.lastLine)
      editor.text.label = GroupLabel(
        places.count == 1
          ? .replaced(lines, by: new.newlineCount, text: start)
          : .blocksReplaced(lines: block.lines.count, places: places.count))
    }
    if hunks.isEmpty { console.say(.warning(.replacedBySame)) }
  }

  /// Throws unless a block is in the expected number of places.
  private func check(
    _ places: [LineNumber], of replacement: BlockReplacement, _ block: LineBlock, _ new: [UInt8],
    in range: LineRange
  ) throws(EditorError) {
    if Interrupts.isInterrupted { throw .interrupted }
    if places.isEmpty { throw notFound(block, new, replacement.matching, in: range) }
    if let count = replacement.places, places.count != count {
      let exact =
        replacement.matching == .loose ? block.places(in: range, of: text.buffer) : []
      throw .blockFound(
        Array(places.prefix(8)), count: places.count, expected: count,
        exactly: exact.count == 1 ? exact[0] : nil, by: replacement.matching,
        overlap: zip(places, places.dropFirst()).contains { $1 < $0 + block.lines.count })
    }
    guard !replacement.isCounted, let place = places.first else { return }
    let new = LineBlock.lines(of: new)
    let isLoose = replacement.matching == .loose
    if let lines = block.lines(new, around: place, of: text.buffer, isLoose: isLoose) {
      throw .blockIsReplaced(lines, by: replacement.matching)
    }
  }

  /// The reason why a block is missing, with advice.
  private func notFound(
    _ block: LineBlock, _ new: [UInt8], _ matching: BlockReplacement.Matching, in range: LineRange
  ) -> EditorError {
    let buffer = text.buffer
    var advice: BlockAdvice?
    let nearest = NearestLines(
      to: block, in: range, of: buffer, isLoose: matching == .loose)
    func isThere(_ blocks: [LineBlock]) -> Bool {
      blocks.contains {
        LooseBlock.isDistinctive($0.lines) && !$0.places(in: range, of: buffer).isEmpty
      }
    }
    if let found = lines(
      of: LineBlock(new), matching, in: range, insteadOf: block, nearest)
    {
      advice = .alreadySo(found)
    } else if isThere([false, true].compactMap { block.withoutNumbers(isBarred: $0) }) {
      advice = .copiedNumbers
    } else if isThere(block.withoutMarks) {
      advice = .copiedMarks
    } else if matching != .loose,
      case let found = Self.places(of: block, .loose, in: range, of: buffer), found.count == 1
    {
      advice = .looseMatch(found[0])
    } else if let found = whereabouts(of: block, matching) {
      advice = found
    } else if matching != .text, let within = TextBlock(block.lines) {
      let places = within.places(in: range, of: buffer)
      if places.count == 1 {
        advice = .textMatch(places[0].first, buffer.line(places[0].first))
      }
    }
    if advice == nil, let unescaped = block.unescaped,
      !unescaped.places(in: range, of: buffer).isEmpty
    {
      advice = .escapedNewlines
    }
    return .blockNotFound(nearest, advice)
  }

  /// The lines of each place of a block, found as a form of `replace` does.
  private static func places(
    of block: LineBlock, _ matching: BlockReplacement.Matching, in range: LineRange,
    of text: PieceTable
  ) -> [LineRange] {
    func lines(_ first: LineNumber) -> LineRange {
      LineRange(first, first + (block.lines.count - 1))
    }
    return switch matching {
    case .lines: block.places(in: range, of: text).map(lines)
    case .loose: LooseBlock(block.lines)?.places(in: range, of: text).map(lines) ?? []
    case .text:
      TextBlock(block.lines)?.places(in: range, of: text).map { LineRange($0.first, $0.last) } ?? []
    }
  }

  /// The place of a new block, if distinctive, unique and most likely the old one's.
  private func lines(
    of new: LineBlock, _ matching: BlockReplacement.Matching, in range: LineRange,
    insteadOf block: LineBlock, _ nearest: NearestLines?
  ) -> LineRange? {
    let least = matching == .text ? LooseBlock.tellingCount : 1
    guard LooseBlock.isDistinctive(new.lines, least: least) else { return nil }
    // The rest of a deletion proves nothing.
    let hunks = LineDifference(from: PieceTable(block.bytes), to: PieceTable(new.bytes)).hunks
    if hunks.allSatisfy({ $0.new.count == 0 }) { return nil }
    let places = Self.places(of: new, matching, in: range, of: text.buffer)
    guard places.count == 1 else { return nil }
    let lines = places[0]
    guard let nearest else { return lines }
    if nearest.lines.last < lines.first || lines.last < nearest.lines.first { return nil }
    if matching == .text { return lines }
    // An old line that is still beside them has not been replaced.
    let kept = nearest.lines.numbers
      .filter { !lines.contains($0) }.map { text.buffer.line($0) }
    return kept.contains { block.lines.contains($0) && LooseBlock.isDistinctive([$0]) }
      ? nil : lines
  }

  /// The place of a block in an earlier revision.
  func past(of block: LineBlock, _ matching: BlockReplacement.Matching = .lines) -> PastPlace? {
    past(reaching: block.lines.count) { (window, text, _) in
      Self.places(of: block, matching, in: window, of: text).first
    }
  }

  /// The newest earlier revision in which `lines`, or all if nil, satisfy `isWanted`.
  func past(
    of lines: LineRange?, where isWanted: (LineRange, PieceTable, Int) -> Bool
  ) -> PastPlace? {
    past(reaching: 0) { (window, text, revision) in
      let lines = lines ?? LineRange(1, text.newlineCount)
      let isChanged = window.first <= lines.last && lines.last.value <= text.newlineCount
      return isChanged && isWanted(lines, text, revision) ? lines : nil
    }
  }

  /// Where lines stood in an earlier revision, with the name of the run that changed them.
  private func past(
    reaching reach: Int, _ find: (LineRange, PieceTable, Int) -> LineRange?
  ) -> PastPlace? {
    guard var past = text.lastPlace(reaching: reach, within: Self.searchTime, find) else {
      return nil
    }
    past.runName = keeper.run(of: past.group.id, in: text.document).flatMap { [keeper] in
      keeper.runNames[$0]
    }
    return past
  }

  /// The maximum number of seconds to search the history for the cause of an error.
  private static let searchTime = 0.05

  /// Replaces text that may begin and end within lines.
  private mutating func replaceText(
    _ block: LineBlock, with new: [[UInt8]], in range: LineRange, expecting count: Int?,
    _ isCounted: Bool
  ) throws(EditorError) {
    guard let wanted = TextBlock(block.lines) else { throw .blockIsEmpty }
    let places = wanted.places(in: range, of: text.buffer, allowingOverlap: count == 1)
    if Interrupts.isInterrupted { throw .interrupted }
    let newBytes = new.flatMap { $0 + [.newline] }
    if places.isEmpty { throw notFound(block, newBytes, .text, in: range) }
    if let count, places.count != count {
      throw .blockFound(
        Array(places.prefix(8).map(\.first)), count: places.count, expected: count, by: .text,
        overlap: zip(places, places.dropFirst()).contains {
          ($1.first.value, $1.start) < ($0.last.value, $0.end)
        })
    }
    if !isCounted, let place = places.first,
      let lines = wanted.lines(ofText: new, around: place, in: text.buffer)
    {
      throw .blockIsReplaced(lines, by: .text)
    }
    let inserted = Array(newBytes.dropLast())
    let isSame = block.lines == new
    try perform { (editor) throws(EditorError) in
      guard let first = places.first, let last = places.last else { return }
      let growth = new.isEmpty ? 1 - block.lines.count : new.count - block.lines.count
      editor.text.yank(LineRange(last.first, last.last))
      var end = isSame ? 0 : places.count
      while end > 0 {
        if Interrupts.isInterrupted { throw .interrupted }
        // Places that share lines are replaced together.
        var start = end - 1
        while start > 0 && places[start - 1].last == places[start].first { start -= 1 }
        editor.text.replace(places[start..<end], with: inserted)
        end = start
      }
      editor.text.currentLine = last.last + growth * places.count
      editor.text.label = GroupLabel(
        .textReplaced(
          LineRange(first.first, last.last), places: places.count,
          text: Array(inserted.prefix(GroupNames.startLength))))
    }
    if isSame { console.say(.warning(.replacedBySame)) }
  }

  mutating func expect(
    _ expectation: Expectation, of range: LineRange
  ) throws(EditorError) {
    switch expectation {
    case .lines(let end):
      let lines = try readText(upTo: end, at: LineNumber(1)).bytes
      let block = LineBlock(lines)
      if let mismatch = block.firstMismatch(in: range, of: text.buffer) {
        let isDistinctive = LooseBlock.isDistinctive(block.lines)
        throw .unexpectedLines(mismatch, isDistinctive ? whereabouts(of: block) : nil)
      }
    case .matches(let expected, let written):
      let count = try lines(matching: written, in: range, of: text.buffer).count
      if count != expected { throw .unexpectedMatches(count, expected: expected) }
    case .hash(let expected):
      let hash = hash(of: range)
      if expected.matches(hash) { return }
      let isWhole = isWhole(range)
      let past = past(of: isWhole ? nil : range) { (lines, old, revision) in
        let old =
          isWhole ? text.fileText(of: revision, old) : old.slice(old.byteRange(of: lines))
        return expected.matches(SHA256Hash(of: old))
      }
      throw .unexpectedHash(hash, expected: expected, past)
    }
  }

  /// The present place of expected lines, or else their place in an earlier revision.
  private func whereabouts(
    of block: LineBlock, _ matching: BlockReplacement.Matching = .lines
  ) -> BlockAdvice? {
    let all = LineRange(1, text.lastLine.value)
    let places = Self.places(of: block, matching, in: all, of: text.buffer)
    if places.isEmpty { return past(of: block, matching).map { .stoodThere($0) } }
    return places.count == 1 ? .standsAt(places[0]) : nil
  }

  /// The hash of some lines, each with a newline; for all lines, the hash of the file.
  private func hash(of range: LineRange) -> SHA256Hash {
    SHA256Hash(of: isWhole(range) ? text.fileText : text.slice(range))
  }

  private func isWhole(_ range: LineRange) -> Bool { range.count == text.lastLine.value }

  /// Runs `anchors`: prints lines with their addresses and hashes, then the hash of all.
  mutating func showAnchors(of range: LineRange) throws(EditorError) {
    let buffer = text.buffer
    var builder = PieceTable.Builder(from: buffer)
    if range.count > 0 {
      buffer.forEachLine(in: range) { number, line in
        var bytes: [UInt8] = []
        bytes.append(line, in: 0..<line.byteCount)
        let anchor = "\(number.value):\(LineHash.text(LineHash.of(bytes)))\t"
        builder.append(Array(anchor.utf8) + bytes + [.newline])
        return !Interrupts.isInterrupted
      }
    }
    if Interrupts.isInterrupted { throw .interrupted }
    builder.append(Array("\(hash(of: range).description.prefix(19))\n".utf8))
    let shown = builder.finish()
    let all = LineRange(LineNumber(1), LineNumber(shown.newlineCount))
    console.say(.lines(all, of: shown, as: .plain))
  }
}

extension EditedText {
  /// Replaces text in consecutive places, each beginning in the last line of the one before.
  fileprivate mutating func replace(_ places: ArraySlice<TextBlock.Place>, with new: [UInt8]) {
    guard let first = places.first, let last = places.last else { return }
    let buffer = buffer
    var (bytes, line, offset) = ([UInt8](), buffer.line(first.first), 0)
    for place in places {
      bytes += line[offset..<place.start] + new
      if place.last > place.first { line = buffer.line(place.last) }
      offset = place.end
    }
    bytes += line[offset...] + [.newline]
    let lines = LineRange(first.first, last.last)
    replace(lines, with: bytes, count: bytes.count { $0 == .newline }, keepsFirst: true)
  }
}
