import UedXXHash
import TextBuffer

/// An XXH3-128 hash in canonical byte order.
///
/// SAFETY: bytes are lent to the hash for the duration of a call; its state is created, used and
/// freed in one function.
@safe struct ContentHash: Hashable, Sendable {
  let bytes: [UInt8]

  /// A stored hash; nil if `bytes` does not have 16 elements.
  init?(stored bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The hash of a text as in its file, where lines end with LF, or with CR LF if `usesCRLF`.
  init(of text: PieceTable, usesCRLF: Bool) {
    self.init(of: text.inFile(lackingNewline: false, usingCRLF: usesCRLF))
  }

  /// The hash of a revision's text, with the line ends of its file, and always a last newline.
  init(of text: PieceTable, at id: Int, in document: Document<EditorContext>) {
    self.init(of: text, usesCRLF: document.lendContextAfter(id) { $0.usesCRLF })
  }

  /// The hash of a text, in one pass.
  init(of text: PieceTable) {
    self.init { add in
      text.forEachChunk(in: ByteOffset(0)..<ByteOffset(text.byteCount)) { chunk in
        add(chunk)
        return true
      }
    }
  }

  /// The hash of some bytes.
  init(of bytes: [UInt8]) {
    self.init { add in unsafe add(bytes.span.bytes) }
  }

  /// The hash of all bytes that `body` adds.
  init(_ body: ((RawSpan) -> Void) -> Void) {
    guard let state = unsafe cxxhash_start() else { fatalError("out of memory") }
    body { span in
      unsafe span.withUnsafeBytes { unsafe cxxhash_add(state, $0.baseAddress, $0.count) }
    }
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      unsafe cxxhash_finish(state, buffer.baseAddress)
      count = 16
    }
  }

  /// The hash as 32 hexadecimal digits.
  var hexadecimal: String { bytes.hexadecimal }

  /// The XXH3-64 hash of some bytes. The seed can be the hash of earlier bytes, to chain hashes.
  static func short(_ bytes: ArraySlice<UInt8>, seed: Int = 0) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe short($0, seed: seed) }
  }

  /// The XXH3-64 hash of some numbers.
  static func short(_ numbers: InlineArray<8, Int>) -> Int {
    unsafe Swift.withUnsafeBytes(of: numbers) { unsafe short($0, seed: 0) }
  }

  private static func short(_ bytes: UnsafeRawBufferPointer, seed: Int) -> Int {
    let seed = UInt64(truncatingIfNeeded: seed)
    return Int(truncatingIfNeeded: unsafe cxxhash_short(bytes.baseAddress, bytes.count, seed))
  }
}

/// The hash of a line in an address such as `12:3fa`: 12 bits of its XXH3-64 hash.
enum LineHash {
  /// The hash of a line without its newline. A carriage return at its end, which only plain scripts
  /// see, does not count.
  static func of(_ line: [UInt8]) -> Int {
    ContentHash.short(line.last == .carriageReturn ? line.dropLast() : line[...]) & 0xFFF
  }

  /// Three hexadecimal digits.
  static func text(_ hash: Int) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }
}
