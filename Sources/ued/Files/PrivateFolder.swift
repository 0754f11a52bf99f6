import Glibc

/// The folder for files that do not belong beside the edited file.
///
/// SAFETY: `mkdir` gets a path that is lent for the length of the call.
@safe enum PrivateFolder {
  /// The candidates in order of preference; the last one is shared by all users.
  static var paths: [[UInt8]] { (state.map { [$0] } ?? []) + [Array("/var/tmp".utf8)] }

  /// The user's own folder; nil when neither XDG_STATE_HOME nor HOME is set.
  static var state: [UInt8]? {
    if let state = ProcessArguments.environment("XDG_STATE_HOME"), state.first == .slash {
      return state + Array("/ued".utf8)
    }
    if let home = ProcessArguments.environment("HOME"), home.first == .slash {
      return home + Array("/.local/state/ued".utf8)
    }
    return nil
  }

  /// Makes the user's own folder, with access for nobody else.
  ///
  /// - Parameter path: Its path.
  /// - Throws: Why it can't be used; EPERM if it or the nearest existing parent belongs to another user,
  ///   who could not read the files (as when HOME is kept under sudo).
  static func make(at path: [UInt8]) throws(SystemError) {
    var first = path
    while OpenFile.status(of: first) == nil, let slash = first.lastIndex(of: .slash), slash > 0 {
      first = Array(first[..<slash])
    }
    guard let status = OpenFile.status(of: first), status.st_uid == SystemUser.number else {
      throw SystemError(code: EPERM)
    }
    makeAll(of: path)
    let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
    let mode = try folder.status().st_mode & 0o777
    if mode != 0o700 { try SystemError.retrying { fchmod(folder.descriptor, 0o700) } }
  }

  /// Opens the first candidate that can be opened or made.
  ///
  /// - Throws: Why it can't be opened.
  static func open() throws(SystemError) -> OpenFile {
    var failure = SystemError(code: ENOENT)
    for path in paths {
      makeAll(of: path)
      do {
        return try OpenFile(path, O_RDONLY | O_DIRECTORY)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Makes a folder and its parents.
  private static func makeAll(of path: [UInt8]) {
    for end in path.indices.dropFirst() where path[end] == .slash { make(Array(path[..<end])) }
    make(path)
  }

  private static func make(_ path: [UInt8]) {
    _ = unsafe SystemName.lend(path) { unsafe mkdir($0, 0o700) }
  }
}
