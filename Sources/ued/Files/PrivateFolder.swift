import Glibc

/// The folder where ued keeps what is not to lie beside the file it edits.
///
/// SAFETY: paths are lent for the length of a call.
@safe enum PrivateFolder {
  /// Where it may be, the best place first; the last is one that all users share.
  static var paths: [[UInt8]] {
    var paths: [[UInt8]] = []
    if let state = ProcessArguments.environment("XDG_STATE_HOME"), state.first == .slash {
      paths.append(state + Array("/ued".utf8))
    } else if let home = ProcessArguments.environment("HOME"), home.first == .slash {
      paths.append(home + Array("/.local/state/ued".utf8))
    }
    return paths + [Array("/var/tmp".utf8)]
  }

  /// Opens it, and makes it when it is not there.
  ///
  /// - Throws: Why it can't be opened.
  static func open() throws(SystemError) -> OpenFile {
    var failure = SystemError(code: ENOENT)
    for path in paths {
      for end in path.indices.dropFirst() where path[end] == .slash { make(Array(path[..<end])) }
      make(path)
      do {
        return try OpenFile(path, O_RDONLY | O_DIRECTORY)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func make(_ path: [UInt8]) {
    _ = unsafe SystemName.lend(path) { unsafe mkdir($0, 0o700) }
  }
}
