import Glibc

/// Where the history of a file is kept.
///
/// A database is named after the canonical path of the file, so it is found whatever links led to
/// the file, and is the same for a file that was replaced by another.
///
/// SAFETY: paths are lent for the length of a call; the system fills values on the stack.
@safe struct HistoryPlace: Equatable, Sendable {
  /// The file, without any links.
  let file: [UInt8]
  /// The folder of all databases.
  let folder: [UInt8]
  /// The name of the database in it.
  let name: [UInt8]

  /// The path of the database.
  var database: [UInt8] { folder + [.slash] + name }

  /// The largest text whose history is kept.
  static let largestText = 16 << 20
  /// The largest history that is kept.
  static let largestHistory = 64 << 20
  /// As much as all histories may take.
  static let largestFolder = 512 << 20

  /// The place for a file.
  ///
  /// - Returns: Nil when there is none: the file is no regular one, or its path can't be told.
  init?(of path: [UInt8]) {
    if let status = OpenFile.status(of: path), !status.isRegular { return nil }
    guard let place = try? FilePlace(following: path), let state = PrivateFolder.state else {
      return nil
    }
    let folder = place.folder.path
    guard folder.first == .slash else { return nil }
    file = folder + (folder.count == 1 ? [] : [.slash]) + place.name
    self.folder = state
    name = Array(ContentHash(of: file).hexadecimal.utf8) + Array(".history".utf8)
  }

  /// Whether there is a database.
  var exists: Bool { OpenFile.status(of: database) != nil }

  /// Makes an empty database, which only its owner can read.
  ///
  /// - Throws: Why not; EEXIST when there is one.
  func makeDatabase() throws(SystemError) {
    try PrivateFolder.make(at: folder)
    let file = try OpenFile(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try SystemError.retrying { fchmod(file.descriptor, 0o600) }
    // The name, too, is to be there after a loss of power.
    try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
  }

  /// What follows the name of a database in those of its files: itself first, then its sidecars.
  static let fileSuffixes = ["", "-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// Gives a damaged database another name.
  ///
  /// - Returns: Its path from now on; nil when that failed.
  func setAside() -> [UInt8]? {
    for number in 1...99 {
      let aside = database + Array(".damaged-\(number)".utf8)
      if OpenFile.status(of: aside) != nil { continue }
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

  /// Deletes the database.
  ///
  /// - Throws: Why it is still there.
  func delete() throws(SystemError) {
    for suffix in Self.fileSuffixes {
      let failed = unsafe SystemName.lend(database + suffix) { unsafe unlink($0) != 0 }
      if failed && errno != ENOENT { throw .last }
    }
  }

  /// How many bytes the database takes.
  var byteCount: Int {
    Self.fileSuffixes.reduce(0) { $0 + Int(OpenFile.status(of: database + $1)?.st_size ?? 0) }
  }
}
