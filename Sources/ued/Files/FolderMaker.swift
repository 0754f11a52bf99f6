import UedLinux
import Glibc

/// Makes the folders in which new files are to be, and removes them again unless they are kept.
///
/// SAFETY: paths are lent for the length of a call.
@safe struct FolderMaker: ~Copyable {
  /// The folders that were made, the outer ones first.
  private var made: [[UInt8]] = []
  private var areKept = false

  init() {}

  deinit {
    if areKept { return }
    for path in made.reversed() { unsafe SystemName.lend(path) { _ = unsafe rmdir($0) } }
  }

  /// Makes the folders of a path that do not exist.
  ///
  /// - Throws: Why one can't be made.
  mutating func makeFolders(of path: [UInt8]) throws(SystemError) {
    for end in path.indices where path[end] == .slash && end > 0 {
      let folder = Array(path[..<end])
      if OpenFile.exists(folder) { continue }
      let failure = unsafe SystemName.lend(folder) { unsafe mkdir($0, 0o777) }
      if failure == 0 { made.append(folder) } else if errno != EEXIST { throw .last }
    }
  }

  /// Keeps the folders.
  consuming func keep() { areKept = true }
}
