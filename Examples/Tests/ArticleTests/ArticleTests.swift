import Foundation
import Testing

/// The code of the articles on adopting the library, which is that of the examples, and so is compiled.
@Suite struct ArticleTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../../..").standardized

  @Test(arguments: [
    "TextBufferModels.docc/InATextView", "TextBufferModels.docc/InALanguageServer",
    "TextBuffer.docc/InANotesApp",
  ])
  func `every piece of code is in an example`(article: String) throws {
    let sources = try Self.sources()
    let path = "Sources/\(article.prefix { $0 != "." })/\(article).md"
    let text = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
    let pieces = text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(!pieces.isEmpty)
    for piece in pieces {
      #expect(sources.contains { $0.contains(Self.plain(piece)) }, "not in an example: \(piece)")
    }
  }

  /// The sources of the examples.
  private static func sources() throws -> [String] {
    let folder = package.appending(path: "Examples/Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { plain(try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }

  /// The lines of code without their indentation.
  private static func plain(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }
}
