import Glibc

/// The names in a folder.
///
/// SAFETY: the stream is closed by the function that opened it, and each name is copied before the
/// next call of `readdir`, which may overwrite it.
@safe enum FolderListing {
  /// The names in a folder, in no order and without `.` and `..`; none when it can't be read.
  static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let folder = try? OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return [] }
    return names(in: folder)
  }

  /// The names in an open folder, in no order and without `.` and `..`; none when it can't be read.
  static func names(in folder: borrowing OpenFile) -> [[UInt8]] {
    let again = unsafe openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0 else { return [] }
    guard let stream = unsafe fdopendir(again) else {
      close(again)
      return []
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      if name != [.dot] && name != [.dot, .dot] { names.append(name) }
    }
    return names
  }
}
