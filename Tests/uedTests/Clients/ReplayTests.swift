import Differential
import Testing

/// The versions of a file, each as one group of one run.
@Suite struct ReplayTests {
  private let sandbox = Sandbox()

  @Test(arguments: seeds())
  func `every version of a long history can be restored`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var lines = Array(RandomLines.lines(of: "/usr/share/common-licenses/GPL-3").prefix(200))
    var versions = [RandomLines.bytes(lines)]
    sandbox["file"] = versions[0]
    var script = ""
    while versions.count <= 300 {
      sandbox["old"] = versions[versions.count - 1]
      for _ in 0...random.below(4) { RandomLines.change(&lines, &random) }
      sandbox["new"] = RandomLines.bytes(lines)
      let changes = String(decoding: sandbox.script(from: "old", to: "new"), as: UTF8.self)
      if changes.isEmpty { continue }
      script += "begin version \(versions.count): it's \"so\"\n\(changes)end\n"
      versions.append(RandomLines.bytes(lines))
    }
    let tip = versions.count - 1
    for id in versions.indices.shuffled(using: &random) { script += "jump \(id)\nw out\(id)\n" }
    script += "jump 100\n$a\na branch\n.\nw branch\njump version \(tip):\nw tip\n"
    script += "jump \(tip + 1)\nw again\nQ\n"
    #expect(sandbox.edit(["-s", "file"], Array(script.utf8)) == [])
    for (id, text) in versions.enumerated() {
      #expect(sandbox["out\(id)"] == text, "version \(id)")
    }
    #expect(sandbox["tip"] == versions[tip])
    #expect(sandbox["branch"] == versions[100] + Array("a branch\n".utf8))
    #expect(sandbox["again"] == sandbox["branch"])
  }

  @Test(arguments: seeds()) func `patch applies what --diff prints`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<10 {
      var lines = Array(RandomLines.lines(of: "/usr/share/common-licenses/BSD"))
      sandbox["old"] = RandomLines.bytes(lines)
      for _ in 0..<3 { RandomLines.change(&lines, &random) }
      sandbox["new"] = RandomLines.bytes(lines)
      let script = sandbox.script(from: "old", to: "new")
      sandbox["patch"] = sandbox.edit(["--diff", "old"], script + Array("w\n".utf8))
      sandbox.run("cmp -s old new || patch -s old patch; cmp old new")
      #expect(sandbox["old"] == sandbox["new"], "round \(round)")
    }
  }

  @Test func `-i keeps a backup when it is given a suffix`() {
    sandbox["file"] = Array(Fixture.text.utf8)
    sandbox.edit(["-s", "-i.bak", "-e", "1d", "file"], [])
    #expect(sandbox["file"] == Array(Fixture.text.utf8.dropFirst(4)))
    #expect(sandbox["file.bak"] == Array(Fixture.text.utf8))
    sandbox.edit(["-s", "-i", "-e", "1d", "file"], [])
    #expect(sandbox.run("ls") == Array("file\nfile.bak\n".utf8))
  }

  @Test func `--atomic writes all files or none`() {
    let text = Array(Fixture.text.utf8)
    let script = "1d\nw\n1d\nw other\nW other\n"
    sandbox["file"] = text
    sandbox.edit(["-s", "--atomic", "file"], Array((script + "zap\nw new\n").utf8), status: 1)
    #expect(sandbox["file"] == text && sandbox.run("ls") == Array("file\n".utf8))
    sandbox.edit(["-s", "--atomic", "file"], Array((script + "w new\n").utf8))
    #expect(sandbox["file"] == Array(text.dropFirst(4)))
    #expect(sandbox["new"] == Array(text.dropFirst(8)))
    #expect(sandbox["other"] == Array(text.dropFirst(8) + text.dropFirst(8)))
  }
}
