import CLinux
import Glibc

/// An advisory lock on a file, by which strict writers of the file take turns; released when this value
/// is destroyed, or the process ends.
///
/// It belongs to the open file (an OFD lock), so two locks on one file exclude each other inside a process,
/// too. It is none of `flock`, which people wrap around whole programs.
///
/// The locked range starts at 0, so that all locks overlap, and its length is different for each: that
/// tells a waiting process when the lock has changed hands.
///
/// SAFETY: the descriptions of locks are values on the stack, passed for the length of a call.
@safe struct FileLock: ~Copyable {
  /// The file when it was locked.
  let identity: FileIdentity
  private let file: OpenFile

  private static let leastLength = 1 << 62

  /// Locks the file at a path, symbolic links followed; nil when there is nothing to lock: no file, none
  /// that is regular or may be written, or a file system without locks.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - seconds: How long to wait for each of the processes that have the lock before.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; or why no more files can be opened.
  init?(
    _ path: [UInt8], waitingAtMost seconds: Double = Waiting.usualLimit
  ) throws(SystemError) {
    while let candidate = try LockCandidate(path) {
      guard try Self.lock(candidate.file, waitingAtMost: seconds) else { return nil }
      if candidate.isCurrent(at: path) {
        identity = candidate.identity
        file = candidate.takeFile()
        return
      }
      // Another writer has replaced the file.
    }
    return nil
  }

  /// Locks an open file.
  ///
  /// - Returns: Whether its file system has locks.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt.
  static func lock(
    _ file: borrowing OpenFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> Bool {
    let descriptor = file.descriptor
    var request = description
    if unsafe fcntl(descriptor, Int32(clinux_try_lock), &request) == 0 { return true }
    if errno != EAGAIN && errno != EACCES { return false }
    var waiting = Waiting(atMost: seconds)
    var holder: Int?
    do {
      try waiting.forSuccess {
        let last = holder
        var shown = description
        let isShown = unsafe fcntl(descriptor, Int32(clinux_show_lock), &shown) == 0
        holder = isShown && shown.l_type != F_UNLCK ? shown.l_len : nil
        return holder != last
      } of: {
        unsafe fcntl(descriptor, Int32(clinux_wait_for_lock), &request)
      }
    } catch  where error.code != ETIMEDOUT && error.code != EINTR {
      return false
    }
    return true
  }

  private static var description: Glibc.flock {
    let length = leastLength + SystemClock.nanosecondsOfUptime
    return Glibc.flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: length, l_pid: 0)
  }
}

/// A file that is open in order to be locked.
struct LockCandidate: ~Copyable {
  let file: OpenFile
  let identity: FileIdentity

  /// Opens the file at a path; nil when there is nothing to lock.
  ///
  /// - Throws: Why no more files can be opened.
  init?(_ path: [UInt8]) throws(SystemError) {
    // Opening a FIFO or device has effects of its own.
    guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
    let opened: OpenFile
    do throws(SystemError) {
      opened = try OpenFile(path, O_WRONLY | O_NONBLOCK)
    } catch {
      if error.code == EMFILE || error.code == ENFILE { throw error }
      return nil
    }
    let present = try opened.status()
    guard present.isRegular else { return nil }
    identity = FileIdentity(present)
    file = opened
  }

  /// Whether the path still leads to this file.
  func isCurrent(at path: [UInt8]) -> Bool {
    OpenFile.status(of: path).map { FileIdentity($0).isSameFile(as: identity) } ?? false
  }

  /// The file, taken out of the candidate.
  consuming func takeFile() -> OpenFile { file }
}
