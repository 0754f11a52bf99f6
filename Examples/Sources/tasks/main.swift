import Foundation

/// Runs a command on a list.
///
/// - Returns: The answer, or nil for an unknown command.
func run(_ words: [String], on list: inout TaskList, time: Double) throws -> [String]? {
  let number = words.count == 2 ? Int(words[1]) ?? 0 : 0
  switch words.first {
  case nil: return list.lines.enumerated().map { "\($0 + 1) \($1)" }
  case "add" where words.count > 1:
    try list.add(words.dropFirst().joined(separator: " "), time: time)
  case "done": try list.finish(number, time: time)
  case "remove": try list.remove(number, time: time)
  case "sort": list.sort(time: time)
  case "undo": return ["undid: \(try list.undo())"]
  case "redo": return ["did again: \(try list.redo())"]
  case "log":
    return list.document.history.revisions.dropFirst().reversed().map {
      "\($0.id == list.document.history.current ? "*" : " ") \($0.id) \($0.name ?? "")"
    }
  default: return nil
  }
  return []
}

let file = TaskFile(
  text: URL(filePath: ProcessInfo.processInfo.environment["TASKS"] ?? "tasks.txt"))
do {
  let time = Date().timeIntervalSince1970
  var list = try file.load(time: time)
  let words = Array(CommandLine.arguments.dropFirst())
  guard let answer = try run(words, on: &list, time: time) else {
    print("usage: tasks [add TITLE | done N | remove N | sort | undo | redo | log]")
    exit(2)
  }
  if !words.isEmpty { try file.save(list) }
  for line in answer { print(line) }
} catch {
  print("tasks: \(error)")
  exit(1)
}
