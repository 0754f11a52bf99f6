import Differential
import Glibc

/// Saves, the ends of editors, and the allowed results of both for a file.
extension SimulatedSession {
  /// Whether a save would not wait for a lock that another editor holds.
  func canSave(_ editor: SimulatedEditor) -> Bool {
    editor.kind == .plain
      || !editors.contains {
        $0 !== editor && $0.file == editor.file && $0.kind == .answering && $0.hasHistory
      }
  }

  /// `w` to the file of an editor.
  func save(_ editor: SimulatedEditor) throws(Violation) {
    let name = editor.file
    let old = files[name]
    var new = editor.written
    let isForeign = old != editor.known
    editor.writing = new
    if editor.kind == .plain && old == nil { power?.unsynced.insert(name) }
    guard let (isOK, answer) = try ask(editor, [UInt8(ascii: "w")]) else { return }
    editor.writing = nil
    // A group of another editor may lack the last newline.
    if editor.hasOthersText, let present = read(name),
      SimulatedText(present).lines == editor.text.lines
    {
      editor.text = SimulatedText(present)
      new = editor.written
    }
    if isOK {
      if old != nil { power?.unsynced.remove(name) }
      if editor.fails { mayHaveSavedInPlace = true }
      // The copy of the old text that could not be removed stays.
      if linked.contains(name) && editor.fails { mayKeepOldTexts = true }
      // An empty or equal file may be overwritten.
      if isForeign && old?.isEmpty == false && old != new && editor.kind == .answering
        && !editor.hasFailed
      {
        throw Violation(what: "\(editor.number) has written over what another has written")
      }
      // A save of the file's own text does not change it, so a missing last newline stays missing.
      let isSame = editor.kind == .plain && SimulatedText(old ?? []).saved == new
      files[name] = read(name) == old && isSame ? old : new
      // A change by the editor's own failed save does not count as foreign.
      if isForeign && old != new && editor.kind == .plain && !editor.hasFailed {
        try checkOverwriting(editor, old)
      }
      editor.known = files[name]
      editor.isSurelyModified = false
      editor.hasFailed = false
      finishGroup(editor)
      return
    }
    if isForeign && editor.kind == .answering && !editor.fails && answer?.error != "file-changed" {
      throw Violation(what: "a save must fail for another reason: \(shown(answer?.line))")
    }
    if !isForeign && !editor.fails && !editor.hasFailed {
      throw Violation(what: "\(editor.number) can't save: \(shown(answer?.line))")
    }
    if editor.fails { editor.hasFailed = true }
    try accept(name, old, or: editor.fails ? new : old)
  }

  /// `w` to a file that a strict run has not read, which it must not write over.
  func saveElsewhere(_ editor: SimulatedEditor) throws(Violation) {
    let name = random.pick(Self.names.filter { $0 != editor.file })
    // An empty file may be overwritten.
    guard files[name]?.isEmpty == false else { return }
    guard let (isOK, answer) = try ask(editor, Array("w \(name)".utf8)) else { return }
    if isOK { throw Violation(what: "\(editor.number) has written over \(name)") }
    if !editor.fails && answer?.error != "file-exists" {
      throw Violation(what: "a save must fail for another reason: \(shown(answer?.line))")
    }
  }

  /// A plain script says that it has written over another's text, and keeps that in the history.
  private func checkOverwriting(_ editor: SimulatedEditor, _ old: [UInt8]?) throws(Violation) {
    editor.program.readErrors()
    let errors = String(decoding: editor.program.errors, as: UTF8.self)
    guard let old else { return }
    if editor.known != nil && !errors.contains("overwritten") {
      throw Violation(what: "\(editor.number) has written over another's text without a word")
    }
    if editor.keepsHistory {
      editor.pending.append(.init(revision: nil, text: SimulatedText(old).saved))
    }
  }

  /// Accepts a file's content, which must be the old or the new text.
  func accept(_ name: String, _ old: [UInt8]?, or new: [UInt8]?) throws(Violation) {
    let present = read(name)
    if linked.contains(name) { mayKeepOldTexts = true }
    if present != old && present != new {
      try acceptPreserved(name, old)
      return
    }
    files[name] = present
    // A power cut could lose the text. Count it as durable, as the model needs one.
    noteOutsideChange()
  }

  /// A save in place was cut off: its folder has the old text, which is restored.
  private func acceptPreserved(_ name: String, _ old: [UInt8]?) throws(Violation) {
    let copy = Disk.names(in: work).first { $0.hasPrefix(".ued-old-") && read($0) == old }
    guard linked.contains(name), let copy, old != nil else {
      throw Violation(what: "\(name) is torn: \(shown(read(name))), after \(shown(old))")
    }
    note("  (\(name) was torn, its old text is in \(copy))")
    let (_, errors, _) = try run(["-s", name], input: "Q\n", nil)
    if !errors.contains(copy) { throw Violation(what: "nothing is said of \(copy): \(errors)") }
    files[name] = old
    writeInPlace(name)
    unlink("\(work)/\(copy)")
    noteOutsideChange()
  }

  // MARK: - Ends

  /// Lets an editor end: as it should, by the end of its input, or by a signal.
  func end(_ editor: SimulatedEditor) throws(Violation) {
    switch random.below(10) {
    case 0...3:
      if editor.groupStart != nil, try ask(editor, Array("end".utf8)) == nil { return }
      if editor.kind == .answering || random.chance(50) {
        if try ask(editor, Array("#".utf8)) == nil { return }
        finishGroup(editor)
      }
      commandCount += 1
      note("\(editor.number): Q")
      editor.program.send(Array("Q\n".utf8))
    case 4, 5: note("\(editor.number): end of input")
    case 6: try signal(editor, SIGKILL)
    case 7: try signal(editor, SIGINT)
    default: try signal(editor, random.pick([SIGTERM, SIGHUP]))
    }
    try reap(editor)
  }

  /// An editor is killed, whatever it does.
  func kill(_ editor: SimulatedEditor) throws(Violation) {
    try signal(editor, SIGKILL)
    try reap(editor)
  }

  private func signal(_ editor: SimulatedEditor, _ signal: Int32) throws(Violation) {
    note("\(editor.number): signal \(signal)")
    editor.program.signal(signal)
    if signal == SIGINT { return }
    editor.signal = signal
  }

  /// Checks the end of an editor: the expected ending, a whole file, and a text that can be
  /// recovered.
  func reap(_ editor: SimulatedEditor) throws(Violation) {
    editors.removeAll { $0 === editor }
    let ending: Ending
    // A signal must end the program by itself, so the input stays open until then.
    do throws(HeldProgram.Silence) {
      if let signal = editor.signal, signal != SIGKILL { try editor.program.awaitEnd() }
      let last = try editor.program.finish()
      ending = last.ending
      if notesAnswers { note("  > " + shown(last.output)) }
      if editor.kind == .answering { editor.lastWords = last.output }
    } catch {
      throw Violation(what: "editor \(editor.number) does not end")
    }
    note("  (\(editor.number) has ended: \(ending) \(said(by: editor)))")
    let wasKilled = ending == .signalled(SIGKILL)
    if wasKilled && editor.fault?.kills != true && editor.signal != SIGKILL {
      throw Violation(what: "\(editor.number) was killed")
    }
    if case .signalled(let signal) = ending, !wasKilled, signal != editor.signal {
      throw Violation(what: "\(editor.number) has ended by signal \(signal): \(said(by: editor))")
    }
    if editor.tellsThatHistoryIsNotKept(nil) || wasKilled {
      dropGroups(of: editor)
    } else {
      settle(editor, nil)
    }
    if wasKilled { try cutPowerPerhaps() }
    if let writing = editor.writing {
      try accept(editor.file, files[editor.file], or: writing)
    }
    try checkHangup(editor, wasKilled: wasKilled)
  }

  private func said(by editor: SimulatedEditor) -> String {
    String(decoding: editor.program.errors.prefix(1000), as: UTF8.self)
  }

  /// After SIGHUP and SIGTERM, `ed.hup` has the unsaved text.
  private func checkHangup(_ editor: SimulatedEditor, wasKilled: Bool) throws(Violation) {
    let rescued = read("ed.hup")
    unlink("\(work)/ed.hup")
    if wasKilled || editor.fails { return }
    guard let signal = editor.signal, signal != SIGKILL else {
      if rescued != nil { throw Violation(what: "\(editor.number) has made ed.hup") }
      return
    }
    if let rescued, rescued != editor.written,
      !(editor.hasOthersText && SimulatedText(rescued).lines == editor.text.lines)
    {
      throw Violation(what: "ed.hup is \(shown(rescued)), not \(shown(editor.written))")
    }
    // An empty text needs no rescue.
    if rescued == nil && editor.isSurelyModified && !editor.text.lines.isEmpty {
      throw Violation(what: "\(editor.number) has not saved its text in ed.hup")
    }
  }
}
