import Differential
import Glibc

/// Editors: opening, commands and endings.
extension SimulatedSession {
  /// Opens an editor on a file.
  func open() throws(Violation) {
    let name = random.pick(Self.names.filter { files[$0] != nil || random.chance(20) } + ["a"])
    let kind: SimulatedEditor.Kind =
      random.chance(40) ? .plain : .answering
    let history = random.chance(75)
    let fault = randomFault()
    var arguments = kind == .plain ? ["-s"] : ["--json"]
    if history || random.chance(20) { arguments.append("--history=\(history ? "on" : "off")") }
    if kind == .answering && files[name] == nil { arguments.append("--create") }
    let number = processCount + 1
    note("\(number) is ued \(arguments.joined(separator: " ")) \(name)")
    let editor = SimulatedEditor(
      number, kind, try start(arguments + [name], fault), file: name, history: history, fault)
    editors.append(editor)
    editor.known = files[name]
    editor.text = SimulatedText(files[name] ?? [])
    if try ask(editor, Array("#".utf8)) == nil { return }
    try look(editor, isOpening: true)
  }

  /// Asks an editor for its text, which must equal its revision or its file.
  func look(_ editor: SimulatedEditor, isOpening: Bool = false) throws(Violation) {
    guard editor.kind == .answering else { return }
    guard let (_, answer) = try ask(editor, Array(",p".utf8)), let answer else { return }
    let lines = answer.isOK ? answer.output : []
    if answer.lineCount != lines.count {
      throw Violation(what: "no text of \(answer.lineCount) lines in \(shown(answer.line))")
    }
    if isOpening {
      if lines != editor.text.lines {
        // A failing read is reported, and the text is then empty.
        if editor.fails && lines.isEmpty {
          editor.hasFailed = true
          return editor.text = SimulatedText()
        }
        throw Violation(what: "\(editor.number) has not read what is in \(editor.file)")
      }
    } else {
      editor.text.lines = lines
    }
    try recognize(editor, answer.revision)
  }

  /// The text of an editor is a revision's, and a revision never changes.
  private func recognize(_ editor: SimulatedEditor, _ revision: Int) throws(Violation) {
    editor.revision = revision
    let saved = editor.text.saved
    let isStored = editor.keepsHistory
    if let known = editor.texts[revision], known.saved != saved {
      throw Violation(what: "\(editor.number): revision \(revision) is not what it was")
    }
    if isStored, let stored = ledgers[editor.file]?.texts[revision], !stored.contains(saved) {
      throw Violation(what: "\(editor.number): revision \(revision) has another text than before")
    }
    editor.texts[revision] = editor.text
    // A history begins with its first group: until then revision 0 is whatever the file is.
    if isStored && revision > 0 {
      let group = Ledger.Pending(revision: revision, text: saved)
      editor.pending.append(group)
      // Other editors may see it already. A merged group has a new text.
      ledgers[editor.file]?.doubt(group)
    }
  }

  /// The text of a plain script is a revision, unless the next group is merged into it. A change
  /// without effect on the text makes no group.
  private func noteGroup(_ editor: SimulatedEditor, _ text: SimulatedText, from old: SimulatedText)
  {
    if editor.keepsHistory && text.saved != old.saved { editor.unfinished = text.saved }
  }

  func finishGroup(_ editor: SimulatedEditor) {
    guard editor.keepsHistory, editor.groupStart == nil, let text = editor.unfinished else {
      return
    }
    editor.pending.append(.init(revision: nil, text: text))
    editor.unfinished = nil
  }

  /// One command for an editor.
  func command(_ editor: SimulatedEditor) throws(Violation) {
    let number = random.below(100)
    switch number {
    case ..<55: try edit(editor)
    case ..<72 where editor.groupStart == nil && canSave(editor): try save(editor)
    case ..<82 where editor.groupStart == nil: try move(editor)
    case ..<90: try group(editor)
    case ..<94 where editor.groupStart == nil:
      // After an error a plain script may not use ued's own words.
      if try ask(editor, Array("name kept".utf8))?.isOK == true { finishGroup(editor) }
    case ..<96 where editor.kind == .answering && editor.groupStart == nil: try reread(editor)
    case ..<98 where editor.kind == .answering && editor.groupStart == nil:
      try saveElsewhere(editor)
    default: try edit(editor)
    }
  }

  private func edit(_ editor: SimulatedEditor) throws(Violation) {
    let edit = SimulatedEdit.random(of: editor.text, &random) { token() }
    let old = editor.text
    guard let (isOK, answer) = try ask(editor, edit.command) else {
      // Without an answer it may be stored or not, and be a part of the group before.
      if editor.groupStart == nil {
        ledgers[editor.file]?.doubt(
          .init(revision: editor.revision, text: edit.applied(to: old).saved))
      }
      return
    }
    if !isOK {
      if editor.fails { return }
      throw Violation(what: "\(editor.number) has refused an edit: \(shown(answer?.line))")
    }
    editor.text = edit.applied(to: old)
    editor.previous = old
    editor.isSurelyModified = true
    guard let answer else {
      return editor.groupStart == nil ? noteGroup(editor, editor.text, from: old) : ()
    }
    if answer.lineCount != editor.text.lines.count {
      throw Violation(what: "\(editor.number) has \(answer.lineCount) lines")
    }
    if editor.groupStart == nil { try noteRevision(editor, answer.revision) }
  }

  /// An edit has led to a revision: a new one, or the one before if both groups were merged.
  private func noteRevision(_ editor: SimulatedEditor, _ revision: Int) throws(Violation) {
    let isMerged = revision == editor.revision
    if !isMerged,
      editor.texts[revision] != nil
        || (editor.keepsHistory && ledgers[editor.file]?.texts[revision] != nil)
    {
      throw Violation(what: "\(editor.number): the number \(revision) is given twice")
    }
    editor.revision = revision
    editor.texts[revision] = editor.text
    // The lost history may have the group.
    if editor.hasJustLostHistory {
      ledgers[editor.file]?.doubt(.init(revision: revision, text: editor.text.saved))
    }
    guard editor.keepsHistory, revision > 0 else { return }
    if let first = editor.texts[0] { editor.pending.append(.init(revision: 0, text: first.saved)) }
    editor.pending.append(.init(revision: revision, text: editor.text.saved))
  }

  private func move(_ editor: SimulatedEditor) throws(Violation) {
    if editor.kind == .plain {
      guard let previous = editor.previous, random.chance(70) else { return }
      guard let (isOK, _) = try ask(editor, [UInt8(ascii: "u")]) else { return }
      if !isOK && !editor.fails { throw Violation(what: "\(editor.number) can't undo") }
      if isOK {
        finishGroup(editor)
        (editor.text, editor.previous) = (previous, editor.text)
        editor.isSurelyModified = false
      }
      return
    }
    let revision = random.pick(editor.texts.isEmpty ? [0] : editor.texts.keys.sorted())
    let word = random.pick(["undo", "redo", "u", "jump \(revision)", "jump 0"])
    guard let (isOK, answer) = try ask(editor, Array(word.utf8)) else { return }
    if isOK {
      editor.isSurelyModified = false
      let last = (text: editor.text, revision: editor.revision)
      // `u` undoes the last command, even out of a merged group.
      if word == "u", let answer, answer.revision == last.revision {
        forget(answer.revision, editor)
      }
      if editor.texts[answer?.revision ?? 0] == nil { editor.hasOthersText = true }
      try look(editor)
      if !editors.contains(where: { $0 === editor }) { return }
      if word == "u", let previous = editor.previous, previous.lines != editor.text.lines {
        throw Violation(what: "\(editor.number): u has not undone the last command")
      }
      editor.previous = word == "u" ? last.text : nil
    } else if word.hasPrefix("jump"), !editor.fails {
      throw Violation(what: "\(editor.number): \(shown(answer?.line))")
    }
  }

  /// The text of a revision is about to change.
  private func forget(_ revision: Int, _ editor: SimulatedEditor) {
    editor.texts[revision] = nil
    if editor.keepsHistory { ledgers[editor.file]?.forget(revision) }
  }

  private func group(_ editor: SimulatedEditor) throws(Violation) {
    guard let start = editor.groupStart else {
      guard let (isOK, answer) = try ask(editor, Array("begin".utf8)) else { return }
      // After an early error, a plain script has no words of ued's own.
      let isUnknown = editor.kind == .plain && editor.fails
      if !isOK && !isUnknown {
        throw Violation(what: "\(editor.number) can't begin a group: \(shown(answer?.line))")
      }
      if isOK {
        finishGroup(editor)
        editor.groupStart = editor.text
      }
      return
    }
    let isAborted = random.chance(25)
    guard let (isOK, answer) = try ask(editor, Array((isAborted ? "abort" : "end").utf8)) else {
      return
    }
    if !isOK && !editor.fails { throw Violation(what: "\(editor.number) can't end a group") }
    editor.groupStart = nil
    editor.previous = nil
    if isAborted { (editor.text, editor.isSurelyModified) = (start, false) }
    guard let answer else { return noteGroup(editor, editor.text, from: start) }
    if answer.revision == editor.revision { return }
    // Another session has begun the history, and the unchanged text got a number there.
    let known = editor.keepsHistory ? ledgers[editor.file]?.texts[answer.revision] : nil
    if isAborted, known?.contains(start.saved) ?? false {
      editor.revision = answer.revision
    } else {
      try noteRevision(editor, answer.revision)
    }
  }

  /// Reads the file again, whatever the text is.
  private func reread(_ editor: SimulatedEditor) throws(Violation) {
    guard files[editor.file] != nil, editor.isOnlyEditor(among: editors) else { return }
    guard let (isOK, _) = try ask(editor, [UInt8(ascii: "E")]) else { return }
    if !isOK {
      if !editor.fails { throw Violation(what: "\(editor.number) can't read \(editor.file)") }
      editor.hasFailed = true
      return
    }
    editor.known = files[editor.file]
    editor.text = SimulatedText(files[editor.file] ?? [])
    editor.texts = [:]
    editor.isSurelyModified = false
    editor.hasFailed = false
    try look(editor, isOpening: true)
  }
}

extension SimulatedEditor {
  /// Whether no other editor has the file.
  func isOnlyEditor(among editors: [SimulatedEditor]) -> Bool {
    !editors.contains { $0 !== self && $0.file == file }
  }
}
