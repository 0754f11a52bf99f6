import Glibc
import TextBuffer

/// What is known of a file since it was last read or written.
struct KnownFile: Sendable {
  /// Its path.
  var path: [UInt8]
  /// Its identity then; nil when it did not exist or could not be opened.
  var identity: FileIdentity?
  /// The texts it may contain: the one read or written last, and any whose writing may have failed.
  var texts: [PieceTable] = []
  /// Whether all of it has been read.
  var isWhole = true
  /// Whether its permissions did not allow to read it; ed writes over such a file.
  var isClosed = false

  /// Why overwriting the file may destroy content that was never read.
  enum Danger: Equatable, Sendable {
    case changedOutside
    case readInPart
    /// It exists, and was never read.
    case neverRead
  }
}

extension KnownFile {
  /// What is known of a file that has just been read.
  init(path: [UInt8], _ loaded: LoadedText) {
    self.init(
      path: path, identity: loaded.identity, texts: [loaded.original ?? loaded.text],
      isWhole: loaded.failure == nil)
  }
}

extension DiskFiles {
  /// Checks whether overwriting a file would destroy content that was never read.
  ///
  /// - Parameters:
  ///   - path: The path to be written to.
  ///   - known: What is known of the file.
  /// - Returns: The reason and the present file; nil when it is safe to write.
  func danger(
    ofWriting path: [UInt8], over known: KnownFile
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    danger(ofWriting: path, OpenFile.status(of: path), over: known)
  }

  /// The check of ``danger(ofWriting:over:)`` on a file whose status is known; nil if it does not exist.
  func danger(
    ofWriting path: [UInt8], _ status: stat?, over known: KnownFile
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    guard let status, status.isRegular else { return nil }
    let present = FileIdentity(status)
    let isKnown = known.identity.map { $0.isSameFile(as: present) } ?? false
    guard isKnown || path == known.path else { return nil }
    if !known.isWhole { return (known.identity == nil ? .neverRead : .readInPart, present) }
    if present == known.identity { return nil }
    // Only its time may have changed.
    let candidates = known.texts.filter { $0.byteCount == Int(status.st_size) }
    if !candidates.isEmpty, let text = try? textIfThere(path), candidates.contains(text) {
      return nil
    }
    return (.changedOutside, present)
  }
}
