import CLinux
import Glibc

/// What a file passes on to the one that takes its place: owner, group, access control list, extended
/// attributes and permissions.
///
/// All this is done before the first byte is written, so that the system takes away then what it takes
/// away from a file that is written to, the right to run as its owner for example.
///
/// SAFETY: buffers are lent for the length of a call, with their sizes.
@safe enum FileAttributes {
  private static let accessList = Array("system.posix_acl_access".utf8)

  /// Gives one file the attributes of another.
  ///
  /// - Throws: Why it can't have them all.
  static func copy(
    from old: borrowing OpenFile, _ oldStatus: stat, to new: borrowing OpenFile
  ) throws(SystemError) {
    let status = try new.status()
    if status.st_uid != oldStatus.st_uid || status.st_gid != oldStatus.st_gid {
      try SystemError.retrying { fchown(new.descriptor, oldStatus.st_uid, oldStatus.st_gid) }
    }
    let names = try names(of: old)
    for name in names {
      let value = try value(name, of: old)
      if (try? Self.value(name, of: new)) == value { continue }
      try set(name, of: new, to: value)
    }
    // A list that the folder gives to all its new files.
    if !names.contains(accessList), try Self.names(of: new).contains(accessList) {
      try remove(accessList, from: new)
    }
    try SystemError.retrying { fchmod(new.descriptor, oldStatus.st_mode & 0o7777) }
  }

  private static func names(of file: borrowing OpenFile) throws(SystemError) -> [[UInt8]] {
    let descriptor = file.descriptor
    do {
      return try unsafe filled { unsafe flistxattr(descriptor, $0, $1) }
        .split(separator: 0).map { $0.map { UInt8(bitPattern: $0) } }
    } catch  where error.code == ENOTSUP {
      return []
    }
  }

  private static func value(
    _ name: [UInt8], of file: borrowing OpenFile
  ) throws(SystemError) -> [CChar] {
    let descriptor = file.descriptor
    return try unsafe filled { base, count in
      unsafe SystemName.lend(name) { unsafe fgetxattr(descriptor, $0, base, count) }
    }
  }

  /// What a call gives that first tells how much that will be.
  private static func filled(
    _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(SystemError) -> [CChar] {
    while true {
      let count = call(nil, 0)
      if count < 0 { throw .last }
      if count == 0 { return [] }
      var bytes = [CChar](repeating: 0, count: count)
      let filled = unsafe call(&bytes, count)
      if filled >= 0 { return Array(bytes[..<filled]) }
      if errno != ERANGE { throw .last }
    }
  }

  private static func set(
    _ name: [UInt8], of file: borrowing OpenFile, to value: [CChar]
  ) throws(SystemError) {
    let descriptor = file.descriptor
    let failure = unsafe SystemName.lend(name) {
      unsafe fsetxattr(descriptor, $0, value, value.count, 0)
    }
    if failure != 0 { throw .last }
  }

  private static func remove(
    _ name: [UInt8], from file: borrowing OpenFile
  ) throws(SystemError) {
    let descriptor = file.descriptor
    if unsafe SystemName.lend(name, to: { unsafe fremovexattr(descriptor, $0) }) != 0 {
      throw .last
    }
  }
}
