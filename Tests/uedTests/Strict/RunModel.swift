/// Predicts the result of a strict run, from the rules alone and without any code of ued.
///
/// A run has six stages. Each stage has its own function, where each rule is a few lines:
///
/// 1. `run`: the options must make sense together. Without `--atomic` each file is a run of its
///    own, and the other files go on when one fails. With it all files are one run, which ends with
///    the first failure. The exit status is the greatest of 1, 2 and 3, or else 4 if `--check` has
///    found something.
/// 2. `edit`: if a run fails because another program has changed a file, `--retry` repeats the run,
///    unless it has already written something. Only the output of the last attempt is printed.
/// 3. `open`: a missing file gives status 3 with `--expect`, an empty text with `--create`, and
///    otherwise status 2.
/// 4. `execute`: runs the commands as ed does, except that the first error or failing shell command
///    ends the script. With `-i`, `--atomic`, `--diff` and `--check` a `w` waits for stage 6. A `w`
///    to a file with content is an error if the run has neither read nor written that file.
/// 5. `end`: with `-i`, `--diff` and `--check` a changed text is written too, unless `Q` has ended
///    the script. Without these options, unsaved changes give status 2.
/// 6. `commit`: leaves a file alone if it has the same text already. If another program has changed
///    a file since it was read, the status is 3; if `--validate` rejects one, it is 1. No file is
///    then written. With a suffix, `-i` backs a file up as it was before the whole run. Histories
///    are stored with the writes.
///
/// A new option is a column in ``StrictCase``, a new command a case of ``ScriptStep``.
struct RunModel {
  let test: StrictCase
  /// Makes a unified diff of two contents; the old one is nil for a new file.
  let difference: (_ old: String?, _ new: String, _ name: String) -> String
  private let start: ModelDisk

  // The disk after the run.
  var disk: ModelDisk
  var status: Int32 = 0
  var output = ""
  var errors: [ErrorLine] = []
  /// The stored histories, by file.
  var histories: [String: ModelText] = [:]

  // The state of a run.
  private var backedUp: Set<String> = []
  private var wouldChange = false
  private var hasWritten = false
  /// Messages of the attempt, without the errors.
  private var notices: [ErrorLine] = []
  private var writes: [Write] = []
  var text = ModelText()
  /// Texts that were left before their histories could be stored.
  private var leftTexts: [ModelText] = []
  /// The contents of the files when they were read or written.
  private var seen: [String: String] = [:]
  /// The contents that a dry run has shown.
  private var previewed: [String: String] = [:]

  init(
    _ test: StrictCase,
    difference: @escaping (_ old: String?, _ new: String, _ name: String) -> String
  ) {
    self.test = test
    self.difference = difference
    disk = ModelDisk(test.files)
    start = disk
    run()
  }

  var isDry: Bool { test.diff || test.check }
  var writesAtEnd: Bool { test.suffix != nil || isDry }
  var defersWrites: Bool { writesAtEnd || test.atomic }
  var isSilent: Bool { test.silent || writesAtEnd }

  // MARK: - 1. The whole command line

  private mutating func run() {
    if test.restricted && test.validation != .none {
      status = 1
      errors = [ErrorLine(prefix: "", words: "restricted")]
      return
    }
    let names = test.files.names
    if test.atomic || names.isEmpty {
      status = edit(names[...])
    } else {
      for index in names.indices { status = max(status, edit(names[index...index])) }
    }
    if status == 0 && test.check && wouldChange { status = 4 }
  }

  // MARK: - 2. A run over one or all files

  private mutating func edit(_ names: ArraySlice<String>) -> Int32 {
    var retries = test.retries
    let printed = output
    while true {
      do throws(Failure) {
        (writes, leftTexts, hasWritten, text) = ([], [], false, ModelText())
        notices = []
        for index in names.indices {
          leave()
          try open(names[index], isLast: index == test.files.names.count - 1)
          try runScript()
        }
        if names.isEmpty {
          text.revisions = [ModelText.Revision(name: "", lines: [])]
          try runScript()
          if lacksFile { throw fail("no file to edit") }
        }
        try commit()
        if !test.quiet { errors += notices }
        return 0
      } catch {
        if error.isTransient && retries > 0 && !hasWritten {
          retries -= 1
          output = printed
          continue
        }
        report(error)
        return error.status
      }
    }
  }

  private mutating func report(_ failure: Failure) {
    if test.quiet { return }
    errors += notices
    let file = failure.file.map { "\($0): " } ?? ""
    let place = failure.line.map { test.source.place(ofLine: $0) + ": " } ?? ""
    errors.append(ErrorLine(prefix: "ued: " + file + place, words: failure.words))
  }

  // MARK: - 3. Opening

  private mutating func open(_ name: String, isLast: Bool) throws(Failure) {
    if disk.folders.contains(name) {
      throw Failure(file: name, words: "can't read: Is a directory", status: 2)
    }
    if content(of: name) == nil {
      if test.expectation != .none {
        throw Failure(file: name, words: "does not exist, but --expect", status: 3)
      }
      if !test.create { throw Failure(file: name, words: "can't read: No such file", status: 2) }
    }
    read(name)
    guard test.expectation != .none else { return }
    let isWrong = test.expectation == .wrongForLast && isLast
    if isWrong || previewedContent(of: name) != start.read(name) {
      throw Failure(file: name, words: "not the one given by --expect", status: 3)
    }
  }

  /// The content of a file after the waiting writes; nil if it will not exist.
  private func content(of name: String) -> String? {
    writes.first { disk.resolved($0.name) == disk.resolved(name) }?.text
      ?? previewedContent(of: name)
  }

  /// The content of a file, after the shown changes of a dry run.
  private func previewedContent(of name: String) -> String? {
    previewed[disk.resolved(name)] ?? disk.read(name)
  }

  /// Replaces the text by that of a file, as it will be after the waiting writes.
  private mutating func read(_ name: String) {
    let present = disk.read(name)
    let waiting = writes.first { disk.resolved($0.name) == disk.resolved(name) }
    let content = waiting?.text ?? previewedContent(of: name)
    let isAhead = waiting != nil || previewed[disk.resolved(name)] != nil
    text = ModelText()
    text.name = name
    text.historyName = disk.resolved(name)
    if waiting == nil { text.known = (name, present) }
    if waiting == nil { seen[disk.resolved(name)] = present }
    text.lines = ModelText.lines(of: content ?? "")
    if let content, !content.isEmpty, !content.hasSuffix("\n") { text.lacksNewline = true }
    let left = leftTexts.lastIndex {
      $0.historyName == disk.resolved(name) && $0.revisions[$0.saved ?? 0].lines == text.lines
    }
    text.revisions =
      left.map { leftTexts.remove(at: $0).revisions } ?? histories[disk.resolved(name)]?.revisions
      ?? [ModelText.Revision(name: "Opened \(name)", lines: text.lines)]
    if let saved = text.revisions.lastIndex(where: { $0.lines == text.lines }) {
      (text.current, text.saved) = (saved, saved)
      let stored = histories[disk.resolved(name)]
      if let stored, stored.current > saved, left == nil, !isAhead {
        notices.append(ErrorLine(prefix: "ued: \(name): ", words: "from a previous session"))
      }
    } else {
      text.revisions.append(
        ModelText.Revision(
          name: "Changed outside ued", lines: text.lines, parent: text.revisions.count - 1))
      text.current = text.revisions.count - 1
      text.saved = text.current
      if test.history == "on" && !isAhead {
        notices.append(ErrorLine(prefix: "ued: \(name): ", words: "changed outside ued"))
      }
    }
    if !isSilent && content != nil { output += "\(text.fileText.utf8.count)\n" }
  }

  /// Keeps the history of the text until the writes are made.
  private mutating func leave() {
    if text.revisions.count > 1 { leftTexts.append(text) }
  }

  // MARK: - 4. The script

  private mutating func runScript() throws(Failure) {
    var line = 1
    for step in test.body {
      do throws(Failure) {
        try execute(step)
        if step.endsScript { break }
      } catch {
        let isOfEmptyText = error.words == "the text is empty" || error.words == "no match"
        if lacksFile && text.lines.isEmpty && isOfEmptyText { throw fail("no file to edit") }
        throw Failure(
          file: error.file ?? text.name, line: line, words: error.words, status: error.status,
          isTransient: error.isTransient)
      }
      line += step.lines.count
    }
    try end(test.body.first { $0.endsScript })
  }

  /// Whether neither the command line nor the script so far names a file to write at the end.
  private var lacksFile: Bool {
    defersWrites && test.files.names.isEmpty && text.name == nil && writes.isEmpty
  }

  private func fail(_ words: String) -> Failure { Failure(words: words, status: 1) }

  private mutating func execute(_ step: ScriptStep) throws(Failure) {
    switch step {
    case .deleteFirst, .extendLast, .changeNothing, .printAll, .alternation, .filter:
      if text.lines.isEmpty { throw fail("the text is empty") }
      try editLines(step)
    case .append:
      text.change("Append 1 line \(text.end): new", text.lines + ["new"])
    case .fail: throw fail("no match")
    case .write(let name): try write(to: name ?? text.name, appending: false)
    case .appendTo(let name): try write(to: name, appending: true)
    case .writeAndQuit: try write(to: text.name, appending: false)
    case .quit:
      if text.isDirty && !writesAtEnd { throw fail("unsaved changes") }
    case .quitDiscarding: break
    case .edit(let name), .editAnyway(let name):
      if case .edit = step, text.isDirty { throw fail("unsaved changes") }
      let isMissing = content(of: name) == nil
      if defersWrites { leave() } else { storeHistory(of: text) }
      if isMissing { text.name = name }
      if isMissing { throw fail("can't read: No such file") }
      read(name)
    case .setName(let name):
      text.name = name
      output += "\(name)\n"
    case .undo:
      guard let parent = text.revisions[text.current].parent else { throw fail("nothing to undo") }
      if test.verbose { output += "undid: \(text.revisions[text.current].name)\n" }
      text.lines = text.revisions[parent].lines
      text.current = parent
      text.isDirty = text.current != text.saved
    case .begin: text.groupStart = (text.lines, text.isDirty)
    case .end, .abort:
      guard let start = text.groupStart else { throw fail("no open group") }
      if step == .abort { (text.lines, text.isDirty) = start }
      text.endGroup()
    case .hereDocument:
      text.change("Append 1 line \(text.end): .", text.lines + ["."])
    case .endlessHereDocument: throw fail("there is no line 'END'")
    case .unknownCommand: throw fail("no such command")
    case .writeToShell:
      if test.restricted { throw fail("restricted: no shell commands") }
      if test.atomic || isDry { throw fail("'w !COMMAND' can't be used") }
      disk.overwrite("sink", text.fileText)
      if !isSilent { output += "\(text.fileText.utf8.count)\n" }
    case .succeedInShell, .failInShell, .otherWriter, .otherRemoves:
      if test.restricted { throw fail("restricted: no shell commands") }
      if step == .failInShell { throw fail("failed with status 1") }
      if case .otherWriter(let once) = step {
        if !once || disk.read("once") == nil { disk.append("other\n", to: "f") }
        if once { disk.append("", to: "once") }
      }
      if step == .otherRemoves { disk.remove("f") }
      if !isSilent { output += "!\n" }
    }
  }

  private mutating func editLines(_ step: ScriptStep) throws(Failure) {
    let (lines, count) = (text.lines, text.lines.count)
    switch step {
    case .deleteFirst:
      text.change("Delete line 1", Array(lines.dropFirst()))
      if text.lines.isEmpty { text.lacksNewline = false }
    case .extendLast:
      text.change("Substitute /$/x/ on line \(count)", lines.dropLast() + [lines[count - 1] + "x"])
    case .changeNothing:
      if !lines[0].contains("o") { throw fail("no match") }
      text.change("", lines)
    case .filter:
      if test.restricted { throw fail("restricted: no shell commands") }
      text.change("Filter line 1 through tr a-z A-Z", [lines[0].uppercased()] + lines.dropFirst())
    case .alternation:
      let match = test.extended ? ["one", "two"].first { lines[0].contains($0) } : nil
      guard let match else { throw fail("no match") }
      let parts = lines[0].split(separator: match, maxSplits: 1, omittingEmptySubsequences: false)
      text.change(
        "Substitute /one|two/X/ on line 1", [parts.joined(separator: "X")] + lines.dropFirst())
    default: output += lines.map { $0 + "\n" }.joined()
    }
  }

  private mutating func write(to name: String?, appending: Bool) throws(Failure) {
    guard let name else { throw fail("no file name") }
    if text.name == nil { text.name = name }
    var new = text.fileText
    // An append or a write to another file ends with a newline, even if the text does not.
    let isOwn =
      name == text.name || text.known.map { disk.resolved($0.name) } == disk.resolved(name)
    if appending || !isOwn, let last = new.last, last != "\n" { new += "\n" }
    try addWrite(new, to: name, appending: appending)
    let count = new.utf8.count
    text.didSave()
    if !defersWrites {
      let content = writes[0].text
      try commit()
      if text.known.map({ disk.resolved($0.name) }) == disk.resolved(name) || name == text.name {
        text.known = (name, content)
      }
    }
    if !isSilent { output += "\(count)\n" }
  }

  private mutating func addWrite(_ new: String, to name: String, appending: Bool) throws(Failure) {
    let isSame = { [disk] (other: String) in disk.resolved(other) == disk.resolved(name) }
    if let index = writes.firstIndex(where: { isSame($0.name) }) {
      writes[index].text = (appending ? writes[index].text : "") + new
      return
    }
    let present = appending ? previewedContent(of: name) : disk.read(name)
    var known = text.known.flatMap { isSame($0.name) ? $0 : nil }
    if known == nil {
      if let present, !present.isEmpty, !appending, seen[disk.resolved(name)] == nil {
        throw Failure(file: name, words: "exists, but was not read", status: 1)
      }
      known = (name, appending ? disk.read(name) : seen[disk.resolved(name)] ?? present)
    }
    writes.append(Write(name: name, text: (appending ? present ?? "" : "") + new, known: known))
  }

  // MARK: - 5. The end of the script

  /// Ends the script after `step`; nil ends it after its last line.
  private mutating func end(_ step: ScriptStep?) throws(Failure) {
    text.endGroup()
    if step == .quitDiscarding { return }
    let isWritten = writes.contains { $0.name == text.name }
    if writesAtEnd && (text.isDirty || text.current != 0 && !isWritten) {
      guard let name = text.name else {
        throw Failure(words: "no file name", status: 1)
      }
      try addWrite(text.fileText, to: name, appending: false)
      text.didSave()
    }
    if step == nil && text.isDirty && !writesAtEnd {
      throw Failure(file: text.name, words: "unsaved changes", status: 2)
    }
  }

  // MARK: - 6. Writing

  private mutating func commit() throws(Failure) {
    defer { writes = [] }
    let changing = writes.filter { previewedContent(of: $0.name) != $0.text }
    for write in changing {
      if let known = write.known, disk.read(known.name) != known.content {
        throw Failure(
          file: write.name, words: "changed by another program", status: 3, isTransient: true)
      }
    }
    if isDry {
      for write in changing {
        wouldChange = true
        if test.diff {
          output += difference(previewedContent(of: write.name), write.text, write.name)
        }
        previewed[disk.resolved(write.name)] = write.text
      }
      return
    }
    if test.validation == .rejecting, let first = changing.first {
      throw Failure(file: first.name, words: "rejected by the --validate command", status: 1)
    }
    for write in changing {
      if let suffix = test.suffix, !suffix.isEmpty,
        backedUp.insert(disk.resolved(write.name)).inserted,
        let old = disk.read(write.name)
      {
        disk.save(old, as: write.name + suffix)
      }
      disk.save(write.text, as: write.name)
      seen[disk.resolved(write.name)] = write.text
      hasWritten = true
    }
    for text in leftTexts + [text] { storeHistory(of: text) }
    leftTexts = []
  }

  private mutating func storeHistory(of text: ModelText) {
    guard test.history == "on", !isDry, let name = text.historyName else { return }
    var text = text
    text.endGroup()
    if text.revisions.count > 1 { histories[name] = text }
  }
}

/// The messages and the state of a run.
extension RunModel {
  /// An error line: its beginning up to the message, and words of the message.
  struct ErrorLine: Equatable, Sendable {
    var prefix: String
    var words: String
  }

  /// Why a run ends.
  struct Failure: Error {
    var file: String?
    /// The line of the script; nil at the opening and at the end.
    var line: Int?
    var words: String
    var status: Int32
    /// Whether `--retry` may help.
    var isTransient = false
  }

  /// A waiting write.
  struct Write {
    var name: String
    var text: String
    var known: (name: String, content: String?)?
  }
}

/// A text in the model, with its history.
struct ModelText: Sendable {
  struct Revision: Equatable, Sendable {
    var name: String
    var lines: [String]
    var parent: Int?
  }

  /// The default file name; nil without.
  var name: String?
  var lines: [String] = []
  /// Whether the last line is written without a newline.
  var lacksNewline = false
  /// Ed's modified flag.
  var isDirty = false
  /// The last file read or written under the default name, nil before any. The content is nil if
  /// it did not exist.
  var known: (name: String, content: String?)?
  var revisions: [Revision] = []
  var current = 0
  /// The last saved revision; nil if the saved text was not a revision.
  var saved: Int? = 0
  /// The name of the history's file.
  var historyName: String?
  /// The text at the `begin` of an open group, and whether it was modified.
  var groupStart: (lines: [String], isDirty: Bool)?

  /// The place behind the last line, in words.
  var end: String { lines.isEmpty ? "at the top" : "after line \(lines.count)" }

  /// The content to write.
  var fileText: String {
    let text = lines.map { $0 + "\n" }.joined()
    return lacksNewline ? String(text.dropLast()) : text
  }

  /// Splits the content of a file into lines.
  static func lines(of content: String) -> [String] {
    var lines = content.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Changes the text. In an open group, only its end adds a revision.
  mutating func change(_ group: String, _ new: [String]) {
    isDirty = true
    if groupStart == nil { addRevision(group, new, after: lines) }
    lines = new
  }

  private mutating func addRevision(_ name: String, _ new: [String], after old: [String]) {
    if new == old { return }
    revisions.append(Revision(name: name, lines: new, parent: current))
    current = revisions.count - 1
  }

  mutating func endGroup() {
    guard let start = groupStart else { return }
    groupStart = nil
    let wasSaved = !isDirty
    // The name in `ScriptStep.begin`.
    addRevision("tidy", lines, after: start.lines)
    if wasSaved { saved = current }
  }

  mutating func didSave() {
    isDirty = false
    saved = groupStart == nil ? current : nil
  }
}

/// The files of a case: names, links and contents, without times and modes.
struct ModelDisk: Sendable {
  /// The number of the file behind each name.
  private(set) var files: [String: Int] = [:]
  /// The content of each file; a file written in place keeps its number.
  private(set) var contents: [Int: String] = [:]
  /// The targets of the symbolic links.
  private(set) var links: [String: String] = [:]
  private(set) var folders: Set<String> = []
  /// The files whose content has been written since they were laid out.
  private(set) var written: Set<Int> = []

  /// The files before a run.
  init(_ files: StrictCase.Files) {
    let text = "one\ntwo\nthree\n"
    switch files {
    case .none, .missing: break
    case .one, .oneTwice, .several, .severalWithMissing, .severalWithFolder: create("f", text)
    case .empty: create("f", "")
    case .withoutLastNewline: create("f", String(text.dropLast()))
    case .symbolicLink:
      create("target", text)
      links["f"] = "target"
    case .hardLink:
      create("f", text)
      self.files["twin"] = self.files["f"]
    }
    if files == .several { create("g", "two\nand three\n") }
    if files == .severalWithFolder { folders = ["g"] }
    if files.names.contains("h") { create("h", "one\nmore\nof\nthem\n") }
    create("other", "other 1\nother 2\n")
    links["alias"] = "f"
    written = []
  }

  private mutating func create(_ name: String, _ text: String) {
    let number = contents.count
    files[name] = number
    contents[number] = text
    written.insert(number)
  }

  /// The name after following symbolic links. `alias` is one to `f`.
  func resolved(_ name: String) -> String { links[name].map { resolved($0) } ?? name }

  /// The content of a file; nil if it does not exist.
  func read(_ name: String) -> String? { files[resolved(name)].flatMap { contents[$0] } }

  /// Appends to a file in place, as a shell does; creates a missing file.
  mutating func append(_ text: String, to name: String) {
    if let number = files[resolved(name)] {
      contents[number, default: ""] += text
      written.insert(number)
    } else {
      create(resolved(name), text)
    }
  }

  /// Replaces the content of a file in place, as a shell does; creates a missing file.
  mutating func overwrite(_ name: String, _ text: String) {
    if let number = files[resolved(name)] { contents[number] = "" }
    append(text, to: name)
  }

  /// Removes a name.
  mutating func remove(_ name: String) {
    if links.removeValue(forKey: name) == nil { files[name] = nil }
  }

  /// Saves a file as ued does: in place if it has several links, and else as a new file.
  mutating func save(_ text: String, as name: String) {
    let name = resolved(name)
    if let number = files[name], files.values.count(where: { $0 == number }) > 1 {
      contents[number] = text
      written.insert(number)
    } else {
      create(name, text)
    }
  }
}
