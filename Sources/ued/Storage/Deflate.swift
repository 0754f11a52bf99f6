import UedZlib

/// Compression by zlib.
///
/// SAFETY: each call lends zlib whole buffers with their sizes, which it neither exceeds nor keeps.
@safe enum Deflate {
  /// The largest number of bytes that Deflate expands one byte to.
  private static let largestRatio = 1032

  /// The size in bytes of a sample. Long input is compressed only if its first sample shrinks to
  /// half: on noise, zlib is slower than the disk.
  private static let sample = 1 << 16

  /// Compresses bytes quickly; nil if they do not become fewer.
  static func compress(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    if bytes.count > 16 * sample,
      compress(bytes.prefix(sample)).map({ $0.count > sample / 2 }) ?? true
    {
      return nil
    }
    var size = UInt(bytes.count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe compress2(
          buffer.baseAddress, &size, $0.baseAddress, UInt($0.count), Z_BEST_SPEED)
      }
      count = status == Z_OK ? Int(size) : 0
    }
    return result.isEmpty ? nil : result
  }

  /// Expands compressed bytes; nil if they are corrupt, or `count`, the original number, is wrong.
  static func expand(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
    guard count > 0, count / largestRatio <= bytes.count else { return nil }
    var size = UInt(count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe uncompress(buffer.baseAddress, &size, $0.baseAddress, UInt($0.count))
      }
      filled = status == Z_OK ? Int(size) : 0
    }
    return result.count == count ? result : nil
  }
}
