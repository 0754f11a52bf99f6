import Differential
import Testing

/// Tasks as programs have them, each done by one call of ued, and compared byte for byte: `editing-tasks.txt`.
@Suite struct EditingTaskTests {
  /// A task, as shell scripts: the files before, the only call of ued, and the files after.
  struct EditingTask: CustomTestStringConvertible, Sendable {
    var title: String
    var parts: [String]

    var testDescription: String { title }

    static let all: [EditingTask] = {
      let lines = ShownDocument.lines(of: "Tests/uedTests/Strict/editing-tasks.txt")
      var tasks: [EditingTask] = []
      for line in lines.drop(while: { !$0.hasPrefix("== ") }) {
        if line.hasPrefix("== ") {
          tasks.append(EditingTask(title: String(line.dropFirst(3)), parts: [""]))
        } else if line == "--" {
          tasks[tasks.count - 1].parts.append("")
        } else {
          tasks[tasks.count - 1].parts[tasks[tasks.count - 1].parts.count - 1] += line + "\n"
        }
      }
      return tasks
    }()
  }

  @Test(arguments: EditingTask.all)
  func `one call does a task`(_ task: EditingTask) {
    let sandbox = Sandbox("UED_HISTORY=")
    sandbox.run("ued() { \"$UED\" \"$@\"; }\n" + task.parts.joined())
  }

  @Test func `each family of tasks has some, and each task one call`() {
    let families = Dictionary(grouping: EditingTask.all) { $0.title.prefix { $0 != ":" } }
    #expect(families.count == 21 && families.values.allSatisfy { $0.count >= 4 })
    #expect(EditingTask.all.count >= 100)
    for task in EditingTask.all {
      #expect(task.parts.count == 3, "\(task.title)")
      let calls = task.parts[1].matches(of: #/(^|[|;&(] *|\n)([A-Z_]+=\S+ )*ued /#)
      #expect(calls.count == 1, "\(task.title): \(calls.count) calls")
    }
  }
}
