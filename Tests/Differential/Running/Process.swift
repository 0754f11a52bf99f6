import CSpawn
import Glibc

/// Runs a program to its end with given bytes on standard input, keeping all that it writes.
package struct Process: Sendable {
  package enum Input: Sendable {
    /// Bytes through a pipe, at most a megabyte: they are written before the program starts.
    case pipe([UInt8])
    /// Bytes through a pipe, a few at a time; the output is read as slowly.
    case slowPipe([UInt8])
    /// The file at this path.
    case file(String)
    /// A descriptor of this process, whose offset both share.
    case descriptor(Int32)
  }

  package var program: String
  package var arguments: [String]
  package var environment: [String]
  package var directory: String
  package var secondsAllowed = patience
  package var bytesAllowed = 4 << 20

  /// The seconds after which a program counts as hung. They are ample: whatever takes a second on
  /// an idle machine has a minute on a busy one. `PATIENCE` sets it.
  package static let patience = getenv("PATIENCE").flatMap { Double(String(cString: $0)) } ?? 60

  package init(
    _ program: String, _ arguments: [String], environment: [String] = [], directory: String
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// A bash script of a test. The first command that fails ends it, also in a pipe or in `$(…)`.
  ///
  /// A script that wants another status of a command says so: `exits 3 COMMAND…`, or `fails
  /// COMMAND…` for any status except a crash (`! COMMAND` asserts nothing). `awaits COMMAND…`
  /// repeats a command until it succeeds, as long as a background job runs. `awaits idle $pid`:
  /// that process waits for input, a reader, a child or a lock, and has answered every signal.
  /// `awaits rests trace 2`: `strace -o trace -e inject=CALL:signal=STOP` has made two stops.
  package static func shell(_ script: String, environment: [String] = [], directory: String)
    -> Process
  {
    Process(
      "/bin/bash", ["-Eeuo", "pipefail", "-O", "inherit_errexit", "-c", helpers + script],
      environment: environment, directory: directory)
  }

  private static let helpers = #"""
    exits() { local wanted=$1 status=0; shift; "$@" || status=$?
      test $status = $wanted || { echo "status $status instead of $wanted: $*" >&2; false; }; }
    fails() { local status=0; "$@" || status=$?
      test $status -gt 0 -a $status -lt 124 || { echo "status $status: $*" >&2; false; }; }
    awaits() { until "$@"; do test -n "$(jobs -r)" || return; sleep .01; done; }
    idle() { local call rest name value
      { read -r call rest <"/proc/$1/syscall"; } 2>/dev/null || return
      case " \#(ProcessState.waitingCalls.map(String.init).joined(separator: " ")) " in *" $call "*) ;; *) return 1;; esac
      while read -r name value; do
        case $name:$value in ???Pnd::*[!0]*) return 1;; esac
      done <"/proc/$1/status"; }
    rests() { test "$(grep -cs 'stopped by SIGSTOP' "$1")" -ge "$2"; }
    # Other tests change the umask of the whole process for a moment.
    umask 022

    """#

  /// A fault of the harness, not of the program: the call that failed and its `errno`.
  package struct Failure: Error {
    package var what: String
    package var code: Int32

    package init(what: String, code: Int32) {
      (self.what, self.code) = (what, code)
    }
  }

  package func run(_ input: Input) throws(Failure) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    // The test's end stays open until the program has ended, so writes to the other end can't fail.
    let standardInput = try Self.open(input)
    defer { close(standardInput.read) }
    let output = try Self.pipe()
    let errors = try Self.pipe()
    defer {
      close(output.read)
      close(errors.read)
    }
    let child: pid_t
    do {
      defer {
        close(output.write)
        close(errors.write)
      }
      child = try start(standardInput.read, output.write, errors.write)
    }
    guard case .slowPipe(let script) = input else {
      return collect(child, output.read, errors.read)
    }
    return collect(child, output.read, errors.read, feeding: script, to: standardInput.write)
  }

  package static func pipe(capacity: Int = 0) throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = cspawn_pipe(&ends, Int32(capacity))
    guard code == 0 else { throw Failure(what: "pipe", code: code) }
    return (ends[0], ends[1])
  }

  private static func open(_ input: Input) throws(Failure) -> (read: Int32, write: Int32) {
    switch input {
    case .descriptor(let descriptor): return (dup(descriptor), -1)
    case .slowPipe: return try pipe()
    case .file(let path):
      let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw Failure(what: "open \(path)", code: errno) }
      return (file, -1)
    case .pipe(let bytes):
      let ends = try pipe(capacity: bytes.count)
      defer { close(ends.write) }
      _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
      guard bytes.isEmpty || write(ends.write, bytes, bytes.count) == bytes.count else {
        close(ends.read)
        throw Failure(what: "write a script of \(bytes.count) bytes", code: errno)
      }
      return (ends.read, -1)
    }
  }

  /// Starts the program on three descriptors, the leader of a process group.
  package func start(_ input: Int32, _ output: Int32, _ errors: Int32) throws(Failure) -> pid_t {
    try start { cspawn_start(&$0, program, $1, $2, directory, input, output, errors) }
  }

  /// Starts the program at a terminal, the leader of a session.
  package func start(atTerminal path: String) throws(Failure) -> pid_t {
    try start { cspawn_start_at_terminal(&$0, program, $1, $2, directory, path) }
  }

  private func start(
    _ body: (
      inout pid_t, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32
  ) throws(Failure) -> pid_t {
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let code = body(&child, &words, &variables)
    guard code == 0 else { throw Failure(what: "start \(program)", code: code) }
    return child
  }

  /// Waits for the end of a program. After the deadline, kills the process and all its children.
  package static func end(of child: pid_t, by deadline: Double) -> Ending {
    var status: Int32 = 0
    var isLate = false
    while waitpid(child, &status, isLate ? 0 : WNOHANG) == 0 {
      if now() > deadline {
        isLate = true
        kill(-child, SIGKILL)
        kill(child, SIGKILL)
      }
      usleep(100)
    }
    let signal = status & 0x7F
    return isLate ? .timedOut : signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  private func collect(
    _ child: pid_t, _ output: Int32, _ errors: Int32, feeding script: [UInt8] = [],
    to input: Int32 = -1
  ) -> (output: [UInt8], errors: [UInt8], ending: Ending) {
    var (input, rest) = (input, script[...])
    var isSlow: Bool { input >= 0 }
    let deadline = Self.now() + secondsAllowed
    var kept: [[UInt8]] = [[], []]
    var cut: Ending?
    var waiting = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    // A program may read its own output, and take what `poll` has seen.
    for end in waiting { _ = fcntl(end.fd, F_SETFL, O_NONBLOCK) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while waiting.contains(where: { $0.fd >= 0 }) {
      let left = deadline - Self.now()
      if cut == nil, left <= 0 || kept[0].count + kept[1].count > bytesAllowed {
        cut = left <= 0 ? .timedOut : .flooded
        if left <= 0 {
          let running = ProcessState.list(ofGroup: child).joined(separator: "\n")
          kept[1] += Array("\nstill running after \(secondsAllowed) s:\n\(running)\n".utf8)
        }
        kill(-child, SIGKILL)
      }
      if isSlow {
        // Parts begin and end anywhere in lines, but at the same places in every run.
        let part = rest.prefix(1 + rest.count % 23)
        _ = part.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        rest = rest.dropFirst(part.count)
        if rest.isEmpty {
          close(input)
          input = -1
        }
      }
      poll(&waiting, 2, isSlow ? 1 : Int32(max(1, left * 1000)))
      for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let count = read(waiting[index].fd, &buffer, isSlow ? 16 : buffer.count)
        if count > 0, cut == nil { kept[index] += buffer[..<count] }
        if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) {
          waiting[index].fd = -1
        }
      }
    }
    if isSlow { close(input) }
    let ending = Self.end(of: child, by: cut == nil ? deadline : .infinity)
    return (kept[0], kept[1], cut ?? ending)
  }

  /// Seconds on a clock that only goes forward.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
