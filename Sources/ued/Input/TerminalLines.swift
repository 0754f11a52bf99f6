import CEdit
import Glibc
import TextBuffer

/// The lines of a terminal, with a prompt, line editing, and recall of earlier lines. Commands and
/// text have separate recall lists. The terminal is in raw mode only while a line is being typed.
///
/// SAFETY: `editor` and the two recall lists are created in `init` and freed once, in `deinit`. The
/// input stream stays open until the program ends. The callbacks run only inside `el_wgets`, on
/// this thread; they find `session`, which this value keeps alive, as the client of the editor. The
/// result of `el_wgets` is copied before the next call.
@safe struct TerminalLines: ~Copyable, LineSource {
  private let session: TerminalSession
  private let editor: OpaquePointer
  private let commands: OpaquePointer
  /// The commands of earlier sessions on disk.
  private let recall: CommandRecall?
  private let texts: OpaquePointer
  // Error messages give no line number for input from a terminal.
  let lineNumber = 0
  let settingsFault: SettingsFault?
  let kind = InputKind.terminal
  let hasLineAhead = false
  let isQuiet = true
  let showsPrompt = true
  let editsLines = true
  private(set) var lineIsLiteral = false
  private(set) var lineStep: LineStep?
  let screen: (any Screen)?

  /// Sets up line editing; nil if a descriptor is not a terminal, or TERM is `dumb` or unknown.
  /// Restricted mode must not read the user's settings, because these can bind keys to functions of
  /// libedit that run other programs.
  init?(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, readsSettings: Bool = true,
    recall: () -> CommandRecall? = { nil }
  ) {
    guard isatty(input) != 0, isatty(output) != 0,
      let controls = TerminalControls(ofTerminal: ProcessArguments.environment("TERM") ?? []),
      let inputStream = unsafe fdopen(fcntl(input, F_DUPFD_CLOEXEC, 3), "r"),
      let editorOutput = EditorOutput()
    else { return nil }
    unsafe setlocale(LC_CTYPE, "")
    // In an ASCII locale libedit would drop all other characters.
    if cedit_locale_is_ascii() != 0 { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    TerminalRescue.install(for: input)
    guard let editor = unsafe cedit_open("ued", inputStream, editorOutput.stream, output),
      let commands = unsafe cedit_new_history(Int32(CommandRecall.limit)),
      let texts = unsafe cedit_new_history(1000)
    else { return nil }
    // libedit has changed the settings of the terminal.
    TerminalRescue.restore()
    session = TerminalSession(
      input: input, output: output, controls: controls, editorOutput: editorOutput)
    screen = FullScreen(session, controls)
    unsafe (self.editor, self.commands, self.texts) = unsafe (editor, commands, texts)
    self.recall = recall()
    for line in self.recall?.newLines() ?? [] { unsafe Self.remember(line, in: commands) }
    unsafe cedit_set_client(editor, Unmanaged.passUnretained(session).toOpaque())
    unsafe cedit_leave_signals_alone(editor)
    unsafe cedit_use_emacs_keys(editor)
    // A paste may have both kinds of line ends, and the interrupt character.
    unsafe cedit_keep_input(editor)
    unsafe TerminalFunctions.add(to: editor)
    unsafe Self.bindKeys(of: editor)
    let bound = unsafe session.bindings(editor)
    // Settings may change the recall list, so libedit needs it first.
    unsafe cedit_set_history(editor, commands)
    settingsFault = readsSettings ? unsafe LineSettings.apply(to: editor) : nil
    // Choosing vi in the settings replaces the key maps, so bind the keys again.
    session.keys.escapeIsKey = unsafe cedit_uses_vi_keys(editor) != 0
    if session.keys.escapeIsKey { unsafe Self.bindKeys(of: editor, isVi: true) }
    let rebound = unsafe session.bindings(editor).filter { bound[$0.key] != $0.value }
    session.keys.rebound = Set(rebound.keys)
  }

  deinit {
    unsafe el_end(editor)
    unsafe history_end(commands)
    unsafe history_end(texts)
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    // A paste that began with commands may end in text, as after `a`. If line editing would lose
    // bytes of its last line, that line is entered at once.
    if let pasted = session.takePastedLine()
      ?? (request.kind == .text ? session.takeUneditableDraft() : nil)
    {
      TerminalOutput.write(
        request.prompt + VisibleText.of(pasted) + [.newline], to: session.output)
      line += pasted
      lineIsLiteral = session.pasteIsText
      return .line
    }
    session.prompt = request.prompt
    session.request = request
    // The completer in `session.request` holds the history, so it must not outlive this call.
    defer {
      session.request = LineRequest(kind: .text)
      session.storeDraft = nil
    }
    unsafe session.recall = unsafe recalled(for: request)
    session.beginLine(request.draft)
    unsafe cedit_set_history(editor, recalled(for: request))
    if request.kind == .edit, let draft = TerminalSession.exactCharacters(request.draft) {
      session.draft = TerminalSession.Draft(characters: draft, cursor: draft.count)
    }
    if session.draft != nil {
      unsafe TerminalFunctions.push(.draft, editor)
    }
    session.wasInterrupted = false
    session.macroIsEndless = false
    let count = Progress.paused {
      Interrupts.withJobControl {
        TerminalRescue.during {
          // libedit would enter raw mode only after the prompt; keys typed before would show twice.
          unsafe cedit_set_raw(editor, 1)
          session.setPasteMode(true)
          var count: Int32 = 0
          guard let typed = unsafe el_wgets(editor, &count), count > 0 else { return 0 }
          // Not `el_gets`, which ends a line at a NUL but counts the bytes after it.
          line += unsafe TerminalSession.bytes(UnsafeBufferPointer(start: typed, count: Int(count)))
          return Int(count)
        }
      }
    }
    session.setPasteMode(false)
    if session.wasInterrupted && !Interrupts.hangUp {
      session.giveUp()
    } else if session.step != nil {
      // The next line replaces this one on the screen.
      session.eraseLine()
    } else {
      session.finish(count > 0 ? TerminalSession.characters(line.dropLast()) : nil)
    }
    guard count > 0, !session.wasInterrupted, line.last == .newline else {
      line.removeAll(keepingCapacity: true)
      // Text typed before the hangup is kept.
      if Interrupts.hangUp { line = TerminalSession.bytes(session.lastLine.line) }
      _ = session.dropPaste()
      session.draft = nil
      if session.macroIsEndless { session.write(Messages.endlessMacro + [.newline]) }
      if session.wasInterrupted || session.macroIsEndless { return .interrupted }
      return .end
    }
    line.removeLast()
    lineStep = session.step
    lineIsLiteral =
      session.line != nil && lineStep == nil && session.pasteIsText && request.kind == .text
    if let given = session.line { line = given }
    if request.kind != .edit, let end = line.firstIndex(of: .newline) {
      // A newline typed as a character ends a line, too.
      session.takeLater(line[(end + 1)...])
      line.removeSubrange(end...)
    }
    if !session.lineIsKey && lineStep == nil { remember(line, for: request) }
    return .line
  }

  func canEdit(_ line: [UInt8]) -> Bool {
    !line.contains(0) && TerminalSession.exactCharacters(line) != nil
  }

  mutating func keepDraft(by write: (([UInt8]) -> Void)?) { session.storeDraft = write }

  mutating func surrenderUnread() {}

  mutating func takePastedLines(before end: [UInt8]) -> [[UInt8]] {
    session.takePastedLines(before: end)
  }

  mutating func dropPaste() -> [[UInt8]] { session.dropPaste() }

  /// Adds a line to its recall list. Only commands are stored for later sessions.
  private func remember(_ line: [UInt8], for request: LineRequest) {
    guard !line.isEmpty, line.count <= Self.longestRecalled, !line.contains(0),
      request.kind != .confirmation
    else { return }
    if request.kind == .command && request.isRemembered {
      for other in recall?.add(line) ?? [] { unsafe Self.remember(other, in: commands) }
    }
    unsafe Self.remember(line, in: recalled(for: request))
  }

  private func recalled(for request: LineRequest) -> OpaquePointer {
    unsafe request.kind == .text || request.kind == .edit ? texts : commands
  }

  private static func remember(_ line: [UInt8], in recall: OpaquePointer) {
    let string = (line + [0]).map(CChar.init(bitPattern:))
    unsafe cedit_remember(recall, string)
  }

  private static func bindKeys(of editor: OpaquePointer, isVi: Bool = false) {
    for (keys, function) in TerminalKey.bindings {
      unsafe cedit_bind(editor, keys, function)
      if isVi { unsafe cedit_bind_alternate(editor, keys, function) }
    }
    for (keys, function) in isVi ? TerminalKey.viBindings : TerminalKey.emacsBindings {
      if isVi {
        unsafe cedit_bind_alternate(editor, keys, function)
      } else {
        unsafe cedit_bind(editor, keys, function)
      }
    }
  }

  /// The longest line that is stored for recall.
  private static let longestRecalled = 4096
}

/// The user's settings for line editing: the file `$EDITRC`, or else `~/.editrc`. libedit could
/// read it itself, but does not report the line that it fails on.
///
/// SAFETY: libedit borrows the text of a setting for the length of the call.
@safe enum LineSettings {
  /// Applies all settings, and returns the first line that libedit does not understand.
  static func apply(to editor: OpaquePointer) -> SettingsFault? {
    guard let path, let loaded = try? DiskFiles().read(path, strippingCR: false) else { return nil }
    let lines = loaded.text.bytes.split(separator: .newline, omittingEmptySubsequences: false)
    var fault: SettingsFault?
    for (index, line) in lines.enumerated() {
      let setting = line.drop { $0.isSpace }
      if setting.isEmpty || setting.first == UInt8(ascii: "#") { continue }
      let inner = "\\\(String(innerMacro, radix: 8))\(index);"
      let isUnderstood = unsafe SystemName.lend(Array(setting)) {
        unsafe cedit_run_setting(editor, $0, macro + inner, inner) == 0
      }
      if !isUnderstood && fault == nil { fault = SettingsFault(path: path, line: index + 1) }
    }
    // Settings may choose other key maps, or bind the keys themselves.
    unsafe cedit_bind_everywhere(editor, macro, "ued-macro")
    unsafe cedit_bind_everywhere(editor, TerminalKey.enter.setting, "ed-newline")
    return fault
  }

  /// The key that begins each macro, as settings write it; see `TerminalFunctions.beginMacro`.
  private static let macro = "\\236"
  /// The first key of the sequence after `macro`, which is bound to the text of the macro.
  private static let innerMacro: UInt8 = 0x9F

  private static var path: [UInt8]? {
    ProcessArguments.environment("EDITRC")
      ?? ProcessArguments.environment("HOME").map { $0 + Array("/.editrc".utf8) }
  }
}
