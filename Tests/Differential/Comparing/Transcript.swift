/// A case kept as files: `NAME.ed`, `.in`, `.out` and `.text`, and where they matter `.args`, `.env`,
/// `.stdin`, `.status` and `.err`.
///
/// `.in` is the file `f` before (none: no such file), `.ed` the script, `.out` standard output, `.text`
/// the file `f` after (none: no such file). `.args` and `.env` have a word a line, `.stdin` is `pipe`,
/// `file` or `null`, and `.err` has `ED` in place of the program's name. Times and dates in `.out`
/// are written as `HH:MM:SS` and `YYYY-MM-DD`.
package struct Transcript: Sendable {
  /// Path without the ending.
  package var path: String
  package var test: Case
  package var output: [UInt8]
  package var errors: [UInt8]
  package var text: [UInt8]?
  package var status: Int32

  /// The paths, without endings, of all transcripts in the subfolders of a folder.
  package static func all(in folder: String) -> [String] {
    Disk.names(in: folder).filter { Disk.isFolder(folder + "/" + $0) }.flatMap { command in
      Disk.names(in: folder + "/" + command).filter { $0.hasSuffix(".ed") }
        .map { "\(folder)/\(command)/\($0.dropLast(3))" }
    }
  }

  package init(path: String) {
    func words(_ ending: String) -> [String]? {
      Disk.read(path + ending).map {
        $0.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      }
    }
    self.path = path
    test = Case(
      text: Disk.read(path + ".in"), arguments: words(".args") ?? ["-s", "f"],
      environment: words(".env") ?? ["LC_ALL=C"],
      standardInput: words(".stdin")?.first.flatMap(Case.StandardInput.init) ?? .pipe,
      script: Disk.read(path + ".ed") ?? [])
    output = Disk.read(path + ".out") ?? []
    errors = Disk.read(path + ".err") ?? []
    text = Disk.read(path + ".text")
    status = words(".status")?.first.flatMap { Int32($0) } ?? 0
  }

  /// Output with `HH:MM:SS` in place of each time of day, and `YYYY-MM-DD` in place of each date.
  package static func withoutTimes(_ output: [UInt8]) -> [UInt8] {
    let patterns = ["HH:MM:SS", "YYYY-MM-DD"].map { Array($0.utf8) }
    var plain = output
    for pattern in patterns where output.count >= pattern.count {
      for start in 0...output.count - pattern.count {
        let isFound = pattern.indices.allSatisfy { index in
          let (byte, expected) = (output[start + index], pattern[index])
          let isLetter = expected >= UInt8(ascii: "A")
          return isLetter ? (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte : byte == expected
        }
        if isFound { plain.replaceSubrange(start..<start + pattern.count, with: pattern) }
      }
    }
    return plain
  }

  /// A transcript of a program's behaviour in a case.
  package init(path: String, _ test: Case, result: RunResult) {
    self.path = path
    self.test = test
    output = Self.withoutTimes(result.output)
    errors = result.errors
    text = result.text
    if case .exited(let status) = result.ending { self.status = status } else { status = -1 }
  }

  /// Writes all files except the ones with the default content.
  package func save() {
    func put(_ ending: String, _ bytes: [UInt8]?) {
      if let bytes { Disk.write(path + ending, bytes) }
    }
    func words(_ words: [String], unless usual: [String]) -> [UInt8]? {
      words == usual ? nil : Array(words.map { $0 + "\n" }.joined().utf8)
    }
    put(".in", test.text)
    put(".ed", test.script)
    put(".args", words(test.arguments, unless: ["-s", "f"]))
    put(".env", words(test.environment, unless: ["LC_ALL=C"]))
    put(".stdin", words([test.standardInput.rawValue], unless: ["pipe"]))
    put(".out", output)
    put(".text", text)
    put(".err", errors.isEmpty ? nil : errors)
    put(".status", words(["\(status)"], unless: ["0"]))
  }
}
