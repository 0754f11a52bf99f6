import Differential
import Testing

/// Why nothing matches, where there is a likely reason.
@Suite struct MismatchHintTests {
  @Test(arguments: [
    ("s/abc/x/", "no match in this line; line 1 matches, and ',s' changes all lines"),
    (#"/[0-9]\d/d"#, #"no match; '\d' is not special here, write '[0-9]'"#),
    ("1s/b+c/x/", #"no match; '+' is not special here, write '\+' or use '-E'"#),
    ("1s/(z|abc)/x/", #"no match; '(' is not special here, write '\(' or use '-E'"#),
    ("1s/[+]c/x/", "no match"), ("1s/abc/x/2", "no match"), ("2s/b/x/2", "no match"),
    (#"1s/\t/x/"#, #"no match; '\t' is not special here, write '[[:blank:]]'"#),
    ("s/zz/x/", "no match"), (#"1s/z\|zz/x/"#, "no match"), ("1s/b+c/x/F", "no match"),
    (",s/zz/x/", "no match"),
  ])
  func `a pattern without a match is explained`(_ command: String, _ message: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("abc 12\nb\nd\n".utf8)
    sandbox["script"] = Array((command + "\n").utf8)
    let said = sandbox.transcript("\"$UED\" -i -f script f")
    #expect(said == "ued: f: script:1: \(message)\n1\n" || said == "ued: f: script:1: \(message)\n")
    sandbox.run(
      "printf 'H\\n' | cat - script | \"$UED\" -s f >out || true; grep -qx 'No match' out")
  }
}
