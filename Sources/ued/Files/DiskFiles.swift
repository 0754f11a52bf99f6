import Glibc
import TextBuffer
import UedLinux

/// Text from a file or a command.
struct LoadedText {
  /// The text, as much of it as could be read.
  var text: PieceTable
  /// Whether it contains a NUL.
  var hasNUL: Bool
  /// The reason why it is incomplete, or why the command that printed it failed.
  var failure: FileError?
  /// The exit status of the command that printed it.
  var shellStatus: Int32 = 0
  /// The source file; nil unless it is a regular file.
  var identity: FileIdentity?
  /// The content of the file, if the text differs from it.
  var original: PieceTable?
  /// The path of the old content, if a save of the file was killed.
  var oldText: [UInt8]?
}

extension LoadedText {
  /// No text, and the reason.
  init(failing failure: FileError) {
    self.init(text: PieceTable(), hasNUL: false, failure: failure)
  }
}

/// Files on the disk, and shell commands.
///
/// SAFETY: `read` gets the address and size of a buffer that the text lends for the call.
@safe struct DiskFiles: Sendable {
  /// The maximum length of a path in bytes, its NUL included.
  static let longestName = 4096

  /// The size up to which a file is read without a check of memory.
  private static let smallFile = 1 << 20

  /// Whether new files are staged and synced, too. Replacements always are.
  var isCareful = false

  /// Whether a plain script runs. Like ed, ued then follows any link that the system follows, and
  /// overwrites a file that another process has open for writing: replacing it would lose later
  /// writes of that process. Like GNU ed 1.21, ued then ignores the exit status of a shell command
  /// that it reads from or writes to.
  var isForPlainScript = false

  /// The effect of a signal on a shell command.
  var shellEnding = ShellProcess.Ending.patient

  /// Reads a file as far as possible; `strippingCR` drops carriage returns at line ends.
  ///
  /// An intact folder is known to take new files. Most files in it are then replaced and never
  /// overwritten, so a killed save can't have torn them.
  ///
  /// - Throws: The reason why it can't be opened.
  /// - Returns: Its text, as far as it could be read.
  func read(
    _ path: [UInt8], strippingCR: Bool, isInIntactFolder: Bool = false,
    from opened: (file: SharedFile, status: stat)? = nil
  ) throws(FileError) -> LoadedText {
    let (file, status): (SharedFile, stat?)
    if let opened { (file, status) = opened } else { (file, status) = try open(path) }
    let descriptor = file.file.descriptor
    if opened != nil { lseek(descriptor, 0, SEEK_SET) }
    guard let status, status.isRegular else {
      return load(from: descriptor, sizeHint: 0, path: path, strippingCR: strippingCR)
    }
    var loaded = load(
      from: descriptor, sizeHint: Int(status.st_size), path: path, strippingCR: strippingCR)
    if let failure = loaded.failure, failure.code == ENOMEM || failure.code == ENOSPC,
      loaded.text.isEmpty
    {
      throw failure
    }
    loaded.identity = FileIdentity(status)
    let isReplaced =
      isInIntactFolder && status.st_nlink == 1 && status.st_uid == SystemUser.number
    if !isReplaced { loaded.oldText = PreservedFile.leftover(of: path, status) }
    return loaded
  }

  private func open(_ path: [UInt8]) throws(FileError) -> (file: SharedFile, status: stat?) {
    do throws(SystemError) {
      let file = SharedFile(
        try FilePlace.open(path, O_RDONLY, byAnyLink: isForPlainScript))
      return (file, try? file.file.status())
    } catch {
      throw FileError(attempt: .openInput, path: path, code: error.code)
    }
  }

  /// Reads all of a file; a file that does not exist has no text and no identity.
  func readIfThere(_ path: [UInt8]) throws(FileError) -> LoadedText {
    do throws(FileError) {
      let loaded = try read(path, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      return loaded
    } catch {
      guard error.attempt == .openInput && error.code == ENOENT else { throw error }
      return LoadedText(text: PieceTable(), hasNUL: false)
    }
  }

  /// The text of a file; empty if the file does not exist.
  func textIfThere(_ path: [UInt8]) throws(FileError) -> PieceTable {
    try readIfThere(path).text
  }

  /// Reads a descriptor to its end: into memory up to the limit for texts, then into a spool file.
  func load(
    from descriptor: Int32, sizeHint: Int, path: [UInt8], strippingCR: Bool
  ) -> LoadedText {
    var hasNUL = false
    var failure: FileError?
    // A regular file has been read when its size is reached; one more call would only confirm that.
    var rest = sizeHint > 0 ? sizeHint : .max
    var total = 0
    var room = sizeHint <= Memory.comfortable ? Memory.comfortable : 0
    // Running out of memory later would end the process; a shortage found here can be reported.
    if sizeHint > Self.smallFile && !Memory.canMap(sizeHint, isWritten: room > 0) {
      return LoadedText(failing: FileError(attempt: .readInput, path: path, code: ENOMEM))
    }
    var text = unsafe PieceTable(sizeHint: min(sizeHint, room)) { space in
      while true {
        if rest <= 0 { return 0 }
        // Reading a regular file does not block, so a signal does not interrupt the call.
        if Interrupts.isInterrupted {
          let code = Memory.isExhausted ? ENOMEM : EINTR
          failure = FileError(attempt: .readInput, path: path, code: code)
          return 0
        }
        // SAFETY: at most `space.count` bytes are written to `space`, which is lent for this call.
        let count = unsafe Glibc.read(descriptor, space.baseAddress, min(space.count, room))
        if count > 0, !hasNUL, let base = space.baseAddress {
          hasNUL = unsafe memchr(base, 0, count) != nil
        }
        room -= max(count, 0)
        // The next block may be as large as all blocks before it.
        total += max(count, 0)
        if sizeHint == 0 && Memory.isShort(for: total) {
          failure = FileError(attempt: .readInput, path: path, code: ENOMEM)
          return 0
        }
        rest -= max(count, 0)
        if count >= 0 { return count }
        if errno != EINTR {
          failure = FileError(attempt: .readInput, path: path, code: errno)
          return 0
        }
      }
    }
    if room == 0 && failure == nil {
      do throws(SystemError) {
        let (rest, restHasNUL) = try Spool.text(of: descriptor)
        text.insert(rest, at: ByteOffset(text.byteCount))
        hasNUL = hasNUL || restHasNUL
      } catch {
        failure = FileError(attempt: .readInput, path: path, code: error.code)
      }
    }
    if failure != nil, !text.endsWithNewline, text.lineCount > 0 {
      // Drop the incomplete last line.
      text.removeLines(LineRange(LineNumber(text.lineCount)))
    }
    if text.byteCount > Memory.comfortable { text.keepBytes(in: SpoolMemory.blocks) }
    var loaded = LoadedText(text: text, hasNUL: hasNUL, failure: failure)
    if strippingCR {
      loaded.original = text
      if let stripped = text.withoutCRLF {
        loaded.text = stripped
      } else {
        loaded.failure = FileError(attempt: .readInput, path: path, code: ENOMEM)
      }
    }
    return loaded
  }

  /// Writes a part of a text to a file, which must be as `expected`, if given, until replaced.
  /// Returns the written file; nil unless it is a regular file.
  ///
  /// - Throws: The reason why not all could be written; the file is then unchanged.
  @discardableResult
  func write(
    _ text: PieceTable, _ range: Range<ByteOffset>, to path: [UInt8], appending: Bool,
    expecting expected: ExpectedFile? = nil
  ) throws(FileError) -> FileIdentity? {
    let content = FileContent(text: text, range: range, path: path)
    let writer = FileWriter(
      content: content, isCareful: isCareful, isForPlainScript: isForPlainScript,
      expected: expected)
    var exists = true
    if expected == nil {
      exists = try content.attempt(.openOutput) { () throws(SystemError) in
        try OpenFile.statusIfThere(of: path) != nil
      }
    }
    return appending ? try writer.append(exists: exists) : try writer.save(exists: exists)
  }

  /// Syncs a file that already has its new content, and its name. The program that wrote the
  /// content, such as a plain script, may not have synced it.
  func sync(_ path: [UInt8]) throws(FileError) {
    do throws(SystemError) {
      do throws(SystemError) {
        try OpenFile(path, O_RDONLY | O_NONBLOCK).sync()
      } catch  where error.code == EACCES {
        try OpenFile(path, O_WRONLY | O_NONBLOCK).sync()
      }
      if let place = try? FilePlace(following: path) { try place.folder.sync() }
    } catch {
      throw FileError(attempt: .closeOutput, path: path, code: error.code)
    }
  }

  /// Writes text to a descriptor; throws the reason why not all could be written.
  static func write(_ text: PieceTable, to descriptor: Int32) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    try FileContent(text: text, range: all, path: [UInt8(ascii: "-")]).write(
      to: descriptor, isInterruptible: true)
  }

  /// Writes text to a device, a pipe, or an open file whose descriptor the path names.
  ///
  /// - Throws: ESTALE if the path leads to a regular file.
  func feed(_ text: PieceTable, to path: [UInt8]) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    try FileWriter(content: FileContent(text: text, range: all, path: path), isCareful: false)
      .feed()
  }
}

// MARK: - Backup

extension DiskFiles {
  /// Makes a backup of a file, with its attributes, and syncs it; does nothing if the file does not
  /// exist. The backup replaces a file or symbolic link of its name.
  func backUp(_ path: [UInt8], to copyPath: [UInt8]) throws(FileError) {
    guard let status = OpenFile.status(of: path) else { return }
    guard status.isRegular else {
      throw FileError(attempt: .openInput, path: path, code: EINVAL)
    }
    do {
      let file = try FilePlace.open(path, O_RDONLY)
      let place = try FilePlace(replacing: copyPath)
      let name = place.name
      try Self.checkBackup(over: place.folder.status(of: name))
      var copy = try StagedFile(in: SharedFile(place.takeFolder()), mode: 0o600)
      // Without the attributes, only the user can read the backup.
      try? FileAttributes.copy(from: file, status, to: copy.file)
      try file.copy(Int(status.st_size), to: copy.file)
      try copy.commitSynced(as: name)
    } catch {
      throw FileError(attempt: .openOutput, path: copyPath, code: error.code)
    }
  }

  /// Checks that a backup may replace the present file: a regular file, or a link itself.
  static func checkBackup(over status: stat?) throws(SystemError) {
    guard let status, !status.isRegular, status.st_mode & S_IFMT != S_IFLNK else { return }
    throw SystemError(code: status.isFolder ? EISDIR : EEXIST)
  }
}

// MARK: - Rescue

/// Keeping unsaved text when the program must end.
extension DiskFiles {
  /// Writes content to a file for this user only; it may replace a file of this user. Another user
  /// may have put a pipe, a link or a file there: waiting for the pipe would lose the text, writing
  /// into the file would show it.
  ///
  /// - Throws: The reason why it can't be written; EISDIR for a folder, EEXIST for anything else
  ///   but a regular file of this user.
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

// MARK: - Shell

/// Shell commands.
///
/// SAFETY: `memfd_create` gets a constant string; descriptors are closed once, by the function that opened them.
extension DiskFiles {
  /// `MFD_CLOEXEC`.
  private static let closesOnExec: UInt32 = 1

  /// Reads the output of a shell command, which shares ued's standard input unless `input` is
  /// given.
  ///
  /// - Throws: The reason why it can't be run.
  func output(
    of command: [UInt8], reading input: Int32 = -1, strippingCR: Bool
  ) throws(FileError) -> LoadedText {
    let path = [.bang] + command
    let shell: ShellProcess
    do {
      shell = try ShellProcess(command, shellEnding, passing: .output, input: input)
    } catch {
      throw FileError(attempt: .openInput, path: path, code: error.code)
    }
    var loaded = load(from: shell.pipe, sizeHint: 0, path: path, strippingCR: strippingCR)
    loaded.shellStatus = shell.wait()
    if loaded.shellStatus != 0, loaded.failure == nil, !isForPlainScript {
      loaded.failure = FileError(
        attempt: .closeInput, path: path, code: 0, shellStatus: loaded.shellStatus)
    }
    return loaded
  }

  /// Filters a part of a text through a shell command; also returns whether it has read any input.
  ///
  /// - Throws: The reason why it can't be run.
  func output(
    of command: [UInt8], from text: PieceTable, _ range: Range<ByteOffset>
  ) throws(FileError) -> (LoadedText, hasRead: Bool) {
    let path = [.bang] + command
    let input = unsafe memfd_create("ued", Self.closesOnExec)
    guard input >= 0 else { throw FileError(attempt: .openInput, path: path, code: errno) }
    defer { close(input) }
    try FileContent(text: text, range: range, path: path).write(to: input)
    lseek(input, 0, SEEK_SET)
    let loaded = try output(of: command, reading: input, strippingCR: false)
    // The command shares our file offset.
    return (loaded, lseek(input, 0, SEEK_CUR) > 0)
  }

  /// Writes a text to a shell command.
  ///
  /// - Throws: The reason why not all could be written, or the failure of the command.
  func write(
    _ text: PieceTable, toCommand command: [UInt8]
  ) throws(FileError) {
    let path = [.bang] + command
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    let content = FileContent(text: text, range: all, path: path)
    let shell: ShellProcess
    do {
      shell = try ShellProcess(command, shellEnding, passing: .input)
    } catch {
      throw FileError(attempt: .openOutput, path: path, code: error.code)
    }
    var failure: FileError?
    do throws(FileError) {
      try content.write(to: shell.pipe, isInterruptible: true)
    } catch {
      failure = error
    }
    let status = shell.wait()
    // Whether a command that does not read all its input is noticed depends on its speed.
    if let failure, isForPlainScript || failure.code != EPIPE { throw failure }
    if status != 0, Interrupts.isInterrupted || !isForPlainScript {
      let code = Interrupts.isInterrupted ? EINTR : 0
      throw FileError(attempt: .closeOutput, path: path, code: code, shellStatus: status)
    }
  }

  /// Runs a shell command, and returns its exit status, or 128 plus the signal that ended it; nil
  /// if no shell could be started.
  func run(_ command: [UInt8]) -> Int32? {
    guard let shell = try? ShellProcess(command, shellEnding) else { return nil }
    return shell.wait()
  }
}

/// A failed operation on a file or a shell command. After a failed transaction all files are as
/// before, except for `notUndone`.
struct FileError: Error, Equatable, Sendable {
  enum Attempt: Equatable, Sendable {
    case openInput, readInput, closeInput, openOutput, writeOutput, closeOutput
  }

  /// The reasons for giving up a write.
  enum Reason: Equatable, Sendable {
    /// The operation failed with `code`.
    case system
    /// The file is not the one that was read.
    case changed(KnownFile.Danger)
    /// The check of ``FileTransaction/validate(_:)`` refused the new content.
    case rejected
    /// The check has changed the new content, or its attributes.
    case altered
    /// Some files could not be put back: the present paths of their old content, and whether it
    /// stays there, because no journal records where it belongs.
    case notUndone(paths: [[UInt8]], isStuck: Bool)
  }

  var attempt: Attempt
  /// The path of the file, or `!` and the shell command.
  var path: [UInt8]
  /// The reason, as in `errno`; 0 for a shell command that failed.
  var code: Int32
  /// The status of a shell command that failed; 0 for any other failure.
  var shellStatus: Int32 = 0
  /// The path of the old content, if the file could not be restored.
  var oldText: [UInt8]?
  var reason = Reason.system
}

extension FileError {
  /// Runs one step of a transaction and translates its error.
  static func attempt<Result: ~Copyable>(
    _ attempt: Attempt, _ path: [UInt8], _ step: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try step()
    } catch {
      if error.code == ESTALE { throw .changed(path: path) }
      throw FileError(attempt: attempt, path: path, code: error.code)
    }
  }

  /// The failure of opening a file for writing.
  static func notWritable(_ path: [UInt8], _ code: Int32) -> FileError {
    FileError(attempt: .openOutput, path: path, code: code)
  }

  /// The failure because a file is not the one that was read.
  static func changed(
    path: [UInt8], _ danger: KnownFile.Danger = .changedOutside
  ) -> FileError {
    FileError(attempt: .openOutput, path: path, code: ESTALE, reason: .changed(danger))
  }

  /// The failure because the check of ``FileTransaction/validate(_:)`` refused the new content.
  static func rejected(path: [UInt8]) -> FileError {
    FileError(attempt: .openOutput, path: path, code: 0, reason: .rejected)
  }

  /// The failure because the check has changed the new content.
  static func altered(path: [UInt8]) -> FileError {
    FileError(attempt: .openOutput, path: path, code: 0, reason: .altered)
  }
}

/// The files that were open when ued was started. Replacing one would leave its opener with the old
/// file.
///
/// SAFETY: `fstat` fills a value on the stack.
@safe enum InheritedFiles {
  /// Descriptors below this one may have been opened by the script that runs ued.
  private static let firstOwnDescriptor: Int32 = 10

  private static let numbers: Set<FileIdentity.Number> = {
    var numbers: Set<FileIdentity.Number> = []
    for descriptor in 0..<firstOwnDescriptor {
      var status = stat()
      // Descriptors that ued opens are closed on `exec`, so they are not inherited.
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0, unsafe fstat(descriptor, &status) == 0 {
        numbers.insert(FileIdentity(status).number)
      }
    }
    return numbers
  }()

  /// Whether a file was open at the start.
  static func contains(_ file: FileIdentity) -> Bool { numbers.contains(file.number) }
}

// MARK: - What a write would destroy

extension DiskFiles {
  /// The reason why overwriting a file would destroy content that ued has never read, and the
  /// present file; nil if writing is safe. `new` is the whole new content; nil if it is only a part.
  func danger(
    ofWriting path: [UInt8], _ new: PieceTable? = nil, over known: KnownFile
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    var known = known
    // Another program may have written the same.
    if let new { known.texts.append(new) }
    return danger(ofWriting: path, OpenFile.status(of: path), over: known)
  }

  /// ``danger(ofWriting:over:)`` with the file's `status`, which is nil if there is no file.
  func danger(
    ofWriting path: [UInt8], _ status: stat?, over known: KnownFile
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    guard let status, status.isRegular else { return nil }
    let present = FileIdentity(status)
    let isKnown = known.identity.map { $0.isSameFile(as: present) } ?? false
    guard isKnown || path == known.path else { return nil }
    if !known.isWhole { return (known.identity == nil ? .neverRead : .readInPart, present) }
    if present == known.identity { return nil }
    // Perhaps only the time has changed.
    let candidates = known.texts.filter { $0.byteCount == Int(status.st_size) }
    if !candidates.isEmpty, let text = try? textIfThere(path), candidates.contains(text) {
      return nil
    }
    return (.changedOutside, present)
  }
}
