import Glibc

/// Keeping unsaved text when the program has to end.
extension DiskFiles {
  /// Writes content to a file for this user only, which replaces one of this user's.
  ///
  /// Others may have put a pipe, a link or a file of their own there, on which to wait or into which to write would lose
  /// the text or show it.
  ///
  /// - Throws: Why that is impossible; EISDIR for a folder, EEXIST for what else is no regular file of this
  ///   user's.
  func rescue(_ content: FileContent) throws(FileError) {
    var new = try content.attempt(.openOutput) { () throws(SystemError) in
      let place = try FilePlace(replacing: content.path)
      if let present = place.folder.status(of: place.name),
        !present.isRegular || present.st_uid != SystemUser.number
      {
        throw SystemError(code: present.isFolder ? EISDIR : EEXIST)
      }
      return try StagedFile(in: SharedFile(place.takeFolder()), mode: 0o600)
    }
    try content.write(to: new.file.descriptor)
    try content.attempt(.closeOutput) { () throws(SystemError) in
      try new.commitSynced(as: FilePlace.split(content.path).name)
    }
  }
}
