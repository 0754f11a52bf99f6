import Glibc
import UedLinux

/// Locks on many files at once. For a missing file its folder is locked, so that processes about to
/// create the file take turns, too. Every process takes the locks in the order of devices and inode
/// numbers, so two runs over the same files never wait for each other.
struct FileLocks: ~Copyable {
  /// The file at each path; nil if there was no file to lock. Two paths of one file share a lock.
  let identities: [FileIdentity?]
  /// The locked files and folders, each one once, in the order of numbers.
  private let held: [Held]

  private struct Held {
    let number: FileIdentity.Number
    let file: SharedFile
    let isFolder: Bool
    /// Whether the file can be read, and not only written.
    let isReadable: Bool
    /// The index of the path that needs it.
    let path: Int
  }

  init() {
    (identities, held) = ([], [])
  }

  /// Locks the files at paths, with symbolic links followed. Waits at most `seconds` for each
  /// process that holds a lock, and four times as long in all.
  ///
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; EMFILE for more files than the process may
  ///   open.
  init(
    _ paths: [[UInt8]], waitingAtMost seconds: Double = Waiting.usualLimit
  ) throws(SystemError) {
    OpenFile.makeRoom(for: paths.count)
    var waiting = Waiting(atMost: seconds)
    repeat {
      if let (identities, held) = try Self.lock(paths, &waiting) {
        (self.identities, self.held) = (identities, held)
        return
      }
    } while !waiting.isOver
    throw SystemError(code: ETIMEDOUT)
  }

  var isEmpty: Bool { held.isEmpty }

  func cover(_ identity: FileIdentity?) -> Bool {
    identity.map { find($0.number)?.isFolder == false } ?? false
  }

  /// The locked file with an identity; nil if it is not locked.
  func file(_ identity: FileIdentity) -> SharedFile? {
    find(identity.number).flatMap { $0.isFolder ? nil : $0.file }
  }

  /// The locked file at a path, without following a symbolic link at its end; nil if it is not
  /// locked or can't be read.
  func readableFile(at path: [UInt8]) -> (file: SharedFile, status: stat)? {
    guard !held.isEmpty, let status = OpenFile.linkStatus(of: path),
      let found = find(FileIdentity(status).number), found.isReadable
    else { return nil }
    return (found.file, status)
  }

  private func find(_ number: FileIdentity.Number) -> Held? {
    var (low, high) = (0, held.count)
    while low < high {
      let middle = (low + high) / 2
      if held[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < held.count && held[low].number == number ? held[low] : nil
  }

  /// Locks all; nil if a file was replaced meanwhile, since the order is then different.
  private static func lock(
    _ paths: [[UInt8]], _ waiting: inout Waiting
  ) throws(SystemError) -> (identities: [FileIdentity?], held: [Held])? {
    var identities: [FileIdentity?] = []
    var needed: [Held] = []
    for (index, path) in paths.enumerated() {
      if Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      var candidate = try LockCandidate(path)
      if candidate == nil {
        if let folder = folder(toCreate: path), let status = try? folder.file.status() {
          needed.append(
            Held(
              number: FileIdentity(status).number, file: folder, isFolder: true,
              isReadable: false, path: index))
        } else {
          // Another process may have created it just now.
          candidate = try LockCandidate(path)
        }
      }
      identities.append(candidate?.identity)
      guard let candidate else { continue }
      needed.append(
        Held(
          number: candidate.identity.number, file: candidate.file, isFolder: false,
          isReadable: candidate.isReadable, path: index))
    }
    needed.sort { ($0.number, $0.path) < ($1.number, $1.path) }
    var held: [Held] = []
    for next in needed {
      if held.last?.number != next.number {
        if next.isFolder {
          try lock(folder: next.file.file, &waiting)
        } else {
          try FileLock.lock(next.file.file, &waiting)
        }
        held.append(next)
      }
      let present = OpenFile.status(of: paths[next.path]).map { FileIdentity($0).number }
      if present != (next.isFolder ? nil : next.number) { return nil }
    }
    return (identities, held)
  }

  /// The folder of a file that does not exist; nil if it exists, or the folder can't be opened.
  private static func folder(toCreate path: [UInt8]) -> SharedFile? {
    guard OpenFile.status(of: path) == nil, let place = try? FilePlace(following: path) else {
      return nil
    }
    return SharedFile(place.takeFolder())
  }

  /// Locks a folder, which can't be opened for writing and so has no OFD locks. Any user who may
  /// read the folder can lock it, so locks of other users are ignored.
  private static func lock(
    folder: borrowing OpenFile, _ waiting: inout Waiting
  ) throws(SystemError) {
    do throws(SystemError) {
      try waiting.lock(folder, unless: LockHolder.areOtherUsers)
    } catch  where error.code != ETIMEDOUT && error.code != EINTR {
      // The folder can't be locked.
    }
  }
}

/// An advisory lock on a file, by which strict writers of the file take turns. It is released when
/// the file is closed, or the process ends.
///
/// The lock belongs to the open file (an OFD lock), so two locks on one file exclude each other
/// inside a process, too. Locks of `flock`, which people wrap around whole programs, do not
/// conflict with it. The locked range starts at 0, so that all locks overlap. Its length differs
/// for each lock, so a waiting process notices that the lock has changed hands.
///
/// SAFETY: the descriptions of locks are values on the stack, passed for the length of a call.
@safe enum FileLock {
  private static let leastLength = 1 << 62

  /// Locks an open file, and returns whether it is locked. Does not wait for a read lock: ued takes
  /// none, and any user who may read the file could hold one for ever.
  ///
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

  /// Whether files in a folder can be locked; true if unknown.
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

struct LockCandidate {
  let identity: FileIdentity
  let file: SharedFile
  /// Whether it can be read, and not only written.
  let isReadable: Bool

  /// Opens the file at a path; nil without a file to lock.
  ///
  /// - Throws: The reason why no more files can be opened.
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
      return SharedFile(try FilePlace.open(path, mode | O_NONBLOCK))
    } catch {
      if error.code == EMFILE || error.code == ENFILE { throw error }
      return nil
    }
  }
}

/// A process that holds a lock on a file, as reported by `/proc`.
struct LockHolder: Equatable, Sendable {
  let process: Int32
  /// The name of its program.
  let command: [UInt8]

  /// Finds another process that holds a lock on one of the files at paths.
  static func find(on paths: [[UInt8]]) -> LockHolder? {
    let inodes = Set(paths.compactMap { OpenFile.status(of: $0).map { UInt64($0.st_ino) } })
    var processes = lines(of: "locks").compactMap { Lock($0) }.filter { inodes.contains($0.inode) }
      .map(\.process)
    // The kernel reports no process for a lock of an open file.
    if processes.contains(-1) { processes += owners(ofLocksOn: inodes) }
    guard let process = processes.first(where: { $0 > 0 && $0 != getpid() }) else { return nil }
    return LockHolder(process: process, command: Array(lines(of: "\(process)/comm").joined()))
  }

  /// Whether processes of other users hold all the locks of `flock` on an open folder.
  static func areOtherUsers(locking folder: borrowing OpenFile) -> Bool {
    guard let inode = try? folder.status().st_ino else { return false }
    let locks = lines(of: "locks").compactMap { Lock($0) }
      .filter { $0.isOfFlock && $0.inode == inode }
    return !locks.isEmpty
      && locks.allSatisfy {
        let status = OpenFile.status(of: Array("/proc/\($0.process)".utf8))
        // A child may keep the lock of an ended process. ued's own descriptor is not inherited.
        return status.map { $0.st_uid != SystemUser.number } ?? true
      }
  }

  /// A line of `/proc/locks`, such as `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`.
  private struct Lock {
    let isOfFlock: Bool
    /// -1 for a lock of an open file.
    let process: Int32
    let inode: UInt64

    /// Reads a line; nil for a waiting process, whose line has an arrow.
    init?(_ line: ArraySlice<UInt8>) {
      let fields = line.split(separator: .space).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 8, let process = Int32(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { return nil }
      (isOfFlock, self.process, self.inode) = (fields[1] == "FLOCK", process, inode)
    }
  }

  /// The processes with open files that hold locks on some files.
  private static func owners(ofLocksOn inodes: Set<UInt64>) -> [Int32] {
    FolderListing.names(in: Array("/proc".utf8)).compactMap { name -> Int32? in
      guard let process = Int32(String(decoding: name, as: UTF8.self)) else { return nil }
      let folder = "\(process)/fdinfo/"
      let isOwner = FolderListing.names(in: Array("/proc/\(folder)".utf8)).contains { file in
        lines(of: folder + String(decoding: file, as: UTF8.self)).contains { line in
          line.starts(with: "lock:".utf8)
            && Lock(line.dropFirst(5)).map { inodes.contains($0.inode) } == true
        }
      }
      return isOwner ? process : nil
    }
  }

  /// The lines of a file in `/proc`; none when it can't be read.
  private static func lines(of name: String) -> [ArraySlice<UInt8>] {
    let text = try? DiskFiles().textIfThere(Array("/proc/\(name)".utf8))
    return text?.bytes.split(separator: .newline) ?? []
  }
}
