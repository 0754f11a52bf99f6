import Differential

@testable import ued

/// Random commands, given to an editor and to a model side by side.
struct HistoryWalk {
  var random: SeededGenerator
  var model: HistoryModel
  let driver: EditorDriver
  /// Whether an error gives up open groups, as in a script.
  private let isScript: Bool
  /// Whether marks are set and compared.
  private(set) var hasMarks: Bool
  private var textCount = 0
  /// The commands so far.
  private(set) var scripts: [String] = []
  /// The differences between the editor and the model.
  private(set) var failures: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let count = random.below(6)
    let lines = (0..<count).map { "start \($0)" }
    model = HistoryModel(lines)
    isScript = random.chance(50)
    hasMarks = random.chance(75)
    driver = EditorDriver(lines.map { $0 + "\n" }.joined(), kind: isScript ? .other : .terminal)
    // A word before the first error keeps words for the rest of a script.
    driver.run("diff\n")
  }

  /// Runs one random command.
  mutating func step() {
    switch random.below(100) {
    case ..<50: edit()
    case ..<58: mark()
    case ..<66: undoCommand()
    case ..<82: walk()
    case ..<91: group()
    case ..<94: revert()
    default: fail()
    }
  }

  /// Notes a failure unless `fact` is so.
  mutating func check(_ fact: Bool, _ what: @autoclosure () -> String) {
    if !fact { failures.append(what()) }
  }

  mutating func run(_ command: String, fails: Bool = false) {
    scripts.append(command)
    let failure = driver.run(command + "\n")
    check((failure != nil) == fails, failure.map { "\($0)" } ?? "no error")
    if fails && isScript { abortAll() }
  }

  /// Aborts all groups in the model, and runs what the aborted group of a script still lacks.
  private mutating func abortAll() {
    while model.isInGroup {
      model.abort()
      check(driver.run("$d\n") == .groupWasAborted, "not refused in an aborted group")
      check(driver.run("end\n") == (model.isInGroup ? .groupWasAborted : nil), "end")
    }
  }

  mutating func fresh(upTo count: Int = 3) -> [String] {
    (0...random.below(count)).map { _ in
      textCount += 1
      return "\(random.pick(["a", "b", "c"]))\(textCount)"
    }
  }

  // MARK: - Marks, history and groups

  private mutating func mark() {
    if !hasMarks || model.lines.isEmpty { return }
    let mark = random.below(HistoryModel.markCount)
    let line = 1 + random.below(model.lines.count)
    run("\(line)k\(["a", "b", "c"][mark])")
    if !model.hasUncertainMarks { model.marks[mark] = model.lines[line - 1].identity }
  }

  private mutating func undoCommand() {
    let fails = model.undoPoint?.hasChanges != true
    run("u", fails: fails)
    if !fails { model.undo() }
  }

  private mutating func walk() {
    let revisions = model.revisions
    let steps = 1 + random.below(3)
    var ids: [Int]
    switch random.below(6) {
    case 0, 1:
      ids = []
      while let next = revisions[ids.last ?? model.current].parent, ids.count < steps {
        ids.append(next)
      }
      walk(steps == 1 ? "undo" : "undo \(steps)", ids.count < steps ? nil : ids[steps - 1])
    case 2:
      ids = []
      while let next = revisions[ids.last ?? model.current].preferredChild, ids.count < steps {
        ids.append(next)
      }
      walk(steps == 1 ? "redo" : "redo \(steps)", ids.count < steps ? nil : ids[steps - 1])
    case 3:
      let id = random.below(revisions.count)
      walk("jump \(id)", revisions[id].isDropped ? nil : id)
    case 4:
      let saves = revisions.indices.filter { revisions[$0].wasSaved && $0 < model.current }
      walk("earlier \(steps)f", saves.count < steps ? 0 : saves[saves.count - steps])
    default:
      let saves = revisions.indices.filter { revisions[$0].wasSaved && $0 > model.current }
      let last = revisions.lastIndex { !$0.isDropped }
      walk("later \(steps)f", saves.count < steps ? last : saves[steps - 1])
    }
  }

  /// Goes to a revision by a word; nil when that can't be.
  private mutating func walk(_ command: String, _ target: Int?) {
    guard let target, !model.isInGroup else { return run(command, fails: true) }
    run(command)
    model.jump(to: target)
  }

  private mutating func group() {
    switch random.below(9) {
    case 0, 1:
      if model.groups.count > 3 || model.hasUncertainMarks { return }
      textCount += 1
      let name = random.chance(50) ? "group \(textCount)" : nil
      run("begin \(name ?? "")")
      model.begin(name)
    case 2, 3, 4:
      run("end", fails: !model.isInGroup)
      model.end()
    case 5:
      run("abort", fails: !model.isInGroup)
      model.abort()
    case 6: name()
    case 7: checkpoint()
    default:
      run("w")
      model.save()
    }
  }

  private mutating func name() {
    textCount += 1
    run("name change \(textCount)")
    if model.isInGroup {
      model.groups[model.groups.count - 1].name = "change \(textCount)"
    } else {
      model.revisions[model.current].name = "change \(textCount)"
      model.keepCurrent()
    }
  }

  private mutating func checkpoint() {
    if model.isInGroup { return run("checkpoint", fails: true) }
    textCount += 1
    run("checkpoint here \(textCount)")
    model.revisions[model.current].checkpointName = "here \(textCount)"
    model.revisions[model.current].isCheckpoint = true
    model.keepCurrent()
  }

  /// Whether a result has the present text, as when equal lines were moved past each other.
  private func isPresent(_ result: HistoryModel.RevertResult) -> Bool {
    guard case .done(let texts, _) = result else { return false }
    return (texts.last ?? model.lines).map(\.text) == model.lines.map(\.text)
  }

  /// Takes back some earlier group.
  private mutating func revert() {
    let path = model.path(to: 0).back
    let id =
      path.isEmpty || random.chance(10)
      ? random.below(model.revisions.count) : path[random.below(min(path.count, 4))]
    if model.isInGroup || !path.contains(id) { return run("revert \(id)", fails: true) }
    let allowed = model.revertResults(of: id)
    scripts.append("revert \(id)")
    let failure = driver.run("revert \(id)\n")
    let (text, line) = (driver.text, driver.editor.text.currentLine.value)
    var results = allowed.filter { result in
      switch result {
      case .refused(let later):
        if case .revertOverlaps(let other) = failure { other.id == later } else { false }
      case .done(let texts, let lineAfter):
        failure == nil && line == lineAfter
          && text == (texts.last ?? model.lines).map { $0.text + "\n" }.joined()
      }
    }
    if results.isEmpty && failure == nil {
      // Which of equal lines, or of two blocks that changed places, is the current one is not predicted.
      results = allowed.filter { result in
        guard case .done(let texts, _) = result else { return false }
        return text == (texts.last ?? model.lines).map { $0.text + "\n" }.joined()
      }
      if !results.isEmpty { hasMarks = false }
    }
    if results.isEmpty, case .nothingToRevert? = failure, allowed.contains(where: isPresent) {
      return
    }
    if results.isEmpty, case .revertOverlaps? = failure, isTakenBack(allowed) {
      // That came to nothing with another group, but a later one is in the way.
      return
    }
    if results.isEmpty && failure == nil, isTakenBack(allowed) {
      // The model does not predict what becomes of the lines between.
      let isNew = driver.editor.text.history.revisions.count > model.revisions.count
      let texts = isNew ? driver.textsOfLatestGroup : []
      results = [.done(texts: texts.map { model.fresh($0) }, line: line)]
      hasMarks = false
    }
    check(
      !results.isEmpty, "revert \(id): \(failure.map { "\($0)" } ?? text) is none of \(allowed)")
    guard case .done(let texts, _) = results.first else { return }
    model.change { model in
      for text in texts {
        model.lines = text
        model.endStep()
      }
      model.line = line
      model.isModified = true
      return true
    }
    // The model does not predict which of two equal lines a mark is on: a difference may pick either,
    // and a group that is reverted twice puts back the same lines twice.
    if results.count > 1 { hasMarks = false }
    var seen: Set<Int> = []
    for index in model.lines.indices where !seen.insert(model.lines[index].identity).inserted {
      model.lines[index] = model.fresh([model.lines[index].text])[0]
      hasMarks = false
    }
  }

  /// Whether a group that is in the way has been reverted, or has reverted another one.
  private func isTakenBack(_ results: [HistoryModel.RevertResult]) -> Bool {
    let document = driver.editor.text.document
    let taken = model.path(to: 0).back.flatMap { document.contextAfter($0).takenBack?.groups ?? [] }
    return results.contains { result in
      guard case .refused(let later) = result else { return false }
      return document.contextAfter(later).takenBack != nil || taken.contains(later)
    }
  }

  /// Runs a command that fails and changes nothing.
  private mutating func fail() {
    run(
      random.pick([
        "99d", "foo", "jump 99999", "jump nothing of that name", "undo 99999", "redo 99999",
        "1,2undo run", "history /\\(/", "history what", "earlier x", "later 3", "diff 99999",
        "name", "undo 0", "help nothing", "revert 99999", "'z",
      ]), fails: true)
  }
}
