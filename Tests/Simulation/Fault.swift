import Differential

/// What goes wrong in one process, brought about by the library of `CDisk`.
enum Fault: Equatable {
  /// The mutating call with a number fails with an error, and all after it if that is for good.
  case failure(call: Int, code: String, isForGood: Bool)
  /// The process is killed before the mutating call with a number.
  case kill(call: Int)

  static func random(_ random: inout SplitMix64) -> Fault {
    // Early calls are those of opening, later ones of groups and saves; few processes make more than 200.
    let call = 1 + random.below(random.pick([10, 30, 60, 120, 240]))
    if random.chance(50) { return .kill(call: call) }
    let code = random.pick(["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS", "EINTR"])
    // A call that is interrupted for ever is tried for ever.
    return .failure(call: call, code: code, isForGood: code != "EINTR" && random.chance(50))
  }

  /// The settings of the library.
  var environment: [String] {
    switch self {
    case .failure(let call, let code, let isForGood):
      ["UED_DISK_FAIL=\(call):\(code):\(isForGood ? "always" : "once")"]
    case .kill(let call): ["UED_DISK_KILL=\(call)"]
    }
  }
}

/// The library that stands between a program and the disk.
package struct DiskLibrary: Sendable {
  /// Where it is.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The environment that loads it, for files below a folder.
  func environment(root: String, clock: Int, _ fault: Fault?) -> [String] {
    if clock == 0 && fault == nil { return [] }
    return ["LD_PRELOAD=\(path)", "UED_DISK_ROOT=\(root)"] + (fault?.environment ?? [])
      + (clock == 0 ? [] : ["UED_DISK_CLOCK=\(clock)"])
  }
}
