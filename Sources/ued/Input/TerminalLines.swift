import CEdit
import Glibc

/// Lines of a terminal, with a prompt, editing, and recall of earlier lines.
///
/// Commands and entered text are recalled separately. The terminal is raw only while a line is being
/// typed.
///
/// SAFETY: `editor` and the two recalls are made in `init` and freed once, in `deinit`. The callbacks
/// run only inside `el_gets`, on this thread; they find `session`, which this value keeps alive, as
/// the client of the editor. What `el_gets` returns is copied before the next call.
@safe struct TerminalLines: ~Copyable, LineSource {
  private let session: TerminalSession
  private let editor: OpaquePointer
  private let commands: OpaquePointer
  private let texts: OpaquePointer
  private let streams: (input: UnsafeMutablePointer<FILE>, output: UnsafeMutablePointer<FILE>)
  private(set) var lineNumber = 0
  /// Whether the settings in `~/.editrc` (or `$EDITRC`) ended at a line that libedit refuses.
  let settingsAreBroken: Bool
  let kind = InputKind.terminal
  let hasLineAhead = false
  let showsPrompt = true

  /// Takes over a terminal; nil when lines cannot be edited there, because one of the two is no
  /// terminal or TERM says that it is a plain or an unknown one.
  ///
  /// - Parameters:
  ///   - input: The descriptor that keys are read from.
  ///   - output: The descriptor that is written to.
  init?(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) {
    guard isatty(input) != 0, isatty(output) != 0, Self.isKnownTerminal else { return nil }
    guard let inputStream = unsafe fdopen(fcntl(input, F_DUPFD_CLOEXEC, 3), "r"),
      let outputStream = unsafe fdopen(fcntl(output, F_DUPFD_CLOEXEC, 3), "w")
    else { return nil }
    unsafe setlocale(LC_CTYPE, "")
    // Without UTF-8 libedit would drop what is typed beyond ASCII.
    if cedit_locale_is_ascii() != 0 { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    guard let editor = unsafe cedit_open("ued", inputStream, outputStream),
      let commands = unsafe cedit_new_history(1000), let texts = unsafe cedit_new_history(1000)
    else { return nil }
    session = TerminalSession(input: input, output: output)
    unsafe (self.editor, self.commands, self.texts) = unsafe (editor, commands, texts)
    unsafe streams = unsafe (inputStream, outputStream)
    unsafe cedit_set_client(editor, Unmanaged.passUnretained(session).toOpaque())
    unsafe cedit_leave_signals_alone(editor)
    unsafe cedit_use_emacs_keys(editor)
    unsafe cedit_set_key_reader(editor, readKey)
    unsafe cedit_set_prompt(editor, showPrompt)
    unsafe cedit_add_function(editor, "ued-paste", "insert what is pasted", insertPasted)
    for (keys, function) in Self.bindings { unsafe cedit_bind(editor, keys, function) }
    let isRefused = unsafe el_source(editor, nil) != 0
    settingsAreBroken = isRefused && Self.hasSettings
  }

  deinit {
    unsafe el_end(editor)
    unsafe history_end(commands)
    unsafe history_end(texts)
    unsafe fclose(streams.input)
    unsafe fclose(streams.output)
  }

  mutating func next(into line: inout [UInt8], for purpose: LinePurpose) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    if case .command(let prompt) = purpose { session.prompt = prompt } else { session.prompt = [] }
    let recall = unsafe purpose == .text ? texts : commands
    unsafe cedit_set_history(editor, recall)
    // The rest of what was pasted belongs to this line and those after it.
    if session.isPasting { unsafe el_push(editor, TerminalSession.pasteBegins) }
    session.wasInterrupted = false
    session.write("\u{1B}[?2004h")
    let count = Interrupts.withJobControl {
      var count: Int32 = 0
      guard let typed = unsafe el_gets(editor, &count), count > 0 else { return 0 }
      unsafe line.append(contentsOf: UnsafeRawBufferPointer(start: typed, count: Int(count)))
      return Int(count)
    }
    session.write("\u{1B}[?2004l")
    guard count > 0, !session.wasInterrupted, line.last == UInt8(ascii: "\n") else {
      line.removeAll(keepingCapacity: true)
      session.isPasting = false
      if session.wasInterrupted { return .interrupted }
      session.write("\n")
      return .end
    }
    line.removeLast()
    lineNumber += 1
    unsafe remember(line, in: recall)
    return .line
  }

  mutating func surrenderUnread() {}

  private func remember(_ line: [UInt8], in recall: OpaquePointer) {
    guard !line.isEmpty else { return }
    let string = (line + [0]).map(CChar.init(bitPattern:))
    unsafe cedit_remember(recall, string)
  }

  private static var isKnownTerminal: Bool {
    guard let name = ProcessArguments.environment("TERM"), !name.isEmpty,
      name != Array("dumb".utf8)
    else { return false }
    return unsafe tgetent(nil, name.map(CChar.init(bitPattern:)) + [0]) == 1
  }

  private static var hasSettings: Bool {
    let named = ProcessArguments.environment("EDITRC")
    let home = ProcessArguments.environment("HOME").map { $0 + Array("/.editrc".utf8) }
    guard let path = named ?? home else { return false }
    return unsafe access(path.map(CChar.init(bitPattern:)) + [0], F_OK) == 0
  }

  /// Keys that terminals send and libedit does not know of itself.
  private static var bindings: [(keys: String, function: String)] {
    [
      ("\t", "ed-insert"), ("^W", "ed-delete-prev-word"),
      ("\\e[H", "ed-move-to-beg"), ("\\eOH", "ed-move-to-beg"), ("\\e[1~", "ed-move-to-beg"),
      ("\\e[7~", "ed-move-to-beg"), ("\\e[F", "ed-move-to-end"), ("\\eOF", "ed-move-to-end"),
      ("\\e[4~", "ed-move-to-end"), ("\\e[8~", "ed-move-to-end"), ("\\e[3~", "ed-delete-next-char"),
      ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"), ("\\e[1;3C", "em-next-word"),
      ("\\e[1;3D", "ed-prev-word"), ("\\e[5~", "ed-search-prev-history"),
      ("\\e[6~", "ed-search-next-history"), ("\\e[2~", "em-toggle-overwrite"),
      ("\\e[200~", "ued-paste"),
    ]
  }
}

/// Answers one character typed, as libedit's `EL_GETCFN`.
private func readKey(_ editor: OpaquePointer?, _ key: UnsafeMutablePointer<wchar_t>?) -> Int32 {
  guard let session = unsafe TerminalSession.of(editor), let key = unsafe key else { return -1 }
  while true {
    switch Interrupts.waitForInput(session.input, isEdited: true) {
    case .ready:
      switch session.readCharacter() {
      case .character(let character):
        unsafe key.pointee = character
        return 1
      case .partOfOne: continue
      case .end: return 0
      }
    case .interrupted:
      session.wasInterrupted = true
      errno = EINTR
      return -1
    case .stop:
      unsafe cedit_set_raw(editor, 0)
      raise(SIGSTOP)
    case .redraw:
      unsafe cedit_set_raw(editor, 0)
      unsafe cedit_set_raw(editor, 1)
      unsafe el_resize(editor)
      session.write("\r\u{1B}[J")
      unsafe cedit_redraw(editor)
    }
  }
}

private func showPrompt(_ editor: OpaquePointer?) -> UnsafeMutablePointer<CChar>? {
  unsafe TerminalSession.of(editor)?.promptString
}

/// Inserts pasted characters without acting on them, up to the end of the line or of the paste.
private func insertPasted(_ editor: OpaquePointer?, _ key: Int32) -> UInt8 {
  guard let session = unsafe TerminalSession.of(editor) else { return UInt8(CC_ERROR) }
  let end = TerminalSession.pasteEnds.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
  var pasted: [wchar_t] = []
  session.isPasting = true
  var character: wchar_t = 0
  var result = UInt8(CC_EOF)
  while unsafe el_wgetc(editor, &character) == 1 {
    if character == 0x0A || character == 0x0D {
      unsafe el_push(editor, "\n")
      result = UInt8(CC_REFRESH)
      break
    }
    pasted.append(character)
    if pasted.suffix(end.count) == end[...] {
      pasted.removeLast(end.count)
      session.isPasting = false
      result = UInt8(CC_REFRESH)
      break
    }
  }
  pasted.removeAll { $0 == 0 }
  unsafe el_winsertstr(editor, pasted + [0])
  return result
}
