import Glibc

/// A process that holds a lock on a file, as far as `/proc` tells.
struct LockHolder: Equatable, Sendable {
  let process: Int32
  /// The name of its program.
  let command: [UInt8]

  /// Finds another process that holds a lock on one of the files at paths.
  static func find(on paths: [[UInt8]]) -> LockHolder? {
    let inodes = Set(paths.compactMap { OpenFile.status(of: $0).map { UInt64($0.st_ino) } })
    var processes = lines(of: "locks").compactMap { Lock($0) }.filter { inodes.contains($0.inode) }
      .map(\.process)
    // The kernel gives a lock that belongs to an open file no process.
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
        return status.map { $0.st_uid != SystemUser.number } ?? false
      }
  }

  /// A line of `/proc/locks`, such as `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`.
  private struct Lock {
    let isOfFlock: Bool
    /// -1 for a lock that belongs to an open file.
    let process: Int32
    let inode: UInt64

    /// Reads a line; nil for a process that waits, whose line has an arrow.
    init?(_ line: ArraySlice<UInt8>) {
      let fields = line.split(separator: .space).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 8, let process = Int32(fields[4]),
        let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
      else { return nil }
      (isOfFlock, self.process, self.inode) = (fields[1] == "FLOCK", process, inode)
    }
  }

  /// The processes with open files to which locks on some files belong.
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
