import Glibc

/// How much memory there is for this process.
///
/// SAFETY: the system fills values on the stack; what is mapped is unmapped at once.
@safe enum Memory {
  /// So many bytes of memory a text may take; a larger one is kept in a spool file. A quarter of the
  /// machine's memory, or a sixteenth of what the process may use (`ulimit -d`), of which the text is
  /// only a part.
  static let comfortable: Int = {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let all = pages > 0 ? pages * sysconf(Int32(_SC_PAGESIZE)) : Int.max
    return min(all / 4, limit(RLIMIT_DATA) / 16)
  }()

  /// Whether memory can run out before the machine has none left.
  static let isLimited = least < Int.max

  private static let least = min(limit(RLIMIT_DATA), limit(RLIMIT_AS))

  /// So much has to stay free for what nobody asks for beforehand.
  private static let reserve = min(least / 8, 16 << 20)

  /// Whether there is too little memory to go on. An allocation that fails would be the end, so long
  /// work asks before.
  ///
  /// - Parameter byteCount: How much the next steps may take.
  /// - Returns: Whether that is too much; never where no limit is set.
  static func isShort(for byteCount: Int = 0) -> Bool {
    isLimited && !canMap(reserve + byteCount)
  }

  /// Parts of a text of so many bytes that are shorter than this are rather copied than shared: pieces
  /// have to be in memory, bytes need not.
  static func leastShared(of byteCount: Int) -> Int {
    byteCount > comfortable ? 4096 : 0
  }

  /// Whether so many bytes could be had now, to write to, or only of a file, to read.
  static func canMap(_ byteCount: Int, isWritten: Bool = true) -> Bool {
    let protection = isWritten ? PROT_READ | PROT_WRITE : PROT_READ
    let space = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if unsafe space == MAP_FAILED { return false }
    unsafe munmap(space, byteCount)
    return true
  }

  private static func limit(_ resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }
}
