import Differential
import Testing

/// SECURITY.md names the tests of each promise.
@Suite struct PromiseListTests {
  /// The tests whose names say which promise they show, as the list has them.
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
        found.append("\(match.1): \(match.2)")
      }
    }
    return found.sorted()
  }

  @Test func `the list of promises has the tests that there are, and each promise has one`() {
    let list = String(decoding: Disk.read(packageFolder + "/SECURITY.md") ?? [], as: UTF8.self)
    var listed: [String] = []
    var numbers: [Int] = []
    for line in list.split(separator: "\n") {
      if let promise = line.firstMatch(of: #/^([0-9]+)\. /#) {
        numbers.append(Int(promise.1) ?? 0)
      } else if let number = numbers.last, let test = line.firstMatch(of: /^ +- `(.+)`$/) {
        listed.append("\(number): \(test.1)")
      }
    }
    #expect(numbers == Array(1...21) + [23])
    #expect(listed.sorted() == Self.promises())
    #expect(Set(listed.compactMap { $0.split(separator: ":").first }).count == numbers.count)
  }
}
