import CLinux
import Glibc
import TextBuffer

/// A file of our own that has no name, whose pages stand in for memory.
///
/// A text that is too large for memory is copied there, since the file that it comes from may be
/// changed by others at any time.
///
/// SAFETY: nobody else can open the file, so it keeps all bytes that are mapped. A mapping lives until
/// the text releases it, and holds the pages even without this value.
@safe struct Spool: ~Copyable {
  /// The file.
  let file: OpenFile
  /// The path of the folder that it is in.
  private let folder: [UInt8]

  private static let (tmpfs, ramfs) = (0x0102_1994, 0x8584_58f6)
  /// What Linux calls O_TMPFILE.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
  private static let bytesPerCopy = 64 << 20

  /// Makes an empty one.
  ///
  /// - Throws: Why there can be none, and where.
  init() throws(FileError) {
    var failure = FileError(attempt: .spool, path: [], code: ENOENT)
    for path in Self.folders {
      do throws(SystemError) {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        var system = statfs()
        let isKnown = unsafe fstatfs(folder.descriptor, &system) == 0
        if isKnown && [Self.tmpfs, Self.ramfs].contains(Int(system.f_type)) { continue }
        file = try Self.makeFile(in: folder)
        self.folder = path
        return
      } catch {
        failure = FileError(attempt: .spool, path: path, code: error.code)
      }
    }
    throw failure
  }

  /// Where it can be, the best place first.
  private static var folders: [[UInt8]] {
    let named = ProcessArguments.environment("TMPDIR").map { $0.isEmpty ? [] : [$0] } ?? []
    return named + [Array("/var/tmp".utf8)]
  }

  private static func makeFile(in folder: borrowing OpenFile) throws(SystemError) -> OpenFile {
    do {
      return try OpenFile([.dot], in: folder.descriptor, O_RDWR | unnamed, mode: 0o600)
    } catch  where error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL {
      let name = Array(".ued-spool-\(getpid())".utf8)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      let file = try OpenFile(name, in: folder.descriptor, flags, mode: 0o600)
      folder.remove(name)
      return file
    }
  }

  /// Takes all that a descriptor still gives.
  ///
  /// - Parameter look: Called with all bytes, some at a time.
  /// - Returns: The text of it, and why it is not all, if it is not: an error of the system.
  /// - Throws: Why there is no room for it.
  func text(
    from descriptor: Int32, look: (RawSpan) -> Void
  ) throws(FileError) -> (text: TextBuffer, failure: Int32?) {
    var failure: Int32?
    var isShared = true
    var chunk: [UInt8] = []
    while failure == nil {
      if Interrupts.isInterrupted {
        failure = EINTR
        break
      }
      if isShared {
        // Where the file system can, this copies nothing at all.
        let count = copy_file_range(
          descriptor, nil, file.descriptor, nil, Self.bytesPerCopy, 0)
        if count > 0 { continue }
        isShared = false
        chunk = Array(repeating: 0, count: 1 << 20)
      }
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count < 0 {
        if errno != EINTR { failure = errno }
        continue
      }
      let code = unsafe chunk.withUnsafeBytes {
        unsafe BlockOutput.writeAll(
          UnsafeRawBufferPointer(rebasing: $0[..<count]), to: file.descriptor)
      }
      if code != 0 { throw error(code) }
    }
    return (try mapped(look), failure)
  }

  /// What was copied, as a text.
  private func mapped(_ look: (RawSpan) -> Void) throws(FileError) -> TextBuffer {
    let count = file.offset
    if count == 0 { return TextBuffer() }
    // The index takes memory for every piece of it.
    if Memory.isShort(for: count / 128) { throw error(ENOMEM) }
    let base = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { throw error(errno) }
    let address = UInt(bitPattern: base)
    return unsafe TextBuffer(
      adopting: UnsafeRawBufferPointer(start: base, count: count),
      release: { unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), count) }, look: look)
  }

  private func error(_ code: Int32) -> FileError {
    FileError(attempt: .spool, path: folder, code: code)
  }
}
