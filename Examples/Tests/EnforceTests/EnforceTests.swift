import Foundation
import Testing

@testable import enforce

/// Rules that are made to hold by the ued that was built in the folder above.
@Suite final class EnforceTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    let programs = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let ued = ProcessInfo.processInfo.environment["UED"] ?? package.path + "/.build/debug/ued"
    try FileManager.default.createSymbolicLink(
      atPath: programs.path + "/ued", withDestinationPath: ued)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = folder.appending(path: name)
    try text.write(to: path, atomically: false, encoding: .utf8)
    return path.path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Makes rules hold, and returns the status and the report, without the folder.
  private func enforce(
    _ rules: String, _ files: [String], _ purpose: Enforcer.Purpose = .write
  ) throws -> (status: Int32, report: String) {
    var enforcer = Enforcer(rules: try Rule.rules(rules), files: files, purpose: purpose)
    enforcer.environment = ["PATH": folder.path + "/bin:/usr/bin:/bin", "HOME": folder.path]
    let (report, status) = try enforcer.enforce()
    return (status, report.joined(separator: "\n").replacing(folder.path + "/", with: ""))
  }

  private static let cases: [(rules: String, old: String, new: String)] = [
    ("set Port 22", "", "Port 22\n"),
    ("set Port 22", "Port 1\na\nPort 22\n", "Port 22\na\n"),
    ("set Port 22", "Ports 1\n", "Ports 1\nPort 22\n"),
    ("set a.b/c = x & \\1", "aXb/c=2\na.b/c=1\n", "aXb/c=2\na.b/c = x & \\1\n"),
    ("after /^P/ Post 22", "Pa\na\nPre\nb", "Pa\na\nPre\nPost 22\nb"),
    ("after /^P/ Port 22", "Port 22\na\nPort 22\nb", "Port 22\na\nb"),
    ("after /a\\/b/ END", "x\na/b", "x\na/b\nEND\n"),
    ("absent /^Root/", "a\nRoot yes\nRoot\n", "a\n"),
    ("absent /./", "a\n\n", "\n"),
    ("absent /^/", "", ""),
    ("block hosts\n1\n.\nend", "", "# BEGIN hosts\n1\n.\n# END hosts\n"),
    (
      "block b\nend", "# BEGIN b\n1\n# END b\nx\n# BEGIN b\n2\n# END b\n", "# BEGIN b\n# END b\nx\n"
    ),
    ("block b\nEND\nend", "# BEGIN b\n1\n2\n# END b\nx\n", "# BEGIN b\nEND\n# END b\nx\n"),
    ("# none\n\n", "a\n", "a\n"),
    ("set Port 1\nset Port 22", "Port 22\n", "Port 22\n"),
  ]

  @Test(arguments: cases)
  func `a rule holds after a run, and the next one does nothing`(
    _ row: (rules: String, old: String, new: String)
  ) throws {
    let file = try write(row.old, "f")
    #expect(try enforce(row.rules, [file], .check).status == (row.old == row.new ? 0 : 4))
    #expect(try text(file) == row.old)
    #expect(try enforce(row.rules, [file]).status == 0)
    #expect(try text(file) == row.new)
    #expect(try enforce(row.rules, [file]) == (0, "f: as it should be"))
  }

  @Test func `the report says what has changed in which file`() throws {
    let files = [try write("Port 1\nRoot yes\n", "a"), try write("Port 22\n", "b")]
    let rules = "set Port 22\nabsent /^Root/"
    #expect(
      try enforce(rules, files, .check)
        == (4, "a: would change\n  set Port 22\n  absent /^Root/\nb: as it should be"))
    #expect(
      try enforce("set Port 22", [files[0]], .show) == (
        0,
        """
        a: would change
          set Port 22
        --- a
        +++ a
        @@ -1,2 +1,2 @@
        -Port 1
        +Port 22
         Root yes
        """
      ))
    #expect(
      try enforce(rules, files)
        == (0, "a: changed\n  set Port 22\n  absent /^Root/\nb: as it should be"))
    #expect(try text(files[0]) == "Port 22\n")
  }

  @Test func `if a rule fails in one file, none is written`() throws {
    let files = [try write("Port 1\n", "a"), try write("x\n", "b")]
    #expect(
      try enforce("set Log no\nafter /^Port/ Listen ::1", files)
        == (
          1,
          "b: after /^Port/ Listen ::1: no line matches '^Port', which tells the place\n"
            + "nothing is written"
        ))
    #expect(try text(files[0]) == "Port 1\n")
    let half = try write("# BEGIN b\nkept\n", "half")
    #expect(try enforce("block b\nend", [half]).status == 1)
    let missing = folder.path + "/c"
    #expect(
      try enforce("set Log no", files + [missing])
        == (2, "c: can't read: No such file or directory\nnothing is written"))
    #expect(try text(files[0]) == "Port 1\n")
  }

  @Test(arguments: [
    ("sett Port 22", "not a rule: sett Port 22"), ("set Port", "not a rule: set Port"),
    ("absent /a", "not a rule: absent /a"), ("absent /a/d", "not a rule: absent /a/d"),
    ("block b\n1", "the block has no line 'end'"),
  ])
  func `a fault in the rules is told`(_ text: String, _ message: String) {
    do {
      _ = try Rule.rules("# rules\n" + text)
      Issue.record("no fault")
    } catch {
      #expect((error.line, error.message) == (2, message))
    }
  }
}
