import UedLinux
import Glibc
import Synchronization

/// A thread for calls of C that may take long and can't be stopped.
///
/// The caller waits for the end of the call, or for a signal. After a signal it abandons the
/// thread, which continues at the lowest priority, and ends with its call: ending it earlier could
/// leave the memory allocator locked. The data of an abandoned call must be its own, or shared and
/// immutable.
///
/// SAFETY: the semaphores are initialized in `init` and destroyed in `deinit`, which is after the
/// end of the thread, as it holds this object. A thread belongs to one caller from the time it is
/// taken out of `idle`, or made, until it is put there. Only that caller writes `work`, while no
/// work is going on, before it posts `wanted`, and never again once the thread is abandoned; the
/// semaphores order the accesses.
@safe final class SideThread: @unchecked Sendable {
  /// Enough for patterns with the deepest nesting allowed; only used pages take memory.
  private static let stackSize = 64 << 20
  /// The interval, in nanoseconds, at which the main thread checks for signals.
  private static let interval = 20_000_000

  /// The thread waiting for work; nil while in use, before the first, and after one was abandoned.
  private static let idle = Mutex<SideThread?>(nil)

  private let wanted: UnsafeMutablePointer<sem_t>
  private let done: UnsafeMutablePointer<sem_t>
  private let number = Atomic<Int32>(0)
  private let isAbandoned = Atomic<Bool>(false)
  private var work: (() -> Void)?

  enum Ending { case done, abandoned, noThread }

  private init() {
    unsafe wanted = .allocate(capacity: 1)
    unsafe done = .allocate(capacity: 1)
    unsafe sem_init(wanted, 0, 0)
    unsafe sem_init(done, 0, 0)
  }

  deinit {
    unsafe sem_destroy(wanted)
    unsafe wanted.deallocate()
    unsafe sem_destroy(done)
    unsafe done.deallocate()
  }

  /// Runs `body` on the thread, and waits for its end or a signal. Returns `.abandoned` after
  /// SIGINT, SIGHUP or SIGTERM, which is still pending; `.noThread`, without running `body`, if no
  /// thread can be created.
  static func run(_ body: @escaping () -> Void) -> Ending {
    guard let thread = idle.withLock({ $0.take() }) ?? start() else { return .noThread }
    thread.work = body
    unsafe sem_post(thread.wanted)
    while true {
      var limit = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &limit)
      limit.tv_nsec += interval
      limit.tv_sec += limit.tv_nsec / 1_000_000_000
      limit.tv_nsec %= 1_000_000_000
      if unsafe sem_timedwait(thread.done, &limit) == 0 {
        thread.rest()
        return .done
      }
      if Interrupts.isInterrupted {
        thread.abandon()
        return .abandoned
      }
    }
  }

  private static func start() -> SideThread? {
    let thread = SideThread()
    // Signals are for the main thread. A new thread inherits the blocked ones.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let held = unsafe Unmanaged.passRetained(thread)
    var created = pthread_t()
    let code = unsafe pthread_create(
      &created, &attributes,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<SideThread>.fromOpaque(context).takeRetainedValue().serve()
        }
        return nil
      }, held.toOpaque())
    guard code == 0 else {
      unsafe held.release()
      return nil
    }
    return thread
  }

  /// Does all work, until it is woken without any.
  private func serve() {
    number.store(gettid(), ordering: .relaxed)
    while true {
      while unsafe sem_wait(wanted) != 0 {}
      guard !isAbandoned.load(ordering: .acquiring), let body = work else { return }
      body()
      unsafe sem_post(done)
    }
  }

  /// Waits for the next caller. Only one thread waits; any other one ends.
  private func rest() {
    let spare = Self.idle.withLock { idle in
      defer { idle = self }
      return idle
    }
    spare?.abandon()
  }

  private func abandon() {
    isAbandoned.store(true, ordering: .releasing)
    // Until the thread is woken it can't end, so its number is still its own.
    let thread = number.load(ordering: .relaxed)
    if thread != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), 19) }
    // The thread may have finished its call meanwhile and be waiting.
    unsafe sem_post(wanted)
  }
}
