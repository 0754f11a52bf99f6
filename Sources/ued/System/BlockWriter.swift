/// Gathers small writes into blocks for a sink.
///
/// The last block is held back until `flush()`.
struct BlockWriter: ~Copyable {
  private let sink: (RawSpan) -> Bool
  private var pending: [UInt8] = []
  /// Whether the sink has refused a block; later writes are dropped.
  private(set) var isStopped = false

  private static let blockSize = 1 << 16

  /// A writer for a sink, which answers whether it takes more blocks.
  init(_ sink: @escaping (RawSpan) -> Bool) { self.sink = sink }

  /// Writes the bytes of a constant.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { unsafe pending.append(contentsOf: $0) }
  }

  /// Writes bytes; a block or more goes to the sink without being copied.
  mutating func write(_ bytes: RawSpan) {
    if pending.count + bytes.byteCount > Self.blockSize { flush() }
    if bytes.byteCount >= Self.blockSize {
      if !isStopped { isStopped = !sink(bytes) }
    } else {
      pending.append(bytes, in: 0..<bytes.byteCount)
    }
  }

  /// Gives the sink the bytes gathered so far.
  mutating func flush() {
    if !pending.isEmpty, !isStopped { isStopped = unsafe !sink(pending.span.bytes) }
    pending.removeAll(keepingCapacity: true)
  }
}
