import Glibc

/// The folder where ued keeps what is not to lie beside the file it edits.
///
/// SAFETY: paths are lent for the length of a call.
@safe enum PrivateFolder {
  /// Where it may be, the best place first; the last is one that all users share.
  static var paths: [[UInt8]] {
    let path = ownPath
    return (path.isEmpty ? [] : [path]) + [Array("/var/tmp".utf8)]
  }

  /// Where it should be; empty when the environment does not say.
  private static var ownPath: [UInt8] {
    if let state = ProcessArguments.environment("XDG_STATE_HOME"), state.first == .slash {
      return state + Array("/ued".utf8)
    }
    if let home = ProcessArguments.environment("HOME"), home.first == .slash {
      return home + Array("/.local/state/ued".utf8)
    }
    return []
  }

  /// The path of the one that belongs to this user alone, which is made when it is not there; nil
  /// when that can't be.
  static var own: [UInt8]? {
    let path = ownPath
    guard !path.isEmpty else { return nil }
    makeAll(of: path)
    guard let status = OpenFile.status(of: path), status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return nil }
    return path
  }

  /// Opens it, and makes it when it is not there.
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

  /// Makes a folder and those that it is in.
  private static func makeAll(of path: [UInt8]) {
    for end in path.indices.dropFirst() where path[end] == .slash { make(Array(path[..<end])) }
    make(path)
  }

  private static func make(_ path: [UInt8]) {
    _ = unsafe SystemName.lend(path) { unsafe mkdir($0, 0o700) }
  }
}
