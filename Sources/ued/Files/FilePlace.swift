import Glibc

/// The place of an existing or new file: an open folder and a name.
struct FilePlace: ~Copyable {
  /// The folder, open for reading.
  let folder: OpenFile
  /// The name in the folder; if links were followed, not the name of a symbolic link.
  let name: [UInt8]
  /// Whether a link in `/proc` was followed, which leads to an open file and not to a name.
  let isOpenElsewhere: Bool

  /// The number of links that Linux follows.
  private static let linkLimit = 40

  /// Resolves a path whose last component may be a symbolic link.
  ///
  /// - Throws: EACCES, among others for a link that another user may have planted. As with Linux's
  ///   `protected_symlinks`, in a folder with the sticky bit that all can write to, ued follows
  ///   only links of this user or of the folder's owner.
  init(following path: [UInt8]) throws(SystemError) {
    var (parent, name) = Self.split(path)
    var folder = try Self.open(parent)
    var isOpenElsewhere = false
    for _ in 0...Self.linkLimit {
      if name.isEmpty { throw SystemError(code: EISDIR) }
      guard let target = try folder.linkTarget(name) else {
        self.folder = folder
        self.name = name
        self.isOpenElsewhere = isOpenElsewhere
        return
      }
      if Self.isPlanted(name, in: folder) { throw SystemError(code: EACCES) }
      if folder.isInProc { isOpenElsewhere = true }
      let (folders, last) = Self.split(target)
      name = last
      if folders.isEmpty { continue }
      parent = folders.first == .slash ? folders : parent + folders
      if OpenFile.isConfined {
        if parent.first == .slash { throw SystemError(code: EXDEV) }
        folder = try Self.open(parent)
      } else {
        folder = try Self.open(folders, in: folder.descriptor)
      }
    }
    throw SystemError(code: ELOOP)
  }

  /// The place of a path whose last component is replaced if it is a symbolic link.
  init(replacing path: [UInt8]) throws(SystemError) {
    let (parent, name) = Self.split(path)
    if name.isEmpty { throw SystemError(code: EISDIR) }
    folder = try Self.open(parent)
    self.name = name
    isOpenElsewhere = false
  }

  /// Whether a symbolic link may have been planted for this user to follow.
  private static func isPlanted(_ name: [UInt8], in folder: borrowing OpenFile) -> Bool {
    let shared = S_ISVTX | S_IWOTH
    guard let status = try? folder.status(), status.st_mode & shared == shared,
      let link = folder.status(of: name)
    else { return false }
    return link.st_uid != SystemUser.number && link.st_uid != status.st_uid
  }

  /// Whether a path ends in a symbolic link that another user may have planted, whether the system follows it or not.
  static func isPlanted(_ path: [UInt8]) -> Bool {
    guard OpenFile.isLink(path) else { return false }
    do {
      _ = try FilePlace(following: path)
      return false
    } catch {
      return error.code == EACCES
    }
  }

  /// Opens a file. With `byAnyLink` the system follows links; otherwise ``init(following:)`` does, and
  /// a name that it has checked is not resolved again.
  ///
  /// - Throws: EACCES, among others for a link that another user may have planted.
  static func open(
    _ path: [UInt8], _ flags: Int32, mode: mode_t = 0, byAnyLink: Bool = false
  ) throws(SystemError) -> OpenFile {
    if byAnyLink { return try OpenFile(path, flags, mode: mode) }
    do throws(SystemError) {
      return try OpenFile(path, flags | O_NOFOLLOW, mode: mode)
    } catch  where error.code == ELOOP {
      let place = try FilePlace(following: path)
      if place.isOpenElsewhere { return try OpenFile(path, flags, mode: mode) }
      return try OpenFile(
        place.name, in: place.folder.descriptor, flags | O_NOFOLLOW, mode: mode)
    }
  }

  /// The folder, taken out of the place.
  consuming func takeFolder() -> OpenFile { folder }

  private static func open(
    _ path: [UInt8], in folder: Int32 = AT_FDCWD
  ) throws(SystemError) -> OpenFile {
    try OpenFile(path.isEmpty ? [.dot] : path, in: folder, O_RDONLY | O_DIRECTORY)
  }

  /// Splits a path behind its last slash.
  static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    let start = path.lastIndex(of: .slash).map { $0 + 1 } ?? 0
    return (Array(path[..<start]), Array(path[start...]))
  }
}

/// Creates the folders for new files, and removes them again unless they are kept.
struct FolderMaker: ~Copyable {
  /// The created folders, outer ones first: the parent and name of each.
  private var made: [(parent: SharedFile, name: [UInt8])] = []
  private var areKept = false

  init() {}

  deinit {
    if areKept { return }
    for (parent, name) in made.reversed() { parent.file.removeFolder(name) }
  }

  /// Creates the missing folders of a path.
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

  consuming func keep() { areKept = true }
}

/// The identity of a name in a folder, however the path to it is written.
struct FileNameID: Hashable, Sendable {
  private let device: dev_t
  private let folder: ino_t
  private let name: [UInt8]

  /// The name that a file at a path would get that replaces a symbolic link there; nil without the
  /// folder.
  init?(replacing path: [UInt8]) {
    guard let place = try? FilePlace(replacing: path) else { return nil }
    self.init(place)
  }

  private init?(_ place: borrowing FilePlace) {
    guard let status = try? place.folder.status() else { return nil }
    (device, folder, name) = (status.st_dev, status.st_ino, place.name)
  }

  /// The name at a path and, for a symbolic link, also the name that it leads to.
  static func all(of path: [UInt8]) -> [Self] {
    var all = [Self(replacing: path)]
    if let place = try? FilePlace(following: path) { all.append(Self(place)) }
    return all.compactMap { $0 }
  }
}
