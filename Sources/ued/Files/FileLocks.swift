import Glibc

/// Locks on many files at once.
///
/// Everybody takes them in the order of devices and inode numbers, so that two runs over some of the same
/// files never wait for each other.
struct FileLocks: ~Copyable {
  /// The file at each path; nil where there was nothing to lock. Two paths of one file share a lock.
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
    for path in paths {
      let candidate = try LockCandidate(path)
      guard let candidate else {
        identities.append(nil)
        continue
      }
      let identity = candidate.identity
      identities.append(identity)
      if files[identity.number] == nil {
        files[identity.number] = SharedFile(candidate.takeFile())
      }
    }
    let pathsOfFiles = Dictionary(
      grouping: paths.indices.filter { identities[$0] != nil }, by: { identities[$0]?.number })
    var held: [SharedFile] = []
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      _ = try FileLock.lock(file.file, waitingAtMost: seconds)
      for index in pathsOfFiles[number] ?? [] {
        guard let present = OpenFile.status(of: paths[index]),
          FileIdentity(present).number == number
        else { return nil }
      }
      held.append(file)
    }
    return (identities, held)
  }
}
