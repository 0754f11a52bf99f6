import CSpawn
import Glibc

/// The state of a process as the kernel shows it. A test waits for a state, and not for time to pass.
package struct ProcessState: Sendable {
  private let folder: String

  package init(of process: pid_t) { folder = "/proc/\(process)" }

  /// The state of the calling thread, for other threads of this process to look at.
  package static var ofThisThread: Self { Self(folder: "/proc/self/task/\(cspawn_thread())") }

  private init(folder: String) { self.folder = folder }

  /// Whether the process waits in one of some system calls, and has taken every signal. A wait of
  /// less than 200 ms ends by itself and does not count.
  ///
  /// After a write to a pipe or a signal, this is true only when the process has handled it.
  package func isWaiting(in calls: [Int] = waitingCalls) -> Bool {
    let words = text("syscall").split(separator: " ")
    // The first word is "running", or the number of a call; its arguments follow.
    guard words.count > 3, let call = Int(words[0]), calls.contains(call) else { return false }
    if call == cspawn_poll, let limit = UInt32(words[3].dropFirst(2).suffix(8), radix: 16),
      limit < 200
    {
      return false
    }
    return pendingSignals.allSatisfy { $0 == "0000000000000000" }
  }

  private var pendingSignals: [Substring] {
    text("status").split(separator: "\n").filter { $0.contains("Pnd:") }.compactMap {
      $0.split(separator: "\t").last
    }
  }

  /// The seconds of a processor that all threads have used, in steps of 10 ms; still known after the end of the
  /// process, until its parent waits for it.
  package var processorTime: Double {
    let numbers = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard numbers.count > 12, let user = Double(numbers[11]), let system = Double(numbers[12])
    else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private func text(_ name: String) -> String {
    String(decoding: Disk.read("\(folder)/\(name)") ?? [], as: UTF8.self)
  }

  /// The calls that wait for input, a reader, a child or a lock.
  package static let waitingCalls = [
    cspawn_read, cspawn_write, cspawn_poll, cspawn_ppoll, cspawn_openat, cspawn_wait, cspawn_waitid,
    cspawn_fcntl, cspawn_flock,
  ].map { Int($0) }

  /// The call of a program that waits for a reader.
  package static let writingCalls = [Int(cspawn_write)]

  /// The calls that wait for input.
  package static let readingCalls = [cspawn_read, cspawn_poll, cspawn_ppoll].map { Int($0) }

  /// A line for each process of a group: its number, the call that it waits in, its words.
  package static func list(ofGroup group: pid_t) -> [String] {
    Disk.names(in: "/proc").compactMap { pid_t($0) }.compactMap { process in
      let state = ProcessState(of: process)
      let numbers = state.text("stat").split(separator: ")").last?.split(separator: " ") ?? []
      guard numbers.count > 2, pid_t(numbers[2]) == group else { return nil }
      let words = state.text("cmdline").split(separator: "\0").joined(separator: " ")
      return "\(process), in \(state.text("wchan")): \(words.prefix(200))"
    }
  }
}
