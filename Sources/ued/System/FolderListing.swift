import Glibc

/// The names in a folder.
///
/// SAFETY: the stream is closed by the function that opened it, and each name is copied before the
/// next call of `readdir`, which may overwrite it.
@safe enum FolderListing {
  /// The names in a folder, in no order and without `.` and `..`; none when it can't be read.
  static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let folder = try? OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return [] }
    return (try? names(in: folder)) ?? []
  }

  /// The names in an open folder, in no order and without `.` and `..`.
  ///
  /// - Throws: Why it can't be read.
  static func names(in folder: borrowing OpenFile) throws(SystemError) -> [[UInt8]] {
    let again = unsafe openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0 else { throw .last }
    guard let stream = unsafe fdopendir(again) else {
      let failure = SystemError.last
      close(again)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw .last }
        return names
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      if name != [.dot] && name != [.dot, .dot] { names.append(name) }
    }
  }
}
