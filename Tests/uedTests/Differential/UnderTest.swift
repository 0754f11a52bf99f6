import Differential
import Glibc

extension Program {
  /// The program named by `UED`, or the `ued` that was built beside these tests.
  static let underTest: Program = {
    if let named = getenv("UED") { return Program(String(cString: named)) }
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The test runner is either the bundle itself, or a helper that was given its path.
    let candidates = [own] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    for candidate in candidates {
      let folder = candidate.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
      if access(folder + "/ued", X_OK) == 0 { return Program(folder + "/ued") }
    }
    fatalError("no ued beside \(own); set UED to its path")
  }()
}

/// The folder of the tests of ued in the source tree.
let testsFolder = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
