import Glibc
import TextBuffer

/// Writes content to a file so that, whatever fails, all of the old or all of the new content is there.
///
/// A file is replaced in one step where that is right; else it is written over in place, its old bytes
/// put aside before.
///
/// SAFETY: the system fills values on the stack.
@safe struct FileWriter {
  let content: FileContent
  /// Whether a file that is new is made in one step, and waited for, too.
  let isCareful: Bool

  private static let newFileMode: mode_t = 0o666
  /// Descriptors below this may come from the script that runs ued.
  private static let firstOwnDescriptor: Int32 = 10

  /// Writes the content in place of what the file has.
  ///
  /// - Returns: Which file it is in; nil when that is none that keeps bytes.
  func save() throws(FileError) -> FileIdentity? {
    guard OpenFile.status(of: content.path) != nil else { return try create() }
    return try save(over: open(O_WRONLY | O_CREAT))
  }

  private func save(over file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    guard status.isRegular else { return try feed(file) }
    if let identity = try replace(file, status) { return identity }
    return try overwrite(file, status)
  }

  /// Writes the content behind what the file has.
  ///
  /// - Returns: Which file it is in; nil when that is none that keeps bytes.
  func append() throws(FileError) -> FileIdentity? {
    guard OpenFile.status(of: content.path) != nil else { return try create() }
    let file = try open(O_WRONLY | O_CREAT | O_APPEND)
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    guard status.isRegular else { return try feed(file) }
    let end = Int(status.st_size) + content.byteCount
    do {
      try write(to: file)
    } catch {
      // Only if nobody else has appended meanwhile.
      if let size = try? file.status().st_size, Int(size) <= end {
        try? file.truncate(to: Int(status.st_size))
      }
      throw error
    }
    return try finish(file)
  }

  /// Opens the file. As in ed it may be a new one, which some systems refuse in folders that all can
  /// write to, although the file is there.
  private func open(_ flags: Int32) throws(FileError) -> OpenFile {
    try content.attempt(.openOutput) { () throws(SystemError) in
      try OpenFile(content.path, flags, mode: Self.newFileMode)
    }
  }

  /// Writes to a device or a pipe.
  private func feed(_ file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    try content.write(to: file.descriptor, isInterruptible: true)
    return try finish(file)
  }

  /// Writes a file that is new; when that fails, it is not there.
  private func create() throws(FileError) -> FileIdentity? {
    if isCareful, let identity = try createInOneStep() { return identity }
    let file = try open(O_WRONLY | O_CREAT)
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    // Somebody else was faster.
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
    return try finish(file)
  }

  /// Makes a new file under another name first.
  ///
  /// - Returns: Which file that is; nil when it can't be made that way.
  private func createInOneStep() throws(FileError) -> FileIdentity? {
    guard let place = try? FilePlace(following: content.path) else { return nil }
    let name = place.name
    guard var new = try? TemporaryFile(in: place.takeFolder(), mode: Self.newFileMode)
    else { return nil }
    try write(to: new.file, isInterruptible: true)
    if (try? new.keep(as: name, replacing: false)) == nil { return nil }
    return try settle(new)
  }

  /// Puts a new file in the place of the old one.
  ///
  /// - Returns: Which file that is; nil when another file would not be the same thing.
  private func replace(
    _ file: borrowing OpenFile, _ status: stat
  ) throws(FileError) -> FileIdentity? {
    guard status.st_nlink == 1, !isOpenAlready(file, status),
      let place = try? FilePlace(following: content.path), !place.isOpenElsewhere,
      place.folder.holds(file, as: place.name)
    else { return nil }
    let name = place.name
    guard var new = try? TemporaryFile(in: place.takeFolder(), mode: 0o600),
      (try? FileAttributes.copy(from: file, status, to: new.file)) != nil
    else { return nil }
    try write(to: new.file, isInterruptible: true)
    // Refused where a file system is mounted on the file, for example.
    if (try? new.keep(as: name, replacing: true)) == nil { return nil }
    return try settle(new)
  }

  /// Waits until a file that has got its name has it on the disk, too.
  private func settle(_ new: consuming TemporaryFile) throws(FileError) -> FileIdentity {
    try content.attempt(.closeOutput) { () throws(SystemError) in try new.folder.sync() }
    return FileIdentity(
      try content.attempt(.closeOutput) { () throws(SystemError) in try new.file.status() })
  }

  /// Writes over the file in its place.
  private func overwrite(
    _ file: consuming OpenFile, _ status: stat
  ) throws(FileError) -> FileIdentity? {
    let old = try content.attempt(.openOutput) { () throws(SystemError) in
      try PreservedFile(content.path, file)
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
      throw putBack(old, into: file, after: error)
    }
    old.remove()
    return try finish(file)
  }

  /// Puts the old bytes back after a failure.
  ///
  /// - Returns: The failure, with the place of the old bytes if they could not be put back.
  private func putBack(
    _ old: consuming PreservedFile, into file: borrowing OpenFile, after failure: FileError
  ) -> FileError {
    var failure = failure
    do {
      try old.putBack(file.offset, into: file)
      old.remove()
    } catch {
      failure.oldText = old.path
    }
    return failure
  }

  /// Writes all of the content and waits until it is on the disk.
  private func write(
    to file: borrowing OpenFile, isInterruptible: Bool = false
  ) throws(FileError) {
    try content.write(to: file.descriptor, isInterruptible: isInterruptible)
    try content.attempt(.closeOutput) { () throws(SystemError) in
      try file.sync()
      try file.checkClosing()
    }
  }

  /// Closes a file that has been written.
  ///
  /// - Returns: Which file that was; nil when it is none that keeps bytes.
  private func finish(_ file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    let status = try? file.status()
    do {
      try file.close()
    } catch {
      throw FileError(attempt: .closeOutput, path: content.path, code: error.code)
    }
    return status.flatMap { $0.isRegular ? FileIdentity($0) : nil }
  }

  /// Whether the file is one that was open when ued was started: others then count on its staying.
  private func isOpenAlready(_ file: borrowing OpenFile, _ status: stat) -> Bool {
    let identity = FileIdentity(status)
    return (0..<Self.firstOwnDescriptor).contains { descriptor in
      var other = stat()
      guard descriptor != file.descriptor, unsafe fstat(descriptor, &other) == 0
      else { return false }
      return FileIdentity(other).isSameFile(as: identity)
    }
  }
}
