import Differential
import TextBuffer

@testable import ued

/// A line whose identity survives edits in place, moves and steps through the history.
struct ModelLine: Equatable {
  var id: Int
  var text: String
}

/// Random edits addressed by lines of other revisions, checked with a model of identities.
struct LineWalk {
  private var random: SeededGenerator
  private let driver: EditorDriver
  private(set) var scripts: [String] = []
  private(set) var failures: [String] = []
  private var lines: [ModelLine] = []
  /// The lines of each revision.
  private var snapshots: [Int: [ModelLine]] = [:]
  /// The lines that `u` leads to.
  private var undoLines: [ModelLine] = []
  /// The lines at the start of each open group.
  private var groups: [[ModelLine]] = []
  /// The place of lines deleted by the last command: lines inserted there join its group, and are
  /// new.
  private var deletionPlace: Int?
  private var idCount = 0
  /// The first line with each text, and the lines that have shared a text with another.
  private var owners: [String: Int] = [:]
  private var linesSharingText: Set<Int> = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var lines: [ModelLine] = []
    for id in 0..<(3 + random.below(12)) {
      lines.append(ModelLine(id: id, text: "\(id)\(random.pick(["a", "b", "c"]))"))
    }
    idCount = lines.count
    self.lines = lines
    snapshots[0] = lines
    driver = EditorDriver(lines.map { $0.text + "\n" }.joined())
  }

  private var current: Int { driver.editor.text.history.current }

  /// Runs a command and compares.
  mutating func step() {
    if driver.text != text(of: lines) { failures.append("the text before") }
    if lines.count < 3 { append() } else { command() }
    if driver.text != text(of: lines) {
      failures.append("the text is \(driver.text.debugDescription)")
    }
    for line in lines {
      let owner = owners[line.text, default: line.id]
      owners[line.text] = owner
      if owner != line.id { linesSharingText.formUnion([owner, line.id]) }
    }
    for _ in 0..<4 { compareLine() }
  }

  private func text(of lines: [ModelLine]) -> String { lines.map { $0.text + "\n" }.joined() }

  /// Compares where the program and the model have a line of another revision.
  private mutating func compareLine() {
    guard let (id, old) = anySnapshot(), !old.isEmpty,
      driver.editor.text.isRevision(id)
    else { return }
    let index = random.below(old.count)
    let expected = lines.firstIndex { $0.id == old[index].id }.map { $0 + 1 }
    var found: Int?
    do throws(EditorError) {
      found = try driver.editor.text.line(LineNumber(index + 1), of: id).value
    } catch {
      if case .lineIsGone = error {} else { failures.append("\(error)") }
    }
    // Lines with the same text may be confused.
    if linesSharingText.contains(old[index].id) { return }
    if found != expected {
      failures.append("\(index + 1)@\(id) is \(found ?? 0), not \(expected ?? 0)")
    }
  }

  private mutating func anySnapshot() -> (id: Int, lines: [ModelLine])? {
    let id = random.pick(snapshots.keys.sorted())
    return snapshots[id].map { (id, $0) }
  }

  /// An address of one of the lines, as a line of another revision if there is one.
  private mutating func address(of index: Int) -> String {
    guard random.chance(70), let (id, old) = anySnapshot(),
      driver.editor.text.isRevision(id),
      let place = old.firstIndex(where: { $0.id == lines[index].id })
    else { return "\(index + 1)" }
    return id == 0 && random.chance(50) ? "\(place + 1)@" : "\(place + 1)@\(id)"
  }

  private mutating func newLine() -> ModelLine {
    idCount += 1
    return ModelLine(id: idCount, text: "\(idCount)\(random.pick(["a", "b", "c"]))")
  }

  /// Runs a command that edits.
  private mutating func edit(_ script: String, deletesAt place: Int? = nil, to new: [ModelLine]) {
    undoLines = lines
    // Lines with the same text may swap places; the text stays the same, so no group is made.
    let changesNothing = groups.isEmpty && text(of: new) == text(of: lines)
    if !changesNothing { lines = new }
    run(script)
    if changesNothing { return }
    deletionPlace = place
    if groups.isEmpty { snapshots[current] = lines }
  }

  private mutating func run(_ script: String) {
    scripts.append(script)
    if let error = driver.run(script + "\n") { failures.append("\(script): \(error)") }
  }

  // MARK: - Commands

  private mutating func command() {
    switch random.below(20) {
    case 0...2: append()
    case 3, 4: change()
    case 5, 6: delete()
    case 7, 8: move()
    case 9: join()
    case 10, 11: substitute()
    case 12: split()
    case 13, 14: global()
    case 15: replace()
    case 16: copy()
    case 17: toggle()
    case 18: walk()
    default: group()
    }
  }

  private mutating func range(_ most: Int = 4) -> Range<Int> {
    let first = random.below(lines.count)
    return first..<min(lines.count, first + 1 + random.below(most))
  }

  private mutating func addresses(of range: Range<Int>) -> String {
    let first = address(of: range.lowerBound)
    return range.count == 1 ? first : "\(first),\(address(of: range.upperBound - 1))"
  }

  private mutating func append() {
    let new = (0...random.below(3)).map { _ in newLine() }
    var place = lines.isEmpty ? 0 : random.below(lines.count + 1)
    if let deletionPlace, random.chance(60) { place = deletionPlace }
    let letter = place > 0 && (place == lines.count || random.chance(50)) ? "a" : "i"
    let line =
      lines.isEmpty ? "0" : address(of: letter == "a" ? place - 1 : place)
    let text = new.map { $0.text + "\n" }.joined()
    var all = lines
    all.insert(contentsOf: new, at: place)
    edit("\(line)\(lines.isEmpty ? "a" : letter)\n\(text).", to: all)
  }

  private mutating func change() {
    let range = range()
    var new = (0...random.below(3)).map { _ in newLine() }
    if new.count == range.count {
      for index in new.indices { new[index].id = lines[range.lowerBound + index].id }
    }
    var all = lines
    all.replaceSubrange(range, with: new)
    let text = new.map { $0.text + "\n" }.joined()
    let addresses = addresses(of: range)
    edit(random.chance(50) ? "\(addresses)c\n\(text)." : "\(addresses)c <<END\n\(text)END", to: all)
  }

  private mutating func delete() {
    let range = range()
    var all = lines
    all.removeSubrange(range)
    edit("\(addresses(of: range))d", deletesAt: range.lowerBound, to: all)
  }

  private mutating func move() {
    let range = range()
    var target = random.below(lines.count + 1)
    if range.contains(target - 1) && target != range.upperBound { target = range.upperBound }
    let destination = target == 0 ? "0" : address(of: target - 1)
    var all = Array(lines[..<range.lowerBound] + lines[range.upperBound...])
    let place = target <= range.lowerBound ? target : target - range.count
    all.insert(contentsOf: lines[range], at: place)
    edit("\(addresses(of: range))m\(destination)", to: all)
  }

  private mutating func copy() {
    let range = range()
    let target = random.below(lines.count) + 1
    var all = lines
    var copies = Array(lines[range])
    for index in copies.indices { copies[index].id = newLine().id }
    all.insert(contentsOf: copies, at: target)
    edit("\(addresses(of: range))t\(address(of: target - 1))", to: all)
  }

  private mutating func join() {
    let first = random.below(lines.count - 1)
    let range = first..<min(lines.count, first + 2 + random.below(2))
    var all = lines
    let text = lines[range].map(\.text).joined()
    all.replaceSubrange(range, with: [ModelLine(id: lines[first].id, text: text)])
    edit("\(addresses(of: range))j", to: all)
  }

  private mutating func substitute() {
    let range = range(8)
    var all = lines
    let letter = random.pick(["a", "b", "c"])
    var hasChanged = false
    for index in range where all[index].text.hasSuffix("a") {
      all[index].text = all[index].text.dropLast() + letter
      hasChanged = true
    }
    guard hasChanged else { return }
    edit("\(addresses(of: range))s/a$/\(letter)/", to: all)
  }

  private mutating func split() {
    let range = range(8)
    var all = Array(lines[..<range.lowerBound])
    var hasChanged = false
    for line in lines[range] {
      all.append(line)
      if !line.text.hasSuffix("b") { continue }
      hasChanged = true
      all[all.count - 1].text = line.text.dropLast() + "x"
      all.append(ModelLine(id: newLine().id, text: "newa"))
    }
    guard hasChanged else { return }
    all += lines[range.upperBound...]
    edit("\(addresses(of: range))s/b$/x\\\nnewa/", to: all)
  }

  private mutating func global() {
    if random.chance(20) { run("1ka") }
    let letter = random.pick(["a", "b", "c"])
    let matching = lines.filter { $0.text.hasSuffix(letter) }
    let others = lines.filter { !$0.text.hasSuffix(letter) }
    if matching.isEmpty || others.count < 2 { return }
    let global = "g/\(letter)$/"
    switch random.below(5) {
    case 0: edit(global + "d", to: others)
    case 1: edit(global + "m0", to: matching.reversed() + others)
    case 2: edit(global + "m$", to: others + matching)
    case 3:
      edit(
        global + "s/$/c/",
        to: lines.map {
          matching.contains($0) ? ModelLine(id: $0.id, text: $0.text + "c") : $0
        })
    default:
      var all: [ModelLine] = []
      for line in lines {
        all.append(line)
        if matching.contains(line) { all.append(ModelLine(id: newLine().id, text: "new")) }
      }
      edit(global + "a\\\nnew", to: all)
    }
  }

  /// Replaces a block by one that has some of its lines.
  private mutating func replace() {
    let range = range()
    let old = Array(lines[range])
    guard Set(lines.map(\.text)).count == lines.count else { return }
    var new = old
    let index = random.below(old.count)
    if random.chance(50) || old.count == 1 {
      new.insert(newLine(), at: index)
    } else {
      new.remove(at: index)
    }
    var all = lines
    all.replaceSubrange(range, with: new)
    edit("replace <<OLD <<NEW\n\(text(of: old))OLD\n\(text(of: new))NEW", to: all)
  }

  // MARK: - History

  private mutating func toggle() {
    scripts.append("u")
    guard driver.run("u\n") == nil else { return }
    (lines, undoLines) = (undoLines, lines)
    deletionPlace = nil
    if !groups.isEmpty { return }
    let revisions = driver.editor.text.history.revisions
    for id in revisions.indices where snapshots[id] == nil && id != current {
      snapshots[id] = undoLines
    }
    snapshots[current] = lines
  }

  private mutating func walk() {
    guard groups.isEmpty else { return }
    let ids = snapshots.keys.filter { driver.editor.text.isRevision($0) }.sorted()
    let script = random.pick(["undo", "redo", "jump \(random.pick(ids))", "name here"])
    scripts.append(script)
    let before = current
    guard driver.run(script + "\n") == nil else { return }
    deletionPlace = nil
    if current == before { return }
    undoLines = lines
    lines = snapshots[current] ?? []
  }

  private mutating func group() {
    deletionPlace = nil
    if groups.isEmpty || groups.count < 2 && random.chance(20) {
      groups.append(lines)
      run("begin")
    } else if let start = groups.popLast() {
      if random.chance(25) {
        run("abort")
        lines = start
      } else {
        run("end")
        if groups.isEmpty && text(of: start) == text(of: lines) { lines = start }
        if groups.isEmpty { snapshots[current] = lines }
      }
    }
  }
}
