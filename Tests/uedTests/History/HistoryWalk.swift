import Differential

@testable import ued

/// Random commands, given to an editor and to a model side by side.
struct HistoryWalk {
  var random: SeededGenerator
  var model: HistoryModel
  let driver: EditorDriver
  /// Whether an error aborts open groups, as in a script.
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
    // Own forms stay allowed only if one precedes the first error.
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

  /// Aborts all groups in the model. In the script, checks refusals and runs their `end`s.
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

  /// Moves to a revision; nil if the command must fail.
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
    case 6, 7: name()
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

  /// Undoes some earlier group.
  private mutating func revert() {
    let path = model.path(to: 0).back
    let id =
      path.isEmpty || random.chance(10)
      ? random.below(model.revisions.count) : path[random.below(min(path.count, 4))]
    if model.isInGroup || !path.contains(id) { return run("revert \(id)", fails: true) }
    scripts.append("revert \(id)")
    let before = driver.text
    let failure = driver.run("revert \(id)\n")
    if failure != nil { return check(driver.text == before, "a refused revert changed the text") }
    // The laws of the weave define the result.
    let texts = driver.textsOfLatestGroup
    let line = driver.editor.text.currentLine.value
    model.change { model in
      for text in texts {
        model.lines = model.fresh(text)
        model.endStep()
      }
      model.line = line
      model.isModified = true
      return true
    }
    hasMarks = false
  }

  /// Runs a command that fails and changes nothing.
  private mutating func fail() {
    run(
      random.pick([
        "99d", "foo", "jump 99999", "jump nothing of that name", "undo 99999", "redo 99999",
        "history /\\(/", "history what", "earlier x", "later 3", "diff 99999",
        "name", "undo 0", "help nothing", "revert 99999", "'z",
      ]), fails: true)
  }
}
