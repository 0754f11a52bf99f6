#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A recording of a person writing a document, edit by edit.
struct Trace {
  /// One edit, in a compact form, so that reading it takes little of the measured time.
  struct Edit {
    private var offset: UInt32
    private var removedCount: UInt32
    private var insertedStart: UInt32
    private var insertedCount: UInt32

    init(range: Range<Int>, inserted: Range<Int>) {
      offset = UInt32(range.lowerBound)
      removedCount = UInt32(range.count)
      insertedStart = UInt32(inserted.lowerBound)
      insertedCount = UInt32(inserted.count)
    }

    /// The replaced range.
    var range: Range<Int> { Int(offset)..<Int(offset) + Int(removedCount) }
    /// The range in `bytes` of the inserted bytes.
    var inserted: Range<Int> { Int(insertedStart)..<Int(insertedStart) + Int(insertedCount) }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var edits: [Edit] = []
  private(set) var final: [UInt8] = []

  /// Reads a trace; the README in its folder describes the format.
  init(path: String) {
    guard let file = fopen(path, "rb") else { fatalError("cannot open \(path)") }
    defer { fclose(file) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    var position = 0
    func number() -> Int {
      defer { position += 4 }
      return (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
    let (editCount, finalLength) = (number(), number())
    for _ in 0..<editCount {
      let (offset, deleted, inserted) = (number(), number(), number())
      edits.append(
        Edit(range: offset..<offset + deleted, inserted: position..<position + inserted))
      position += inserted
    }
    final = Array(bytes[position..<position + finalLength])
  }
}
