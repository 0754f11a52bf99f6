import Glibc

/// Saves content to a file so that, whatever fails, either the old or the new content is complete.
///
/// Usually a staged file is renamed over the old one. Where that would break a link or lose attributes, or
/// there is no room for both, the file is overwritten in place, after its old bytes have been copied and
/// synced.
struct FileWriter {
  let content: FileContent
  /// Whether new files are synced, too.
  let isCareful: Bool
  /// Whether a file that another process has open for writing is overwritten.
  var sparesWriters = false
  /// What the file has to be until it is replaced, in strict runs; otherwise any state is replaced.
  var expected: ExpectedFile?

  /// How often the file may be replaced by others between opening and writing it.
  private static let replacedLimit = 300
  /// The longest pause in microseconds after the first time; it grows with each.
  private static let shortestPause: UInt32 = 50
  /// The permissions of new files, before the umask.
  static let newFileMode: mode_t = 0o666

  /// Replaces the content of the file, or creates it.
  ///
  /// - Returns: The file that was written; nil unless it is a regular file.
  func save(exists: Bool) throws(FileError) -> FileIdentity? {
    if let locked = expected?.locked {
      let status = try content.attempt(.openOutput) { () throws(SystemError) in
        try locked.file.status()
      }
      try checkExpected(status)
      if let identity = try replace(locked.file, status, isLastTry: false) { return identity }
    }
    for count in 1...Self.replacedLimit {
      do throws(FileError) {
        if !exists { return try create() }
        let hasWriter = sparesWriters && hasWriter
        return try save(over: open(O_WRONLY | O_CREAT), inPlace: hasWriter)
      } catch {
        // Another process has replaced the file since it was opened, and nothing has been written yet.
        if expected != nil { throw error }
        if error.attempt != .openOutput || error.code != ESTALE { throw error }
        if Interrupts.isInterrupted { break }
        usleep(.random(in: 0...UInt32(count) * Self.shortestPause))
      }
    }
    return try save(over: open(O_WRONLY | O_CREAT), isLastTry: true)
  }

  /// - Throws: ESTALE when the path leads to another file now.
  private func save(
    over file: consuming OpenFile, inPlace: Bool = false, isLastTry: Bool = false
  ) throws(FileError) -> FileIdentity? {
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    guard status.isRegular else { return try stream(to: file) }
    try checkExpected(status)
    if !inPlace, let identity = try replace(file, status, isLastTry: isLastTry) {
      return identity
    }
    return try overwrite(file, status)
  }

  /// Whether another process has the file open for writing. Our own descriptor would count, too.
  private var hasWriter: Bool {
    guard OpenFile.status(of: content.path)?.isRegular == true else { return false }
    return (try? OpenFile(content.path, O_RDONLY | O_NONBLOCK).hasWriter) ?? false
  }

  /// - Throws: ESTALE when the file is not what it has to be.
  private func checkExpected(_ status: stat?) throws(FileError) {
    guard let expected, status.map({ FileIdentity($0) }) != expected.identity else { return }
    throw FileError(attempt: .openOutput, path: content.path, code: ESTALE)
  }

  /// Appends the content to the file.
  ///
  /// - Returns: The file that was written; nil unless it is a regular file.
  func append(exists: Bool) throws(FileError) -> FileIdentity? {
    if !exists { return try create() }
    let file = try open(O_WRONLY | O_CREAT | O_APPEND)
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    guard status.isRegular else { return try stream(to: file) }
    let end = Int(status.st_size) + content.byteCount
    do {
      if isCareful { try write(to: file) } else { try content.write(to: file.descriptor) }
    } catch {
      // Roll back, unless another program has appended meanwhile.
      if let size = try? file.status().st_size, Int(size) <= end {
        try? file.truncate(to: Int(status.st_size))
      }
      throw error
    }
    return try close(file)
  }

  /// Writes the content to a device or a pipe, or to whatever is open under a descriptor that the path stands for.
  ///
  /// - Throws: ESTALE when it is a regular file.
  func feed() throws(FileError) {
    let file = try content.attempt(.openOutput) { () throws(SystemError) in
      if let descriptor = OpenFile.descriptor(namedBy: content.path) {
        return try OpenFile(duplicating: descriptor)
      }
      let file = try OpenFile(content.path, O_WRONLY)
      if try file.status().isRegular { throw SystemError(code: ESTALE) }
      return file
    }
    _ = try stream(to: file)
  }

  /// Opens the file for writing with O_CREAT, as ed does: that can fail even for an existing file, in a
  /// folder with the sticky bit that others can write to.
  private func open(_ flags: Int32) throws(FileError) -> OpenFile {
    try content.attempt(.openOutput) { () throws(SystemError) in
      try OpenFile(content.path, flags, mode: Self.newFileMode)
    }
  }

  /// Writes to a device or a pipe.
  private func stream(to file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    try content.write(to: file.descriptor, isInterruptible: true)
    return try close(file)
  }

  /// Creates the file, whole or not at all; where it can't be staged and writing fails, it is removed again.
  private func create() throws(FileError) -> FileIdentity? {
    if let identity = try createStaged() { return identity }
    // ed follows any link that the system follows.
    let file = try open(O_WRONLY | O_CREAT | (isCareful ? O_NOFOLLOW : 0))
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    // Another program has created it meanwhile.
    if status.st_size > 0 { return try save(over: file) }
    do {
      if isCareful { try write(to: file) } else { try content.write(to: file.descriptor) }
    } catch {
      if let place = try? FilePlace(following: content.path), status.isRegular,
        place.folder.holds(file, as: place.name)
      {
        place.folder.remove(place.name)
      }
      throw error
    }
    return try close(file)
  }

  /// Creates the file by committing a staged one.
  ///
  /// - Returns: The new file; nil when staging is not possible here.
  private func createStaged() throws(FileError) -> FileIdentity? {
    guard let place = try? FilePlace(following: content.path) else { return nil }
    let name = place.name
    guard var new = try? StagedFile(in: SharedFile(place.takeFolder()), mode: Self.newFileMode)
    else { return nil }
    try write(to: new.file, isInterruptible: true, isSynced: isCareful)
    if (try? new.commit(as: name, replacing: false)) == nil { return nil }
    return isCareful ? try syncFolder(of: new) : try identity(of: new)
  }

  /// Replaces the file by a staged one.
  ///
  /// - Returns: The new file; nil when a replacement would break a link or lose attributes, or there is only
  ///   room for one of them.
  /// - Throws: ESTALE when the file has no longer this name, and there is another try.
  private func replace(
    _ file: borrowing OpenFile, _ status: stat, isLastTry: Bool
  ) throws(FileError) -> FileIdentity? {
    guard status.st_nlink == 1, !InheritedFiles.contains(FileIdentity(status)) else { return nil }
    guard let (folder, name, isKnown) = try place(of: status, isLastTry: isLastTry),
      var new = try? StagedFile(in: folder, mode: 0o600, removesStale: !isKnown),
      (try? FileAttributes.copy(from: file, status, to: new.file, new.status)) != nil
    else { return nil }
    do {
      try write(to: new.file, isInterruptible: true)
    } catch  where error.code == ENOSPC || error.code == EDQUOT {
      return nil
    }
    if expected != nil { try checkExpected(OpenFile.status(of: content.path)) }
    // Fails for example for a mount point.
    if (try? new.commit(as: name, replacing: true)) == nil { return nil }
    return try syncFolder(of: new)
  }

  /// The folder and name of the file with a status, and whether the file before was in the same folder.
  ///
  /// - Returns: nil when the path leads to an open file in `/proc`, or to another one at the last try.
  /// - Throws: ESTALE when the path leads to another file, and there is another try.
  private func place(
    of status: stat, isLastTry: Bool
  ) throws(FileError) -> (folder: SharedFile, name: [UInt8], isKnown: Bool)? {
    if let known = expected?.folder {
      let name = FilePlace.split(content.path).name
      if known.file.holds(status, as: name) { return (known, name, true) }
    }
    guard let place = try? FilePlace(following: content.path), !place.isOpenElsewhere
    else { return nil }
    if !place.folder.holds(status, as: place.name) {
      if isLastTry { return nil }
      throw FileError(attempt: .openOutput, path: content.path, code: ESTALE)
    }
    let name = place.name
    return (SharedFile(place.takeFolder()), name, false)
  }

  /// Syncs the folder of a committed file, and thereby its name.
  private func syncFolder(of new: consuming StagedFile) throws(FileError) -> FileIdentity {
    try content.attempt(.closeOutput) { () throws(SystemError) in try new.folder.file.sync() }
    return try identity(of: new)
  }

  private func identity(of new: borrowing StagedFile) throws(FileError) -> FileIdentity {
    FileIdentity(
      try content.attempt(.closeOutput) { () throws(SystemError) in try new.file.status() })
  }

  /// Overwrites the file in place.
  private func overwrite(
    _ file: consuming OpenFile, _ status: stat
  ) throws(FileError) -> FileIdentity? {
    let old = try content.attempt(.openOutput) { () throws(SystemError) in
      try PreservedFile(content.path, file)
    }
    do throws(FileError) {
      if expected != nil { try checkExpected(try? file.status()) }
      if content.byteCount > Int(status.st_size) + file.freeByteCount {
        throw FileError(attempt: .writeOutput, path: content.path, code: ENOSPC)
      }
    } catch {
      old.remove()
      throw error
    }
    do throws(FileError) {
      try write(to: file)
      if content.byteCount < status.st_size {
        try content.attempt(.closeOutput) { () throws(SystemError) in
          try file.truncate(to: content.byteCount)
          try file.sync()
        }
      }
    } catch {
      throw restore(file, from: old, after: error)
    }
    old.remove()
    return try close(file)
  }

  /// Restores the file after a failure.
  ///
  /// - Returns: The failure, with the path of the old bytes if they could not be restored.
  private func restore(
    _ file: borrowing OpenFile, from old: consuming PreservedFile, after failure: FileError
  ) -> FileError {
    var failure = failure
    do {
      try old.restore(file.offset, into: file)
      old.remove()
    } catch {
      failure.oldText = old.path
    }
    return failure
  }

  /// Writes all of the content and, by default, syncs it.
  private func write(
    to file: borrowing OpenFile, isInterruptible: Bool = false, isSynced: Bool = true
  ) throws(FileError) {
    try content.write(to: file.descriptor, isInterruptible: isInterruptible)
    try content.attempt(.closeOutput) { () throws(SystemError) in
      if isSynced { try file.sync() }
      try file.checkClosing()
    }
  }

  /// Closes a file that has been written.
  ///
  /// - Returns: Its identity; nil unless it is a regular file.
  private func close(_ file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    let status = try? file.status()
    do {
      try file.close()
    } catch {
      throw FileError(attempt: .closeOutput, path: content.path, code: error.code)
    }
    return status.flatMap { $0.isRegular ? FileIdentity($0) : nil }
  }
}
