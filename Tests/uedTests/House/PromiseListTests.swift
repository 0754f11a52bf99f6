import Differential
import Testing

/// Tests/README.md names the tests of each promise of SECURITY.md.
@Suite struct PromiseListTests {
  /// The tests whose names give the number of a promise, each as a line of the list.
  private static func promises() -> [String] {
    var found: [String] = []
    let folder = packageFolder + "/Tests/uedTests/"
    let paths = Disk.names(in: folder).flatMap { name in
      Disk.isFolder(folder + name)
        ? Disk.names(in: folder + name).map { folder + name + "/" + $0 } : [folder + name]
    }
    for path in paths where path.hasSuffix(".swift") {
      let text = String(decoding: Disk.read(path) ?? [], as: UTF8.self)
      for match in text.matches(of: /func\s+`promise ([0-9]+): ([^`]+)`/) {
        found.append("\(match.1): `\(match.2)`")
      }
    }
    return found.sorted()
  }

  private static func matches(of pattern: Regex<(Substring, Substring)>, in name: String)
    -> [String]
  {
    String(decoding: Disk.read(packageFolder + "/" + name) ?? [], as: UTF8.self)
      .split(separator: "\n").compactMap { $0.wholeMatch(of: pattern).map { String($0.1) } }
  }

  @Test func `the list has all tests of promises, and each promise has a test`() {
    let numbers = Self.matches(of: #/([0-9]+)\. .*/#, in: "SECURITY.md")
    #expect(numbers.starts(with: (1...24).map { "\($0)" }) && Set(numbers).count == numbers.count)
    let listed = Self.matches(of: #/- ([0-9]+: `.+`)/#, in: "Tests/README.md")
    #expect(listed.sorted() == Self.promises())
    #expect(Set(listed.map { $0.prefix { $0 != ":" } }) == Set(numbers.map { $0[...] }))
  }
}
