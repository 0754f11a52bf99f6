/// Patches that somebody made to crash a program, or to have it write elsewhere.
extension HostileGenerator {
  private static let parts = [
    "@@ -1,2 +1,2 @@\n", "@@\n", "@@ -0,0 +1 @@\n", "--- a/f\n", "+++ b/f\n", "-a\n", "+b\n",
    " a\n",
    "\n", "\\ No newline at end of file\n", "diff --git a/f b/f\n", "rename from f\n",
    "rename to \"\\777\\\"\n", "@@ -9999999999999999999999,0 +0,99999999999 @@\n",
    "new file mode 100644\n", "-- \n", "\r\n", "@@ -2147483647 +1 @@\n", "--- /dev/null\n",
    "+++ /dev/null\n", "\\\n", "@@ -1 +1 @@", "\0", "--- ../secret\n", "+++ ../secret\n",
    "+++ dir/../../secret\n", "rename to ../secret\n", "copy from ../secret\n", "copy to g\n",
    "deleted file mode 100644\n", "old mode 100644\n", "new mode 120000\n", "GIT binary patch\n",
    "rename to f\n", "rename from g\n", "similarity index 100%\n", "+++ \"b/\\303\\251\"\n",
    "--- a/f\t2020-01-01 00:00:00\n", "@@ -1,0 +0,1 @@\n", "index 0000000..1111111 100644\n",
  ]

  mutating func makePatch() -> HostileCase {
    var made = HostileCase()
    let old = random.chance(80) ? lines() : Mutation.noise(random.below(500), by: &random)
    made.files["w/f"] = old
    made.files["w/g"] = lines()
    var patch: [UInt8] = []
    for _ in 0..<1 + random.below(3) { patch += self.patch(of: old) }
    if random.chance(70) { patch = Mutation(words: Self.parts).changed(patch, by: &random) }
    made.files["w/p"] = patch
    var run: HostileRun
    switch random.below(8) {
    case 0: run = HostileRun(arguments: ["-s", "f"], input: Array("apply p\n,p\nundo\nw\n".utf8))
    case 1:
      run = HostileRun(
        arguments: ["--json", "f"], input: Array("apply <<E\n".utf8) + patch + "E\nw\n".utf8)
    case 2: run = HostileRun(arguments: ["--apply=-"], input: patch)
    default: run = HostileRun(arguments: ["--apply=p"])
    }
    if run.arguments[0].hasPrefix("--apply") {
      run.arguments += random.pick([
        [], [], ["--check"], ["--diff"], ["--atomic"], ["--json"],
        ["--atomic", "--history", "-i.bak"],
      ])
    } else if random.chance(30) {
      run.arguments.insert("-r", at: 0)
    }
    made.runs = [run]
    return made
  }

  private mutating func lines() -> [UInt8] {
    let count = random.pick([0, 1, 3, 10, 40])
    var text = (0..<count).map { _ in random.pick(["a\n", "b\n", "c\n", "\n", "long line\n"]) }
      .joined()
    if random.chance(15) { text += "no newline" }
    return Array(text.utf8)
  }

  /// A patch, right for a text in most cases, or of parts at random.
  private mutating func patch(of text: [UInt8]) -> [UInt8] {
    if random.chance(25) {
      return Array((0..<random.below(14)).map { _ in random.pick(Self.parts) }.joined().utf8)
    }
    let name = random.pick([
      "f", "f", "f", "a/f", "g", "new", "dir/new", "../secret", "/dev/full", "link",
    ])
    var patch = random.chance(30) ? "diff --git a/\(name) b/\(name)\n" : ""
    if random.chance(10) {
      patch += random.pick(["rename from f\nrename to h\n", "new file mode 100755\n"])
    }
    patch += "--- \(random.pick([name, "a/" + name, "/dev/null"]))\n"
    patch += "+++ \(random.pick([name, "b/" + name, name]))\n"
    let lines = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    var first = 0
    var added = 0
    while first < lines.count && random.chance(75) {
      first += random.below(max(1, lines.count / 3))
      let hunk = lines[min(first, lines.count)..<min(first + 1 + random.below(7), lines.count)]
      var (old, new, body) = (0, 0, "")
      for line in hunk {
        let isKept = random.chance(60)
        body += isKept ? " \(line)\n" : "-\(line)\n"
        old += 1
        new += isKept ? 1 : 0
        if random.chance(20) {
          body += "+new\n"
          new += 1
        }
      }
      let start = first + 1 + (random.chance(20) ? random.below(9) - 4 : 0)
      patch += "@@ -\(start),\(old) +\(start + added),\(new) @@\n" + body
      added += new - old
      first += hunk.count
    }
    return Array(patch.utf8)
  }
}
