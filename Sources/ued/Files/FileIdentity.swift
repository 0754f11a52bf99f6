import Glibc
import TextBuffer

/// The identity and last modification of a file; another program's write or replacement changes it.
struct FileIdentity: Equatable, Sendable {
  /// The device and inode number, which stay the same as long as the file exists.
  let device, inode: UInt64
  let byteCount: Int
  /// The time of the last change of the content.
  let modified: Moment
  private let changed: Moment

  /// A time since the Unix epoch.
  struct Moment: Equatable, Sendable {
    var seconds, nanoseconds: Int
  }

  /// The device and inode number. Files are locked in this order.
  struct Number: Hashable, Comparable, Sendable {
    var device, inode: UInt64

    static func < (one: Number, other: Number) -> Bool {
      (one.device, one.inode) < (other.device, other.inode)
    }
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int(status.st_size)
    modified = Moment(
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    changed = Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }

  var number: Number { Number(device: device, inode: inode) }

  /// Whether its name or attributes were changed after its content, or a time was set.
  var hasChangedSinceModified: Bool { changed != modified }

  /// Whether this is the same file with the same content, perhaps under another name. Renaming
  /// changes only the time of the last change of attributes.
  func hasContent(of other: FileIdentity) -> Bool {
    isSameFile(as: other) && byteCount == other.byteCount && modified == other.modified
  }

  /// Whether this is the same file, modified or not.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// The state that a file must have until a strict run replaces it, and its open descriptors.
struct ExpectedFile {
  let identity: FileIdentity
  /// The file, if it is locked; open for writing.
  var locked: SharedFile?
  /// The folder of the previous file, if both paths are equal up to their last slash.
  var folder: SharedFile?
}

/// The known state of a file since it was last read or written.
struct KnownFile: Sendable {
  var path: [UInt8]
  /// Its identity then; nil if it did not exist or could not be opened.
  var identity: FileIdentity?
  /// The texts it may contain: the last one read or written, and any whose write may have failed.
  var texts: [PieceTable] = []
  /// Whether all of it has been read.
  var isWhole = true
  /// Whether its permissions did not allow reading it; ed writes over such a file.
  var isClosed = false

  /// The reason why overwriting the file may destroy unread content.
  enum Danger: Equatable, Sendable {
    case changedOutside
    case readInPart
    /// The file exists and was never read.
    case neverRead
  }
}

extension KnownFile {
  init(path: [UInt8], _ loaded: LoadedText) {
    self.init(
      path: path, identity: loaded.identity, texts: [loaded.original ?? loaded.text],
      isWhole: loaded.failure == nil)
  }
}
