import Glibc

/// A program to run once, from the present folder.
struct Child {
  /// The path of the program, then its arguments.
  var words: [String]
  var locale = "C"
  /// What it reads.
  var input = "/dev/null"
  /// Whether that comes through a pipe.
  var readsPipe = false
  /// Where its standard output goes.
  var output = "/dev/null"

  /// What a run has cost.
  struct Cost {
    var seconds: Double
    /// The most memory that it had in use, in bytes.
    var peak: Int
    /// Whether it was ended because it took too long.
    var isCut = false
    var status: Int32 = 0
  }

  /// Runs it to its end, for at most so many seconds.
  func run(limit: Double) -> Cost {
    var children = sigset_t()
    sigemptyset(&children)
    sigaddset(&children, SIGCHLD)
    sigprocmask(SIG_BLOCK, &children, nil)
    var feeder: pid_t?
    let start = now()
    let child: pid_t
    if readsPipe {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { fail("no pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      feeder = Self.start(["/bin/cat", input], locale, nil, output: ends[1])
      child = Self.start(words, locale, ends[0], output: Self.open(output))
    } else {
      child = Self.start(words, locale, Self.open(input, O_RDONLY), output: Self.open(output))
    }
    var cost = Cost(seconds: 0, peak: 0)
    while true {
      var usage = rusage()
      let ended = wait4(child, &cost.status, cost.isCut ? 0 : WNOHANG, &usage)
      cost.seconds = now() - start
      if ended == child {
        cost.peak = Int(usage.ru_maxrss) << 10
        break
      }
      let left = limit - cost.seconds
      var time = timespec(tv_sec: Int(left), tv_nsec: Int((left - left.rounded(.down)) * 1e9))
      if left <= 0 {
        cost.isCut = true
        kill(child, SIGKILL)
      } else {
        sigtimedwait(&children, nil, &time)
      }
    }
    if let feeder {
      kill(feeder, SIGKILL)
      waitpid(feeder, nil, 0)
    }
    return cost
  }

  private static func open(
    _ path: String, _ flags: Int32 = O_WRONLY | O_CREAT | O_TRUNC
  ) -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { fail("cannot open \(path)") }
    return descriptor
  }

  /// Starts a program, and closes the descriptors that it was given.
  private static func start(
    _ words: [String], _ locale: String, _ input: Int32?, output: Int32
  ) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=\(locale)"]
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    var child: pid_t = 0
    let failure = posix_spawn(&child, words[0], &actions, &attributes, arguments, variables)
    for text in arguments + variables { free(text) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    if let input { close(input) }
    close(output)
    errno = failure
    guard failure == 0 else { fail("cannot start \(words[0])") }
    return child
  }
}

/// Seconds on a clock that only goes forward.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
