import Glibc
import TextBuffer

/// Saves content to a file so that, whatever fails, either the old or the new content is complete.
/// Usually a staged file is renamed over the old one. If that would break a link or lose
/// attributes, or the disk has no room for both, the old bytes are copied and synced, and the file
/// is overwritten.
struct FileWriter {
  let content: FileContent
  /// Whether new files are synced, too.
  let isCareful: Bool
  /// See ``DiskFiles/isForPlainScript``.
  var isForPlainScript = false
  /// In strict runs, the state that the file must have until it is replaced; nil for any state.
  var expected: ExpectedFile?

  /// The number of times that other processes may replace the file between opening and writing it.
  private static let replacedLimit = 300
  /// The longest pause in microseconds after the first attempt; it grows with each attempt.
  private static let pauseIncrement: UInt32 = 50
  /// The permissions of new files, before the umask.
  static let newFileMode: mode_t = 0o666

  /// Replaces or creates the file, and returns it; nil unless it is a regular file.
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
        let hasWriter = isForPlainScript && hasWriter
        return try save(over: openForSave(), inPlace: hasWriter)
      } catch {
        // Another process has replaced the file since it was opened; nothing has been written yet.
        if expected != nil { throw error }
        if error.attempt != .openOutput || error.code != ESTALE { throw error }
        if Interrupts.isInterrupted { break }
        usleep(.random(in: 0...UInt32(count) * Self.pauseIncrement))
      }
    }
    return try save(over: openForSave(), isLastTry: true)
  }

  /// Opens the file for writing, and creates it unless it must exist.
  private func openForSave() throws(FileError) -> OpenFile {
    guard expected?.identity != nil else { return try open(O_WRONLY | O_CREAT) }
    do throws(FileError) {
      return try open(O_WRONLY)
    } catch {
      if error.code != ENOENT { throw error }
      throw FileError(attempt: .openOutput, path: content.path, code: ESTALE)
    }
  }

  /// Throws ESTALE if the path now leads to another file.
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

  /// Whether another process has the file open for writing. A descriptor of ued would count, too.
  private var hasWriter: Bool {
    guard OpenFile.status(of: content.path)?.isRegular == true else { return false }
    return (try? OpenFile(content.path, O_RDONLY | O_NONBLOCK).hasWriter) ?? false
  }

  /// Throws ESTALE if the file does not have the expected state.
  private func checkExpected(_ status: stat?) throws(FileError) {
    guard let expected, status.map({ FileIdentity($0) }) != expected.identity else { return }
    throw FileError(attempt: .openOutput, path: content.path, code: ESTALE)
  }

  /// Appends the content to the file, and returns it; nil unless it is a regular file.
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

  /// Writes the content to a device, a pipe, or an open file whose descriptor the path names.
  ///
  /// - Throws: ESTALE if the path leads to a regular file.
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

  /// Opens the file for writing with O_CREAT, as ed does. In a folder with the sticky bit that
  /// others can write to, this can fail even for an existing file.
  private func open(_ flags: Int32) throws(FileError) -> OpenFile {
    try content.attempt(.openOutput) { () throws(SystemError) in
      try FilePlace.open(
        content.path, flags, mode: Self.newFileMode, byAnyLink: isForPlainScript)
    }
  }

  private func stream(to file: consuming OpenFile) throws(FileError) -> FileIdentity? {
    try content.write(to: file.descriptor, isInterruptible: true)
    return try close(file)
  }

  /// Creates the file, whole or not at all: if unstaged, removes it after a failed write.
  private func create() throws(FileError) -> FileIdentity? {
    if let identity = try createStaged() { return identity }
    let file = try open(O_WRONLY | O_CREAT)
    let status = try content.attempt(.openOutput) { () throws(SystemError) in try file.status() }
    // Another program has created the file meanwhile.
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

  /// Creates the file by committing a staged one; nil if staging is not possible here.
  private func createStaged() throws(FileError) -> FileIdentity? {
    guard let place = try? FilePlace(following: content.path) else { return nil }
    let name = place.name
    guard var new = try? StagedFile(in: SharedFile(place.takeFolder()), mode: Self.newFileMode)
    else { return nil }
    try write(to: new.file, isInterruptible: true, isSynced: isCareful)
    if (try? new.commit(as: name, replacing: false)) == nil { return nil }
    return isCareful ? try syncFolder(of: new) : try identity(of: new)
  }

  /// Replaces the file by a staged one; nil if a replacement would break a link or lose attributes,
  /// or the disk lacks room for both files.
  ///
  /// - Throws: ESTALE if the file no longer has this name, and this is not the last try.
  private func replace(
    _ file: borrowing OpenFile, _ status: stat, isLastTry: Bool
  ) throws(FileError) -> FileIdentity? {
    guard status.st_nlink == 1, !InheritedFiles.contains(FileIdentity(status)) else { return nil }
    guard let (folder, name, isKnown) = try place(of: status, isLastTry: isLastTry),
      var new = try? StagedFile(in: folder, mode: 0o600, removesStale: !isKnown),
      (try? FileAttributes.copy(from: file, status, to: new.file, new.status)) != nil
    else { return nil }
    do {
      try write(to: new.file, isInterruptible: true, mode: status.st_mode)
    } catch  where error.code == ENOSPC || error.code == EDQUOT {
      return nil
    }
    if expected != nil {
      try checkExpected(OpenFile.status(of: content.path))
      if (try? new.exchange(with: name, file)) != nil {
        let identity = try syncFolder(of: new)
        if let present = try? file.status(),
          FileIdentity(present).hasContent(of: FileIdentity(status))
        {
          return identity
        }
        // Another program has written to the old file since the last look.
        if new.folder.file.holds(new.file, as: name), (try? new.exchange(with: name, file)) != nil {
          _ = try syncFolder(of: new)
        }
        throw FileError(attempt: .openOutput, path: content.path, code: ESTALE)
      }
    }
    // A mount point, for example, can't be replaced.
    if (try? new.commit(as: name, replacing: true)) == nil { return nil }
    return try syncFolder(of: new)
  }

  /// The folder and name of the file with a status, and whether the previous file was in the same
  /// folder; nil if the path leads to an open file in `/proc`, or to another file on the last try.
  ///
  /// - Throws: ESTALE if the path leads to another file, and this is not the last try.
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
  private func syncFolder(of new: borrowing StagedFile) throws(FileError) -> FileIdentity {
    try content.attempt(.closeOutput) { () throws(SystemError) in try new.folder.file.sync() }
    return try identity(of: new)
  }

  private func identity(of new: borrowing StagedFile) throws(FileError) -> FileIdentity {
    FileIdentity(
      try content.attempt(.closeOutput) { () throws(SystemError) in try new.file.status() })
  }

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
      try write(to: file, mode: status.st_mode)
      if content.byteCount < status.st_size {
        try content.attempt(.closeOutput) { () throws(SystemError) in
          try file.truncate(to: content.byteCount)
          FileAttributes.setSetID(of: status.st_mode, on: file)
          try file.sync()
        }
      }
    } catch {
      throw restore(file, from: old, after: error)
    }
    old.remove()
    return try close(file)
  }

  /// Restores the file, and returns the failure; with the old bytes' path if they can't be
  /// restored.
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

  /// Writes all of the content and, by default, syncs it. `mode` is the mode of the old file.
  private func write(
    to file: borrowing OpenFile, isInterruptible: Bool = false, isSynced: Bool = true,
    mode: mode_t = 0
  ) throws(FileError) {
    try content.write(to: file.descriptor, isInterruptible: isInterruptible)
    FileAttributes.setSetID(of: mode, on: file)
    try content.attempt(.closeOutput) { () throws(SystemError) in
      if isSynced { try file.sync() }
      try file.checkClosing()
    }
  }

  /// Closes a written file, and returns its identity; nil unless it is a regular file.
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

/// A part of a text to write, and the path for errors.
struct FileContent {
  let text: PieceTable
  let range: Range<ByteOffset>
  /// The path of a file, or `!` and a shell command.
  let path: [UInt8]

  /// The size of the buffer of ed's streams. Smaller content fails only when ed closes the file,
  /// with a different message than a failed write.
  private static let streamBufferSize = 4096

  var byteCount: Int { range.upperBound - range.lowerBound }

  /// Writes all of the content to a descriptor; stops at an interrupt if `isInterruptible`.
  func write(to descriptor: Int32, isInterruptible: Bool = false) throws(FileError) {
    var failure: SystemError?
    var output = BlockWriter { block in
      do throws(SystemError) {
        try DescriptorWriter.write(block, to: descriptor, isInterruptible: isInterruptible)
      } catch {
        failure = error
      }
      return failure == nil
    }
    text.forEachChunk(in: range) { chunk in
      output.write(chunk)
      return !output.isStopped
    }
    output.flush()
    guard let failure else { return }
    let isSmall = byteCount <= Self.streamBufferSize
    throw FileError(
      attempt: isSmall ? .closeOutput : .writeOutput, path: path, code: failure.code)
  }

  /// Runs one step of a save and translates its error.
  func attempt<Result: ~Copyable>(
    _ attempt: FileError.Attempt, _ step: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try step()
    } catch {
      throw FileError(attempt: attempt, path: path, code: error.code)
    }
  }
}

/// The content that a file will have, from the command that gives it until the file has it.
struct FileWrite: Sendable {
  /// The path, as the user wrote it first.
  var path: [UInt8]
  /// The whole text of the file; of a stream, the text written to it.
  var text: PieceTable
  /// The known state of the file, which must still hold; without an identity, the file did not
  /// exist. Nil if the file was not read: any file there is replaced.
  var known: KnownFile?
  /// Whether the target is a pipe, a device or an open descriptor that was not read as a file.
  var isStream = false
  /// Changes to the file other than its text.
  var otherChanges = NonTextChanges()
  /// The status of the file when the commit began; nil if there was no file.
  var status: stat?
  /// The path for a copy of the old file, if wanted.
  var backup: [UInt8]?
}

/// Changes to a file other than its text.
struct NonTextChanges: Equatable, Sendable {
  var isRemoved = false
  /// The path of the file whose attributes a new file gets; nil for the usual attributes.
  var attributesOf: [UInt8]?
  /// Whether every user who can read it can run it afterwards; nil to leave that unchanged.
  var isExecutable: Bool?
  /// Whether a new file is for its owner only.
  var isPrivate = false

  /// Whether nothing but the text changes.
  var isEmpty: Bool { self == NonTextChanges() }

  /// Whether a mode already agrees with `isExecutable`.
  func accepts(_ mode: mode_t) -> Bool {
    isExecutable.map { self.mode(mode, isExecutable: $0) == mode } ?? true
  }

  /// A mode that lets all readers of a file run it, or no user.
  private func mode(_ mode: mode_t, isExecutable: Bool) -> mode_t {
    isExecutable ? mode | (mode & 0o444) >> 2 : mode & ~0o111
  }

  func apply(to new: borrowing OpenFile) throws(SystemError) {
    if let path = attributesOf {
      let old = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try FileAttributes.copy(from: old, try old.status(), to: new)
    }
    if isPrivate { try SystemError.retrying { fchmod(new.descriptor, 0o600) } }
    guard let isExecutable else { return }
    let mode = self.mode(try new.status().st_mode & 0o7777, isExecutable: isExecutable)
    try SystemError.retrying { fchmod(new.descriptor, mode) }
  }
}

extension FileContent {
  init(_ write: FileWrite) {
    let text = write.text
    self.init(text: text, range: ByteOffset(0)..<ByteOffset(text.byteCount), path: write.path)
  }
}
