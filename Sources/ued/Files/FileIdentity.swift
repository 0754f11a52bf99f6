import Glibc

/// The identity of a file and its last modification: differs after another program has written to the
/// file or replaced it.
struct FileIdentity: Equatable, Sendable {
  /// The device and inode number, which stay the same as long as the file exists.
  let device, inode: UInt64
  private let byteCount: Int
  private let modified, changed: Moment

  private struct Moment: Equatable, Sendable {
    var seconds, nanoseconds: Int
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    modified = Moment(
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    changed = Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }

  /// Whether this is the same file, modified or not.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}
