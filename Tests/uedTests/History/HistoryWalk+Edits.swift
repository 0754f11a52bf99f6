import Differential

@testable import ued

/// Commands that change the text.
extension HistoryWalk {
  /// Changes the text by a random command.
  mutating func edit() {
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

  /// A range of lines of the text.
  private mutating func range() -> ClosedRange<Int> {
    let first = 1 + random.below(model.lines.count)
    return first...min(model.lines.count, first + random.pick([0, 0, 1, 3]))
  }

  private mutating func insert() {
    let before = random.chance(30)
    // Mostly at the current line, where it may join the last edit.
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
    let span = HistoryModel.Span(start: lines.lowerBound - 1, removed: lines.count, inserted: 0)
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
      model.endStep()
      let place = target < lines.lowerBound ? target : target - lines.count
      model.lines.insert(contentsOf: moved, at: place)
      model.line = place + lines.count
      return true
    }
  }

  private mutating func copy(_ lines: ClosedRange<Int>, _ address: String) {
    let target = random.below(model.lines.count + 1)
    let copies = model.lines[lines.lowerBound - 1..<lines.upperBound].map(\.text)
    run("\(address)t\(target)")
    put(copies, after: target)
  }

  /// Changes the model for a command that puts lines and never joins another.
  private mutating func put(_ new: [String], after line: Int) {
    model.change { model in
      model.lines.insert(contentsOf: model.fresh(new), at: line)
      model.line = line + new.count
      model.isModified = true
      return true
    }
  }

  private mutating func substitute(_ lines: ClosedRange<Int>, _ address: String) {
    let letter = random.pick(["a", "b", "c"])
    let found = lines.filter { model.lines[$0 - 1].text.hasPrefix(letter) }
    // Changes the model first, since an error may abort the open group.
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
        for line in found {
          let moved = model.lines.remove(at: line - 1)
          model.endStep()
          model.lines.insert(moved, at: 0)
          model.endStep()
        }
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
    put(cut, after: line)
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
    put(new, after: line)
  }

  private mutating func editFile() {
    let new = file(upTo: 4)
    // A lost mark is forgotten with the next change.
    let marks = model.marks.map { model.place(of: $0, in: model.lines) == nil ? nil : $0 }
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
}
