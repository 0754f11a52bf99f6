import Glibc

/// Generated files to be edited, the same in every run.
struct Inputs {
  let folder: String

  /// Creates a folder for them, which `remove()` deletes with its content.
  init() {
    var path = Array("\(environment("TMPDIR") ?? "/tmp")/ued-bench.XXXXXX".utf8CString)
    precondition(mkdtemp(&path) != nil, "no folder for the files")
    folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func byteCount(_ name: String) -> Int {
    var status = stat()
    return stat(path(name), &status) == 0 ? Int(status.st_size) : 0
  }

  func remove() {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink(path(name))
    }
    rmdir(folder)
  }

  /// Writes a file in pieces, so that this process stays small: its memory counts for its children too.
  func write(_ name: String, count: Int, _ line: (Int, inout [UInt8]) -> Void) {
    guard let file = fopen(path(name), "w") else { preconditionFailure("can't write \(name)") }
    var bytes: [UInt8] = []
    for number in 0..<count {
      line(number, &bytes)
      bytes.append(10)
      if bytes.count > 1 << 16 || number == count - 1 {
        fwrite(bytes, 1, bytes.count, file)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    fclose(file)
  }

  /// Lines of five to eight words, of 53 bytes on average.
  func writeText(_ name: String, lines: Int) {
    var random = SeededGenerator(42)
    let words = Self.words(&random)
    write(name, count: lines) { _, bytes in
      for index in 0..<Int.random(in: 5...8, using: &random) {
        if index > 0 { bytes.append(0x20) }
        // The square of a random number between 0 and 1, so that some words are much more frequent.
        let share = Int(random.next() >> 44)
        bytes += words[(share * share) >> 28]
      }
    }
  }

  /// 4096 words that look like a language.
  private static func words(_ random: inout SeededGenerator) -> [[UInt8]] {
    let starts = [
      "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "qu", "r", "s", "t", "v", "w", "st", "tr",
    ].map { Array($0.utf8) }
    let middles = ["a", "e", "i", "o", "u", "ea", "an", "er", "io"].map { Array($0.utf8) }
    let ends = ["", "n", "s", "t", "r", "z", "nd", "l"].map { Array($0.utf8) }
    return (0..<4096).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).flatMap { _ in
        starts[Int.random(in: 0..<starts.count, using: &random)]
          + middles[Int.random(in: 0..<middles.count, using: &random)]
          + ends[Int.random(in: 0..<ends.count, using: &random)]
      }
    }
  }

  func writeScript(_ name: String, _ lines: [String]) {
    write(name, count: lines.count) { number, bytes in bytes += lines[number].utf8 }
  }
}
