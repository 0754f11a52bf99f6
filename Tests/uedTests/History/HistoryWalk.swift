import Differential
import Testing
import TextBuffer

@testable import ued

/// Random commands, given to an editor and to a model side by side.
struct HistoryWalk {
  private var random: SplitMix64
  private(set) var model: HistoryModel
  let driver: EditorDriver
  /// Whether an error gives up open groups, as in a script.
  private let isScript: Bool
  /// Whether marks are set and compared.
  private var hasMarks: Bool
  private var texts = 0
  /// What was run.
  private(set) var scripts: [String] = []
  /// What is not as it should be.
  private(set) var failures: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let count = random.below(6)
    let lines = (0..<count).map { "start \($0)" }
    model = HistoryModel(lines)
    isScript = random.chance(50)
    hasMarks = random.chance(75)
    driver = EditorDriver(lines.map { $0 + "\n" }.joined(), kind: isScript ? .other : .terminal)
  }

  /// Runs one random command.
  mutating func step() {
    switch random.below(100) {
    case ..<50: edit()
    case ..<58: mark()
    case ..<66: undoCommand()
    case ..<82: walk()
    case ..<94: group()
    default: fail()
    }
  }

  /// Notes a failure unless `fact` is so.
  private mutating func check(_ fact: Bool, _ what: @autoclosure () -> String) {
    if !fact { failures.append(what()) }
  }

  private mutating func run(_ command: String, fails: Bool = false) {
    scripts.append(command)
    let failure = driver.run(command + "\n")
    check((failure != nil) == fails, failure.map { "\($0)" } ?? "no error")
    if fails && isScript { while model.isInGroup { model.abort() } }
  }

  private mutating func fresh(upTo count: Int = 3) -> [String] {
    (0...random.below(count)).map { _ in
      texts += 1
      return "\(random.pick(["a", "b", "c"]))\(texts)"
    }
  }

  /// A range of lines of the text.
  private mutating func range() -> ClosedRange<Int> {
    let first = 1 + random.below(model.lines.count)
    return first...min(model.lines.count, first + random.pick([0, 0, 1, 3]))
  }

  // MARK: - Edits

  private mutating func edit() {
    let kind = random.below(15)
    if model.lines.isEmpty || model.lines.count < 12 && kind < 5 { return insert() }
    let lines = range()
    let address = "\(lines.lowerBound),\(lines.upperBound)"
    switch kind {
    case 5: replace(lines, address)
    case 6: join(lines, address)
    case 7: move(lines, address)
    case 8 where model.lines.count < 10: copy(lines, address)
    case 9: substitute(lines, address)
    case 10: global()
    case 11: put()
    case 12 where model.lines.count < 10: read()
    case 13 where !hasMarks && !model.isInGroup: comeToNothing(lines, address)
    case 14 where random.chance(20): editFile()
    default: delete(lines, address)
    }
  }

  private mutating func insert() {
    let before = random.chance(30)
    // More often than not where it may be joined with the edit before.
    let line =
      random.chance(60) && model.line <= model.lines.count
      ? model.line : random.below(model.lines.count + 1)
    let new = fresh()
    let place = before ? max(line - 1, 0) : line
    run("\(line)\(before ? "i" : "a")\n\(new.joined(separator: "\n"))\n.")
    insert(new, at: place)
  }

  private mutating func insert(_ new: [String], at place: Int) {
    model.change(span: .init(start: place, removed: 0, inserted: new.count)) { model in
      model.lines.insert(contentsOf: model.fresh(new), at: place)
      model.line = place + new.count
      model.isModified = true
      return true
    }
  }

  private mutating func delete(_ lines: ClosedRange<Int>, _ address: String) {
    run(address + "d")
    let span = HistoryModel.Span(
      start: lines.lowerBound - 1, removed: lines.count, inserted: 0)
    model.change(span: span) { model in
      model.remove(lines)
      model.line = min(lines.lowerBound, model.lines.count)
      return true
    }
  }

  private mutating func replace(_ lines: ClosedRange<Int>, _ address: String) {
    let new = fresh()
    run(address + "c\n\(new.joined(separator: "\n"))\n.")
    let start = lines.lowerBound - 1
    model.change(span: .init(start: start, removed: lines.count, inserted: new.count)) { model in
      model.remove(lines)
      model.lines.insert(contentsOf: model.fresh(new), at: start)
      model.line = start + new.count
      return true
    }
  }

  private mutating func join(_ lines: ClosedRange<Int>, _ address: String) {
    run(address + "j")
    model.change { model in
      if lines.count == 1 { return false }
      let joined = model.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text).joined()
      model.remove(lines)
      model.lines.insert(contentsOf: model.fresh([joined]), at: lines.lowerBound - 1)
      model.line = lines.lowerBound
      return true
    }
  }

  private mutating func move(_ lines: ClosedRange<Int>, _ address: String) {
    let target = random.below(model.lines.count + 1)
    if target >= lines.lowerBound && target < lines.upperBound { return }
    run("\(address)m\(target)")
    model.change { model in
      model.isModified = true
      if target == lines.lowerBound - 1 || target == lines.upperBound {
        model.line = lines.upperBound
        return false
      }
      let moved = Array(model.lines[lines.lowerBound - 1..<lines.upperBound])
      model.lines.removeSubrange(lines.lowerBound - 1..<lines.upperBound)
      let place = target < lines.lowerBound ? target : target - lines.count
      model.lines.insert(contentsOf: moved, at: place)
      model.line = place + lines.count
      return true
    }
  }

  private mutating func copy(_ lines: ClosedRange<Int>, _ address: String) {
    let target = random.below(model.lines.count + 1)
    run("\(address)t\(target)")
    model.change { model in
      let copies = model.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text)
      model.lines.insert(contentsOf: model.fresh(copies), at: target)
      model.line = target + lines.count
      model.isModified = true
      return true
    }
  }

  private mutating func substitute(_ lines: ClosedRange<Int>, _ address: String) {
    let letter = random.pick(["a", "b", "c"])
    let found = lines.filter { model.lines[$0 - 1].text.hasPrefix(letter) }
    // First the change, since an error may give up the group that it is in.
    model.change { $0.append(to: found) }
    run("\(address)s/^\(letter).*/&+/", fails: found.isEmpty)
  }

  private mutating func global() {
    let letter = random.pick(["a", "b", "c"])
    let found = model.lines.indices.map { $0 + 1 }
      .filter { model.lines[$0 - 1].text.hasPrefix(letter) }
    switch random.below(4) {
    case 0:
      run("g/^\(letter)/d")
      model.change { model in
        guard let last = found.last else { return false }
        let text = model.lines[last - 1].text
        for line in found.reversed() { model.remove(line...line) }
        model.cut = [text]
        model.line = min(last - found.count + 1, model.lines.count)
        return true
      }
    case 1:
      run("g/^\(letter)/m0")
      model.change { model in
        if found.isEmpty { return false }
        let moved = found.reversed().map { model.lines[$0 - 1] }
        for line in found.reversed() { model.lines.remove(at: line - 1) }
        model.lines = moved + model.lines
        model.line = 1
        model.isModified = true
        return found != [1]
      }
    case 2:
      run("g/^\(letter)/s/$/+/")
      model.change { $0.append(to: found) }
    default:
      run("g/^\(letter)/p")
      model.change { model in
        model.line = found.last ?? model.line
        return false
      }
    }
  }

  private mutating func put() {
    guard let cut = model.cut, !cut.isEmpty, cut.count + model.lines.count < 14 else { return }
    let line = random.below(model.lines.count + 1)
    run("\(line)x")
    model.change { model in
      model.lines.insert(contentsOf: model.fresh(cut), at: line)
      model.line = line + cut.count
      model.isModified = true
      return true
    }
  }

  /// Makes a file of new lines.
  private mutating func file(upTo count: Int) -> [String] {
    let new = fresh(upTo: count)
    Disk.write(driver.folder + "/r", Array(new.map { $0 + "\n" }.joined().utf8))
    return new
  }

  private mutating func read() {
    let new = file(upTo: 2)
    let line = random.below(model.lines.count + 1)
    run("\(line)r \(driver.folder)/r")
    model.change { model in
      model.lines.insert(contentsOf: model.fresh(new), at: line)
      model.line = line + new.count
      model.isModified = true
      return true
    }
  }

  private mutating func editFile() {
    let new = file(upTo: 4)
    let marks = model.marks
    run("E \(driver.folder)/r")
    model.change { model in
      model.lines = model.fresh(new)
      model.line = new.count
      return true
    }
    (model.cut, model.undoPoint) = (nil, nil)
    model.marks = model.marks.map { _ in nil }
    if !model.isInGroup {
      model.revisions[model.current].before.marks = marks
      model.revisions[model.current].after = model.state
    }
    model.save()
    run("f \(driver.folder)/f")
  }

  /// Deletes lines and puts the same ones there.
  private mutating func comeToNothing(_ lines: ClosedRange<Int>, _ address: String) {
    let old = model.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text)
    delete(lines, address)
    run("\(lines.lowerBound - 1)a\n\(old.joined(separator: "\n"))\n.")
    insert(old, at: lines.lowerBound - 1)
  }

  // MARK: - Words and what else there is

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
    switch random.below(10) {
    case 0, 1:
      if model.groups.count > 3 || model.hasUncertainMarks { return }
      texts += 1
      let name = random.chance(50) ? "group \(texts)" : nil
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
    case 8: revert()
    default:
      run("w")
      model.save()
    }
  }

  private mutating func name() {
    texts += 1
    run("name change \(texts)")
    if model.isInGroup {
      model.groups[model.groups.count - 1].name = "change \(texts)"
    } else {
      model.revisions[model.current].name = "change \(texts)"
      model.keepCurrent()
    }
  }

  private mutating func checkpoint() {
    if model.isInGroup { return run("checkpoint", fails: true) }
    texts += 1
    run("checkpoint here \(texts)")
    model.revisions[model.current].name = "here \(texts)"
    model.revisions[model.current].isCheckpoint = true
    model.keepCurrent()
  }

  /// Takes back some earlier group. Whether that can be is asked of the editor; what comes of it has
  /// to be the lines that there were, without those that the group put and with those that it took.
  private mutating func revert() {
    let path = model.path(to: 0).back
    if path.isEmpty || model.isInGroup { return run("revert 0", fails: true) }
    let id = path[random.below(min(path.count, 4))]
    scripts.append("revert \(id)")
    let group = model.revisions[id]
    let known = identities(before: group)
    let failure = driver.run("revert \(id)\n")
    if id == model.current { check(failure == nil, "the latest group can't be reverted") }
    if failure != nil { return }
    let old = model.revisions[group.parent ?? 0].lines
    let now = driver.text.split(separator: "\n").map { String($0) }
    let taken = Self.without(old.map(\.text), group.lines.map(\.text))
    let put = Self.without(group.lines.map(\.text), old.map(\.text))
    check(
      now.sorted() == (Self.without(model.lines.map(\.text), put) + taken).sorted(), "other lines")
    let buffer = driver.editor.text.buffer
    let line = driver.editor.text.currentLine.value
    model.change { model in
      model.lines = now.indices.map { index in
        let identity = known[buffer.lineIdentity(LineNumber(index + 1))]
        return HistoryModel.Line(identity: identity ?? -1, text: now[index])
      }
      model.line = line
      model.isModified = true
      return true
    }
    check(!model.lines.contains { $0.identity < 0 }, "revert made new lines")
    // What a group took is there twice when the group is reverted twice, and the editor can't tell
    // which of both a mark was on.
    var seen: Set<Int> = []
    for index in model.lines.indices where !seen.insert(model.lines[index].identity).inserted {
      model.lines[index] = model.fresh([model.lines[index].text])[0]
      hasMarks = false
    }
  }

  /// What identifies the lines of the present text, and those of the text before a group, in the
  /// editor and in the model.
  private func identities(before group: HistoryModel.Revision) -> [UInt: Int] {
    var known: [UInt: Int] = [:]
    let parent = group.parent ?? 0
    for (text, lines) in [
      (driver.editor.text.text(of: parent), model.revisions[parent].lines),
      (driver.editor.text.buffer, model.lines),
    ] {
      for index in lines.indices {
        known[text.lineIdentity(LineNumber(index + 1))] = lines[index].identity
      }
    }
    return known
  }

  /// The elements of `all` but for those of `others`, each as often as it is there.
  private static func without(_ all: [String], _ others: [String]) -> [String] {
    var rest = all
    for other in others {
      if let index = rest.firstIndex(of: other) { rest.remove(at: index) }
    }
    return rest
  }

  /// What fails and changes nothing.
  private mutating func fail() {
    run(
      random.pick([
        "99d", "foo", "jump 99999", "jump nothing of that name", "undo 99999", "redo 99999",
        "1,2undo", "history /\\(/", "history what", "earlier x", "later 3", "diff 99999",
        "name", "undo 0", "help nothing", "revert 99999", "'z",
      ]), fails: true)
  }

  // MARK: - Comparing

  /// Compares the present state.
  mutating func compare() {
    let history = driver.history
    if model.hasUncertainMarks { adoptMarks() }
    compare(driver.text, model.lines.map { $0.text + "\n" }.joined(), "text")
    compare(driver.editor.text.currentLine.value, model.line, "current line")
    compare(driver.editor.text.isModified, model.isModified, "modified")
    compare(history.current, model.current, "current revision")
    compare(history.saved, model.saved, "saved revision")
    compare(history.revisions.count, model.revisions.count, "number of revisions")
    for mark in model.marks.indices where hasMarks {
      let line = model.place(of: model.marks[mark], in: model.lines).map { $0 + 1 }
      compare(driver.editor.text.marks[mark]?.value, line, "mark \(mark)")
    }
    if failures.isEmpty { compare(model.current) }
  }

  private mutating func compare<Value: Equatable>(_ value: Value, _ right: Value, _ what: String) {
    check(value == right, "\(what): is \(value), should be \(right)")
  }

  private mutating func adoptMarks() {
    for mark in model.marks.indices {
      model.marks[mark] = (driver.editor.text.marks[mark]?.value).flatMap { line in
        line <= model.lines.count ? model.lines[line - 1].identity : nil
      }
    }
  }

  /// Compares what is known of one revision.
  private mutating func compare(_ id: Int) {
    let (revision, right) = (driver.history[id], model.revisions[id])
    compare(revision.isDropped, right.isDropped, "\(id) dropped")
    compare(revision.wasSaved, right.wasSaved, "\(id) was saved")
    compare(revision.isCheckpoint, right.isCheckpoint, "\(id) checkpoint")
    compare(revision.parent, right.parent, "parent of \(id)")
    compare(revision.preferredChild, right.preferredChild, "preferred child of \(id)")
    compare(driver.history.children(of: id), right.children, "children of \(id)")
    if right.isDropped || id == 0 && right.name == nil { return }
    let name = driver.editor.text.name(id)
    check(right.name.map { $0 == name } ?? !name.isEmpty, "name of \(id) is '\(name)'")
  }

  /// Compares revisions, by what is known of them and by the text: all, or some of many.
  mutating func compareRevisions(upTo count: Int) {
    let all = Array(model.revisions.indices)
    for id in all.count <= count ? all : (0..<count).map({ _ in random.pick(all) }) {
      compare(id)
      if model.revisions[id].isDropped || model.isInGroup { continue }
      let text = String(decoding: driver.editor.text.text(of: id).bytes, as: UTF8.self)
      compare(text, model.revisions[id].lines.map { $0.text + "\n" }.joined(), "text of \(id)")
    }
  }
}

extension EditorDriver {
  var history: History<Change> { editor.text.history }
}

extension HistoryModel {
  /// Deletes lines into the cut buffer.
  mutating func remove(_ lines: ClosedRange<Int>) {
    cut = self.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text)
    self.lines.removeSubrange(lines.lowerBound - 1..<lines.upperBound)
    isModified = true
  }

  /// Adds a `+` to lines, which are new ones then.
  mutating func append(to found: [Int]) -> Bool {
    for number in found {
      cut = [lines[number - 1].text]
      lines[number - 1] = fresh([lines[number - 1].text + "+"])[0]
      line = number
      isModified = true
    }
    return !found.isEmpty
  }
}
