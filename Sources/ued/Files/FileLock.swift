import UedLinux
import Glibc

/// An advisory lock on a file, by which strict writers of the file take turns; released when the file is
/// closed, or the process ends.
///
/// It belongs to the open file (an OFD lock), so two locks on one file exclude each other inside a process,
/// too. It is none of `flock`, which people wrap around whole programs.
///
/// The locked range starts at 0, so that all locks overlap, and its length is different for each: that
/// tells a waiting process when the lock has changed hands.
///
/// SAFETY: the descriptions of locks are values on the stack, passed for the length of a call.
@safe enum FileLock {
  private static let leastLength = 1 << 62

  /// Locks an open file. Another lock for reading only is passed over: ued takes none, and whoever may read the
  /// file could hold it for ever.
  ///
  /// - Returns: Whether the file is locked.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt.
  @discardableResult
  static func lock(
    _ file: borrowing OpenFile, _ waiting: inout Waiting
  ) throws(SystemError) -> Bool {
    let descriptor = file.descriptor
    var request = description
    if unsafe fcntl(descriptor, Int32(clinux_try_lock), &request) == 0 { return true }
    if errno != EAGAIN && errno != EACCES { return false }
    waiting.restart()
    var holder: Int?
    do {
      try waiting.forSuccess { () throws(SystemError) in
        let last = holder
        var shown = description
        let isShown = unsafe fcntl(descriptor, Int32(clinux_show_lock), &shown) == 0
        if isShown && shown.l_type == F_RDLCK { throw SystemError(code: ENOLCK) }
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

  /// Whether files in a folder can be locked; true if that can't be found out.
  static func works(in path: [UInt8]) -> Bool {
    guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY),
      let probe = try? StagedFile(in: SharedFile(folder), mode: 0o600)
    else { return true }
    var request = description
    return unsafe fcntl(probe.file.descriptor, F_SETLK, &request) == 0 || errno != ENOLCK
  }

  private static var description: Glibc.flock {
    let length = leastLength + SystemClock.nanosecondsOfUptime
    return Glibc.flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: length, l_pid: 0)
  }
}

/// A file that is open in order to be locked.
struct LockCandidate {
  let identity: FileIdentity
  let file: SharedFile
  /// Whether it can be read, and not only written.
  let isReadable: Bool

  /// Opens the file at a path; nil when there is nothing to lock.
  ///
  /// - Throws: Why no more files can be opened.
  init?(_ path: [UInt8]) throws(SystemError) {
    // Opening a FIFO or device has effects of its own.
    guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
    var opened = try Self.open(path, O_RDWR)
    isReadable = opened != nil
    if opened == nil { opened = try Self.open(path, O_WRONLY) }
    guard let file = opened else { return nil }
    let present = try file.file.status()
    guard present.isRegular else { return nil }
    identity = FileIdentity(present)
    self.file = file
  }

  private static func open(_ path: [UInt8], _ mode: Int32) throws(SystemError) -> SharedFile? {
    do throws(SystemError) {
      return SharedFile(try OpenFile(path, mode | O_NONBLOCK))
    } catch {
      if error.code == EMFILE || error.code == ENFILE { throw error }
      return nil
    }
  }
}
