import Differential
import Glibc
import Testing

/// Promises about bytes, output and memory.
@Suite struct PromiseTests {
  private let sandbox = Sandbox()

  @Test func `promise 11: every byte comes back`() {
    let all = (0...255).map { UInt8($0) }
    let lines: [[UInt8]] = [
      [], [10], all, all + [10], [0], Array("a\r\nb\r\n".utf8), [0xFF, 0xFE, 10, 0xC3],
      Array(repeating: 0x78, count: 1_000_000), [10, 10, 10],
    ]
    for (index, bytes) in lines.enumerated() {
      sandbox["f"] = bytes
      // A last newline is added only to a file without NULs, as in ed.
      let isText = !bytes.contains(0) && !bytes.isEmpty && bytes.last != 10
      sandbox.run("printf 'w\\nw g\\n' | \"$UED\" -s f 2>/dev/null >/dev/null")
      let isSame = sandbox["g"] == bytes + (isText ? [10] : [])
      #expect(isSame, "text \(index)")
      #expect(sandbox["f"]?.count == sandbox["g"]?.count, "text \(index)")
    }
  }

  @Test func `promise 12: lost output is a failure, closed descriptors do no harm`() {
    sandbox.run(
      """
      printf 'one\\ntwo\\n' >f
      printf ',p\\n' | exits 1 "$UED" -s f >/dev/full
      for option in -h -V; do exits 1 "$UED" $option >/dev/full 2>said; grep output said; done
      printf ',p\\n' | exits 1 "$UED" -s f >&-
      printf '1d\\nw\\n' | "$UED" -s f >&- 2>&-; test "$(cat f)" = two
      exits 2 "$UED" -s f <&- >out 2>errors; test "$(cat f)" = two
      printf ',p\\n' | { "$UED" -s f || true; } | true; test "$(cat f)" = two
      """)
  }

  @Test func `promise 12: a warning that can't be written is a failure`() {
    sandbox.run(
      """
      warned() { seq 3 >f; printf '%s\\n' 1d '!echo other >f' w | "$UED" -s f && test $(wc -l <f) = 2; }
      warned 2>said >/dev/null; grep -q overwritten said
      exits 1 warned 2>/dev/full >/dev/null; warned 2>&- >/dev/null
      """)
  }

  @Test(.limitsMemory)
  func `promise 13: where there is no memory for a file, that is said, and the file stays`() {
    sandbox["f"] = []
    truncate(sandbox.path + "/f", 8 << 30)
    sandbox.run(
      """
      ulimit -v 2000000
      printf 'h\\n1d\\n' | fails "$UED" -s f >out 2>errors
      grep -q 'annot allocate memory' errors
      test "$(stat -c %s f)" = 8589934592
      """)
  }

  @Test(.limitsMemory, arguments: [("2s/.*/&&&&/", 1), ("2l", 0)])
  func `promise 13: a command on a line too long for memory leaves the text`(
    _ command: String, status: Int
  ) {
    sandbox.run(
      """
      { head -c 40000000 /dev/zero | tr '\\0' a; echo; } >f; ulimit -v 120000
      printf '%s\\n' H 0a new . '\(command)' 1p w Q | exits \(status) "$UED" -s f >out
      test "$(tail -c 4 out)" = new; test "$(head -n 1 f)" = new; test $(stat -c %s f) = 40000005
      """)
  }
}
