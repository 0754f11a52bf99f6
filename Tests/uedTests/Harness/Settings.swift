import CSpawn
import Differential
import Glibc
import Testing

extension Program {
  /// The program named by `UED`, or the `ued` built together with these tests.
  static let tested = Program(getenv("UED").map { String(cString: $0) } ?? built("ued"))

  /// `tested`, for a test that starts it: adds the test to the file `UED_TESTS`.
  static var underTest: Program {
    if let test = Test.current, let file = getenv("UED_TESTS") {
      let log = fopen(file, "a")
      fputs("\(test.id)\n", log)
      fclose(log)
    }
    return tested
  }

  /// The path of a program built together with these tests.
  static func built(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The test runner is either the bundle itself, or a helper with its path as an argument.
    let candidates = [own] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    for candidate in candidates {
      let folder = candidate.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
      if access(folder + "/" + name, X_OK) == 0 { return folder + "/" + name }
    }
    fatalError("no \(name) beside \(own); set UED to the path of ued")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests with memory limits: a sanitizer needs terabytes of addresses.
  static var limitsMemory: Self {
    .disabled(if: cspawn_sanitized() != 0, "a sanitizer needs terabytes of addresses")
  }
}

/// The folder of the package.
let packageFolder = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

/// A number that the environment may set, to make a test longer.
func setting(_ name: String, or usual: Int) -> Int {
  getenv(name).flatMap { Int(String(cString: $0) as String) } ?? usual
}

/// The seeds of a random test: 1 to `count`, or to `SEEDS` if the environment sets it, and the one
/// that `SEED` names. `FIRST_SEED` leaves those below it out, so that several runs can share a long test.
///
/// A failure names its seed, since seeds are arguments of the test.
func seeds(_ count: Int = 1) -> [UInt64] {
  let (first, last) = (max(1, setting("FIRST_SEED", or: 1)), setting("SEEDS", or: count))
  let usual = first <= last ? (first...last).map { UInt64($0) } : []
  let extra = setting("SEED", or: 0)
  return extra > 0 && !usual.contains(UInt64(extra)) ? usual + [UInt64(extra)] : usual
}
