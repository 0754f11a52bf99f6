import Glibc
import TextBuffer

/// Opening a file of a strict run.
extension Editor {
  /// Opens a file, which must have the content with a hash if that is given.
  mutating func openStrictly(
    _ name: [UInt8], expecting hash: SHA256Hash?
  ) throws(RunFailure) {
    do throws(EditorError) {
      try open(name)
    } catch {
      let isMissing = error.isMissingFile
      if isMissing && hash != nil {
        throw RunFailure(file: name, error: .unexpectedContent(nil))
      }
      if !isMissing || !options.create {
        throw RunFailure(file: name, error: error, isOpening: true)
      }
    }
    guard let hash else { return }
    let found = SHA256Hash(of: try content(of: name))
    if found != hash { throw RunFailure(file: name, error: .unexpectedContent(found)) }
  }

  /// The content of the file that was opened, also where another one waits to be written.
  private func content(of name: [UInt8]) throws(RunFailure) -> PieceTable {
    if let text = file.known?.texts.first { return text }
    do {
      return try file.disk.textIfThere(name)
    } catch {
      throw RunFailure(file: name, error: .file(error), isOpening: true)
    }
  }

  /// Throws if a strict run can't edit a file: a pipe, on which it might wait forever, or unless it only
  /// reads, a device.
  func checkKind(of name: [UInt8]) throws(EditorError) {
    // Only regular files are locked.
    if options.fileNames.count == 1 || !options.atomic, !batch.locks.isEmpty { return }
    guard let status = OpenFile.status(of: name), !status.isRegular, !status.isFolder else {
      return
    }
    let isOpenAlready = name.starts(with: "/dev/".utf8) || name.starts(with: "/proc/".utf8)
    if options.defersWrites || !isOpenAlready { throw .notRegularFile }
  }
}
