import Glibc
import UedLinux

/// The memory available to the process.
///
/// SAFETY: `getrlimit` fills a value on the stack; a trial mapping is never accessed, but
/// unmapped at once with the same size.
@safe enum Memory {
  /// The limit of data held in memory: a quarter of the machine's memory or the process's limit.
  static let comfortable =
    min(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)), processLimit) / 4

  static let isLimited = processLimit < Int.max

  private static let processLimit = min(limit(RLIMIT_DATA), limit(RLIMIT_AS))

  /// The amount kept free for allocations that are not checked in advance.
  private static let reserve = min(processLimit / 8, 16 << 20)

  /// Sets the reserve aside, for the first allocation that fails; call it before anything is read.
  static func keepReserve() {
    guard isLimited else { return }
    _ = clinux_reserve_memory(reserve)
    clinux_tell_end_for_memory()
  }

  /// Whether the reserve has been used: work in progress must stop before the rest is used too.
  @inline(__always) static var isExhausted: Bool { clinux_memory_is_exhausted() != 0 }

  /// Lets work in progress stop: memory is too short for its next allocation.
  static func exhaust() { clinux_exhaust_memory() }

  /// Ends the state of exhausted memory after work has stopped; true if memory was exhausted.
  static func takeExhausted() -> Bool {
    guard isExhausted else { return false }
    clinux_clear_exhausted_memory()
    _ = clinux_reserve_memory(reserve)
    return true
  }

  /// Whether memory is too short for up to `byteCount` bytes; never if the process has no limit. A
  /// failed allocation would end the process, so work that may take much checks first.
  static func isShort(for byteCount: Int = 0) -> Bool {
    guard isLimited else { return false }
    let hasReserve = clinux_reserve_memory(reserve) != 0
    return !hasReserve || byteCount > 0 && !canMap(byteCount, isWritten: true)
  }

  /// Whether memory is too short for even the basic needs of a run.
  static var isTooShortToStart: Bool { isLimited && !canMap(1 << 20, isWritten: true) }

  /// Whether a trial mapping of a size, at least 1, succeeds now: of writable memory, or only of
  /// address space to map a file.
  static func canMap(_ byteCount: Int, isWritten: Bool) -> Bool {
    let protection = isWritten ? PROT_READ | PROT_WRITE : PROT_NONE
    let space = unsafe mmap(nil, byteCount, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if unsafe space == MAP_FAILED { return false }
    unsafe munmap(space, byteCount)
    return true
  }

  /// The length from which a new text shares parts of an old one instead of copying them: 0 as long
  /// as the old text fits in memory. If not, copying short parts saves memory: pieces stay in it,
  /// but copied bytes go to the spool file.
  static func leastShared(of byteCount: Int) -> Int { byteCount > comfortable ? 4096 : 0 }

  /// The process's limit for a resource; `Int.max` without a limit.
  private static func limit(_ resource: __rlimit_resource) -> Int {
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    return isKnown ? Int(clamping: limit.rlim_cur) : .max
  }
}
