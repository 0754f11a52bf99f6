import Glibc
import TextBuffer
import TextBufferModels

/// Work on a file of 2,000,000 lines and about 105 MB.
enum LargeFile {
  static let lineCount = 2_000_000

  /// The file, which is generated once.
  static func makeFile() -> String {
    let path = "/tmp/textbuffer-benchmark.txt"
    if access(path, R_OK) == 0 { return path }
    var generator = SeededGenerator(1)
    var bytes: [UInt8] = []
    for number in 0..<lineCount {
      bytes += Array("\(number) ".utf8)
      let length = 20 + Int(generator.next() % 50)
      for _ in 0..<length { bytes.append(UInt8(0x61 + generator.next() % 26)) }
      bytes.append(0x0A)
    }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      precondition(count > 0)
      written += count
    }
    close(file)
    return path
  }

  static func load(_ path: String) -> PieceTable {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    lseek(file, 0, SEEK_SET)
    return PieceTable(sizeHint: size) { max(0, read(file, $0.baseAddress, $0.count)) }
  }

  static func run() {
    let path = makeFile()
    var text = PieceTable()
    measure("load", per: lineCount, "line") { text = load(path) }
    precondition(text.lineCount == lineCount)
    if isWanted("lookups") { lookups(text, "") }
    if isWanted("edits") { edits(text) }
    if isWanted("transactions") { transactions(text) }
    if isWanted("builder") { builder(text) }
  }

  static func lookups(_ text: PieceTable, _ suffix: String) {
    let count = 1_000_000
    var sum = 0
    measure("offset of a random line" + suffix, per: count, "lookup") {
      var generator = SeededGenerator(2)
      for _ in 0..<count {
        sum &+= text.offset(ofLine: random(&generator, text)).value
      }
    }
    measure("bytes of a random line" + suffix, per: count, "line") {
      var generator = SeededGenerator(2)
      for _ in 0..<count {
        text.withLine(random(&generator, text)) { sum &+= $0.byteCount }
      }
    }
    measure("line at a random offset" + suffix, per: count, "lookup") {
      var generator = SeededGenerator(3)
      for _ in 0..<count {
        let offset = ByteOffset(Int(generator.next() % UInt64(text.byteCount)))
        sum &+= text.lineNumber(at: offset).value
      }
    }
    measure("UTF-16 offset of a random offset" + suffix, per: count, "lookup") {
      var generator = SeededGenerator(3)
      for _ in 0..<count {
        let offset = ByteOffset(Int(generator.next() % UInt64(text.byteCount)))
        sum &+= text.utf16Offset(at: offset)
      }
    }
    measure("UTF-16 offset of the end" + suffix, per: count, "lookup") {
      for index in 0..<count {
        sum &+= text.utf16Offset(at: ByteOffset(text.byteCount - (index & 63)))
      }
    }
    measure("random UTF-16 offset in bytes" + suffix, per: count, "lookup") {
      var generator = SeededGenerator(3)
      for _ in 0..<count {
        sum &+= text.byteOffset(utf16: Int(generator.next() % UInt64(text.utf16Count))).value
      }
    }
    measure("visit all lines" + suffix, per: text.lineCount, "line") {
      text.forEachLine(in: LineRange(1, text.lineCount)) { _, span in
        sum &+= span.byteCount
        return true
      }
    }
    blackHole(sum)
  }

  static func random(_ generator: inout SeededGenerator, _ text: PieceTable) -> LineNumber {
    LineNumber(Int(generator.next() % UInt64(text.lineCount)) + 1)
  }

  static func edits(_ original: PieceTable) {
    let count = 1_000_000
    let line = Array("a line of about as many bytes as the others have\n".utf8)
    var text = original
    measure("replace random lines", runs: 1, per: count, "edit") {
      var generator = SeededGenerator(4)
      for _ in 0..<count {
        text.replaceLines(LineRange(random(&generator, text)), with: line)
      }
    }
    lookups(text, ", edited")
    precondition(text != original)
  }

  static func transactions(_ original: PieceTable) {
    let count = 1_000_000
    let line = Array("a line of about as many bytes as the others have\n".utf8)
    var document = Document(original)
    let before = residentBytes()
    measure("the same as transactions", runs: 1, per: count, "edit") {
      var generator = SeededGenerator(4)
      for _ in 0..<count {
        let number = random(&generator, original)
        document.edit { draft in draft.replaceLines(LineRange(number), with: line) }
      }
    }
    let used = residentBytes() - before
    print("memory of a transaction, its text included: \(used / count) bytes")
    measure("undo them all", runs: 1, per: count, "transaction") {
      while document.undo() != nil {}
    }
    precondition(document.buffer == original)
    measure("redo them all", runs: 1, per: count, "transaction") {
      while document.redo() != nil {}
    }
    measure("move to the first", runs: 1, per: count, "transaction") { document.move(to: 0) }
  }

  static func builder(_ text: PieceTable) {
    var result = PieceTable()
    measure("build of 2,000,000 ranges", per: lineCount, "range") {
      var builder = PieceTable.Builder(from: text)
      var start = 0
      for number in 1...lineCount {
        let end = number == lineCount ? text.byteCount : min(start + 52, text.byteCount)
        builder.keep(ByteOffset(start)..<ByteOffset(end))
        builder.append("x".utf8)
        start = end
      }
      result = builder.finish()
    }
    precondition(result.byteCount == text.byteCount + lineCount)
    measure("visit all lines of that", per: lineCount, "line") {
      result.forEachLine(in: LineRange(1, result.lineCount)) { _, _ in true }
    }
  }
}

/// Keeps a result from being optimised away.
@inline(never) func blackHole(_ value: Int) {
  if value == 0x5EED { print("") }
}
