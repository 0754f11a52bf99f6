import Glibc

extension DiskFiles {
  /// Makes a backup of a file, with its attributes, and syncs it; does nothing if there is no file.
  ///
  /// It replaces the file or symbolic link that has its name.
  ///
  /// - Throws: Why it can't be copied.
  func backUp(_ path: [UInt8], to copyPath: [UInt8]) throws(FileError) {
    guard let status = OpenFile.status(of: path) else { return }
    guard status.isRegular else {
      throw FileError(attempt: .openInput, path: path, code: EINVAL)
    }
    do {
      let file = try OpenFile(path, O_RDONLY)
      let place = try FilePlace(replacing: copyPath)
      let name = place.name
      try Self.checkBackup(over: place.folder.status(of: name))
      var copy = try StagedFile(in: SharedFile(place.takeFolder()), mode: 0o600)
      // If attributes can't be copied, only the user can read the backup.
      try? FileAttributes.copy(from: file, status, to: copy.file)
      try file.copy(Int(status.st_size), to: copy.file)
      try copy.commitSynced(as: name)
    } catch {
      throw FileError(attempt: .openOutput, path: copyPath, code: error.code)
    }
  }

  /// Checks that a backup may replace what has its name: a file or a symbolic link, not followed.
  static func checkBackup(over status: stat?) throws(SystemError) {
    guard let status, !status.isRegular, status.st_mode & S_IFMT != S_IFLNK else { return }
    throw SystemError(code: status.isFolder ? EISDIR : EEXIST)
  }
}
