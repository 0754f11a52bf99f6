import Glibc
import UedLinux

/// The write loop for descriptors.
///
/// SAFETY: `write` reads only bytes `offset..<byteCount` of the span, which outlives each call.
@safe enum DescriptorWriter {
  /// Writes all bytes, however many calls that takes. An interruptible write stops at SIGINT: for
  /// pipes whose reader may never read, and for files that can be written again.
  ///
  /// - Throws: The reason why not all was written; EINTR after an interrupt. Any number of bytes
  ///   may have been written.
  static func write(
    _ bytes: RawSpan, to descriptor: Int32, isInterruptible: Bool = false
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.byteCount {
      if isInterruptible && Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
      }
      if count < 0 && errno != EINTR { throw .last }
      offset += max(count, 0)
    }
  }

  /// Writes all bytes to a reader that may stop taking them; a signal then ends the write.
  ///
  /// - Throws: The reason why not all was written; EINTR if a signal came while nothing was taken.
  static func writeToReader(_ bytes: RawSpan, of descriptor: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
      }
      if count < 0 && (errno != EINTR || Interrupts.isInterrupted) { throw .last }
      offset += max(count, 0)
    }
  }

  /// Writes only the bytes taken soon, waiting up to `milliseconds` for the reader before each
  /// write.
  static func writeWhatIsTaken(
    _ bytes: RawSpan, by descriptor: Int32, within milliseconds: Int32
  ) {
    var offset = 0
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while offset < bytes.byteCount, unsafe poll(&polled, 1, milliseconds) == 1 {
      // A writable pipe takes this many bytes at once.
      let end = min(offset + Int(PIPE_BUF), bytes.byteCount)
      do throws(SystemError) {
        try write(bytes.extracting(offset..<end), to: descriptor)
      } catch {
        return
      }
      offset = end
    }
  }
}

/// Gathers small writes into blocks for a sink; the last one is held back until `flush()`.
struct BlockWriter: ~Copyable {
  private let sink: (RawSpan) -> Bool
  private var pending: [UInt8] = []
  /// Whether the sink has refused a block; later writes are dropped.
  private(set) var isStopped = false

  private static let blockSize = 1 << 16

  /// A writer for a sink, which returns whether it takes more blocks.
  init(_ sink: @escaping (RawSpan) -> Bool) { self.sink = sink }

  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { unsafe pending.append(contentsOf: $0) }
  }

  /// Writes bytes; a block or more goes to the sink without being copied.
  mutating func write(_ bytes: RawSpan) {
    if pending.count + bytes.byteCount > Self.blockSize { flush() }
    if bytes.byteCount >= Self.blockSize {
      if !isStopped { isStopped = !sink(bytes) }
    } else {
      pending.append(bytes, in: 0..<bytes.byteCount)
    }
  }

  /// Gives the sink the bytes gathered so far.
  mutating func flush() {
    if !pending.isEmpty, !isStopped { isStopped = unsafe !sink(pending.span.bytes) }
    pending.removeAll(keepingCapacity: true)
  }
}

/// The standard output of the process, kept for answers. The output of shell commands is caught.
///
/// A socket that goes nowhere replaces standard output: a write to `/dev/stdout` fails, and can't
/// get between the answers. While a shell command runs, a file in memory replaces it, a new one for
/// each command. Background output after the end of a command thus stays out of the next answer.
///
/// SAFETY: `memfd_create` and `open` get constant strings, and `pread` the address and size of an
/// array that outlives the call. This value owns the descriptors, and lives as long as the process.
@safe struct OutputCapture: ~Copyable {
  /// The standard output at the start of the process.
  let answers: Int32
  /// Replaces standard output while no shell command runs.
  private let nowhere: Int32
  /// The file that catches the output of a shell command; nil while none runs.
  private var caught: Int32?

  /// `MFD_CLOEXEC`.
  private static let closesOnExec: UInt32 = 1
  private static let firstOwn: Int32 = 3

  init() {
    answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, Self.firstOwn)
    nowhere = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    dup2(nowhere, STDOUT_FILENO)
  }

  /// Keeps standard input for this process; shell commands get an empty one. Returns its
  /// descriptor.
  static func takeInput() -> Int32 {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, firstOwn)
    let empty = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(empty, STDIN_FILENO)
    close(empty)
    return input
  }

  /// Starts to catch standard output.
  mutating func begin() {
    if caught != nil { return }
    let file = unsafe memfd_create("ued", Self.closesOnExec)
    if file < 0 { return }
    // A command may open the file a second time, as /dev/stdout.
    _ = fcntl(file, F_SETFL, O_APPEND)
    dup2(file, STDOUT_FILENO)
    caught = file
  }

  /// Stops catching output, and returns the caught bytes.
  mutating func end() -> [UInt8] {
    guard let file = caught else { return [] }
    caught = nil
    dup2(nowhere, STDOUT_FILENO)
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    if size <= 0 { return [] }
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    while count < size {
      let more = unsafe bytes.withUnsafeMutableBytes { bytes in
        unsafe pread(file, bytes.baseAddress.map { unsafe $0 + count }, size - count, off_t(count))
      }
      if more > 0 { count += more } else if more == 0 || errno != EINTR { break }
    }
    bytes.removeLast(size - count)
    return bytes
  }
}

/// Standard input, output and error.
///
/// SAFETY: `open` gets a constant string.
@safe enum StandardDescriptors {
  /// Opens closed standard descriptors on `/dev/null`, so that no file opened later gets their
  /// numbers; each for the wrong direction, so reading and writing fail as before.
  static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
