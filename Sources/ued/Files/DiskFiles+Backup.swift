import Glibc
import TextBuffer

extension DiskFiles {
  /// Copies a file, with all that belongs to it, and waits until the copy is on the disk. Where there is
  /// no file, there is no copy.
  ///
  /// - Throws: Why it can't be copied.
  func backUp(_ path: [UInt8], to copyPath: [UInt8]) throws(FileError) {
    guard let status = OpenFile.status(of: path) else { return }
    guard status.isRegular else {
      throw FileError(attempt: .openInput, path: path, code: EINVAL)
    }
    do {
      let file = try OpenFile(path, O_RDONLY)
      let place = try FilePlace(following: copyPath)
      let name = place.name
      var copy = try TemporaryFile(in: place.takeFolder(), mode: 0o600)
      // Where that is not possible, nobody but the user can read it.
      try? FileAttributes.copy(from: file, status, to: copy.file)
      try file.copy(Int(status.st_size), to: copy.file)
      try copy.file.sync()
      try copy.keep(as: name, replacing: true)
      try copy.folder.sync()
    } catch {
      throw FileError(attempt: .openOutput, path: copyPath, code: error.code)
    }
  }
}
