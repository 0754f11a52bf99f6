import Glibc

/// How much memory there is for this process.
///
/// SAFETY: the system fills a value on the stack; what is mapped is unmapped at once.
@safe enum Memory {
  /// Up to so many bytes a text is held in memory: a quarter of what there is, or of what the
  /// process may take of it.
  static let comfortable =
    min(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)), least) / 4

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
    isLimited && !canMap(reserve + byteCount, isWritten: true)
  }

  /// Whether so many bytes could be had now.
  ///
  /// - Parameters:
  ///   - byteCount: How many; more than none.
  ///   - isWritten: Whether as memory; else only addresses are needed, for what is mapped and read.
  /// - Returns: Whether there is that much.
  static func canMap(_ byteCount: Int, isWritten: Bool) -> Bool {
    let protection = isWritten ? PROT_READ | PROT_WRITE : PROT_NONE
    let space = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if unsafe space == MAP_FAILED { return false }
    unsafe munmap(space, byteCount)
    return true
  }

  /// What the process may take of something; the largest number where nothing is said.
  private static func limit(_ resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    return isKnown ? Int(clamping: limit.rlim_cur) : .max
  }
}
