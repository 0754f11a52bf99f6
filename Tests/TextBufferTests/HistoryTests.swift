import Synchronization
import Testing
import TextBuffer
import TextBufferModels
import TextBufferTesting

@Suite struct `A history` {
  typealias Step = Replacement<Int>

  /// A history of a number, and the number.
  struct Counter {
    var value = 0
    var history = History<Step>(name: "Opened", time: 1)

    mutating func set(_ new: Int, _ name: String? = nil) {
      history.record(Step(before: value, after: new), name: name, time: 2)
      value = new
    }
    mutating func apply(_ steps: [Step]?) {
      for step in steps ?? [] {
        precondition(step.before == value)
        value = step.after
      }
    }
    mutating func undo() { apply(history.undo()) }
    mutating func redo() { apply(history.redo()) }
    mutating func move(to id: Int) { apply(history.move(to: id)) }
  }

  @Test func `starts with one saved revision and nothing to undo`() {
    var counter = Counter()
    #expect(counter.history.current == 0 && !counter.history.isModified)
    #expect(!counter.history.canUndo && !counter.history.canRedo)
    #expect(counter.history.undo() == nil && counter.history.redo() == nil)
    #expect(counter.history[0].name == "Opened" && counter.history[0].time == 1)
    #expect(counter.history[0].parent == nil)
  }

  @Test func `of many revisions tells them apart, and a copy is independent`() {
    var counter = Counter()
    for value in 1...1000 { counter.set(value) }
    var copy = counter
    for value in 1001...1300 { copy.set(value, "copied \(value)") }
    counter.set(-1)
    #expect(counter.history.revisions.count == 1002 && copy.history.revisions.count == 1301)
    for id in [0, 1, 255, 256, 257, 511, 512, 999, 1000] {
      counter.move(to: id)
      copy.move(to: id)
      #expect(counter.value == id && copy.value == id)
      #expect(counter.history[id].parent == (id == 0 ? nil : id - 1))
    }
    counter.move(to: 1001)
    copy.move(to: 1300)
    #expect(counter.value == -1 && copy.value == 1300)
    #expect(counter.history[1001].name == nil && copy.history[1001].name == "copied 1001")
    counter.history.setName("first", of: 256)
    #expect(counter.history[256].name == "first" && copy.history[256].name == nil)
  }

  @Test func `goes back and forth`() {
    var counter = Counter()
    counter.set(10, "ten")
    counter.set(20)
    #expect(counter.history.current == 2 && counter.history[1].name == "ten")
    counter.undo()
    #expect(counter.value == 10 && counter.history.canRedo && counter.history.isModified)
    counter.undo()
    #expect(counter.value == 0 && !counter.history.isModified && !counter.history.canUndo)
    counter.redo()
    counter.redo()
    #expect(counter.value == 20 && !counter.history.canRedo)
  }

  @Test func `keeps the old branch when a new one starts`() {
    var counter = Counter()
    counter.set(1)
    counter.set(2)
    counter.undo()
    counter.set(3)
    #expect(counter.history.children(of: 1) == [2, 3])
    #expect(counter.history[1].preferredChild == 3)
    #expect(counter.history[3].parent == 1)
    counter.move(to: 2)
    #expect(counter.value == 2)
    counter.undo()
    counter.redo()
    #expect(counter.value == 2, "a move makes its way the preferred one")
    #expect(counter.history.path(to: 3).back == [2])
    #expect(counter.history.path(to: 3).forward == [3])
    counter.move(to: 0)
    #expect(counter.value == 0)
    counter.move(to: 3)
    #expect(counter.value == 3)
  }

  @Test func `does not record edits without effect`() {
    var counter = Counter()
    #expect(counter.history.record(Step(before: 0, after: 0)) == nil)
    #expect(counter.history.record([]) == nil)
    #expect(counter.history.current == 0 && counter.history.revisions.count == 1)
  }

  @Test func `keeps several steps as one revision`() {
    var counter = Counter()
    let steps = [Step(before: 0, after: 1), Step(before: 1, after: 1), Step(before: 1, after: 2)]
    #expect(counter.history.record(steps) == 1)
    counter.value = 2
    #expect(counter.history.steps(of: 1) == [steps[0], steps[2]])
    counter.undo()
    #expect(counter.value == 0)
    counter.redo()
    #expect(counter.value == 2)
  }

  @Test func `knows the saved revision`() {
    var counter = Counter()
    counter.set(1)
    #expect(counter.history.isModified)
    counter.history.markSaved()
    #expect(!counter.history.isModified && counter.history[1].wasSaved)
    counter.undo()
    #expect(counter.history.isModified && counter.history.saved == 1)
    counter.redo()
    #expect(!counter.history.isModified)
    counter.history.markUnsaved()
    #expect(counter.history.isModified && counter.history.saved == nil)
  }

  @Test func `lets revisions be named`() {
    var counter = Counter()
    counter.set(1, "one")
    for name in ["first", "v1", nil] {
      counter.history.setName(name, of: 1)
      counter.history.setName(name, of: 0)
      #expect(counter.history[1].name == name && counter.history[0].name == name)
    }
  }

  @Test func `forgets revisions beyond its limit`() {
    var counter = Counter()
    counter.history.levelLimit = 3
    for value in 1...3 { counter.set(value) }
    counter.undo()
    counter.undo()
    counter.set(10)
    #expect(counter.history.oldest == 0 && counter.history.canMove(to: 3))
    counter.set(11)
    #expect(counter.history.oldest == 0)
    counter.set(12)
    #expect(counter.history.oldest == 1 && !counter.history.canMove(to: 0))
    #expect(counter.history.canMove(to: 3))
    counter.set(13)
    #expect(counter.history.oldest == 4 && !counter.history.canMove(to: 3))
    #expect(counter.history.isModified, "the saved revision is gone")
    for _ in 0..<3 { counter.undo() }
    #expect(counter.value == 10 && !counter.history.canUndo && counter.history.undo() == nil)
    for _ in 0..<3 { counter.redo() }
    #expect(counter.value == 13)
  }

  @Test func `does not count discardable steps as modifications`() {
    var counter = Counter()
    counter.history.record(Step(before: 0, after: 1), isDiscardable: true)
    counter.value = 1
    #expect(!counter.history.isModified && counter.history.canUndo)
    counter.set(2)
    #expect(counter.history.isModified)
    counter.undo()
    counter.undo()
    #expect(counter.value == 0 && !counter.history.isModified)
  }
}
