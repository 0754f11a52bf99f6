import Glibc

/// The location of the history of one file. A database is named after a hash of the file's
/// canonical path, so it is found through any link, and after the file has been replaced.
///
/// SAFETY: paths are lent for the duration of a call; the system fills values on the stack.
@safe struct HistoryPlace: Equatable, Sendable {
  /// The canonical path of the file.
  let file: [UInt8]
  /// The folder with all databases.
  let folder: [UInt8]
  /// The name of the database in `folder`.
  let name: [UInt8]

  var database: [UInt8] { folder + [.slash] + name }

  var log: [UInt8] { database + Self.fileSuffixes[1] }
  /// The file of a new database, until it gets its name.
  var staged: [UInt8] { database + Self.fileSuffixes[4] }

  /// The size limit in bytes for a text with a history.
  static let largestText = 16 << 20
  /// The size limit in bytes for one group.
  static let largestGroup = 48 << 20
  /// The lengths that a stored text can have, in bytes or lines.
  static let textLengths = 0...1 << 40
  /// The size limit in bytes for one history.
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

  init(file: [UInt8], folder: [UInt8], name: [UInt8]) {
    (self.file, self.folder, self.name) = (file, folder, name)
  }

  var exists: Bool { OpenFile.exists(database) }

  /// Whether the database was damaged, and has been set aside.
  var isSetAside: Bool { name.last?.isDigit ?? false }

  /// Whether the database may have been written to since a time, in seconds since 1970-01-01 UTC.
  func isWritten(since time: Double) -> Bool {
    // The system's clock for files is behind by up to a tick, and some file systems round to a second or two.
    let slack = 2.0
    return Self.fileSuffixes.contains { suffix in
      let modified = OpenFile.status(of: database + suffix)?.st_mtim
      return modified.map { Double($0.tv_sec) + Double($0.tv_nsec) / 1e9 >= time - slack } ?? false
    }
  }

  /// A number that changes when the file is replaced or written to; nil if the file does not exist.
  var fileVersion: Int? {
    guard let status = OpenFile.status(of: file) else { return nil }
    let time = status.st_mtim
    return ContentHash.short([
      Int(truncatingIfNeeded: status.st_ino), Int(status.st_size), time.tv_sec, time.tv_nsec, 0, 0,
      0, 0,
    ])
  }

  /// The suffixes of a database, of its sidecar files, and of a new one; see ``StagedDatabase``.
  static let fileSuffixes = ["", "-wal", "-shm", "-journal", "-new"].map { Array($0.utf8) }

  /// Sets a corrupt database aside, and returns its new path; nil if renaming failed.
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

  /// Renames the database, which has no sidecar files, to `new`, if free; false on failure.
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

  /// Deletes a file of the folder if it exists.
  static func remove(_ path: [UInt8]) throws(SystemError) {
    let failed = unsafe SystemName.lend(path) { unsafe unlink($0) != 0 }
    if failed && errno != ENOENT { throw .last }
  }

  /// The size in bytes of the database and its sidecar files.
  var byteCount: Int {
    Self.fileSuffixes.reduce(0) { $0 + Int(OpenFile.status(of: database + $1)?.st_size ?? 0) }
  }
}

/// The locked file of a new database, under a temporary name until it has its content. A killed
/// run leaves it there unlocked, and the next one replaces it.
struct StagedDatabase {
  let place: HistoryPlace
  private let shared: SharedFile

  /// Makes an empty file, which only its owner can read.
  ///
  /// - Throws: `inUse` if another run makes or made the database.
  init(at place: HistoryPlace) throws(StorageError) {
    self.place = place
    do throws(SystemError) {
      try PrivateFolder.make(at: place.folder)
      shared = SharedFile(try PrivateFolder.openFile(place.staged, O_RDWR | O_CREAT))
      let descriptor = shared.file.descriptor
      // Without the locks of `fcntl`, SQLite could not open it later.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 || !HistoryFolder.lock(descriptor) {
        throw .last
      }
      let status = try shared.file.status()
      // The run that had the lock may have given the file its name.
      guard let present = OpenFile.status(of: place.staged),
        FileIdentity(present).isSameFile(as: FileIdentity(status))
      else { throw SystemError(code: EWOULDBLOCK) }
      if place.exists {
        discard()
        throw SystemError(code: EWOULDBLOCK)
      }
      try SystemError.retrying { ftruncate(descriptor, 0) }
    } catch {
      throw place.error(error)
    }
  }

  /// Writes the content, and begins to bring it to the disk. After an error the file is gone.
  func write(_ content: [UInt8]) throws(StorageError) {
    do throws(SystemError) {
      try unsafe DescriptorWriter.write(content.span.bytes, to: shared.file.descriptor)
      shared.file.startSync()
    } catch {
      discard()
      throw place.error(error)
    }
  }

  /// Syncs the file and gives it the name of the database; the folder is not synced.
  ///
  /// - Throws: `inUse` if another run has made the database meanwhile; the file is gone then, as
  ///   after any error.
  func finish() throws(StorageError) {
    do throws(SystemError) {
      try shared.file.sync()
      try OpenFile(place.folder, O_RDONLY | O_DIRECTORY).rename(
        place.staged, to: place.database, replacing: false)
    } catch {
      discard()
      throw error.code == EEXIST ? .inUse : place.error(error)
    }
  }

  func discard() { try? HistoryPlace.remove(place.staged) }
}

extension HistoryPlace {
  /// The error of a database whose file or folder fails.
  func error(_ error: SystemError) -> StorageError {
    switch error.code {
    case EWOULDBLOCK: .inUse
    case ENOLCK: .noLocks
    case EIO: .unreadable
    default: .folder(folder, code: error.code)
    }
  }

  func syncFolder() throws(StorageError) {
    do throws(SystemError) {
      try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
    } catch {
      throw self.error(error)
    }
  }
}

// MARK: - Damage

/// Telling damage from a failing disk.
extension HistoryPlace {
  /// The error of the database after a second look at its files. SQLite reports unreadable bytes as
  /// damage. Such a history may be readable next time, and must not be set aside.
  func confirmed(_ error: StorageError) -> StorageError {
    guard error.isDamage, error != .damaged else { return error }
    do {
      for suffix in Self.fileSuffixes { try OpenFile.tryReading(database + suffix) }
    } catch {
      return .unreadable
    }
    return error.isFormatError && isSound ? .unreadable : error
  }

  /// Whether SQLite finds nothing wrong with the database.
  private var isSound: Bool {
    guard let opened = try? Database(path: database, mayCreate: false),
      let check = try? opened.prepare("PRAGMA quick_check(1)"), (try? check.step()) == true
    else { return false }
    return check.text(0) == "ok"
  }
}

// MARK: - Ownership

/// Checks who could have written a history. ued does not read a history that other users can write,
/// since they could plant texts and notices.
extension HistoryPlace {
  /// Opens the file of the database, and checks that it, its folder and its sidecar files are the
  /// user's alone.
  ///
  /// - Throws: `foreign` if one of them is not; otherwise `cannotOpen`.
  func openDatabaseFile() throws(StorageError) -> OpenFile {
    try Self.checkFolder(folder)
    do throws(SystemError) {
      let file = try PrivateFolder.openFile(database, O_RDONLY)
      for suffix in Self.fileSuffixes.dropFirst() {
        guard let status = OpenFile.linkStatus(of: database + suffix) else { continue }
        if !status.isOwnFile { throw SystemError(code: EPERM) }
      }
      return file
    } catch {
      throw error.code == EPERM ? .foreign(database) : .cannotOpen
    }
  }

  /// Checks that the folder of histories is the user's alone.
  static func checkFolder(_ folder: [UInt8]) throws(StorageError) {
    do throws(SystemError) {
      try PrivateFolder.check(folder)
    } catch {
      throw error.code == EPERM ? .foreign(folder) : .cannotOpen
    }
  }

  /// The number of damaged histories per file that can be set aside.
  static let mostSetAside = 99

  /// The path of a damaged history after it has been set aside.
  func setAsidePath(_ number: Int) -> [UInt8] { database + Array(".damaged-\(number)".utf8) }
}

// MARK: - Unnamed

/// Histories of texts without a name. They belong to the working folder: its path with a trailing
/// slash replaces the path of the file.
extension HistoryPlace {
  /// The number of texts without a name per folder that can have histories.
  static let unnamedLimit = 16

  /// The places for the working folder; empty if no history is kept there. A history that the user
  /// has asked for is also kept in private folders.
  static func unnamed(isAskedFor: Bool) -> [HistoryPlace] {
    guard let working = try? OpenFile([.dot], O_RDONLY | O_DIRECTORY),
      let state = PrivateFolder.state
    else { return [] }
    let folder = PreservedFile.join(working.path, [])
    if !isAskedFor && PrivateFiles.contain(folder + Array("text".utf8)) { return [] }
    let hash = ContentHash(of: folder).hexadecimal
    return (1...unnamedLimit).map {
      HistoryPlace(file: folder, folder: state, name: Array("\(hash)-\($0).history".utf8))
    }
  }

  /// Whether the place belongs to a text without a name.
  var isUnnamed: Bool { file.last == .slash }
}

/// The folder with the histories of all files, as it is on the disk.
///
/// SAFETY: `fcntl` reads a lock description on the stack.
@safe enum HistoryFolder {
  /// A history, or a damaged one after it has been set aside.
  struct Entry {
    var name: [UInt8]
    /// The size of its files.
    var byteCount: Int
    /// When it was written last, in milliseconds since 1970-01-01 UTC.
    var modified: Int
  }

  /// All histories in a folder.
  static func entries(in folder: [UInt8]) -> [Entry] {
    FolderListing.names(in: folder).compactMap { name in
      guard isHistory(name) else { return nil }
      let place = HistoryPlace(file: [], folder: folder, name: name)
      guard let status = OpenFile.status(of: place.database), status.isRegular else { return nil }
      let time = status.st_mtim
      return Entry(
        name: name, byteCount: place.byteCount,
        modified: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
  }

  /// Whether a name belongs to a history, and not to one of its sidecar files.
  private static func isHistory(_ name: [UInt8]) -> Bool {
    let ending = name.drop { $0 != .dot }
    if ending.elementsEqual(".history".utf8) { return true }
    return ending.starts(with: ".history.damaged-".utf8) && name.last?.isDigit == true
  }

  /// Locks a whole file for this process; false and `errno` if that fails.
  static func lock(_ descriptor: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    return unsafe fcntl(descriptor, F_SETLK, &lock) == 0
  }

  /// Deletes a history with its sidecar files, unless it is locked; returns whether it is gone.
  static func delete(_ path: [UInt8]) -> Bool {
    guard let file = try? OpenFile(path, O_RDWR) else {
      return OpenFile.status(of: path) == nil
    }
    guard lock(file.descriptor) else { return false }
    for suffix in HistoryPlace.fileSuffixes { try? HistoryPlace.remove(path + suffix) }
    return true
  }
}

/// Files that may hold secrets: their history is kept only with `--history`.
enum PrivateFiles {
  enum Kind: Equatable, Sendable { case device, temporary, secret }

  /// Folders with temporary files, on which `crontab`, `sudoedit`, `pass`, mail programs and others
  /// call an editor.
  static let folders = ["/tmp", "/var/tmp", "/dev", "/run", "/var/run", "/proc", "/sys"]
  static let secretFolders = [
    ".gnupg", ".ssh", ".password-store", ".aws", ".kube", ".docker",
  ]
  static let names = [
    ".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc", ".htpasswd", ".env",
    "shadow", "gshadow", "passwd-", "shadow-", "gshadow-", "sudoers", "master.passwd",
  ]
  /// File name extensions of files with secrets.
  static let endings = [".gpg", ".pgp", ".asc", ".age", ".key", ".pem", ".p12", ".pfx", ".kdbx"]

  /// Whether the file with a canonical path is private.
  static func contain(_ path: [UInt8]) -> Bool { kind(of: path) != nil }

  /// Why the file with a canonical path is private; nil if it is not.
  static func kind(of path: [UInt8]) -> Kind? {
    let (parent, name) = FilePlace.split(path)
    var temporary = folders.map { Array($0.utf8) }
    if let named = ProcessArguments.environment("TMPDIR"), named.first == .slash, named.count > 1 {
      temporary.append(named)
      if let folder = try? OpenFile(named, O_RDONLY | O_DIRECTORY) {
        temporary.append(folder.path)
      }
    }
    let isTemporary = temporary.contains { folder in
      let folder = PreservedFile.join(folder, [])
      return folder.count > 1 && path.starts(with: folder)
    }
    if isTemporary { return .temporary }
    let isSecret =
      parent.split(separator: .slash)
      .contains { part in secretFolders.contains { part.elementsEqual($0.utf8) } }
      || names.contains { name.elementsEqual($0.utf8) }
      || name.starts(with: "id_".utf8)
      || endings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    return isSecret ? .secret : nil
  }
}
