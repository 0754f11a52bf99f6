import Foundation
import Testing

@testable import language_server

@Suite struct LanguageServerTests {
  private func range(_ line: Int, _ start: Int, _ end: Int) -> TextRange {
    TextRange(
      start: Position(line: line, character: start), end: Position(line: line, character: end))
  }

  private func request(
    _ id: Int?, _ method: String, _ changes: [TextChange]? = nil, at position: Position? = nil
  ) -> Request {
    Request(id: id, method: method, uri: "a", changes: changes, position: position)
  }

  private func openServer(_ text: String) -> Server {
    var server = Server()
    #expect(server.answer(Request(method: "didOpen", uri: "a", text: text)) == nil)
    return server
  }

  private func word(_ server: inout Server, _ line: Int, _ character: Int) -> Response? {
    server.answer(request(1, "hover", at: Position(line: line, character: character)))
  }

  @Test func `hover counts UTF-16 units`() {
    var server = openServer("let 😀 = naïve_1 + x\n")
    for column in 9...16 {
      #expect(
        word(&server, 0, column) == Response(id: 1, word: "naïve_1", range: range(0, 9, 16)))
    }
    #expect(word(&server, 0, 5) == Response(id: 1))
    #expect(word(&server, 0, 99)?.word == "x")
    #expect(word(&server, 1, 0) == Response(id: 1))
    #expect(word(&server, 2, 0)?.error?.hasPrefix("there is no such line") == true)
  }

  @Test func `changes are made one after another, and undone together`() {
    var server = openServer("😀 one\ntwo\n")
    let changes = [
      TextChange(range: range(0, 3, 6), text: "1\n2"), TextChange(range: range(1, 0, 1), text: "é"),
    ]
    #expect(server.answer(request(nil, "didChange", changes)) == nil)
    #expect(word(&server, 0, 3)?.word == "1")
    #expect(word(&server, 1, 0)?.word == "é")
    let undone = server.answer(request(2, "undo"))
    #expect(undone?.id == 2 && undone?.changes?.isEmpty == false)
    #expect(word(&server, 0, 4)?.word == "one")
    #expect(server.answer(request(3, "undo")) == Response(id: 3, changes: []))

    // A client that makes these changes has the same text: after redo, too.
    var client = openServer("😀 one\ntwo\n")
    _ = client.answer(request(nil, "didChange", server.answer(request(4, "redo"))?.changes))
    _ = client.answer(request(nil, "didChange", server.answer(request(5, "undo"))?.changes))
    #expect(word(&client, 0, 4)?.range == range(0, 3, 6))
  }

  @Test func `a change without a range replaces all, and one that is wrong leaves all as it was`() {
    var server = openServer("one\n")
    let wrong = [
      TextChange(text: "two\n"),
      TextChange(
        range: TextRange(
          start: Position(line: 0, character: 2), end: Position(line: 0, character: 1)), text: ""),
    ]
    #expect(server.answer(request(nil, "didChange", wrong))?.error != nil)
    #expect(word(&server, 0, 0)?.word == "one")
    #expect(server.answer(request(nil, "didChange", [wrong[0]])) == nil)
    #expect(word(&server, 0, 0)?.word == "two")
    #expect(
      server.answer(Request(id: 1, method: "hover", uri: "b"))?.error?.contains("didOpen") == true)
    #expect(server.answer(request(2, "fold"))?.error == "unknown method 'fold'")
  }

  @Test func `the program answers a line with a line`() throws {
    let program = Process()
    program.executableURL =
      Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
      .deletingLastPathComponent().appending(path: "language-server")
      ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "language-server")
    let (input, output) = (Pipe(), Pipe())
    (program.standardInput, program.standardOutput) = (input, output)
    try program.run()
    let lines = """
      {"method": "didOpen", "uri": "a", "text": "let 😀 = one"}
      {"method": "didChange", "uri": "a", "changes": [{"range": {"start": {"line": 0, "character": 9},\
       "end": {"line": 0, "character": 12}}, "text": "two"}]}
      {"id": 1, "method": "hover", "uri": "a", "position": {"line": 0, "character": 10}}
      {"id": 2, "method": "undo", "uri": "a"}
      nonsense

      """
    try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
    try input.fileHandleForWriting.close()
    let answer = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    program.waitUntilExit()
    let range = #"{"end":{"character":12,"line":0},"start":{"character":9,"line":0}}"#
    #expect(
      answer == """
        {"id":1,"range":\(range),"word":"two"}
        {"changes":[{"range":\(range),"text":"one"}],"id":2}
        {"error":"not a request: nonsense"}

        """)
  }
}
