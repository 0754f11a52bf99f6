import Glibc

/// Makes the folders in which new files are to be, and removes them again unless they are kept.
struct FolderMaker: ~Copyable {
  /// The folders that were made, the outer ones first: each one's parent and name.
  private var made: [(parent: SharedFile, name: [UInt8])] = []
  private var areKept = false

  init() {}

  deinit {
    if areKept { return }
    for (parent, name) in made.reversed() { parent.file.removeFolder(name) }
  }

  /// Makes the folders of a path that do not exist.
  ///
  /// - Throws: Why one can't be made.
  mutating func makeFolders(of path: [UInt8]) throws(SystemError) {
    for end in path.indices where path[end] == .slash && end > 0 {
      let folder = Array(path[..<end])
      if OpenFile.exists(folder) { continue }
      let place = try FilePlace(replacing: folder)
      let name = place.name
      let parent = SharedFile(place.takeFolder())
      do throws(SystemError) {
        try parent.file.makeFolder(name, mode: 0o777)
        made.append((parent, name))
      } catch  where error.code == EEXIST {}
    }
  }

  /// Keeps the folders.
  consuming func keep() { areKept = true }
}
