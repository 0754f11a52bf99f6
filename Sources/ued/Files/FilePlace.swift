import Glibc

/// A name in an open folder: where a file is, or will be, whatever links led there.
struct FilePlace: ~Copyable {
  /// The folder, which can be read.
  let folder: OpenFile
  /// The name there, which is not that of a symbolic link.
  let name: [UInt8]
  /// Whether a link on the way leads to a file that somebody has open, not to a name.
  let isOpenElsewhere: Bool

  /// As many links as Linux follows.
  private static let mostLinks = 40

  /// Follows the symbolic links that the last part of a path may be.
  init(following path: [UInt8]) throws(SystemError) {
    var (parent, name) = Self.split(path)
    var folder = try Self.open(parent)
    var isOpenElsewhere = false
    for _ in 0...Self.mostLinks {
      if name.isEmpty { throw SystemError(code: EISDIR) }
      guard let target = try folder.linkTarget(name) else {
        self.folder = folder
        self.name = name
        self.isOpenElsewhere = isOpenElsewhere
        return
      }
      if folder.isInProc { isOpenElsewhere = true }
      (parent, name) = Self.split(target)
      if !parent.isEmpty { folder = try Self.open(parent, in: folder.descriptor) }
    }
    throw SystemError(code: ELOOP)
  }

  /// Lets go of all but the folder.
  consuming func takeFolder() -> OpenFile { folder }

  private static func open(
    _ path: [UInt8], in folder: Int32 = AT_FDCWD
  ) throws(SystemError) -> OpenFile {
    try OpenFile(path.isEmpty ? [.dot] : path, in: folder, O_RDONLY | O_DIRECTORY)
  }

  /// A path up to and with its last slash, and what follows it.
  private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    let start = path.lastIndex(of: .slash).map { $0 + 1 } ?? 0
    return (Array(path[..<start]), Array(path[start...]))
  }
}
