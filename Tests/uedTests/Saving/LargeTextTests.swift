import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

/// Texts that are larger than memory is to be.
@Suite struct LargeTextTests {
  private let workshop = Workshop()
  private var files = DiskFiles()

  init() { files.largestInMemory = 1000 }

  private static let lines = Array((1...2000).map { "line \($0)\n" }.joined().utf8)

  @Test func `a text in a spool file is the same, and stays when the file changes`() throws {
    workshop["f"] = Self.lines
    let path = Array((workshop.folder + "/f").utf8)
    let loaded = try files.read(path, strippingCR: false)
    workshop["f"] = []
    #expect(loaded.text.bytes == Self.lines)
    #expect(!loaded.hasNUL && loaded.failure == nil && loaded.identity != nil)
  }

  @Test func `NUL, CR and a missing last newline come through a spool file`() throws {
    workshop["f"] = Self.lines + Array("a\r\nb\0".utf8)
    let path = Array((workshop.folder + "/f").utf8)
    let loaded = try files.read(path, strippingCR: true)
    #expect(loaded.text.bytes == Self.lines + Array("a\nb\0".utf8))
    #expect(loaded.original?.bytes == workshop["f"])
    #expect(loaded.hasNUL)
  }

  @Test func `what a command prints goes to a spool file when it is long`() throws {
    let command = Array("seq 1 200000".utf8)
    let loaded = try files.output(of: command, strippingCR: false)
    #expect(loaded.text.bytes == Array((1...200_000).map { "\($0)\n" }.joined().utf8))
    #expect(loaded.failure == nil)
  }

  @Test func `a text is searched, edited, undone and written under a limit on memory`() {
    workshop.run(
      """
      seq -f 'line %g of a text that is kept in a spool file' 1 21000 >f
      sed -e '/777 /s/line/LINE/' -e '500d' f >expected
      printf '500d\\ng/777 /s/line/LINE/\\n/LINE 20777 of/p\\nw g\\nundo 2\\nw h\\n' >script
      (ulimit -d 16000; exec "$UED" -s f) <script || exit 1
      cmp g expected || exit 2
      cmp f h || exit 3
      """)
  }

  @Test func `running out of memory is said, and nothing is lost`() {
    workshop.run(
      """
      seq -f 'line %g' 1 20000 >f
      printf 'H\\n,t$\\n,t$\\n,t$\\n,t$\\n,t$\\nv/zzz/d\\n1,20000w g\\nQ\\n' >script
      (ulimit -d 17000; cat script | "$UED" -s f >out) && exit 1
      grep -q '^out of memory' out || exit 2
      cmp f g || exit 3
      """)
  }

  @Test func `a spool file that finds no room is told of`() {
    workshop.run(
      """
      seq -f 'line %g of a text that is kept in a spool file' 1 21000 >f
      (ulimit -d 16000; ulimit -f 100; printf 'h\\nQ\\n' | "$UED" -s f >out 2>errors) && exit 1
      grep -q TMPDIR out || exit 2
      grep -q 'File too large' errors || exit 3
      """)
  }
}
