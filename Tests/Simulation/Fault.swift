import Differential

/// A fault in one process, caused by the library of `CDisk`.
struct Fault: Sendable {
  /// Whether the process is killed; otherwise a call fails, and it goes on.
  var kills: Bool
  /// The rule of the library.
  var rule: String

  static func random(_ random: inout SeededGenerator) -> Fault {
    // The first changes open the file, later ones store groups and save; few processes make over
    // 200.
    let change = 1 + random.below(random.pick([10, 30, 60, 120, 240]))
    if random.chance(50) {
      return Fault(
        kills: true, rule: "\(change):\(random.pick(["KILL", "KILLAFTER", "TORN"])):once")
    }
    let codes = ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS", "ENOMEM", "SHORT", "EINTR"]
    let code = random.pick(codes)
    // A call that is always interrupted, or always writes half, would be repeated without end.
    let isForGood = code != "EINTR" && code != "SHORT" && random.chance(50)
    return Fault(kills: false, rule: "\(change):\(code):\(isForGood ? "always" : "once")")
  }
}

/// The library between a program and the disk.
package struct DiskLibrary: Sendable {
  /// Where it is.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The environment that loads it for files below a folder. `clock` is `SECONDS[@CHANGE]`.
  func environment(root: String, clock: String?, _ fault: Fault?, _ others: [String]) -> [String] {
    if clock == nil && fault == nil && others.isEmpty { return [] }
    return ["LD_PRELOAD=\(path)", "UED_DISK_ROOT=\(root)"] + others
      + (fault.map { ["UED_DISK_FAIL=\($0.rule)"] } ?? [])
      + (clock.map { ["UED_DISK_CLOCK=\($0)"] } ?? [])
  }
}
