import UedLinux
import Glibc

/// The standard output of the process, kept for answers, while what shell commands print is caught.
///
/// In the place of standard output is a socket that goes nowhere: a write to `/dev/stdout` fails, and can't get
/// between the answers. While a shell command runs, it is a file in memory, a new one for each, so that what
/// a command prints in the background after its end does not become a part of the next answer.
///
/// SAFETY: `memfd_create` gets a constant string, `open` too, and `pread` the address and size of an array
/// that outlives the call. The descriptors belong to this value, whose process ends with it.
@safe struct OutputCapture: ~Copyable {
  /// The standard output that the process was started with.
  let answers: Int32
  /// Takes the place of standard output while no shell command runs.
  private let nowhere: Int32
  /// The file that catches what a shell command prints; nil while none runs.
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

  /// Keeps standard input for this process: shell commands get an empty one.
  ///
  /// - Returns: The descriptor to read from.
  static func takeInput() -> Int32 {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, firstOwn)
    let empty = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(empty, STDIN_FILENO)
    close(empty)
    return input
  }

  /// Begins to catch what is written to standard output.
  mutating func begin() {
    if caught != nil { return }
    let file = unsafe memfd_create("ued", Self.closesOnExec)
    if file < 0 { return }
    // A command may open the file a second time, as /dev/stdout.
    _ = fcntl(file, F_SETFL, O_APPEND)
    dup2(file, STDOUT_FILENO)
    caught = file
  }

  /// Catches nothing from now on.
  ///
  /// - Returns: What was caught.
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
