import Glibc

/// Locks on many files at once. For a file that does not exist its folder is locked, so that those who are
/// about to create it take turns, too.
///
/// Everybody takes them in the order of devices and inode numbers, so that two runs over some of the same
/// files never wait for each other.
struct FileLocks: ~Copyable {
  /// The file at each path; nil where there was none to lock. Two paths of one file share a lock.
  let identities: [FileIdentity?]
  private let held: [SharedFile]
  private let numbers: Set<FileIdentity.Number>

  /// No locks.
  init() {
    (identities, held, numbers) = ([], [], [])
  }

  /// Locks the files at paths.
  ///
  /// - Parameters:
  ///   - paths: The paths, symbolic links followed.
  ///   - seconds: How long to wait for each of the processes that have a lock before.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; EMFILE for more files than the process may open.
  init(
    _ paths: [[UInt8]], waitingAtMost seconds: Double = Waiting.usualLimit
  ) throws(SystemError) {
    OpenFile.makeRoom(for: paths.count)
    while true {
      if let (identities, held) = try Self.lock(paths, waitingAtMost: seconds) {
        self.identities = identities
        self.held = held
        numbers = Set(identities.compactMap { $0?.number })
        return
      }
    }
  }

  /// Whether no file is locked.
  var isEmpty: Bool { held.isEmpty }

  /// Whether a file is locked.
  func cover(_ identity: FileIdentity?) -> Bool {
    identity.map { numbers.contains($0.number) } ?? false
  }

  /// Locks all; nil when a file was replaced meanwhile, since the order is another one then.
  private static func lock(
    _ paths: [[UInt8]], waitingAtMost seconds: Double
  ) throws(SystemError) -> (identities: [FileIdentity?], held: [SharedFile])? {
    var identities: [FileIdentity?] = []
    var files: [FileIdentity.Number: SharedFile] = [:]
    /// The paths that need each of the files and folders.
    var pathsOfFiles: [FileIdentity.Number: [Int]] = [:]
    for (index, path) in paths.enumerated() {
      var candidate = try LockCandidate(path)
      if candidate == nil {
        if let folder = folder(toCreate: path), let status = try? folder.file.status() {
          let number = FileIdentity(status).number
          files[number] = folder
          pathsOfFiles[number, default: []].append(index)
          identities.append(nil)
          continue
        }
        // Another process may have created it just now.
        candidate = try LockCandidate(path)
      }
      guard let candidate else {
        identities.append(nil)
        continue
      }
      identities.append(candidate.identity)
      let number = candidate.identity.number
      if files[number] == nil { files[number] = SharedFile(candidate.takeFile()) }
      pathsOfFiles[number, default: []].append(index)
    }
    var held: [SharedFile] = []
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      let isFolder = try file.file.status().isFolder
      if isFolder {
        try lock(folder: file.file, waitingAtMost: seconds)
      } else {
        _ = try FileLock.lock(file.file, waitingAtMost: seconds)
      }
      for index in pathsOfFiles[number] ?? [] {
        let present = OpenFile.status(of: paths[index]).map { FileIdentity($0).number }
        if present != (isFolder ? nil : number) { return nil }
      }
      held.append(file)
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

  /// Locks a folder, which has no OFD locks, since it can't be opened for writing.
  private static func lock(
    folder: borrowing OpenFile, waitingAtMost seconds: Double
  ) throws(SystemError) {
    do throws(SystemError) {
      try Waiting.lock(folder, atMost: seconds)
    } catch  where error.code != ETIMEDOUT && error.code != EINTR {
      // A file system without locks.
    }
  }
}
