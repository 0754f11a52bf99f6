import Glibc

/// Locks on many files at once. For a file that does not exist its folder is locked, so that those who are
/// about to create it take turns, too.
///
/// Everybody takes them in the order of devices and inode numbers, so that two runs over some of the same
/// files never wait for each other.
struct FileLocks: ~Copyable {
  /// The file at each path; nil where there was none to lock. Two paths of one file share a lock.
  let identities: [FileIdentity?]
  /// What is locked, each file or folder once, in the order of numbers.
  private let held: [Held]

  /// A locked file or folder.
  private struct Held {
    let number: FileIdentity.Number
    let file: SharedFile
    let isFolder: Bool
    /// Whether the file can be read, and not only written.
    let isReadable: Bool
    /// The index of the path that needs it.
    let path: Int
  }

  /// No locks.
  init() {
    (identities, held) = ([], [])
  }

  /// Locks the files at paths.
  ///
  /// - Parameters:
  ///   - paths: The paths, symbolic links followed.
  ///   - seconds: How long to wait for each of the processes that have a lock before; four times as long for
  ///     all.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; EMFILE for more files than the process may open.
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

  /// Whether no file is locked.
  var isEmpty: Bool { held.isEmpty }

  /// Whether a file is locked.
  func cover(_ identity: FileIdentity?) -> Bool {
    identity.map { find($0.number)?.isFolder == false } ?? false
  }

  /// The locked file with an identity; nil if that is not locked.
  func file(_ identity: FileIdentity) -> SharedFile? {
    find(identity.number).flatMap { $0.isFolder ? nil : $0.file }
  }

  /// The locked file that a path names, not through a symbolic link at its end; nil if that is not locked,
  /// or can't be read.
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

  /// Locks all; nil when a file was replaced meanwhile, since the order is another one then.
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

  /// Locks a folder, which has no OFD locks, since it can't be opened for writing. Whoever may read it can lock it,
  /// so another user's lock is passed over.
  private static func lock(
    folder: borrowing OpenFile, _ waiting: inout Waiting
  ) throws(SystemError) {
    do throws(SystemError) {
      try waiting.lock(folder, unless: LockHolder.areOtherUsers)
    } catch  where error.code != ETIMEDOUT && error.code != EINTR {
      // There is no lock to be had.
    }
  }
}
