import TextBuffer

@testable import ued

/// The editor compared with the model.
extension HistoryWalk {
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

  /// Compares the properties of one revision.
  private mutating func compare(_ id: Int) {
    let (revision, right) = (driver.history[id], model.revisions[id])
    compare(revision.isDropped, right.isDropped, "\(id) dropped")
    compare(revision.wasSaved, right.wasSaved, "\(id) was saved")
    compare(revision.parent, right.parent, "parent of \(id)")
    compare(revision.preferredChild, right.preferredChild, "preferred child of \(id)")
    compare(driver.history.children(of: id), right.children, "children of \(id)")
    if right.isDropped { return }
    compare(revision.name, right.name, "name of \(id)")
    check(!driver.editor.text.document.description(of: id).isEmpty, "description of \(id)")
  }

  /// Compares the properties and texts of revisions: of all, or of some if there are many.
  mutating func compareRevisions(upTo count: Int) {
    let all = Array(model.revisions.indices)
    for id in all.count <= count ? all : (0..<count).map({ _ in random.pick(all) }) {
      compare(id)
      if model.revisions[id].isDropped || model.isInGroup { continue }
      let text = String(decoding: driver.editor.text.document.text(of: id).bytes, as: UTF8.self)
      compare(text, model.revisions[id].lines.map { $0.text + "\n" }.joined(), "text of \(id)")
    }
  }
}
extension EditorDriver {
  var history: History<Change> { editor.text.history }
}
