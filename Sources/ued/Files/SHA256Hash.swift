import UedMD
import TextBuffer

/// A SHA-256 hash, by which callers name the content that a file must have.
///
/// SAFETY: the state and the digest are local to `init` and lent to libmd for the duration of a call.
@safe struct SHA256Hash: Hashable, Sendable {
  /// The 32 bytes.
  let bytes: [UInt8]

  /// The hash of a text, in one pass.
  init(of text: PieceTable) {
    var state = SHA2_CTX()
    unsafe SHA256Init(&state)
    unsafe Self.forEachPart(of: text) { unsafe SHA256Update(&state, $0, $1) }
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe SHA256Final(&digest, &state)
    bytes = digest
  }

  /// The SHA-1 hash by which git names a text, in hexadecimal digits.
  static func gitName(of text: PieceTable) -> String {
    var state = SHA1_CTX()
    unsafe SHA1Init(&state)
    let header = Array("blob \(text.byteCount)\0".utf8)
    unsafe SHA1Update(&state, header, header.count)
    unsafe forEachPart(of: text) { unsafe SHA1Update(&state, $0, $1) }
    var digest = [UInt8](repeating: 0, count: 20)
    unsafe SHA1Final(&digest, &state)
    return digest.hexadecimal
  }

  /// Calls `update` with the address and the length of each part of a text, in order.
  private static func forEachPart(
    of text: PieceTable, _ update: (UnsafePointer<UInt8>?, Int) -> Void
  ) {
    text.forEachChunk(in: ByteOffset(0)..<ByteOffset(text.byteCount)) { chunk in
      unsafe chunk.withUnsafeBytes { bytes in
        unsafe update(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
      }
      return true
    }
  }

  /// The hash as it is written in options and messages.
  var description: String { "sha256:" + bytes.hexadecimal }
}

/// The first digits of a SHA-256 hash.
struct HashPrefix: Hashable, Sendable {
  /// Hexadecimal digits in lower case.
  let digits: String

  /// The first digits of a hash, at least `leastCount`; nil for anything else.
  init?(_ digits: some Collection<UInt8>, leastCount: Int) {
    guard leastCount...64 ~= digits.count,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).hexDigitValue != nil })
    else { return nil }
    self.digits = String(decoding: digits, as: UTF8.self).lowercased()
  }

  /// Whether a hash begins so.
  func matches(_ hash: SHA256Hash) -> Bool { hash.bytes.hexadecimal.hasPrefix(digits) }
}
