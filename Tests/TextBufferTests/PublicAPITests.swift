import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct `The public API` {
  /// The folder of the fixtures.
  private static let fixtures =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures"

  /// The list is changed on purpose only, together with the library's version and changelog: `make api` writes it.
  @Test(arguments: [
    "TextBuffer": "public-api.txt", "TextBufferModels": "public-api-models.txt",
    "TextLines": "public-api-lines.txt",
  ])
  func `is what its list says`(module: String, list: String) throws {
    let listed = try lines(of: "cat '\(Self.fixtures)/\(list)'")
    let modules = CommandLine.arguments[0].split(separator: "/").dropLast().joined(separator: "/")
    let present = try lines(of: "'\(Self.fixtures)/public-api.sh' '/\(modules)/Modules' \(module)")
    #expect(present.count > 100)
    #expect(present.subtracting(listed).sorted() == [], "new: 'make api' adds it to the list")
    #expect(listed.subtracting(present).sorted() == [], "gone or changed: 'make api' removes it")
  }

  @Test func `needs the standard library, and C in two files`() throws {
    let sources = Self.fixtures + "/../../../Sources/TextBuffer"
    let imports = try lines(of: "grep -rhE '^ *import ' '\(sources)/' --include='*.swift'")
    #expect(
      Set(imports.map { $0.split(separator: " ").last.map(String.init) }) == [
        "Darwin", "Glibc", "Musl", "Synchronization",
      ])
    let files = try lines(of: "cd '\(sources)' && grep -rl 'import Glibc' .")
    #expect(files == ["./Pieces/ByteBlock.swift", "./Pieces/ByteSearch.swift"])
  }

  /// The lines that a command prints.
  private func lines(of command: String) throws -> Set<String> {
    let output = try #require(unsafe popen(command, "r"))
    var (text, line) = ("", [CChar](repeating: 0, count: 4096))
    while unsafe fgets(&line, Int32(line.count), output) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    #expect(unsafe pclose(output) == 0)
    return Set(text.split(separator: "\n").map(String.init))
  }
}
