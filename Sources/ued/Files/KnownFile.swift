import TextBuffer

/// A file as ued saw it last.
struct KnownFile: Sendable {
  /// Its name.
  var path: [UInt8]
  /// Which file it was; nil when it could not be opened.
  var identity: FileIdentity?
  /// What may be in it: what was read or written, and what was not written for sure.
  var texts: [PieceTable] = []
  /// Whether ued knows all of it.
  var isWhole = true

  /// Why writing to a file may destroy what nobody here has seen.
  enum Danger: Equatable, Sendable {
    case changedOutside
    case readInPart
  }
}

extension DiskFiles {
  /// Whether writing to a file may destroy what nobody here has seen.
  ///
  /// - Parameters:
  ///   - path: The name that is going to be written to.
  ///   - known: The file as ued saw it last.
  /// - Returns: What the danger is, and which file is there now.
  func danger(
    ofWriting path: [UInt8], over known: KnownFile
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
    let present = FileIdentity(status)
    let isKnown = known.identity.map { $0.isSameFile(as: present) } ?? false
    guard isKnown || path == known.path else { return nil }
    if !known.isWhole { return (.readInPart, present) }
    if present == known.identity { return nil }
    // It may have been touched only.
    let candidates = known.texts.filter { $0.byteCount == Int(status.st_size) }
    if !candidates.isEmpty, let text = try? textIfThere(path), candidates.contains(text) {
      return nil
    }
    return (.changedOutside, present)
  }
}
