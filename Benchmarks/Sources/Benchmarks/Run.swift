import Glibc

/// One run of a program.
struct Run {
  var arguments: [String]
  /// The file for standard input; nil for none.
  var input: String?
  /// The file for standard output; nil for none.
  var output: String?
  var locale = "C"

  /// How it ended.
  enum Result {
    /// It exited, with the seconds that it took and its peak memory in bytes.
    case done(seconds: Double, bytes: Int)
    case timedOut
    case failed(Int32)
  }

  /// Runs it in the current folder, with a time limit in seconds.
  func perform(seconds limit: Double) -> Result {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", flags, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let settings = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=\(locale)"]
    var words = arguments.map { $0.withCString { strdup($0) } } + [nil]
    var variables = settings.map { $0.withCString { strdup($0) } } + [nil]
    defer { for word in words + variables { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child gets a process group of its own, to be killed as a whole, and SIGCHLD unblocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var ended = sigset_t()
    sigemptyset(&ended)
    sigaddset(&ended, SIGCHLD)
    sigprocmask(SIG_BLOCK, &ended, nil)

    var child: pid_t = 0
    let start = Self.now()
    let code = posix_spawn(&child, arguments[0], &actions, &attributes, &words, &variables)
    if code != 0 { return .failed(code) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, WNOHANG, &usage) == 0 {
      let left = limit - (Self.now() - start)
      if left <= 0 {
        kill(-child, SIGKILL)
        wait4(child, &status, 0, &usage)
        return .timedOut
      }
      var timeout = timespec(tv_sec: Int(left), tv_nsec: Int(left * 1e9) % 1_000_000_000)
      sigtimedwait(&ended, nil, &timeout)
    }
    let seconds = Self.now() - start
    if status != 0 { return .failed(status) }
    return .done(seconds: seconds, bytes: usage.ru_maxrss * 1024)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
