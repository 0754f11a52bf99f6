import Differential
import Testing

/// The versions of a file, each as one group of one run.
@Suite struct ReplayTests {
  private let workshop = Workshop()

  @Test(arguments: seeds())
  func `every version of a long history can be gone back to`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var lines = Array(Revisions.lines(of: "/usr/share/common-licenses/GPL-3").prefix(200))
    var versions = [Revisions.bytes(lines)]
    workshop["file"] = versions[0]
    var script = ""
    while versions.count <= 300 {
      workshop["old"] = versions[versions.count - 1]
      for _ in 0...random.below(4) { Revisions.change(&lines, &random) }
      workshop["new"] = Revisions.bytes(lines)
      let changes = String(decoding: workshop.script(from: "old", to: "new"), as: UTF8.self)
      if changes.isEmpty { continue }
      script += "begin version \(versions.count): it's \"so\"\n\(changes)end\n"
      versions.append(Revisions.bytes(lines))
    }
    let tip = versions.count - 1
    for id in versions.indices.shuffled(using: &random) { script += "jump \(id)\nw out\(id)\n" }
    script += "jump 100\n$a\na branch\n.\nw branch\njump version \(tip):\nw tip\n"
    script += "jump \(tip + 1)\nw again\nQ\n"
    #expect(workshop.edit(["-s", "file"], Array(script.utf8), seconds: 60) == [])
    for (id, text) in versions.enumerated() {
      #expect(workshop["out\(id)"] == text, "version \(id)")
    }
    #expect(workshop["tip"] == versions[tip])
    #expect(workshop["branch"] == versions[100] + Array("a branch\n".utf8))
    #expect(workshop["again"] == workshop["branch"])
  }

  @Test(arguments: seeds()) func `patch applies what --diff prints`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<10 {
      var lines = Array(Revisions.lines(of: "/usr/share/common-licenses/BSD"))
      workshop["old"] = Revisions.bytes(lines)
      for _ in 0..<3 { Revisions.change(&lines, &random) }
      workshop["new"] = Revisions.bytes(lines)
      let script = workshop.script(from: "old", to: "new")
      workshop["patch"] = workshop.edit(["--diff", "old"], script + Array("w\n".utf8))
      workshop.run("test ! -s patch || ! cmp -s old new && patch -s old patch; cmp old new")
      #expect(workshop["old"] == workshop["new"], "round \(round)")
    }
  }

  @Test func `-i keeps a backup when it is given a suffix`() {
    workshop["file"] = Array(Fixture.text.utf8)
    workshop.edit(["-s", "-i.bak", "-e", "1d", "file"], [])
    #expect(workshop["file"] == Array(Fixture.text.utf8.dropFirst(4)))
    #expect(workshop["file.bak"] == Array(Fixture.text.utf8))
    workshop.edit(["-s", "-i", "-e", "1d", "file"], [])
    #expect(workshop.run("ls") == Array("file\nfile.bak\n".utf8))
  }

  @Test func `--atomic writes all files or none`() {
    let text = Array(Fixture.text.utf8)
    let script = "1d\nw\n1d\nw other\nW other\n"
    workshop["file"] = text
    workshop.edit(["-s", "--atomic", "file"], Array((script + "zap\nw new\n").utf8), status: 1)
    #expect(workshop["file"] == text && workshop.run("ls") == Array("file\n".utf8))
    workshop.edit(["-s", "--atomic", "file"], Array((script + "w new\n").utf8))
    #expect(workshop["file"] == Array(text.dropFirst(4)))
    #expect(workshop["new"] == Array(text.dropFirst(8)))
    #expect(workshop["other"] == Array(text.dropFirst(8) + text.dropFirst(8)))
  }
}
