import CLinux
import Glibc

/// A descriptor whose bytes can be looked at first and taken later.
///
/// A file is read and the offset moved back. Of a pipe a copy is made with tee(2), of a socket with
/// `MSG_PEEK`, and what has been used is then read from the original. Anything else is read a byte
/// at a time, so that nothing has to be given back.
///
/// SAFETY: system calls get the address and the count of an array that is alive during the call;
/// the descriptors of `Manner.copy` are owned by this value and closed once, in `deinit`.
@safe struct PeekedDescriptor: ~Copyable {
  enum Sight: Equatable {
    case bytes(Int)
    case end
    case failed(Int32)
    case interrupted
  }

  private enum Manner: Equatable {
    case seek
    case copy(reading: Int32, writing: Int32)
    case peek
    case bytewise
  }

  private let descriptor: Int32
  private let manner: Manner
  let kind: InputKind

  /// - Parameter descriptor: An open descriptor, which is not closed here.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    kind = Self.kind(of: descriptor)
    manner = Self.manner(of: descriptor)
  }

  deinit {
    if case .copy(let reading, let writing) = manner {
      close(reading)
      close(writing)
    }
  }

  /// How large a block is worth handing to `look(into:)`.
  var blockSize: Int {
    // Memory that is touched for the first time makes itself felt when a script is short.
    manner == .bytewise ? 1 : kind == .regularFile ? 1 << 14 : 1 << 16
  }

  /// Waits for bytes and copies them to the beginning of `block`, not taking them.
  ///
  /// What was seen before must have been taken: see `take(_:of:scratch:)`.
  func look(into block: inout [UInt8]) -> Sight {
    while true {
      if kind == .regularFile {
        if Interrupts.takeInterrupt() || Interrupts.hangUp { return .interrupted }
      } else if Interrupts.waitForInput(descriptor) == .interrupted {
        return .interrupted
      }
      let count = lookOnce(into: &block)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno != EINTR && errno != EAGAIN { return .failed(errno) }
    }
  }

  /// Takes the first `used` of the `seen` bytes that `look(into:)` showed.
  ///
  /// - Parameters:
  ///   - used: At most `seen`.
  ///   - seen: The answer of the last `look(into:)`.
  ///   - scratch: As large as `blockSize`; overwritten.
  func take(_ used: Int, of seen: Int, scratch: inout [UInt8]) {
    switch manner {
    case .seek:
      if used < seen { lseek(descriptor, off_t(used - seen), SEEK_CUR) }
    case .copy, .peek:
      var left = used
      while left > 0 {
        let count = Self.read(descriptor, into: &scratch, atMost: left)
        if count > 0 { left -= count }
        // Another reader took the bytes between; there is nothing left to wait for.
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    case .bytewise:
      break
    }
  }

  /// Appends a part of `block` to `line`, up to its first newline.
  ///
  /// - Parameters:
  ///   - part: Not empty.
  ///   - block: What `look(into:)` filled.
  ///   - line: Gets the bytes before the newline, or all when there is none.
  /// - Returns: How many bytes were used, the newline included, and whether there was one.
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

  /// Whether there is a newline in a part of `block`.
  func hasNewline(_ part: Range<Int>, of block: borrowing [UInt8]) -> Bool {
    unsafe block.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !part.isEmpty else { return false }
      return unsafe memchr(start + part.lowerBound, 0x0A, part.count) != nil
    }
  }

  private func lookOnce(into block: inout [UInt8]) -> Int {
    switch manner {
    case .seek, .bytewise:
      return Self.read(descriptor, into: &block, atMost: block.count)
    case .peek:
      return unsafe block.withUnsafeMutableBytes { bytes in
        unsafe recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_PEEK))
      }
    case .copy(let reading, let writing):
      let copied = tee(descriptor, writing, block.count, 0)
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

  private static func kind(of descriptor: Int32) -> InputKind {
    if isatty(descriptor) != 0 { return .terminal }
    return fileType(of: descriptor) == S_IFREG ? .regularFile : .other
  }

  private static func manner(of descriptor: Int32) -> Manner {
    switch fileType(of: descriptor) {
    case S_IFREG:
      return lseek(descriptor, 0, SEEK_CUR) >= 0 ? .seek : .bytewise
    case S_IFIFO:
      return copyingManner(of: descriptor)
    case S_IFSOCK:
      var type: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      let failed = unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0
      return !failed && type == Int32(SOCK_STREAM.rawValue) ? .peek : .bytewise
    default:
      return .bytewise
    }
  }

  private static func copyingManner(of descriptor: Int32) -> Manner {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { return .bytewise }
    // Tried on no bytes, to learn whether this kernel and sandbox can do it.
    if tee(descriptor, ends[1], 0, 0) == 0 { return .copy(reading: ends[0], writing: ends[1]) }
    close(ends[0])
    close(ends[1])
    return .bytewise
  }

  private static func fileType(of descriptor: Int32) -> mode_t {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
  }
}
