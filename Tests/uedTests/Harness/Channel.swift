import UedLinux
import Differential
import Glibc
import Testing

/// A way for bytes to reach a descriptor.
enum Channel: String, CaseIterable, Sendable {
  case file, pipe, socket

  /// A descriptor to read from and one to write to, both closed on exec.
  func open() -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    switch self {
    case .file:
      var name = Array("/tmp/ued-lines-XXXXXX".utf8CString)
      let made = mkstemp(&name)
      ends[0] = Glibc.open(name, O_RDONLY | O_CLOEXEC)
      ends[1] = Glibc.open(name, O_WRONLY | O_CLOEXEC)
      close(made)
      unlink(name)
    case .pipe:
      #expect(pipe2(&ends, O_CLOEXEC) == 0)
    case .socket:
      #expect(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    }
    return (ends[0], ends[1])
  }

  /// A descriptor from which `text` can be read, and then its end.
  func reader(of text: String) -> Int32 {
    let (reader, writer) = open()
    guard self != .file, text.utf8.count > 4096 else {
      put(text, to: writer)
      close(writer)
      return reader
    }
    // More than a pipe may hold: another thread writes it, while we read.
    _ = startThread {
      put(text, to: writer)
      close(writer)
    }
    return reader
  }
}

/// Writes all of `text`.
func put(_ text: String, to descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}

/// Runs a shell command whose standard input is a descriptor of this process.
///
/// - Returns: Its standard output.
func shell(_ command: String, standardInput: Int32) -> String {
  let result = try? Process.shell(command, directory: "/").run(.descriptor(standardInput))
  #expect(result?.ending == .exited(0))
  return String(decoding: result?.output ?? [], as: UTF8.self)
}

/// Runs `body` on a separate thread, which blocks all signals.
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var (all, old) = (sigset_t(), sigset_t())
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, &old)
  defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
  var thread: pthread_t = 0
  pthread_create(
    &thread, nil,
    { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  return thread
}
