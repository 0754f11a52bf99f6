import Glibc
import UedLinux

/// The lines of a file, a pipe, a socket, or a terminal without line editing. Reads ahead by
/// blocks, but can return unused bytes, so that shell commands can read the next lines.
struct DescriptorLines: ~Copyable, LineSource {
  private let descriptor: PeekedDescriptor
  private var block: [UInt8]
  /// The bytes of `block` that were read ahead but not taken are `position..<end`.
  private var position = 0
  private var end = 0
  private(set) var lineNumber = 0
  /// True at a terminal, where output is flushed before a line is read.
  let showsPrompt: Bool
  /// Whether a program sends the lines. Then an unterminated last line counts, and an interrupt
  /// drops no part of a line.
  private let isDialogue: Bool
  /// Whether to write a newline after a prompt at the end of input; the terminal echoes none.
  private let endsPrompts: Bool
  /// ed's limit for a line; a longer one is an error.
  private static let longestLine = Int(Int32.max)

  var kind: InputKind { descriptor.kind }

  /// Always true for a regular file, on which reading never blocks.
  var hasLineAhead: Bool {
    kind == .regularFile || block[position..<end].contains(.newline)
  }

  var isQuiet: Bool {
    mutating get {
      // Read byte by byte, a line can't be looked for ahead.
      if block.count == 1 { return descriptor.isQuiet }
      for _ in 0..<20 {
        surrenderUnread()
        if descriptor.isQuiet { return true }
        let status = readBlock()
        if status == .interrupted && !Interrupts.hangUp { Interrupts.renew() }
        if status != .line || hasLineAhead || end == block.count { return false }
        usleep(1000)
      }
      surrenderUnread()
      return true
    }
  }

  /// The open `descriptor` is not closed here.
  init(descriptor: Int32, isDialogue: Bool = false, endsPrompts: Bool = false) {
    self.isDialogue = isDialogue
    self.endsPrompts = endsPrompts
    self.descriptor = PeekedDescriptor(descriptor)
    block = [UInt8](repeating: 0, count: self.descriptor.blockSize)
    showsPrompt = self.descriptor.kind == .terminal && isatty(STDOUT_FILENO) == 1
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    if showsPrompt { TerminalOutput.write(request.prompt) }
    var isInterrupted = false
    // An interrupt belongs to the command whose lines are read; between commands it means nothing.
    defer { if isInterrupted && request.kind != .command { Interrupts.renew() } }
    while true {
      if position == end {
        surrenderUnread()
        let status = readBlock()
        if isDialogue && status == .interrupted && !Interrupts.hangUp {
          isInterrupted = true
          continue
        }
        if status == .end && isDialogue && !line.isEmpty {
          lineNumber += 1
          return .line
        }
        if status != .line {
          // Like ed, drop an unterminated last line but count it.
          if status == .end && !line.isEmpty { lineNumber += 1 }
          if status == .end && showsPrompt && endsPrompts && !(request.prompt + line).isEmpty {
            TerminalOutput.write([.newline])
          }
          line.removeAll(keepingCapacity: true)
          return status
        }
      }
      let (count, isWhole) = descriptor.append(position..<end, of: block, to: &line)
      position += count
      if isWhole {
        lineNumber += 1
        return .line
      }
      if line.count > Self.longestLine { return .failed(0) }
    }
  }

  /// Reads the next block ahead, and returns `.line` if there is one.
  private mutating func readBlock() -> LineStatus {
    switch Progress.paused({ descriptor.peek(into: &block) }) {
    case .bytes(let count):
      end = count
      return .line
    case .end: return .end
    case .failed(let code): return .failed(code)
    case .interrupted:
      if showsPrompt { TerminalOutput.write([.newline]) }
      return .interrupted
    }
  }

  mutating func surrenderUnread() {
    descriptor.take(position, of: end, scratch: &block)
    position = 0
    end = 0
  }
}

/// A descriptor whose bytes can be read ahead without being consumed.
///
/// A regular file is read and its offset moved back. A pipe is copied with tee(2), and a socket
/// read with `MSG_PEEK`; the bytes used are then read from the original. Anything else is read byte
/// by byte, so that nothing is read ahead.
///
/// SAFETY: system calls get the address and the size of an array that outlives the call. The
/// descriptors of `Strategy.tee` belong to this value and are closed once, in `deinit`.
@safe struct PeekedDescriptor: ~Copyable {
  enum Peek: Equatable {
    case bytes(Int)
    case end
    case failed(Int32)
    case interrupted
  }

  private enum Strategy: Equatable {
    case seek
    case tee(reading: Int32, writing: Int32)
    case socket
    case bytewise
  }

  private let descriptor: Int32
  private let strategy: Strategy
  let kind: InputKind

  /// The open `descriptor` is not closed here.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    let type = Self.fileType(of: descriptor)
    kind = isatty(descriptor) != 0 ? .terminal : type == S_IFREG ? .regularFile : .other
    strategy = Self.strategy(of: descriptor, type)
  }

  deinit {
    if case .tee(let reading, let writing) = strategy {
      close(reading)
      close(writing)
    }
  }

  /// The size of the block to pass to `peek(into:)`.
  var blockSize: Int {
    // For a short script, page faults of a larger block would cost more than the reads it saves.
    strategy == .bytewise ? 1 : kind == .regularFile ? 1 << 14 : 1 << 16
  }

  /// Whether nothing can be read, also not within 20 ms.
  var isQuiet: Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 20) == 0
  }

  /// Waits for bytes and copies them to the beginning of `block`, without consuming them.
  ///
  /// - Precondition: The bytes of the previous peek have been passed to `take(_:of:scratch:)`.
  func peek(into block: inout [UInt8]) -> Peek {
    while true {
      if kind == .regularFile {
        if Interrupts.takeInterrupt() || Interrupts.hangUp { return .interrupted }
      } else if Interrupts.waitForInput(descriptor) == .interrupted {
        return .interrupted
      }
      let count = peekOnce(into: &block)
      if count > 0 { return .bytes(count) }
      let error = count == 0 ? 0 : errno
      if error == EINTR || error == EAGAIN { continue }
      if kind == .terminal && Interrupts.noteEnd(of: descriptor) { return .interrupted }
      return error == 0 ? .end : .failed(error)
    }
  }

  /// Consumes the first `used` of the `seen` bytes of the last peek. Overwrites `scratch`, a buffer
  /// of `blockSize` bytes.
  func take(_ used: Int, of seen: Int, scratch: inout [UInt8]) {
    switch strategy {
    case .seek:
      if used < seen { lseek(descriptor, off_t(used - seen), SEEK_CUR) }
    case .tee, .socket:
      var left = used
      while left > 0 {
        let count = Self.read(descriptor, into: &scratch, atMost: left)
        if count > 0 { left -= count }
        // Another process has consumed the bytes: don't wait for more.
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    case .bytewise:
      break
    }
  }

  /// Appends a part of a peeked `block`, which is not empty, to `line` up to its first newline.
  /// Returns the number of used bytes, including a newline, and whether the line is whole.
  func append(
    _ part: Range<Int>, of block: borrowing [UInt8], to line: inout [UInt8]
  ) -> (count: Int, isWhole: Bool) {
    unsafe block.withUnsafeBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[part])
      guard let start = rest.baseAddress, let newline = unsafe memchr(start, 0x0A, rest.count)
      else {
        unsafe line.append(contentsOf: rest)
        return (rest.count, false)
      }
      let count = unsafe UnsafeRawPointer(newline) - start
      unsafe line.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
      return (count + 1, true)
    }
  }

  private func peekOnce(into block: inout [UInt8]) -> Int {
    switch strategy {
    case .seek, .bytewise:
      return Self.read(descriptor, into: &block, atMost: block.count)
    case .socket:
      return unsafe block.withUnsafeMutableBytes { bytes in
        unsafe recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_PEEK))
      }
    case .tee(let reading, let writing):
      let copied = UedLinux.tee(descriptor, writing, block.count, 0)
      guard copied > 0 else { return copied }
      var count = 0
      while count < copied {
        let more = unsafe block.withUnsafeMutableBytes { bytes in
          unsafe Glibc.read(reading, bytes.baseAddress.map { unsafe $0 + count }, copied - count)
        }
        if more > 0 { count += more } else if errno != EINTR { return -1 }
      }
      return count
    }
  }

  private static func read(_ descriptor: Int32, into block: inout [UInt8], atMost count: Int) -> Int
  {
    unsafe block.withUnsafeMutableBytes { bytes in
      unsafe Glibc.read(descriptor, bytes.baseAddress, min(count, bytes.count))
    }
  }

  private static func strategy(of descriptor: Int32, _ type: mode_t) -> Strategy {
    switch type {
    case S_IFREG:
      return lseek(descriptor, 0, SEEK_CUR) >= 0 ? .seek : .bytewise
    case S_IFIFO:
      return pipeStrategy(of: descriptor)
    case S_IFSOCK:
      var type: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      let failed = unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0
      return !failed && type == Int32(SOCK_STREAM.rawValue) ? .socket : .bytewise
    default:
      return .bytewise
    }
  }

  private static func pipeStrategy(of descriptor: Int32) -> Strategy {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return .bytewise }
    // Try it with 0 bytes: not every kernel and sandbox allows it.
    if UedLinux.tee(descriptor, ends[1], 0, 0) == 0 {
      return .tee(reading: ends[0], writing: ends[1])
    }
    close(ends[0])
    close(ends[1])
    return .bytewise
  }

  private static func fileType(of descriptor: Int32) -> mode_t {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }
}
