import Glibc

/// The folder where ued keeps what is not to lie beside the file it edits.
///
/// SAFETY: paths are lent for the length of a call.
@safe enum PrivateFolder {
  /// Where it may be, the best place first; the last is one that all users share.
  static var paths: [[UInt8]] { (state.map { [$0] } ?? []) + [Array("/var/tmp".utf8)] }

  /// The one that is for this user alone; nil when the environment does not say.
  static var state: [UInt8]? {
    if let state = ProcessArguments.environment("XDG_STATE_HOME"), state.first == .slash {
      return state + Array("/ued".utf8)
    }
    if let home = ProcessArguments.environment("HOME"), home.first == .slash {
      return home + Array("/.local/state/ued".utf8)
    }
    return nil
  }

  /// Makes the one that is for this user alone, where only they can enter.
  ///
  /// - Parameter path: Its path.
  /// - Throws: Why it can't be used; EPERM when it would be in a place of somebody else, since a
  ///   program that runs for another user must not leave files where that one can't read them.
  static func make(at path: [UInt8]) throws(SystemError) {
    var first = path
    while OpenFile.status(of: first) == nil, let slash = first.lastIndex(of: .slash), slash > 0 {
      first = Array(first[..<slash])
    }
    guard let status = OpenFile.status(of: first), status.st_uid == geteuid() else {
      throw SystemError(code: EPERM)
    }
    makeAll(of: path)
    let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
    let mode = try folder.status().st_mode & 0o777
    if mode != 0o700 { try SystemError.retrying { fchmod(folder.descriptor, 0o700) } }
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
