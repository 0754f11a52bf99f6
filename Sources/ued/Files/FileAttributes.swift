import UedLinux
import Glibc

/// The attributes that a file passes on to its replacement: owner, group, access control list,
/// extended attributes, the flags of `chattr`, and permissions. Attributes are copied before the
/// first byte is written: as in the old file, writing clears some then, e.g. the set-user-ID bit.
///
/// SAFETY: each buffer is passed with its size, and only for the duration of a call.
@safe enum FileAttributes {
  private static let accessList = Array("system.posix_acl_access".utf8)

  /// Gives one file the attributes of another; throws the reason why not all could be copied.
  static func copy(
    from old: borrowing OpenFile, _ oldStatus: stat, to new: borrowing OpenFile,
    _ newStatus: stat? = nil
  ) throws(SystemError) {
    let status = if let newStatus { newStatus } else { try new.status() }
    if status.st_uid != oldStatus.st_uid || status.st_gid != oldStatus.st_gid {
      try SystemError.retrying { fchown(new.descriptor, oldStatus.st_uid, oldStatus.st_gid) }
    }
    let names = try names(of: old)
    for name in names {
      let value = try value(name, of: old)
      if (try? Self.value(name, of: new)) == value { continue }
      try set(name, of: new, to: value)
    }
    // A new file inherits the default list of its folder.
    if !names.contains(accessList), try Self.names(of: new).contains(accessList) {
      try remove(accessList, from: new)
    }
    try copyFlags(from: old, to: new)
    try SystemError.retrying { fchmod(new.descriptor, oldStatus.st_mode & 0o7777) }
  }

  /// Sets the set-user-ID and set-group-ID bits of a mode, which the system clears when another user
  /// than root writes to the file or truncates it.
  static func setSetID(of mode: mode_t, on file: borrowing OpenFile) {
    if mode & (S_ISUID | S_ISGID) != 0 { fchmod(file.descriptor, mode & 0o7777) }
  }

  /// Copies the flags of `chattr` that users set; the file system sets all other flags itself.
  private static func copyFlags(
    from old: borrowing OpenFile, to new: borrowing OpenFile
  ) throws(SystemError) {
    var (flags, present) = (Int32(0), Int32(0))
    if unsafe clinux_get_flags(old.descriptor, &flags) != 0 {
      // The file system has no flags, or does not report them.
      if [ENOTTY, EOPNOTSUPP, EINVAL, ENOSYS].contains(errno) { return }
      throw .last
    }
    if unsafe clinux_get_flags(new.descriptor, &present) != 0 { throw .last }
    let kept = Int32(clinux_kept_flags)
    if flags & kept == present & kept { return }
    if clinux_set_flags(new.descriptor, present & ~kept | flags & kept) != 0 { throw .last }
  }

  private static func names(of file: borrowing OpenFile) throws(SystemError) -> [[UInt8]] {
    let descriptor = file.descriptor
    do {
      return try unsafe buffer { unsafe flistxattr(descriptor, $0, $1) }
        .split(separator: 0).map { $0.map { UInt8(bitPattern: $0) } }
    } catch  where error.code == ENOTSUP {
      return []
    }
  }

  private static func value(
    _ name: [UInt8], of file: borrowing OpenFile
  ) throws(SystemError) -> [CChar] {
    let descriptor = file.descriptor
    return try unsafe buffer { base, count in
      unsafe SystemName.lend(name) { unsafe fgetxattr(descriptor, $0, base, count) }
    }
  }

  /// The result of a system call; a first call without a buffer returns its size.
  private static func buffer(
    filledBy call: (UnsafeMutablePointer<CChar>?, Int) -> Int
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
