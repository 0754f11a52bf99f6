import Glibc

/// The old bytes of a file, safe on the disk before the first one of them is overwritten.
///
/// While it is being made this is a temporary file like any other. Once it is whole it gets a name that
/// nothing but success of the save removes: if the process is killed, the old text is there.
struct PreservedFile: ~Copyable {
  private let copy: TemporaryFile
  private let byteCount: Int

  /// Puts the bytes of a file aside, beside it or, where that is not possible, in a folder that only the
  /// user can read.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - file: The same file, open for writing.
  /// - Throws: Why they could not be made safe.
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

  /// Puts back what was overwritten.
  ///
  /// - Parameters:
  ///   - count: How many of the file's first bytes may not be what they were.
  ///   - file: The file, open for writing.
  /// - Throws: Why they could not be put back; they are still here.
  func putBack(_ count: Int, into file: borrowing OpenFile) throws(SystemError) {
    let isCutOff = try Int(file.status().st_size) < byteCount
    try copy.file.copy(isCutOff ? byteCount : min(count, byteCount), to: file)
    try file.truncate(to: byteCount)
    try file.sync()
  }

  /// Where the bytes are, to be shown.
  var path: [UInt8] { Self.join(copy.folder.path, copy.name) }

  /// Removes the copy, which nobody needs any more.
  consuming func remove() { copy.remove() }

  /// What a save that was killed has left of the old text of a file.
  ///
  /// - Returns: Where it is; nil nearly always.
  static func left(of path: [UInt8], _ status: stat) -> [UInt8]? {
    guard status.isRegular else { return nil }
    let name = name(inode: status.st_ino)
    if let place = try? FilePlace(following: path), place.folder.has(name) {
      return join(place.folder.path, name)
    }
    return PrivateFolder.paths.lazy.map { join($0, name) }.first {
      OpenFile.status(of: $0)?.isRegular == true
    }
  }

  private static func copy(
    _ byteCount: Int, of original: borrowing OpenFile, _ path: [UInt8], inode: ino_t
  ) throws(SystemError) -> TemporaryFile {
    var copy = try makeFile(for: path)
    try original.copy(byteCount, to: copy.file)
    try copy.file.sync()
    try keep(&copy, inode: inode)
    do throws(SystemError) {
      try copy.folder.sync()
    } catch {
      copy.remove()
      throw error
    }
    return copy
  }

  private static func makeFile(for path: [UInt8]) throws(SystemError) -> TemporaryFile {
    do {
      return try TemporaryFile(in: FilePlace(following: path).takeFolder(), mode: 0o600)
    } catch {
      return try TemporaryFile(in: PrivateFolder.open(), mode: 0o600)
    }
  }

  private static func keep(_ copy: inout TemporaryFile, inode: ino_t) throws(SystemError) {
    for number in 1...99 {
      do {
        return try copy.keep(as: name(inode: inode, number), replacing: false)
      } catch  where error.code == EEXIST {
        // An older one, which nobody has fetched yet.
      }
    }
    throw SystemError(code: EEXIST)
  }

  private static func name(inode: ino_t, _ number: Int = 1) -> [UInt8] {
    Array(".ued-old-\(inode)\(number == 1 ? "" : "-\(number)")".utf8)
  }

  private static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    folder + (folder.isEmpty || folder.last == .slash ? [] : [.slash]) + name
  }
}
