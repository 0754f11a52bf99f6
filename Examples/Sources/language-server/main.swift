import Foundation

// Speaks JSON on standard input and output, an object a line:
//
//     {"method": "didOpen", "uri": "a", "text": "let 😀 = one\n"}
//     {"method": "didChange", "uri": "a", "changes": [{"range": …, "text": "two"}]}
//     {"id": 1, "method": "hover", "uri": "a", "position": {"line": 0, "character": 10}}
//     {"id": 2, "method": "undo", "uri": "a"}
//
// A real server frames its messages with a header and nests them in "params"; positions and changes are the same.

var server = Server()
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
while let line = readLine() {
  let response: Response?
  do {
    response = server.answer(try JSONDecoder().decode(Request.self, from: Data(line.utf8)))
  } catch {
    response = Response(error: "not a request: \(line)")
  }
  if let response { print(String(decoding: try encoder.encode(response), as: UTF8.self)) }
}
