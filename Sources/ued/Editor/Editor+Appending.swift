import Glibc
import TextBuffer

/// `W` in a strict run.
extension Editor {
  /// Whether a strict run appends to a file in place, as others may have it open, such as a log. It does not where the
  /// write waits for the end or for a check, where programs are told of the whole file, and for a file that it has
  /// read.
  func appendsAtOnce(to name: [UInt8]) -> Bool {
    options.isStrict && !options.defersWrites && options.validation == nil && !options.json
      && name != file.name && file.known(as: name) == nil
  }

  /// Appends to a file in place.
  mutating func appendAtOnce(_ content: PieceTable, to name: [UInt8]) throws(EditorError) {
    try refusePlanted(name)
    // From now on the script can't simply run again.
    batch.hasWritten = true
    do throws(FileError) {
      try file.save(content, to: name, appending: true)
    } catch {
      if error.code == EINTR { throw .interrupted }
      throw .file(error)
    }
  }
}
