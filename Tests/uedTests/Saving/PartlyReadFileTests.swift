import Differential
import Glibc
import Testing

/// Scripts on files that could not be read whole.
@Suite struct PartlyReadFileTests {
  private let sandbox = Sandbox()
  private static let lines = Array((1...100_000).map { "\($0)\n" }.joined().utf8)
  private static let refusal =
    "f: only read in part, so not overwritten; 'w NAME' writes another file"

  /// The faults of the second `read` of a file of two blocks.
  static let faults = ["error=EIO", "error=ENOMEM", "signal=INT"]

  /// Runs a script on `f`, whose reading fails.
  ///
  /// - Returns: Its standard error.
  @discardableResult
  private func run(_ script: String, _ fault: String, _ options: String = "-s") -> String {
    sandbox["f"] = Self.lines
    sandbox["script"] = Array(script.utf8)
    sandbox.run(
      """
      cat script | strace -qqq -o trace -P f -e inject=read:\(fault):when=2 "$UED" \(options) f \
        >out 2>errors && echo 0 >status || echo $? >status
      """)
    let errors = String(decoding: sandbox["errors"] ?? [], as: UTF8.self).split(separator: "\n")
    return errors.filter { !$0.hasPrefix("strace:") }.joined(separator: "\n")
  }

  private var status: String {
    String(decoding: sandbox["status"] ?? [], as: UTF8.self)
  }

  @Test(arguments: faults)
  func `promise 10: a script does not write over a file that could not be read whole`(
    _ fault: String
  ) {
    for script in ["$a\nx\n.\nw\nw\n", "$a\nx\n.\nwq\n", "w\n$a\nx\n.\nw ./f\nf g\nw f\n"] {
      let errors = run(script, fault)
      #expect(errors.contains("only read in part, so not overwritten"), "\(script)")
      let isWhole = sandbox["f"] == Self.lines
      #expect(isWhole && status == "2\n", "\(script): \(status)")
    }
    #expect(run("$a\nx\n.\nw\n", fault).hasSuffix(Self.refusal))
  }

  @Test(arguments: faults)
  func `a partly read text can be written elsewhere, and to its file once read again`(
    _ fault: String
  ) {
    run("w g\nE f\n1d\nw\n", fault)
    let isWritten = sandbox["f"] == Array(Self.lines.dropFirst(2))
    #expect(isWritten)
    let isPart = sandbox["g"].map { !$0.isEmpty && Self.lines.starts(with: $0) } ?? false
    #expect(isPart)
    run("!rm f\nw\n", fault)
    let isPartAgain = sandbox["f"] == sandbox["g"]
    #expect(isPartAgain)
    run("!cp f old\nW f\n", fault)
    let isAppended = sandbox["f"] == (sandbox["old"] ?? []) + (sandbox["g"] ?? [])
    #expect(isAppended)
  }

  @Test(.limitsMemory)
  func `promise 13: a script without memory for a file leaves it alone`() {
    sandbox["f"] = []
    truncate(sandbox.path + "/f", 130_000_000)
    sandbox.run(
      """
      printf '$a\\nx\\n.\\nw\\n' | (ulimit -v 60000; exits 2 "$UED" -s f >out 2>errors)
      grep -q 'not overwritten' errors; test $(stat -c %s f) = 130000000
      """)
  }

  @Test func `a file that may not be read is written over, as by ed`() {
    sandbox["f"] = Array("secret\n".utf8)
    sandbox.run(
      """
      as=; test $(id -u) != 0 || as='setpriv --reuid 65534 --regid 65534 --clear-groups'
      cp "$UED" ued; chmod 755 . ued; mkdir d; cp f d/f; chmod 200 d/f
      test $(id -u) != 0 || chown -R 65534:65534 d
      for editor in ../ued ed; do
        (cd d; printf 'a\\nx\\n.\\nw\\nh\\n' | $as $editor -s f >/dev/null 2>&1 && echo 0 || echo $?)
        test "$(cat d/f)" = x || test $(id -u) != 0
        echo secret >d/f
      done >statuses
      test "$(uniq statuses | wc -l)" = 1
      """)
  }
}
