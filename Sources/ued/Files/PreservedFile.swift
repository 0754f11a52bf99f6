import Glibc

/// A copy of a file's bytes, synced to the disk before the file is overwritten in place. Staged
/// like any file, it is then committed under a name that only a successful save removes, so the old
/// text outlives a killed process.
struct PreservedFile: ~Copyable {
  private let copy: StagedFile
  private let byteCount: Int

  /// Copies a file that is open for writing. The copy goes into the file's own folder or, on
  /// failure, into the first private folder with room.
  ///
  /// - Throws: The reason why no complete, synced copy could be made.
  init(_ path: [UInt8], _ file: borrowing OpenFile) throws(SystemError) {
    let original = try OpenFile(path, O_RDONLY)
    let status = try file.status()
    let opened = try original.status()
    guard FileIdentity(status).isSameFile(as: FileIdentity(opened)) else {
      throw SystemError(code: ESTALE)
    }
    let byteCount = Int(status.st_size)
    copy = try Self.copy(byteCount, of: original, path, inode: status.st_ino)
    self.byteCount = byteCount
  }

  /// Restores the first `count` bytes, which may have been overwritten, to the file open for
  /// writing. If the file has become shorter, restores all bytes.
  ///
  /// - Throws: The reason why it could not be restored; the copy stays.
  func restore(_ count: Int, into file: borrowing OpenFile) throws(SystemError) {
    let isTruncated = try Int(file.status().st_size) < byteCount
    try copy.file.copy(isTruncated ? byteCount : min(count, byteCount), to: file)
    try file.truncate(to: byteCount)
    try file.sync()
  }

  /// The path of the copy, for messages.
  var path: [UInt8] { Self.join(copy.folder.file.path, copy.name) }

  consuming func remove() { copy.remove() }

  /// The path of a copy left by a killed save of this user or of root; nil without one.
  static func leftover(of path: [UInt8], _ status: stat) -> [UInt8]? {
    guard status.isRegular else { return nil }
    let name = name(inode: status.st_ino)
    // Usually no copy exists, and a look at the name avoids opening the folder.
    if OpenFile.isLink(path) || OpenFile.exists(FilePlace.split(path).folder + name),
      let place = try? FilePlace(following: path), isCopy(name, in: place.folder)
    {
      return join(place.folder.path, name)
    }
    return PrivateFolder.paths.first { path in
      guard OpenFile.exists(join(path, name)),
        let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY)
      else { return false }
      return isCopy(name, in: folder)
    }.map { join($0, name) }
  }

  /// Whether a name is a copy left by this user or root; a save in progress locks its copy.
  private static func isCopy(_ name: [UInt8], in folder: borrowing OpenFile) -> Bool {
    guard let status = folder.status(of: name), status.isRegular,
      status.st_uid == SystemUser.number || status.st_uid == 0
    else { return false }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    do throws(SystemError) {
      let file = try OpenFile(name, in: folder.descriptor, flags)
      if flock(file.descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK { return false }
      // A save that has ended meanwhile has removed its copy.
      return try file.status().st_nlink > 0
    } catch {
      return error.code != ENOENT
    }
  }

  private static func copy(
    _ byteCount: Int, of original: borrowing OpenFile, _ path: [UInt8], inode: ino_t
  ) throws(SystemError) -> StagedFile {
    do throws(SystemError) {
      let folder = SharedFile(try FilePlace(following: path).takeFolder())
      return try copy(byteCount, of: original, to: folder, inode: inode)
    } catch {
      return try PrivateFolder.first(after: error) { (folder) throws(SystemError) in
        try copy(byteCount, of: original, to: folder, inode: inode)
      }
    }
  }

  private static func copy(
    _ byteCount: Int, of original: borrowing OpenFile, to folder: SharedFile, inode: ino_t
  ) throws(SystemError) -> StagedFile {
    var copy = try StagedFile(in: folder, mode: 0o600)
    try original.copy(byteCount, to: copy.file)
    try copy.file.sync()
    try commit(&copy, inode: inode)
    do throws(SystemError) {
      try copy.folder.file.sync()
    } catch {
      copy.remove()
      throw error
    }
    return copy
  }

  private static func commit(_ copy: inout StagedFile, inode: ino_t) throws(SystemError) {
    for number in 1...99 {
      do {
        return try copy.commit(as: name(inode: inode, number), replacing: false)
      } catch  where error.code == EEXIST {
        // An earlier save left this copy, and the user has not recovered it yet.
      }
    }
    throw SystemError(code: EEXIST)
  }

  static func name(inode: ino_t, _ number: Int = 1) -> [UInt8] {
    Array(".ued-old-\(inode)\(number == 1 ? "" : "-\(number)")".utf8)
  }

  static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    folder + (folder.isEmpty || folder.last == .slash ? [] : [.slash]) + name
  }
}
