import Differential
import Glibc

/// A session of editors and outside writers in a folder of its own, decided by its seed.
///
/// One command is given to one editor at a time, and the next step follows its answer.
package final class SimulatedSession {
  /// A broken invariant.
  struct Violation: Error {
    var what: String
  }

  package let seed: UInt64
  let program: String
  let library: DiskLibrary?
  var random: SeededGenerator
  let folder = TemporaryFolder()
  /// The folder for temporary files. No fault reaches it, so that nothing is left in `/var/tmp`.
  private let temporary = TemporaryFolder()
  let work: String
  /// The content of each existing file.
  var files: [String: [UInt8]] = [:]
  var linked: Set<String> = []
  /// Whether a failed call may have made a save go in place.
  var mayHaveSavedInPlace = false
  /// Whether a save in place has failed, so that its folder may still have the old text.
  var mayKeepOldTexts = false
  var ledgers: [String: Ledger] = [:]
  var editors: [SimulatedEditor] = []
  /// Whether the plan has the answers, too.
  package var notesAnswers = false
  /// The steps, for the report of a violation.
  package private(set) var plan: [String] = []
  package var commandCount = 0
  package private(set) var processCount = 0
  private var tokenCount = 0
  static let names = ["a", "b", "c"]

  /// The record of the disk, in a session with a power cut to come; nil after the cut.
  var power: DiskRecording?
  /// As it was at the cut.
  var lastPower: DiskRecording?
  /// Random choices about power cuts, so that the rest of a session is the same without them.
  var powerRandom: SeededGenerator

  package init(seed: UInt64, program: String, library: DiskLibrary?, hasPowerCuts: Bool) {
    (self.seed, self.program, self.library) = (seed, program, library)
    var mixer = SeededGenerator(seed: seed)
    random = SeededGenerator(seed: mixer.next())
    powerRandom = SeededGenerator(seed: mixer.next())
    work = folder.path + "/w"
    mkdir(work, 0o700)
    if hasPowerCuts && library != nil && powerRandom.chance(30) {
      power = DiskRecording(of: folder.path)
    }
  }

  /// Runs the session.
  ///
  /// - Returns: The broken invariant; nil if all hold.
  package func run() -> String? {
    do throws(Violation) {
      try begin()
      for _ in 0..<6 + random.below(20) {
        try step()
        try checkFiles()
      }
      while let editor = editors.last {
        try end(editor)
        try checkFiles()
      }
      try checkEnd()
    } catch {
      return error.what
    }
    return nil
  }

  private func begin() throws(Violation) {
    for name in Self.names.prefix(1 + random.below(3)) where !random.chance(10) {
      files[name] = newText()
      writeInPlace(name)
      if random.chance(10) {
        link("\(work)/\(name)", "\(work)/\(name).link")
        linked.insert(name)
        note("\(name) has a hard link")
      }
    }
    if files.isEmpty { files["a"] = newText() }
    for name in files.keys { writeInPlace(name) }
    noteOutsideChange()
    note("files: \(files.keys.sorted())")
    try open()
  }

  private func step() throws(Violation) {
    if power != nil, powerRandom.chance(8) { return try cutPower() }
    let number = random.below(100)
    if editors.isEmpty || (editors.count < 4 && number < 8) {
      try open()
    } else if number < 16 {
      writeOutside()
    } else if number < 24 {
      try runBatch()
    } else if number < 32 {
      try end(random.pick(editors))
    } else {
      try command(random.pick(editors))
    }
  }

  // MARK: - Chance

  /// Bytes that are in no text yet.
  func token() -> [UInt8] {
    tokenCount += 1
    return Array("k\(tokenCount).".utf8)
  }

  /// A text that no file has had yet, perhaps without its last newline.
  func newText() -> [UInt8] {
    var text = SimulatedText()
    for _ in 0..<1 + random.below(random.pick([3, 6, 40])) { text.lines.append(token()) }
    if random.chance(2) { text.lines += Array(repeating: token(), count: 20_000) }
    text.endsWithNewline = random.chance(90)
    return text.bytes
  }

  func note(_ step: String) { plan.append(step) }

  // MARK: - Processes

  /// The environment of a process with its fault and its clock.
  func environment(_ fault: Fault?) -> [String] {
    var clock: String?
    if random.chance(30) {
      let hour = 3600
      clock = "\(random.pick([-9_000 * hour, -26 * hour, -1, 5 * hour, 9_000 * hour]))"
      if random.chance(50) { clock? += "@\(1 + random.below(100))" }
    }
    if let clock { note("  clock \(clock)") }
    if let fault { note("  fault \(fault.rule)") }
    processCount += 1
    return [
      "PATH=/usr/bin:/bin", "HOME=\(folder.path)", "LC_ALL=C",
      "XDG_STATE_HOME=\(folder.path)/state", "TMPDIR=\(temporary.path)",
    ]
      + (library?.environment(root: folder.path, clock: clock, fault, powerEnvironment) ?? [])
  }

  /// A fault for the next process, or none.
  func randomFault() -> Fault? {
    library != nil && random.chance(35) ? Fault.random(&random) : nil
  }

  func start(_ arguments: [String], _ fault: Fault?) throws(Violation) -> HeldProgram {
    do throws(Process.Failure) {
      return try HeldProgram(
        Process(program, arguments, environment: environment(fault), directory: work))
    } catch {
      throw Violation(what: "\(error.what): \(String(cString: strerror(error.code)))")
    }
  }

  /// Runs ued to its end.
  func run(_ arguments: [String], input: String = "", _ fault: Fault?) throws(Violation) -> (
    output: [UInt8], errors: String, ending: Ending
  ) {
    let held = try start(arguments, fault)
    held.send(Array(input.utf8))
    do throws(HeldProgram.Silence) {
      let result = try held.finish()
      return (result.output, String(decoding: held.errors, as: UTF8.self), result.ending)
    } catch {
      throw Violation(what: "ued \(arguments) hangs")
    }
  }

  /// Sends a command, and notes the groups that the answer confirms.
  ///
  /// - Returns: The answer; nil if the editor has ended.
  func ask(_ editor: SimulatedEditor, _ command: [UInt8]) throws(Violation) -> (
    isOK: Bool, answer: Answer?
  )? {
    commandCount += 1
    note("\(editor.number): \(String(decoding: command.prefix(80), as: UTF8.self))")
    do throws(HeldProgram.Silence) {
      let answer = try editor.ask(command)
      if notesAnswers, let answer { note("  > " + shown(answer.line)) }
      settle(editor, answer)
      if editor.kind == .answering, answer?.status != nil { throw .end }
      return editor.kind == .plain ? (answer == nil, nil) : (answer?.isOK == true, answer)
    } catch .end {
      try reap(editor)
      return nil
    } catch {
      throw Violation(what: "editor \(editor.number) hangs")
    }
  }

  /// The groups that waited for an answer are stored, or ued reports that they are not.
  func settle(_ editor: SimulatedEditor, _ answer: Answer?) {
    editor.hasJustLostHistory = false
    // Groups that were not stored may get new numbers.
    if answer?.notices.contains(" now ") == true { editor.texts = [:] }
    if editor.keepsHistory && editor.tellsThatHistoryIsNotKept(answer) {
      note("  (\(editor.number) keeps no history any more)")
      dropGroups(of: editor)
      // The group may get further lines, and a later attempt may store them.
      if let revision = answer?.revision { ledgers[editor.file]?.forget(revision) }
      editor.keepsHistory = false
      editor.hasJustLostHistory = true
    }
    for group in editor.pending { ledgers[editor.file, default: Ledger()].acknowledge(group) }
    editor.pending = []
  }

  func dropGroups(of editor: SimulatedEditor) {
    for group in editor.pending { ledgers[editor.file]?.doubt(group) }
    editor.pending = []
    editor.unfinished = nil
  }

  // MARK: - Checks

  func read(_ name: String) -> [UInt8]? { Disk.read("\(work)/\(name)") }

  /// Every file must have its content after the last step.
  func checkFiles() throws(Violation) {
    for name in Self.names where read(name) != files[name] {
      throw Violation(what: "\(name) is \(shown(read(name))), not \(shown(files[name]))")
    }
  }

  func shown(_ bytes: [UInt8]?) -> String {
    guard let bytes else { return "missing" }
    return "'\(String(decoding: bytes.prefix(300), as: UTF8.self))' (\(bytes.count) bytes)"
  }
}

/// Other programs, which know nothing of ued.
extension SimulatedSession {
  func writeInPlace(_ name: String) {
    Disk.write("\(work)/\(name)", files[name] ?? [])
  }

  /// Another program changes a file.
  func writeOutside() {
    defer { noteOutsideChange() }
    let name = random.pick(Self.names)
    let path = "\(work)/\(name)"
    guard let old = files[name] else {
      files[name] = newText()
      writeInPlace(name)
      return note("outside: \(name) is made")
    }
    switch random.below(10) {
    case 0...2:
      files[name] = newText()
      writeInPlace(name)
      note("outside: \(name) is rewritten")
    case 3...5:
      files[name] = newText()
      Disk.write(path + ".new", files[name] ?? [])
      rename(path + ".new", path)
      linked.remove(name)
      note("outside: \(name) is replaced")
    case 6, 7:
      files[name] = old + token() + [0x0A]
      writeInPlace(name)
      note("outside: \(name) is appended to")
    case 8:
      utimensat(AT_FDCWD, path, nil, 0)
      note("outside: \(name) is touched")
    default:
      unlink(path)
      files[name] = nil
      linked.remove(name)
      note("outside: \(name) is removed")
    }
  }
}

/// The invariants at the end of a session, checked with a ued without faults.
extension SimulatedSession {
  /// Every file can be changed, every history has the acknowledged groups, and no other file is
  /// left.
  func checkEnd() throws(Violation) {
    // The next run removes the remains of a killed one. If no file is left, that run makes a new
    // file.
    let known = Self.names.filter { files[$0] != nil || ledgers[$0] != nil }
    for name in known.isEmpty ? Self.names.prefix(1) : known[...] { try checkEnd(of: name) }
    let expected = Set(Self.names.flatMap { [$0, $0 + ".link", $0 + ".bak"] })
    let stray = Disk.names(in: work).first {
      !expected.contains($0) && !(mayKeepOldTexts && $0.hasPrefix(".ued-old-"))
    }
    if let stray {
      throw Violation(what: "\(stray) lies about")
    }
    for name in Disk.names(in: folder.path + "/state/ued") {
      if name.contains("damaged") { throw Violation(what: "a history was damaged: \(name)") }
    }
    if random.chance(10) {
      let (_, errors, ending) = try run(["--log"], nil)
      if ending != .exited(0) || !errors.isEmpty { throw Violation(what: "--log: \(errors)") }
    }
  }

  private func checkEnd(of name: String) throws(Violation) {
    let added = token()
    let old = SimulatedText(files[name] ?? [])
    let words = [
      "-s", "--history", "--create", "-e", "$a", "-e", String(decoding: added, as: UTF8.self), "-e",
      ".", "-e", "w", "-e", "history git", name,
    ]
    note("ued \(words.joined(separator: " "))")
    let (output, errors, ending) = try run(words, nil)
    if ending != .exited(0) { throw Violation(what: "at the end: \(ending): \(errors)") }
    files[name] = SimulatedEdit.append(old.lines.count, [added]).applied(to: old).bytes
    try checkFiles()
    if errors.contains("not kept") || errors.contains("damaged") {
      throw Violation(what: "at the end: \(errors)")
    }
    guard let stored = StoredRevisions(output) else {
      throw Violation(what: "the history of \(name) can't be read: \(shown(output))")
    }
    if stored.texts[stored.current] != files[name] {
      throw Violation(what: "\(name) and its history do not agree")
    }
    if let fault = ledgers[name]?.fault(in: stored) {
      throw Violation(what: "the history of \(name): \(fault)")
    }
  }
}
