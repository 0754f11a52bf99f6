import Differential
import Testing

/// `anchors`, addresses with hashes, and hashes that `expect` names.
@Suite struct AnchorTests {
  /// An anchor is right, or an error with status 3 that changes nothing.
  @Test(arguments: seeds(30))
  func `no edit is made at a different line`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = Sandbox()
    let lines = (0..<20).map { _ in "line \(random.below(40))" }
    sandbox["f"] = Array(lines.map { $0 + "\n" }.joined().utf8)
    sandbox.run("\"$UED\" -s -e anchors f >anchors")
    let anchors = String(decoding: sandbox["anchors"] ?? [], as: UTF8.self).split(separator: "\n")
      .map { String($0.prefix { $0 != "\t" }) }
    try #require(anchors.count == lines.count + 1)
    var (script, model) = ("", lines)
    var expected: [Bool] = []
    for _ in 0..<40 {
      let number = random.below(lines.count)
      let place = random.below(model.count + 1)
      switch random.below(4) {
      case 0:
        model.insert("new \(random.below(9))", at: place)
        script += "\(place)a\n\(model[place])\n.\n"
      case 1 where place < model.count && model.count > 1:
        model.remove(at: place)
        script += "\(place + 1)d\n"
      default:
        let isRight = number < model.count && model[number] == lines[number]
        expected.append(isRight)
        if isRight { model[number] += "!" }
        script += "\(anchors[number])s/$/!/\n"
      }
    }
    sandbox["script"] = Array((script + ",w out\nQ\n").utf8)
    sandbox.run("\"$UED\" -s --json f <script >answers || test $? -le 3")
    #expect(sandbox["out"] == Array(model.map { $0 + "\n" }.joined().utf8))
    sandbox.run(
      "jq -r 'select((.command // \"\") | endswith(\"!/\")) | .ok' answers >found")
    #expect(
      String(decoding: sandbox["found"] ?? [], as: UTF8.self)
        == expected.map { "\($0)\n" }.joined())
  }

  @Test func `a wrong anchor reports the place of its line, with status 3`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\nb\nc\n".utf8)
    sandbox.run(
      """
      anchor() { "$UED" -s -e "$1anchors" f | head -n 1 | cut -f 1; }
      is() { printf "$1" | cmp - f; }
      b=$(anchor 2); status=0; "$UED" -i -e 1d -e "${b}d" f 2>said || status=$?
      test $status = 3; is 'a\\nb\\nc\\n'
      grep -q "line 2 is 'c' (...); ${b#*:} is line 1 now" said
      status=0; "$UED" -i -e "9:${b#*:}d" f 2>said || status=$?
      test $status = 3; grep -q "no line 9; ${b#*:} is line 2 now" said
      status=0; "$UED" -i -e "2:${b#*:}s/b/x/" -e "${b}d" f 2>said || status=$?
      test $status = 3; grep -q "${b#*:} is gone; it was line 2 of revision 0; group 1 (Substitute .*) changed it; line 2 is now" said
      fails "$UED" -i -e "${b}1d" f
      status=0; "$UED" -i -e "9@:${b#*:}d" f 2>said || status=$?
      test $status = 3; grep -q "${b#*:} is line 2 now" said
      "$UED" -i -e 0a -e new -e . -e "2@:${b#*:}s/b/B/" f; is 'new\\na\\nB\\nc\\n'
      status=0; "$UED" -i -e "3s/B/C/" -e "3@:$(anchor 3 | cut -d : -f 2)d" f 2>said || status=$?
      test $status = 3
      "$UED" -i -e "$(anchor 1),$(anchor 2)d" -e "1:$(anchor 3 | cut -d : -f 2)m$" f; is 'c\\nB\\n'
      printf '1:000p\n' | "$UED" -s f >out || test $? = 1; printf '?\n' | cmp - out
      """)
  }

  /// The mark before the hash, the rest of the script, and the text after a second run; nil if ued
  /// refuses that.
  @Test(arguments: [
    (":", "a <<E\nadded\nE\n", nil), (":", "a\nadded\n.\n", nil),
    (":", "c <<E\nb\nadded\nE\n", nil),
    ("@:", "i <<E\nb\nadded\nE\n", nil),
    // Short lines may repeat.
    (":", "a <<E\n}\nE\n", "a\nb\n}\n}\nc\n"), (":", "a\nxyz\n.\n", "a\nb\nxyz\nxyz\nc\n"),
  ])
  func `lines are not added again beside an anchor`(_ mark: String, _ rest: String, _ new: String?)
  {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\nb\nc\n".utf8)
    sandbox["rest"] = Array(rest.utf8)
    sandbox.run(
      """
      hash=$("$UED" -s -e 2anchors f | sed 's/2:\\(...\\).*/\\1/;q'); printf "2\(mark)$hash" | cat - rest >script
      "$UED" -i f <script; cp f once; status=0; "$UED" -i f <script 2>said || status=$?
      test $status = \(new == nil ? 1 : 0); cp f twice; [ $status = 0 ] || cmp f once
      [ $status = 0 ] || grep -q 'already so: lines 2-[34]; without the hash' said
      sed 's/^2@*:.../2/' script >plain; "$UED" -i f <plain; fails cmp -s f twice
      """)
    #expect(new == nil || sandbox["twice"] == new.map { Array($0.utf8) })
  }

  @Test func `a hash identifies a range`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\r\nb\r\nc".utf8)
    sandbox.run(
      """
      file=$(sha256sum f | cut -c 1-12)
      hash=$("$UED" -s -e 1anchors f | cut -c 3-5 | head -1); test "$("$UED" -s -e "1:${hash^^}n" f)" = $'1\\ta'
      test "$("$UED" -s -e anchors f | tail -n 1)" = sha256:$file
      part=$("$UED" -s -e 1,2anchors f | tail -n 1)
      "$UED" --check -e "1,2expect $part" -e "expect sha256:$file" -e 'expect sha256:'$(sha256sum f | cut -d ' ' -f 1) f
      fails "$UED" --check -e "2,3expect $part" f 2>said; grep -q "the lines have sha256:.*, not $part" said
      fails "$UED" --check -e "expect sha256:12345" f
      "$UED" --expect=sha256:$file --check -e p f >out
      status=0; "$UED" --expect=sha256:000000000000 -i -e 1d f 2>said || status=$?; test $status = 3
      fails "$UED" --expect=sha256:${file%?} -i -e 1d f 2>said || true
      printf 'a\\r\\nb\\r\\nc' | cmp - f
      """)
  }

  /// A plain script sees the carriage returns, which a hash leaves out.
  @Test func `every kind of run gives a line with CR LF the same hash`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\r\nb\r\n".utf8)
    sandbox.run(
      """
      hashes() { sed -n 's/^[0-9]*:\\(...\\).*/\\1/p'; }
      printf 'anchors\\nQ\\n' | "$UED" -s f | hashes >plain
      "$UED" -s -e anchors f | hashes >strict; cmp plain strict; test $(wc -l <plain) = 2
      """)
  }

  @Test func `line 0 with a hash is an error for a program, too`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("a\n".utf8)
    sandbox.run(
      """
      printf '0:abc\\n0@:abc\\ng/a/0:abcp\\n' | exits 3 "$UED" --json f >out
      test "$(grep -c '"error":"line-differs"' out)" = 3; tail -n 1 out | grep -q '"end":true'
      """)
  }

  @Test func `an empty text has no lines to expect`() {
    let sandbox = Sandbox()
    sandbox["f"] = []
    sandbox.run(
      "\"$UED\" -i -e ',expect 0 /x/' -e 'expect 0 /x/' -e '0a <<E' -e x -e E f; grep -qx x f")
  }
}
