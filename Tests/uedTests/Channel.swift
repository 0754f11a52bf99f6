import CLinux
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
    // More than a pipe may hold: another process writes it, while we read.
    let file = Channel.file.reader(of: text)
    // In the background of a shell that ends at once, for a child that nobody waits for keeps exit
    // tests from ending.
    let child = spawn("exec 3<&0; cat <&3 &", standardInput: file, standardOutput: writer)
    waitpid(child, nil, 0)
    close(file)
    close(writer)
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

/// Starts a shell command; its standard error is ours.
func spawn(_ command: String, standardInput: Int32, standardOutput: Int32) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
  posix_spawn_file_actions_adddup2(&actions, standardOutput, 1)
  var arguments = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
  var child: pid_t = 0
  let status = posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ)
  #expect(status == 0)
  arguments.forEach { free($0) }
  posix_spawn_file_actions_destroy(&actions)
  return child
}

/// Runs a shell command and answers what it wrote.
func shell(_ command: String, standardInput: Int32) -> String {
  let (reader, writer) = Channel.pipe.open()
  let child = spawn(command, standardInput: standardInput, standardOutput: writer)
  close(writer)
  var output: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 4096)
  while case let count = read(reader, &block, block.count), count > 0 {
    output += block[..<count]
  }
  close(reader)
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return String(decoding: output, as: UTF8.self)
}
