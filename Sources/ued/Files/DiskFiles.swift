import Glibc
import TextBuffer

/// Text as it came from a file or a command.
struct LoadedText {
  /// The text, as far as it could be read.
  var text: PieceTable
  /// Whether there is a NUL in it.
  var hasNUL: Bool
  /// Why it is not all there, or why the command that gave it did not succeed.
  var failure: FileError?
  /// Which file it came from; nil when it did not come from one that keeps bytes.
  var identity: FileIdentity?
  /// What the file held, when that is not the text.
  var original: PieceTable?
  /// Where the text is that the file had before a save of it was cut off.
  var oldText: [UInt8]?
}

extension LoadedText {
  /// Nothing, for a reason.
  init(failing failure: FileError) {
    self.init(text: PieceTable(), hasNUL: false, failure: failure)
  }
}

/// The disk and the shell.
///
/// SAFETY: memory is lent to the system for the length of a call.
@safe struct DiskFiles: Sendable {
  /// How many bytes a name may have, its final NUL included.
  static let longestName = 4096

  /// Up to so many bytes, memory is taken to be there.
  private static let smallFile = 1 << 20

  /// Whether somebody waits who would rather know that the text is on the disk: new files, too, are
  /// then made in one step and synced.
  var isCareful = false

  /// Reads a file.
  ///
  /// - Throws: Why it can't be opened.
  func read(_ path: [UInt8], strippingCR: Bool) throws(FileError) -> LoadedText {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(path, O_RDONLY)
    } catch {
      throw FileError(attempt: .openInput, path: path, code: error.code)
    }
    guard let status = try? file.status(), status.isRegular else {
      return load(from: file.descriptor, sizeHint: 0, path: path, strippingCR: strippingCR)
    }
    var loaded = load(
      from: file.descriptor, sizeHint: Int(status.st_size), path: path, strippingCR: strippingCR)
    if let failure = loaded.failure, failure.code == ENOMEM || failure.code == ENOSPC,
      loaded.text.isEmpty
    {
      throw failure
    }
    loaded.identity = FileIdentity(status)
    loaded.oldText = PreservedFile.left(of: path, status)
    return loaded
  }

  /// The text of a file, which is empty when there is none.
  ///
  /// - Throws: Why it can't be read.
  func textIfThere(_ path: [UInt8]) throws(FileError) -> PieceTable {
    do throws(FileError) {
      let loaded = try read(path, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      return loaded.text
    } catch {
      if error.attempt == .openInput && error.code == ENOENT { return PieceTable() }
      throw error
    }
  }

  /// Reads all that a descriptor gives: into memory as long as that is comfortable, the rest to a file
  /// of our own.
  func load(
    from descriptor: Int32, sizeHint: Int, path: [UInt8], strippingCR: Bool
  ) -> LoadedText {
    var hasNUL = false
    var failure: FileError?
    var room = sizeHint <= Memory.comfortable ? Memory.comfortable : 0
    // Where there is no room, that is an error and not the end.
    if sizeHint > Self.smallFile && !Memory.canMap(sizeHint, isWritten: room > 0) {
      return LoadedText(failing: FileError(attempt: .readInput, path: path, code: ENOMEM))
    }
    var text = unsafe PieceTable(sizeHint: min(sizeHint, room)) { space in
      while true {
        // A file that is read never waits, so that no interrupt ends a call.
        if Interrupts.isInterrupted {
          failure = FileError(attempt: .readInput, path: path, code: EINTR)
          return 0
        }
        // SAFETY: `space` is lent for this call.
        let count = unsafe Glibc.read(descriptor, space.baseAddress, min(space.count, room))
        if count > 0, !hasNUL, let base = space.baseAddress {
          hasNUL = unsafe memchr(base, 0, count) != nil
        }
        room -= max(count, 0)
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
      // What could be read of a line is not a line.
      text.removeLines(LineRange(LineNumber(text.lineCount)))
    }
    if text.byteCount > Memory.comfortable { text.keepBytes(in: SpoolMemory.blocks) }
    var loaded = LoadedText(text: text, hasNUL: hasNUL, failure: failure)
    if strippingCR {
      loaded.original = text
      if let stripped = Self.strippingCR(text) {
        loaded.text = stripped
      } else {
        loaded.failure = FileError(attempt: .readInput, path: path, code: ENOMEM)
      }
    }
    return loaded
  }

  /// The text without the CR of each CR-LF; nil when there is not enough memory for so many pieces.
  private static func strippingCR(_ text: PieceTable) -> PieceTable? {
    var builder = PieceTable.Builder(
      from: text, copyingBelow: Memory.leastShared(of: text.byteCount))
    var start = ByteOffset(0)
    var end = start
    var isShort = false
    let lines = LineRange(LineNumber(1), LineNumber(text.newlineCount))
    if lines.count > 0 {
      text.forEachLine(in: lines) { number, line in
        end = end + (line.byteCount + 1)
        let last = line.byteCount - 1
        if last >= 0, line[last] == .carriageReturn {
          builder.keep(start..<end - 2)
          start = end - 1
        }
        if number.value & 4095 == 0 { isShort = Memory.isShort(for: builder.pieceCount * 4) }
        return !isShort
      }
    }
    if isShort { return nil }
    builder.keep(start..<ByteOffset(text.byteCount))
    return builder.finish()
  }

  /// Writes a part of a text to a file.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - range: The part of it.
  ///   - path: The name of the file.
  ///   - appending: Whether it goes behind what is there, and not in its place.
  /// - Throws: Why not all of it could be written; the file is what it was then.
  /// - Returns: Which file has it; nil when that is none that keeps bytes.
  @discardableResult
  func write(
    _ text: PieceTable, _ range: Range<ByteOffset>, to path: [UInt8], appending: Bool
  ) throws(FileError) -> FileIdentity? {
    let content = FileContent(text: text, range: range, path: path)
    let writer = FileWriter(content: content, isCareful: isCareful)
    return appending ? try writer.append() : try writer.save()
  }
}
