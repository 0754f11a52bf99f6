import Differential
import Testing

@testable import ued

/// Refusals that know where the old lines were.
@Suite struct PastPlaceTests {
  @Test func `a missing block is reported with its group, its run and the present lines`() {
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

  @Test func `expect and anchors know the present and earlier places of lines`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      said() { status=$1; shift; set +e; "$UED" "$@" 2>said; [ $? = $status ] || exit 9; set -e; }
      printf 'alpha\nbeta\ngamma\ndelta\n' >f; cp f old
      anchor=$("$UED" -s -e 2anchors f | head -n 1 | cut -c1-5)
      lines=$(sed -n 2,3p f | sha256sum | cut -c1-12); whole=$(sha256sum <f | cut -c1-12)
      "$UED" -i --history --run=K -e 2s/beta/BETA/ f
      "$UED" -i --history -e 0a -e new -e . f; cp f new
      was="of revision 0; group 1 (Substitute /beta/BETA/ on line 2, run K) changed it; line 3 is now 'BETA'"
      said 1 -i --history -e '2expect <<E' -e BETA -e E f
      grep -q "line 2 is 'alpha', not 'BETA'; the expected text is line 3 now" said
      said 1 -i --history -e '1,2expect <<E' -e gamma -e delta -e E f
      grep -q "; the expected text is lines 4-5 now" said
      said 1 -i --history -e '2,3expect <<E' -e beta -e gamma -e E f
      grep -qF "not 'beta'; it was lines 2-3 $was" said
      said 1 -i --history -e "2,3expect sha256:$lines" f; grep -qF "; it was lines 2-3 $was" said
      said 1 -i --history -e "expect sha256:$whole" f; grep -qF "; it was lines 1-4 $was" said
      said 3 -i --history -e "${anchor}d" f; grep -qF "is gone; it was line 2 $was" said
      said 1 -i -e "2,3expect sha256:$lines" f; ! grep -q revision said
      cmp f new
      "$UED" --json --history -e "${anchor}d" f >answers || [ $? = 3 ]
      jq -se '.[0].hint.revisions == [0, 1]' answers
      "$UED" --json --history -e '2,3expect <<E' -e beta -e gamma -e E f >answers || [ $? = 1 ]
      jq -se '.[0].hint | .revisions == [0, 1] and .difference.found == "alpha"' answers
      """)
  }

  /// The newest revision with the block is found, and the group behind it lacks the block.
  @Test(arguments: seeds(60))
  func `a block has the earlier place that a model gives`(_ seed: UInt64) {
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
        // The hint may be another: lines whose blanks differ.
        continue
      }
      let expected = texts.lastIndex(where: isThere)
      #expect(expected != nil, "\(block)")
      #expect(past.group.id > past.revision)
    }
  }
}
