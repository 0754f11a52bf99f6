import Differential
import Glibc
import Testing

/// Programs that drive an editor by its command language.
@Suite struct ClientTests {
  private let sandbox = Sandbox()
  private static let licenses = "/usr/share/common-licenses"

  /// Licenses of every Debian system, without links.
  private static let texts = Disk.names(in: licenses).map { licenses + "/" + $0 }.filter {
    var status = stat()
    return lstat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  @Test func `diff -e makes any license from any other`() throws {
    try #require(Self.texts.count > 5)
    for old in Self.texts {
      for new in Self.texts where old != new {
        let script = sandbox.script(from: old, to: new) + Array("w out\nq\n".utf8)
        #expect(sandbox.edit(["-s", old], script) == [])
        #expect(sandbox["out"] == Disk.read(new), "\(old) to \(new)")
      }
    }
  }

  @Test func `patch -e applies an ed script by ued under the name ed`() {
    sandbox.run("mkdir bin && ln -s \"$UED\" bin/ed")
    sandbox["old"] = Array(Fixture.text.utf8)
    sandbox["new"] = Array("zero\none\n.\n..\nfour\n5\nsix\n".utf8)
    sandbox["script"] = sandbox.script(from: "old", to: "new")
    sandbox.run(
      "chmod 640 old && patch -e old script && cmp old new && test $(stat -c %a old) = 640")
  }

  @Test(arguments: seeds()) func `diff3 -e merges two changed versions`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<20 {
      let older = RandomLines.lines(of: Self.texts[round % Self.texts.count])
      var mine = older
      var yours = older
      for _ in 0..<5 {
        RandomLines.change(&mine, &random)
        RandomLines.change(&yours, &random)
      }
      sandbox["older"] = RandomLines.bytes(older)
      sandbox["mine"] = RandomLines.bytes(mine)
      sandbox["yours"] = RandomLines.bytes(yours)
      let script = sandbox.run("diff3 -e mine older yours || test $? = 1")
      let merged = sandbox.run("diff3 -e -m mine older yours || test $? = 1")
      sandbox.edit(["-s", "mine"], script + Array("w\nq\n".utf8))
      #expect(sandbox["mine"] == merged, "round \(round)")
    }
  }

  @Test func `git commit takes its message from a script`() {
    sandbox.run("git init -q . && echo text >file && git add file")
    sandbox.run(
      "EDITOR=\"$UED -s\" git commit -q",
      Array("0a\nsubject: from a script\n\nThe body, with a # sign.\n.\ng/^#/d\nw\nq\n".utf8))
    #expect(
      sandbox.run("git log -1 --format=%B")
        == Array("subject: from a script\n\nThe body, with a # sign.\n\n".utf8))
  }

  @Test(arguments: seeds())
  func `a hundred versions are replayed one by one and at once`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines = RandomLines.lines(of: Self.licenses + "/GPL-3")
    sandbox["single"] = RandomLines.bytes(lines)
    sandbox["whole"] = RandomLines.bytes(lines)
    var whole: [UInt8] = []
    for version in 1...100 {
      sandbox["old"] = RandomLines.bytes(lines)
      for _ in 0...random.below(4) { RandomLines.change(&lines, &random) }
      sandbox["new"] = RandomLines.bytes(lines)
      let script = sandbox.script(from: "old", to: "new")
      whole += script
      sandbox.edit(["-s", "single"], script + Array("w\nq\n".utf8))
      let isSame = sandbox["single"] == sandbox["new"]
      try #require(isSame, "version \(version)")
    }
    sandbox.edit(["-s", "whole"], whole + Array("w\nq\n".utf8))
    #expect(sandbox["whole"] == sandbox["new"])
  }
}

/// Random edits of lines, the same for a seed.
enum RandomLines {
  static func lines(of path: String) -> [[UInt8]] {
    (Disk.read(path) ?? []).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { Array($0) }
  }

  static func bytes(_ lines: [[UInt8]]) -> [UInt8] {
    lines.flatMap { $0 + [0x0A] }
  }

  static func change(_ lines: inout [[UInt8]], _ random: inout SeededGenerator) {
    let first = random.below(lines.count)
    let last = min(lines.count, first + 1 + random.below(6))
    let fresh = (0...random.below(3)).map { _ in
      Array(random.pick([".", "..", "", "new \(random.below(1000))", "\\", "a/b & c", ".x"]).utf8)
    }
    switch random.below(5) {
    case 0: lines.removeSubrange(first..<last)
    case 1: lines.insert(contentsOf: fresh, at: first)
    case 2: lines.replaceSubrange(first..<last, with: fresh)
    case 3: lines.insert(contentsOf: lines[first..<last], at: random.below(lines.count))
    default: lines.append(contentsOf: fresh)
    }
    if lines.isEmpty { lines = fresh }
  }
}
