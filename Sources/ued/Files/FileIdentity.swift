import Glibc

/// Which file it is, and when it was last touched: what differs when somebody else has written to it
/// or put another in its place.
struct FileIdentity: Equatable, Sendable {
  /// The device and the number there, which stay as long as the file does.
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

  /// Whether this is the same file, whatever has happened to it.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}
