/// Gathers small writes into chunks for a sink.
///
/// What has been written last stays here until `flush()`.
struct ChunkWriter: ~Copyable {
  private let sink: (RawSpan) -> Bool
  private var pending: [UInt8] = []
  /// Whether the sink wants no more; what is written then is dropped.
  private(set) var isStopped = false

  /// A chunk is given to the sink when it has so many bytes.
  private static let chunkSize = 1 << 16

  /// A writer for a sink that answers whether it wants more.
  init(_ sink: @escaping (RawSpan) -> Bool) {
    self.sink = sink
    pending.reserveCapacity(Self.chunkSize)
  }

  /// Writes the bytes of a constant.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { unsafe pending.append(contentsOf: $0) }
  }

  /// Writes bytes that somebody lends. Many are not copied.
  mutating func write(_ bytes: RawSpan) {
    if pending.count + bytes.byteCount > Self.chunkSize { flush() }
    if bytes.byteCount >= Self.chunkSize {
      if !isStopped { isStopped = !sink(bytes) }
    } else {
      pending.append(bytes, in: 0..<bytes.byteCount)
    }
  }

  /// Gives the sink what has gathered.
  mutating func flush() {
    if !pending.isEmpty, !isStopped { isStopped = unsafe !sink(pending.span.bytes) }
    pending.removeAll(keepingCapacity: true)
  }
}
