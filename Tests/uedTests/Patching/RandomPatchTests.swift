import Differential
import Testing

@testable import ued

/// Random differences, made by `diff` and `git`; the results must equal GNU `patch`'s.
@Suite struct RandomPatchTests {
  /// Two texts, and a diff kind.
  private struct RandomPatch {
    var old: [UInt8]
    var new: [UInt8]
    /// The options of `diff`, or `git` for `git diff`.
    var kind: String
    /// Lines that have been added before and behind the old text since.
    var before: [UInt8] = []
    var behind: [UInt8] = []

    init(_ random: inout SeededGenerator) {
      let variety = random.pick([3, 10, 1000])
      var lines: [String] = []
      for _ in 0..<random.below(40) { lines.append(Self.line(variety, &random)) }
      var changed = lines
      for _ in 0..<1 + random.below(5) {
        let place = random.below(changed.count + 1)
        switch random.below(3) {
        case 0: changed.insert(Self.line(variety, &random), at: place)
        case 1 where place < changed.count: changed.remove(at: place)
        default: if place < changed.count { changed[place] = Self.line(variety, &random) }
        }
      }
      let end = random.pick(["\n", "\n", "\n", "\r\n"])
      old = Self.bytes(lines, end, &random)
      new = Self.bytes(changed, end, &random)
      kind = random.pick(["-u", "-U0", "-U1", "git"])
      // With three different lines, a move is ambiguous.
      if variety > 3 && random.below(2) == 0 && old.last == UInt8(ascii: "\n") {
        for _ in 0..<random.below(6) { before += Array((Self.line(variety, &random) + end).utf8) }
        if new.last == UInt8(ascii: "\n") {
          for _ in 0..<random.below(6) { behind += Array((Self.line(variety, &random) + end).utf8) }
        }
      }
    }

    private static func line(_ variety: Int, _ random: inout SeededGenerator) -> String {
      let words = ["a", "", "  b", "- c", "-- d", "++ e", "@@ f", "\\ g"]
      if variety == 3 { return words[random.below(3)] }
      return random.below(8) == 0 ? "" : random.pick(words) + String(random.below(variety))
    }

    private static func bytes(_ lines: [String], _ end: String, _ random: inout SeededGenerator)
      -> [UInt8]
    {
      let text = lines.joined(separator: end)
      let isUnterminated = random.below(6) == 0 && lines.last?.isEmpty == false
      return Array((lines.isEmpty || isUnterminated ? text : text + end).utf8)
    }
  }

  private static let newline = UInt8(ascii: "\n")

  /// A patch with wrong counts in its headers, some of them without numbers, at times with prose
  /// around it.
  private static func spoiled(_ patch: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var lines = patch.split(separator: newline, omittingEmptySubsequences: false).map { Array($0) }
    for index in lines.indices where lines[index].starts(with: "@@ -".utf8) {
      let text = String(decoding: lines[index], as: UTF8.self)
      let numbers = text.split { !$0.isNumber && $0 != "," }.prefix(2).map { String($0) }
      guard numbers.count == 2 else { continue }
      func changed(_ range: String, _ random: inout SeededGenerator) -> String {
        let start = range.split(separator: ",")[0]
        return random.below(3) == 0 ? range : "\(start),\(random.below(12))"
      }
      let (old, new) = (changed(numbers[0], &random), changed(numbers[1], &random))
      lines[index] = Array((random.below(12) == 0 ? "@@" : "@@ -\(old) +\(new) @@").utf8)
    }
    let bytes = Array(lines.joined(separator: [newline]))
    switch random.below(3) {
    case 0: return bytes
    case 1: return Array("Here you are:\n\n```diff\n".utf8) + bytes + Array("```\nDone.\n".utf8)
    default:
      return Array("From: a\nSubject: b\n---\n f | 2 +-\n\n".utf8) + bytes
        + Array("-- \n2.39.5\n".utf8)
    }
  }

  @Test(arguments: seeds(1))
  func `random differences give patch's result, or are refused as a whole`(_ seed: UInt64) {
    let sandbox = Sandbox()
    var random = SeededGenerator(seed: seed)
    var patches: [RandomPatch] = []
    for number in 0..<40 {
      let patch = RandomPatch(&random)
      sandbox["old\(number)"] = patch.old
      sandbox["new\(number)"] = patch.new
      sandbox["moved\(number)"] = patch.before + patch.old + patch.behind
      sandbox["kind\(number)"] = Array(patch.kind.utf8)
      patches.append(patch)
    }
    sandbox.run(
      """
      for n in $(seq 0 39); do
        k=$(cat kind$n); cp old$n patched$n
        if [ $k = git ]; then git diff --no-index --no-color old$n new$n >p$n || test $? = 1
        else diff $k old$n new$n >p$n || test $? = 1; fi
        [ -s p$n ] || continue
        patch --binary -s -F0 patched$n p$n >/dev/null || echo failed >patched$n
        cp moved$n gnu$n; patch --binary -s -N -F0 -r- gnu$n p$n >/dev/null || rm gnu$n
      done
      """)
    var refusalCount = 0
    for (number, patch) in patches.enumerated() where patch.old != patch.new {
      let name: Comment = "seed \(seed), patch \(number), \(patch.kind)"
      let bytes = sandbox["p\(number)"] ?? []
      #expect(sandbox["patched\(number)"] == patch.new, name)
      #expect((try? PatchedText.of(patch.old, by: bytes)) == patch.new, name)
      let spoiled = Self.spoiled(bytes, &random)
      if let made = try? PatchedText.of(patch.old, by: spoiled) {
        #expect(made == patch.new, "\(name), spoiled: \(Escapes.encode(spoiled))")
      } else {
        refusalCount += 1
      }
      let moved = patch.before + patch.old + patch.behind
      var expected = [patch.before + patch.new + patch.behind]
      if let made = sandbox["gnu\(number)"] {
        // GNU `patch` treats a last line without a newline like others.
        expected += [made, made.dropLast()]
      }
      for patch in [bytes, spoiled] {
        if let made = try? PatchedText.of(moved, by: patch) {
          #expect(expected.contains(made), "\(name), moved: \(Escapes.encode(patch))")
        }
      }
    }
    #expect(refusalCount < 20, "seed \(seed): \(refusalCount) refused")
  }
}
