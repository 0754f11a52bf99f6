import Foundation
import Testing
import TextBuffer

@testable import tasks

@Suite struct TaskTests {
  @Test func `each command is one step`() throws {
    var list = TaskList()
    try list.add("buy bread", time: 1)
    try list.add("call Ada", time: 2)
    try list.finish(1, time: 3)
    list.sort(time: 4)
    #expect(list.lines == ["[ ] call Ada", "[x] buy bread"])
    #expect(try list.undo() == "Sort")
    #expect(try list.undo() == "Finish buy bread")
    #expect(list.lines == ["[ ] buy bread", "[ ] call Ada"])
    #expect(try list.redo() == "Finish buy bread")
    #expect(throws: TaskList.Problem.self) { try list.remove(3, time: 5) }
    #expect(throws: TaskList.Problem.self) { try list.add("two\nlines", time: 5) }
    #expect(list.lines == ["[x] buy bread", "[ ] call Ada"])
  }

  @Test func `undo outlives the program, and what others do to the file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = TaskFile(text: folder.appending(path: "list"))

    var list = try file.load(time: 1)
    try list.add("buy bread", time: 1)
    try list.add("call Ada", time: 2)
    _ = try list.undo()
    try file.save(list)

    list = try file.load(time: 3)
    #expect(list.lines == ["[ ] buy bread"])
    #expect(try list.redo() == "Add call Ada")
    try file.save(list)
    try Data("water the plants\n".utf8).write(to: file.text)

    list = try file.load(time: 4)
    try list.finish(1, time: 5)
    #expect(list.lines == ["[x] water the plants"])
    #expect(try list.undo() == "Finish water the plants")
    #expect(try list.undo() == "Changed elsewhere")
    #expect(list.lines == ["[ ] buy bread", "[ ] call Ada"])
    #expect(throws: TaskList.Problem.self) {
      while true { _ = try list.undo() }
    }
    #expect(list.lines.isEmpty)
  }
}
