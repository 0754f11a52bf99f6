import Glibc

/// Writes a file in blocks, so that this process stays small whatever it writes: what a child is told
/// to have used at most is never less than what its parent has.
struct FileMaker: ~Copyable {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  private static let blockSize = 1 << 16

  init(_ path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { fail("cannot write \(path)") }
    pending.reserveCapacity(2 * Self.blockSize)
  }

  deinit {
    var copy = pending[...]
    Self.write(&copy, descriptor)
    close(descriptor)
  }

  /// Appends the UTF-8 of `text`.
  mutating func append(_ text: String) { append(text.utf8) }

  /// Appends bytes.
  mutating func append(_ bytes: some Sequence<UInt8>) {
    pending.append(contentsOf: bytes)
    if pending.count < Self.blockSize { return }
    var rest = pending[...]
    Self.write(&rest, descriptor)
    pending.removeAll(keepingCapacity: true)
  }

  private static func write(_ bytes: inout ArraySlice<UInt8>, _ descriptor: Int32) {
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { fail("cannot write a benchmark's file") }
      bytes.removeFirst(count)
    }
  }
}

/// Texts of words, the same on every run.
enum Words {
  private static let syllables: [[UInt8]] = [
    "an", "qu", "the", "er", "in", "re", "on", "at", "en", "nd", "ti", "es", "or", "te", "of", "ed",
    "is", "it", "al", "ar", "st", "to", "nt", "ng", "se", "ha", "as", "ou", "io", "le", "ve", "co",
    "me", "de", "hi", "ri", "ro", "ic", "ne", "ea", "ra", "ce", "li", "ch", "ll", "be", "ma", "si",
    "om", "ur", "ize", "zo", "ya", "we", "po", "un", "go", "fi", "lo", "ka", "ju", "xe", "di", "so",
  ].map { Array($0.utf8) }

  /// Makes a file of so many lines, of about 52 bytes each.
  static func makeFile(_ path: String, lines: Int) {
    var file = FileMaker(path)
    var generator = SeededGenerator(UInt64(lines))
    var line: [UInt8] = []
    for _ in 0..<lines {
      line.removeAll(keepingCapacity: true)
      let length = 32 + Int(generator.next() % 35)
      while line.count < length {
        var random = generator.next()
        for _ in 0..<1 + Int(random % 4) {
          random /= 64
          line += syllables[Int(random % 64)]
        }
        line.append(0x20)
      }
      line[line.count - 1] = 0x0A
      file.append(line)
    }
  }
}

/// Says why nothing can be measured, and ends.
func fail(_ reason: String) -> Never {
  warn("\(reason): \(String(cString: strerror(errno)))")
  exit(1)
}

/// Says on standard error what is wrong.
func warn(_ reason: String) {
  let line = Array("benchmarks: \(reason)\n".utf8)
  _ = Glibc.write(STDERR_FILENO, line, line.count)
}
