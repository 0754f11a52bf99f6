import Glibc
import TextBuffer

/// The folder for files that must not lie next to the edited file.
///
/// SAFETY: `mkdir` gets a path that outlives the call.
@safe enum PrivateFolder {
  /// The candidates in order of preference; other users share all but the first.
  static var paths: [[UInt8]] {
    let temporary = ProcessArguments.environment("TMPDIR").flatMap { $0.first == .slash ? $0 : nil }
    return [state, temporary].compactMap { $0 }
      + ["/var/tmp", "/tmp", "/dev/shm"].map { Array($0.utf8) }
  }

  /// The user's own folder; nil if neither XDG_STATE_HOME nor HOME is set.
  static var state: [UInt8]? {
    if let state = ProcessArguments.environment("XDG_STATE_HOME"), state.first == .slash {
      return state + Array("/ued".utf8)
    }
    if let home = ProcessArguments.environment("HOME"), home.first == .slash {
      return home + Array("/.local/state/ued".utf8)
    }
    return nil
  }

  /// Creates the user's own folder, without access for other users.
  ///
  /// - Throws: The reason why it can't be used; ENOENT if it is in HOME, which does not exist;
  ///   EPERM if it or the nearest existing parent belongs to another user. If sudo keeps HOME, say,
  ///   that user could not read the files.
  static func make(at path: [UInt8]) throws(SystemError) {
    if let home = ProcessArguments.environment("HOME"), path.starts(with: home + [.slash]),
      !OpenFile.exists(home)
    {
      throw SystemError(code: ENOENT)
    }
    var first = path
    while OpenFile.status(of: first) == nil, let slash = first.lastIndex(of: .slash), slash > 0 {
      first = Array(first[..<slash])
    }
    guard let status = OpenFile.status(of: first), status.st_uid == SystemUser.number else {
      throw SystemError(code: EPERM)
    }
    if first != path { try makeAll(of: path) }
    try check(path)
  }

  /// Checks that an existing folder is the user's own, and removes the access of other users.
  ///
  /// - Throws: The reason why it can't be used. EPERM if it belongs to another user, who could have
  ///   put files there; or if the path has another user's symbolic link, which could lead ued to
  ///   any folder of this user.
  static func check(_ path: [UInt8]) throws(SystemError) {
    for end in path.indices.dropFirst() where path[end] == .slash || end == path.count - 1 {
      let part = Array(path[..<(path[end] == .slash ? end : end + 1)])
      guard let status = OpenFile.linkStatus(of: part), status.st_mode & S_IFMT == S_IFLNK else {
        continue
      }
      if ![0, SystemUser.number].contains(status.st_uid) { throw SystemError(code: EPERM) }
    }
    let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
    let status = try folder.status()
    if status.st_uid != SystemUser.number { throw SystemError(code: EPERM) }
    if status.st_mode & 0o777 != 0o700 {
      try SystemError.retrying { fchmod(folder.descriptor, 0o700) }
    }
  }

  /// Opens a file of the folder with the flags of `open`. The file must be the user's alone: not a
  /// link, without a second name, and not writable by others. Its mode becomes 600, whatever the
  /// umask.
  ///
  /// - Throws: The reason why it can't be opened; EPERM if it is not the user's alone.
  static func openFile(_ path: [UInt8], _ flags: Int32) throws(SystemError) -> OpenFile {
    if OpenFile.isLink(path) { throw SystemError(code: EPERM) }
    // Without `O_NONBLOCK`, opening a pipe would wait.
    let file = try OpenFile(path, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
    let status = try file.status()
    if !status.isRegular { throw SystemError(code: EISDIR) }
    guard status.isOwnFile else { throw SystemError(code: EPERM) }
    if status.st_mode & 0o777 != 0o600 {
      try SystemError.retrying { fchmod(file.descriptor, 0o600) }
    }
    return file
  }

  /// Calls `body` with each candidate until it succeeds; `earlier` is the error in the file's
  /// folder.
  ///
  /// - Throws: ENOSPC if any disk is full; otherwise the last failure.
  static func first<Result: ~Copyable>(
    after earlier: SystemError, _ body: (SharedFile) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var failure = earlier
    for path in paths {
      do throws(SystemError) {
        if path == state { try make(at: path) }
        return try body(SharedFile(try OpenFile(path, O_RDONLY | O_DIRECTORY)))
      } catch {
        if failure.code != ENOSPC { failure = error }
      }
    }
    throw failure
  }

  /// Creates a folder and its parents; an existing folder is accepted.
  private static func makeAll(of path: [UInt8]) throws(SystemError) {
    for end in path.indices.dropFirst() + [path.endIndex]
    where end == path.endIndex || path[end] == .slash {
      let code = create(Array(path[..<end]))
      if code != 0 && code != EEXIST { throw SystemError(code: code) }
    }
  }

  /// Creates a folder, and returns the error number, or 0.
  private static func create(_ path: [UInt8]) -> Int32 {
    let mask = umask(0o077)
    defer { umask(mask) }
    return unsafe SystemName.lend(path) { unsafe mkdir($0, 0o700) } == 0 ? 0 : errno
  }
}

extension stat {
  /// Whether it is a regular file that only this user can write, under one name.
  var isOwnFile: Bool {
    // A file deleted meanwhile has zero names.
    isRegular && st_uid == SystemUser.number && st_nlink <= 1 && st_mode & 0o022 == 0
  }
}

/// A random key in a private folder of the user, which seals the journals of runs. A planted
/// journal lacks the seal.
enum UserKey {
  private static let name = Array(".ued-\(SystemUser.number)-key".utf8)
  /// The first line of the file, which no other file of the user has.
  private static let title = Array("ued-key 1\n".utf8)
  private static let randomCount = 32

  /// Seals bytes, with a new key if the user has none yet.
  ///
  /// - Throws: The reason why no folder takes the key.
  static func seal(_ bytes: [UInt8]) throws(SystemError) -> [UInt8] {
    try PrivateFolder.first(after: SystemError(code: EACCES)) { (folder) throws(SystemError) in
      if let key = read(in: folder.file) { return seal(bytes, with: key) }
      return seal(bytes, with: try make(in: folder))
    }
  }

  /// Whether the user's key gives these bytes this seal.
  static func hasSealed(_ bytes: ArraySlice<UInt8>, as seal: some Sequence<UInt8>) -> Bool {
    key.map { Self.seal(Array(bytes), with: $0).elementsEqual(seal) } ?? false
  }

  /// The first key in the candidate folders; nil without one.
  private static var key: [UInt8]? {
    for path in PrivateFolder.paths {
      guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY) else { continue }
      if let key = read(in: folder) { return key }
    }
    return nil
  }

  private static func read(in folder: borrowing OpenFile) -> [UInt8]? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? OpenFile(name, in: folder.descriptor, flags),
      let status = try? file.status(), status.isOwnFile, status.st_mode & 0o077 == 0,
      status.st_size == title.count + randomCount
    else { return nil }
    let key = try? file.block(at: 0)
    return key?.starts(with: title) == true ? key : nil
  }

  private static func make(in folder: SharedFile) throws(SystemError) -> [UInt8] {
    let random = (0..<randomCount).map { _ in UInt8.random(in: .min ... .max) }
    var file = try StagedFile(in: folder, mode: 0o600)
    try unsafe DescriptorWriter.write((title + random).span.bytes, to: file.file.descriptor)
    do throws(SystemError) {
      try file.commitSynced(as: name, replacing: false)
    } catch {
      // Another run may have made one just now.
      guard error.code == EEXIST, let key = read(in: folder.file) else { throw error }
      return key
    }
    return title + random
  }

  /// Hashes twice, as HMAC does: otherwise anyone could extend sealed bytes.
  private static func seal(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8] {
    let inner = SHA256Hash(of: PieceTable(key + bytes)).bytes
    return Array(SHA256Hash(of: PieceTable(key + inner)).bytes.hexadecimal.utf8)
  }
}
