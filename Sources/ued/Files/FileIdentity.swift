import Glibc
import TextBuffer

/// The identity of a file and its last modification: differs after another program has written to the
/// file or replaced it.
struct FileIdentity: Equatable, Sendable {
  /// The device and inode number, which stay the same as long as the file exists.
  let device, inode: UInt64
  /// The size.
  let byteCount: Int
  /// The time of the last change of the content.
  let modified: Moment
  private let changed: Moment

  /// A time since the Unix epoch.
  struct Moment: Equatable, Sendable {
    var seconds, nanoseconds: Int
  }

  /// The device and inode number, in the order in which files are locked.
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

  /// The device and inode number.
  var number: Number { Number(device: device, inode: inode) }

  /// Whether its name or attributes were changed after its content, or a time was set.
  var hasChangedSinceModified: Bool { changed != modified }

  /// Whether this is the same file with the same content, perhaps under another name: renaming changes only
  /// the time of the last change of its attributes.
  func hasContent(of other: FileIdentity) -> Bool {
    isSameFile(as: other) && byteCount == other.byteCount && modified == other.modified
  }

  /// Whether this is the same file, modified or not.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}

/// What a file has to be until a strict run replaces it, and what of it is open already.
struct ExpectedFile {
  let identity: FileIdentity
  /// The file, open for writing, since it is locked.
  var locked: SharedFile?
  /// The folder of the file before, if that had the same path up to its last slash.
  var folder: SharedFile?
}

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
