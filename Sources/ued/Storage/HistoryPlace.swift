import Glibc

/// The location of the history of one file.
///
/// A database is named after a hash of the file's canonical path, so it is found through any link,
/// and after the file has been replaced.
///
/// SAFETY: paths are lent for the duration of a call; the system fills values on the stack.
@safe struct HistoryPlace: Equatable, Sendable {
  /// The canonical path of the file.
  let file: [UInt8]
  /// The folder with all databases.
  let folder: [UInt8]
  /// The name of the database in `folder`.
  let name: [UInt8]

  /// The path of the database.
  var database: [UInt8] { folder + [.slash] + name }

  /// The size in bytes of the largest text whose history is kept.
  static let largestText = 16 << 20
  /// The size in bytes of the largest group that is kept.
  static let largestGroup = 48 << 20
  /// How many bytes or lines a text can have that a history speaks of.
  static let textLengths = 0...1 << 40
  /// The size in bytes of the largest history that is kept.
  static let largestHistory = 64 << 20
  /// The limit in bytes for all histories.
  static let largestFolder = 512 << 20

  /// The location for a file; nil if the file is not regular or its path can't be resolved.
  init?(of path: [UInt8]) {
    if let status = OpenFile.status(of: path), !status.isRegular { return nil }
    guard let file = Self.canonicalPath(of: path), let state = PrivateFolder.state else {
      return nil
    }
    self.file = file
    folder = state
    name = Array(ContentHash(of: file).hexadecimal.utf8) + Array(".history".utf8)
  }

  /// The canonical path of a file; missing folders are taken as they are written. Nil if it can't be resolved.
  private static func canonicalPath(of path: [UInt8]) -> [UInt8]? {
    var (path, rest) = (path, [] as [UInt8])
    while true {
      do throws(SystemError) {
        let place = try FilePlace(following: path)
        let folder = place.folder.path
        guard folder.first == .slash else { return nil }
        return PreservedFile.join(folder, place.name) + rest
      } catch {
        let (parent, name) = FilePlace.split(path)
        guard error.code == ENOENT, parent.count > 1, ![[], [.dot], [.dot, .dot]].contains(name)
        else { return nil }
        (path, rest) = (Array(parent.dropLast()), [.slash] + name + rest)
      }
    }
  }

  /// A database of the given name.
  init(file: [UInt8], folder: [UInt8], name: [UInt8]) {
    (self.file, self.folder, self.name) = (file, folder, name)
  }

  /// Whether the database exists.
  var exists: Bool { OpenFile.exists(database) }

  /// Creates an empty database, which only its owner can read.
  ///
  /// - Throws: EEXIST if the database exists.
  func makeDatabase() throws(SystemError) {
    try PrivateFolder.make(at: folder)
    let file = try OpenFile(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try SystemError.retrying { fchmod(file.descriptor, 0o600) }
  }

  /// A number that differs once another file is at the path, or the file has been written to; nil if there
  /// is no file.
  var fileVersion: Int? {
    guard let status = OpenFile.status(of: file) else { return nil }
    let time = status.st_mtim
    return ContentHash.short([
      Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec, 0, 0,
      0, 0,
    ])
  }

  /// The suffixes of a database and its sidecar files.
  static let fileSuffixes = ["", "-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// Sets a corrupt database aside under another name.
  ///
  /// - Returns: Its new path; nil if renaming failed.
  func setAside() -> [UInt8]? {
    for number in 1...Self.mostSetAside {
      let aside = setAsidePath(number)
      if OpenFile.exists(aside) { continue }
      for suffix in Self.fileSuffixes {
        let isMoved = unsafe SystemName.lend(database + suffix) { old in
          unsafe SystemName.lend(aside + suffix) { new in unsafe rename(old, new) == 0 }
        }
        if suffix.isEmpty && !isMoved { return nil }
      }
      return aside
    }
    return nil
  }

  /// Gives the database, which has no sidecar files, the name of another one that does not exist.
  ///
  /// - Returns: Whether that is done.
  func move(to new: HistoryPlace) -> Bool {
    if new.exists { return false }
    return unsafe SystemName.lend(database) { old in
      unsafe SystemName.lend(new.database) { new in
        unsafe rename(old, new) == 0
      }
    }
  }

  /// Deletes the database and its sidecar files.
  func delete() throws(SystemError) {
    for suffix in Self.fileSuffixes { try Self.remove(database + suffix) }
  }

  /// Deletes a file of the folder if it is there.
  static func remove(_ path: [UInt8]) throws(SystemError) {
    let failed = unsafe SystemName.lend(path) { unsafe unlink($0) != 0 }
    if failed && errno != ENOENT { throw .last }
  }

  /// The size in bytes of the database and its sidecar files.
  var byteCount: Int {
    Self.fileSuffixes.reduce(0) { $0 + Int(OpenFile.status(of: database + $1)?.st_size ?? 0) }
  }
}
