import Testing

/// README shows code and numbers that other files prove.
@Suite struct PageTests {
  private let lines = ShownDocument.lines(of: "README.md")

  @Test func `the Swift code of README is that of a test`() {
    let start = lines.firstIndex(of: "```swift") ?? lines.endIndex
    let code = lines[start...].dropFirst().prefix { $0 != "```" }.map { plain($0) }
      .filter { !$0.isEmpty && $0 != "import TextBuffer" }
    let tested = ShownDocument.lines(of: "Tests/TextBufferTests/LibraryStoryTests.swift")
      .map { plain($0) }.filter { !$0.isEmpty && !$0.hasPrefix("#expect") }
    #expect(code.count >= 10)
    #expect(tested.indices.contains { tested[$0...].starts(with: code) })
  }

  @Test func `each row of README's tables is in the page of benchmarks`() {
    let measured = Set(ShownDocument.lines(of: "docs/benchmarks.md"))
    let rows = lines.filter { $0.hasPrefix("|") }
    #expect(rows.count >= 12)
    for row in rows { #expect(measured.contains(row), "\(row)") }
  }

  /// A line of code without its indentation and comment.
  private func plain(_ line: String) -> String {
    let code = line.split(separator: "  //").first.map(String.init) ?? ""
    return String(code.drop { $0 == " " })
  }
}
