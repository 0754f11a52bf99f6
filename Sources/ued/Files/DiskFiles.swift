import Glibc
import TextBuffer

/// Text that was read from a file or a command.
struct LoadedText {
  /// The text, as much of it as could be read.
  var text: PieceTable
  /// Whether it contains a NUL.
  var hasNUL: Bool
  /// Why it is incomplete, or why the command that printed it failed.
  var failure: FileError?
  /// The exit status of the command that printed it.
  var shellStatus: Int32 = 0
  /// The file it came from; nil unless that is a regular file.
  var identity: FileIdentity?
  /// The content of the file, where the text differs from it.
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
/// SAFETY: `read` gets the address and size of a buffer that is lent by the text for the call.
@safe struct DiskFiles: Sendable {
  /// The maximum length of a path in bytes, its NUL included.
  static let longestName = 4096

  /// The size up to which memory for a file is not checked in advance.
  private static let smallFile = 1 << 20

  /// Whether new files are staged and synced, too, as files that replace others always are.
  var isCareful = false

  /// Whether a plain script runs. As by ed, a file that another process has open for writing is then
  /// overwritten: if it were replaced, what that process writes later would be lost. As by GNU ed 1.21, the
  /// exit status of a command that is read from or written to is ignored.
  var isForPlainScript = false

  /// What a signal does to a shell command.
  var shellEnding = ShellProcess.Ending.patient

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - strippingCR: Whether carriage returns at the ends of lines are dropped.
  ///   - isInIntactFolder: Whether the folder is known to take new files, so that most files in it are
  ///     replaced and never overwritten, and can't have been torn by a killed save.
  ///   - opened: The file, if it is open, and its status.
  /// - Throws: Why it can't be opened.
  /// - Returns: Its text, as much of it as could be read.
  func read(
    _ path: [UInt8], strippingCR: Bool, isInIntactFolder: Bool = false,
    from opened: (file: SharedFile, status: stat)? = nil
  ) throws(FileError) -> LoadedText {
    let (file, status): (SharedFile, stat?)
    if let opened { (file, status) = opened } else { (file, status) = try Self.open(path) }
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

  private static func open(
    _ path: [UInt8]
  ) throws(FileError) -> (file: SharedFile, status: stat?) {
    do throws(SystemError) {
      let file = SharedFile(try OpenFile(path, O_RDONLY))
      return (file, try? file.file.status())
    } catch {
      throw FileError(attempt: .openInput, path: path, code: error.code)
    }
  }

  /// Reads all of a file; a file that does not exist has no text and no identity.
  ///
  /// - Throws: Why it can't be read.
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

  /// The text of a file; empty when there is no file.
  ///
  /// - Throws: Why it can't be read.
  func textIfThere(_ path: [UInt8]) throws(FileError) -> PieceTable {
    try readIfThere(path).text
  }

  /// Reads a descriptor to its end: into memory up to the limit for texts, then into a spool file.
  func load(
    from descriptor: Int32, sizeHint: Int, path: [UInt8], strippingCR: Bool
  ) -> LoadedText {
    var hasNUL = false
    var failure: FileError?
    // All of a regular file has been read when it has its size; one more call would only say so.
    var rest = sizeHint > 0 ? sizeHint : .max
    var total = 0
    var room = sizeHint <= Memory.comfortable ? Memory.comfortable : 0
    // Running out of memory later would end the process; here it can be reported.
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
        // The next block may have the size of all before it.
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

  /// Writes a part of a text to a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - range: The part to write.
  ///   - path: The path of the file.
  ///   - appending: Whether to append to the file instead of replacing its content.
  ///   - expected: What the file has to be until it is replaced; nil for anything, or nothing.
  /// - Throws: Why not all could be written; the file is then unchanged.
  /// - Returns: The file that was written; nil unless it is a regular file.
  @discardableResult
  func write(
    _ text: PieceTable, _ range: Range<ByteOffset>, to path: [UInt8], appending: Bool,
    expecting expected: ExpectedFile? = nil
  ) throws(FileError) -> FileIdentity? {
    let content = FileContent(text: text, range: range, path: path)
    let writer = FileWriter(
      content: content, isCareful: isCareful, sparesWriters: isForPlainScript, expected: expected)
    var exists = true
    if expected == nil {
      exists = try content.attempt(.openOutput) { () throws(SystemError) in
        try OpenFile.statusIfThere(of: path) != nil
      }
    }
    return appending ? try writer.append(exists: exists) : try writer.save(exists: exists)
  }

  /// Syncs a file that has the content already that it should get, and its name: whoever wrote it, as a plain
  /// script, may not have done so.
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

  /// Writes text to a device or a pipe, or to what is open under a descriptor that the path stands for.
  ///
  /// - Throws: ESTALE when it is a regular file.
  func feed(_ text: PieceTable, to path: [UInt8]) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    try FileWriter(content: FileContent(text: text, range: all, path: path), isCareful: false)
      .feed()
  }
}
