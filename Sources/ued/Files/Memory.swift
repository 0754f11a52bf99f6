import Glibc

/// How much memory there is for this process.
///
/// SAFETY: what is mapped is unmapped at once.
@safe enum Memory {
  /// Whether memory can run out before the machine has none left.
  static let isLimited = least < Int.max

  private static let least = min(Spool.limit(RLIMIT_DATA), Spool.limit(RLIMIT_AS))

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
    byteCount > Spool.comfortable ? 4096 : 0
  }

  /// Whether so many bytes could be had now.
  private static func canMap(_ byteCount: Int) -> Bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    let space = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
    if unsafe space == MAP_FAILED { return false }
    unsafe munmap(space, byteCount)
    return true
  }
}
