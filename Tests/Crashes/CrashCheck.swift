import Differential
import Glibc

/// Records a scenario, and opens the folder that each power cut would leave.
package final class CrashCheck {
  private let folder = TemporaryFolder()
  private let scenario: CrashScenario
  private let program: String
  private let library: String
  package var changes: [DiskChange] = []
  private var first: DiskImage
  private var root: String { folder.path + "/root" }

  /// Records a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The scenario to record.
  ///   - program: The path of the program.
  ///   - library: The path of the library to preload.
  ///
  /// `changes` is empty if a command of the scenario fails.
  package init(_ scenario: CrashScenario, program: String, library: String) {
    (self.scenario, self.program, self.library) = (scenario, program, library)
    mkdir(folder.path + "/root", 0o755)
    first = DiskImage(of: folder.path + "/root")
    guard run("mkdir state; " + scenario.setUp, []) else { return }
    first = DiskImage(of: root)
    guard run(scenario.command, ["UED_DISK_RECORD=\(folder.path)/record"]) else { return }
    changes = DiskChange.all(in: folder["record"] ?? [])
  }

  /// All states that a power cut may leave of the folder, including name changes in any order.
  package func allStates(seed: UInt64) -> CrashStates {
    var states = CrashStates(of: changes, from: first, strict: true, seed: seed)
    states.findAll()
    return states
  }

  /// Some of the states, with names changed in their order, and the last one.
  package func sampleStates(_ count: Int, seed: UInt64) -> [CrashStates.State] {
    var states = CrashStates(of: changes, from: first, strict: false, seed: seed)
    return states.sample(count)
  }

  /// Runs a command of the scenario; false if it fails.
  private func run(_ command: String, _ variables: [String]) -> Bool {
    let environment = [
      "PATH=/usr/bin:/bin", "HOME=\(root)", "XDG_STATE_HOME=\(root)/state", "LC_ALL=C",
      "UED=env LD_PRELOAD=\(library) \(program)", "UED_DISK_ROOT=\(root)",
    ]
    let process = Process.shell(command, environment: environment + variables, directory: root)
    return (try? process.run(.pipe([])))?.ending == .exited(0)
  }

  /// The promises that a state breaks, in words; empty if it keeps all.
  package func failures(in state: CrashStates.State) -> [String] {
    var failures: [String] = []
    let image = state.image
    let said = changes[..<state.cut].filter { $0.call == "said" }.flatMap(\.data)
    let answers = String(decoding: said, as: UTF8.self).split(separator: "\n")
    let isDone = state.cut == changes.count
    let isSaved = isDone || answers.contains { $0.contains("\"command\":\"w\",\"ok\":true") }
    folder["inodes"] = Array(image.write().utf8)
    let names = scenario.texts.keys.sorted()
    if scenario.isAtomic { mend(names, isDone, &failures) }
    for (name, lines) in scenario.backups {
      // A backup is there before the file is written over.
      let isOld = folder["root/" + names[0]] == Self.bytes(scenario.texts[names[0]]?[0])
      guard let bytes = folder["root/" + name] else {
        if !isOld && !scenario.isAtomic { failures.append("no \(name)") }
        continue
      }
      if bytes != Self.bytes(lines) { failures.append("\(name) is \(Self.words(bytes))") }
    }
    let isUnsynced = scenario.unsynced == .always || scenario.unsynced == .untilEnd && !isDone
    for name in names {
      let texts = scenario.texts[name] ?? []
      let bytes = folder["root/" + name]
      let isNew = bytes == Self.bytes(texts[scenario.saved])
      let isWhole = isNew || bytes == Self.bytes(texts[0]) || isUnsaved(bytes, texts)
      if !isWhole && !isUnsynced && !hasRescue(texts, image) {
        failures.append("\(name) is \(Self.words(bytes))")
      }
      if isSaved && !isUnsynced && scenario.saved > 0 && !isNew && hasSave {
        failures.append("\(name) was saved, and is \(Self.words(bytes))")
      }
      if bytes != nil { open(name, texts, isWhole, answers, isDone, &failures) }
    }
    // The next plain save removes the remains of a killed one.
    if Disk.names(in: root).contains(where: { $0.hasPrefix(".ued-") }) {
      launch(names[0], ["-s"], "w\n", &failures)
    }
    // Another program could own a staging folder with files but no marker, so it stays. No run
    // with a journal leaves one.
    let left = Disk.names(in: root).filter { name in
      let inside = Disk.names(in: root + "/" + name)
      let isForeign = !inside.isEmpty && !inside.contains { $0.hasPrefix("ued-") }
      return name.hasPrefix(".ued-") && !isForeign
    }
    if left.contains(where: { !$0.hasPrefix(".ued-old-") || !scenario.isInPlace }) {
      failures.append("left \(left)")
    }
    return failures
  }

  private var hasSave: Bool { !scenario.command.contains("Q\\n") }

  /// Whether a file has the content of `f` before the command.
  private func isUnsaved(_ bytes: [UInt8]?, _ texts: [[String]?]) -> Bool {
    bytes == first.names[root + "/f"].flatMap { first.nodes[$0]?.content }
  }

  /// Whether the folder of a file overwritten in place has the whole old text.
  private func hasRescue(_ texts: [[String]?], _ image: DiskImage) -> Bool {
    guard scenario.isInPlace, let old = first["f"] else { return false }
    return image.visible.contains { $0.key.contains("/.ued-old-") && $0.value.content == old }
  }

  /// Lets the next run finish an unfinished run over several files.
  private func mend(_ names: [String], _ isDone: Bool, _ failures: inout [String]) {
    for name in names { launch(name, ["-s"], "Q\n", &failures) }
    let areNew = names.map {
      folder["root/" + $0] == Self.bytes(scenario.texts[$0]?[scenario.saved])
    }
    if isDone && areNew.contains(false) { failures.append("the run was done, and is undone") }
    if Set(areNew).count != 1 { failures.append("of \(names), new are \(areNew)") }
  }

  /// Opens a file with its history, and walks through that.
  private func open(
    _ name: String, _ texts: [[String]?], _ isWhole: Bool, _ answers: [Substring], _ isDone: Bool,
    _ failures: inout [String]
  ) {
    let count = texts.count + 1
    let script =
      "history json\n,p\n" + String(repeating: "redo\n,p\n", count: count)
      + String(repeating: "undo\n,p\n", count: count + 1) + "w\n"
    let output = launch(name, ["--json", "--history=on"], script, &failures)
    let lines = output.split(separator: "\n")
    guard lines.count == 4 * count + 6 else {
      failures.append("\(lines.count) answers: \(output.suffix(300))")
      return
    }
    let isEnded = isDone || answers.contains { $0.contains("\"command\":\"end\",\"ok\":true") }
    func shown(_ line: Substring) -> Int? {
      func shows(_ text: [String]?) -> Bool {
        let items = (text ?? []).map { "\"\($0)\"" }.joined(separator: ",")
        return line.contains("\"output\":[\(items)]") && line.contains("\"ok\":true")
      }
      if !scenario.partial.isEmpty && !isEnded && shows(scenario.partial) { return texts.count - 1 }
      return texts.firstIndex { shows($0) }
    }
    if !isWhole { return }
    if !lines[lines.count - 2].contains("\"ok\":true") { failures.append("not saved again") }
    if lines[0].contains("Changed outside") { failures.append("changed outside: \(lines[0])") }
    var at = shown(lines[1])
    if at == nil { failures.append("unknown text \(lines[1])") }
    var isEnd = false
    for step in 0..<(2 * count + 1) {
      let isUp = step < count
      if step == count {
        isEnd = false
        let acknowledged = isDone ? texts.count - 1 : acknowledgedText(answers)
        let isKept = scenario.command.contains("history")
        if isKept, (at ?? 0) < acknowledged {
          failures.append("text \(acknowledged) was acknowledged, and redo ends at \(at ?? -1)")
        }
      }
      let (move, text) = (lines[2 + 2 * step], shown(lines[3 + 2 * step]))
      if !move.contains("\"ok\":true") {
        isEnd = true
        if text != at { failures.append("a refused step changes text \(at ?? -1)") }
        continue
      }
      if isEnd { failures.append("a step after a refused one: \(move)") }
      let next = (at ?? 0) + (isUp ? 1 : -1)
      if text != next { failures.append("step \(step): \(next) expected, \(lines[3 + 2 * step])") }
      at = text
    }
  }

  /// The number of the last acknowledged text.
  private func acknowledgedText(_ answers: [Substring]) -> Int {
    var last = 0
    for answer in answers {
      guard answer.contains("\"ok\":true") else { continue }
      let parts = answer.split(separator: "\"revision\":", maxSplits: 1)
      if parts.count == 2, let number = Int(parts[1].prefix { $0.isNumber }) {
        last = max(last, number)
      }
    }
    return last
  }

  /// Runs the program on a file of the folder; a message about a damaged history, or an unexpected
  /// one, is a failure.
  @discardableResult
  private func launch(
    _ name: String, _ arguments: [String], _ script: String, _ failures: inout [String]
  ) -> String {
    let process = Process(
      program, arguments + [name],
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(root)", "XDG_STATE_HOME=\(root)/state", "LC_ALL=C",
        "LD_PRELOAD=\(library)", "UED_DISK_INODES=\(folder.path)/inodes",
      ], directory: root)
    guard let result = try? process.run(.pipe(Array(script.utf8))) else { return "" }
    let errors = String(decoding: result.errors, as: UTF8.self)
    for line in errors.split(separator: "\n") {
      notices[String(line), default: 0] += 1
      for word in ["damaged", "not kept", "set aside", "corrupt"] where line.contains(word) {
        failures.append("said: \(line)")
      }
    }
    guard case .exited = result.ending else {
      failures.append("\(result.ending): \(errors)")
      return ""
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  /// The program's messages on standard error, with their counts.
  private(set) package var notices: [String: Int] = [:]

  private static func bytes(_ lines: [String]??) -> [UInt8]? {
    (lines ?? nil).map { Array($0.map { $0 + "\n" }.joined().utf8) }
  }

  private static func words(_ bytes: [UInt8]?) -> String {
    bytes.map { Escapes.encode(Array($0.prefix(60))) } ?? "missing"
  }
}
