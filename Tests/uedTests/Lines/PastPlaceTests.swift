import Differential
import Testing

@testable import ued

/// Refusals that know where the old lines were.
@Suite struct PastPlaceTests {
  @Test func `a block that is gone is told with its group, its run, and the lines as they are now`()
  {
    let sandbox = Sandbox()
    sandbox.run(
      """
      said() { fails "$UED" "$@" 2>said; }
      printf 'a\\nb\\nc\\nd\\ne\\n' >f
      "$UED" -i --history --run=K -e 3s/c/C/ f
      "$UED" -i --history -e 0a -e new -e . f
      printf '%s\\n' 'replace <<O <<N' b c O x N >script
      said -i --history -f script f
      grep -q "not found; it was lines 2-3 of revision 0; group 1 (Substitute /c/C/ on line 3, run K) changed it; line 4 is now 'C'" said
      printf '%s\\n' --- +++ '@@' ' b' -c +x | sed '1s/$/ f/; 2s/$/ f/' >p
      said --history --apply=p; grep -q "; it was lines 2-3 of revision 0; group 1 (.*run K) changed it" said
      said -i -f script f; ! grep -q revision said
      "$UED" -i --history -e 3,4d f; said -i --history -f script f; grep -q 'no line is left of it' said
      said --json --history -f script f >answers
      jq -se '.[0].hint.revisions == [0, 1]' answers
      """)
  }

  /// The newest revision with the block is found, and the group behind it lacks the block.
  @Test(arguments: seeds(60))
  func `a block was where a model says`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let driver = EditorDriver((0..<12).map { "\($0)\n" }.joined(), kind: .regularFile)
    var texts = [driver.text]
    for step in 0..<25 {
      let count = driver.text.split(separator: "\n").count
      let line = 1 + random.below(max(count, 1))
      let commands = ["\(line)s/$/x/", "\(line)d", "\(line)a\nnew \(step)\n.", "\(line)m0"]
      _ = driver.run(random.pick(commands) + "\n")
      texts.append(driver.text)
    }
    for _ in 0..<10 {
      let lines = random.pick(texts).split(separator: "\n")
      if lines.isEmpty { continue }
      let first = random.below(lines.count)
      let block =
        lines[first..<min(first + 1 + random.below(3), lines.count)].joined(separator: "\n") + "\n"
      let isThere = { (text: String) in ("\n" + text).contains("\n" + block) }
      if isThere(driver.text) { continue }
      let failure = driver.run("replace <<OLD <<NEW\n\(block)OLD\nzzz\nNEW\n")
      guard case .blockNotFound(_, .stoodThere(let past)?)? = failure else {
        // Something else may help more: lines whose blanks differ.
        continue
      }
      let expected = texts.lastIndex(where: isThere)
      #expect(expected != nil, "\(block)")
      #expect(past.group.id > past.revision)
    }
  }
}
