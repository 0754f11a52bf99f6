import Differential
import Testing

/// Saves with a failing sync, in a session kept open by a program. The system then counts the
/// failed pages as written, so only a second write of all pages brings them to the disk.
@Suite struct UnsyncedSaveTests {
  private let sandbox = Sandbox()

  /// Lets the sync with a number fail, once, and saves twice.
  ///
  /// - Returns: The answers, and how many later syncs worked; nil if no sync failed.
  private func save(failing number: Int, _ options: String) -> (answers: [String], laterSyncs: Int)?
  {
    sandbox["script"] = Array("1d\nw\nw\nQ\n".utf8)
    sandbox.run(
      """
      cat script | strace -qqq -o trace -e trace=fsync -e inject=fsync:error=EIO:when=\(number) \
        "$UED" --json \(options) f >out 2>errors || test $? = 1
      """)
    let calls = String(decoding: sandbox["trace"] ?? [], as: UTF8.self).split(separator: "\n")
    guard let failed = calls.firstIndex(where: { $0.contains("INJECTED") }) else { return nil }
    let answers = String(decoding: sandbox["out"] ?? [], as: UTF8.self).split(separator: "\n")
    return (answers.map(String.init), calls[(failed + 1)...].count { $0.contains("= 0") })
  }

  /// A file that already has the text is synced, regardless of its writer, even if it is
  /// write-only.
  @Test func `a file that has the text already is synced, however it can be opened`() {
    sandbox["f"] = Array("one\n".utf8)
    for number in 2...5 {
      sandbox.run(
        """
        strace -qqq -o trace -P "$PWD/f" -e trace=openat,fsync -e inject=openat:error=EACCES:when=\(number) \
          "$UED" -s -e w "$PWD/f"; test "$(grep -c '^fsync.*= 0' trace)" = 1
        """)
    }
  }

  @Test(arguments: ["rm -f k", "ln -f f k"], ["", "--validate='true %'"])
  func `after a failed sync the next save writes everything again`(
    _ links: String, _ options: String
  ) {
    for number in 1...20 {
      sandbox["f"] = Array("one\ntwo\nthree\n".utf8)
      sandbox.run(links)
      guard let (answers, laterSyncs) = save(failing: number, options) else {
        return #expect(number > 2)
      }
      #expect(answers.count == 5, "\(number): \(answers)")
      let hasFailed = answers.contains { $0.contains("\"w\"") && $0.contains("\"ok\":false") }
      #expect(!hasFailed || answers[2].contains("\"ok\":true"), "\(number): \(answers)")
      // The new content, and the folder or the copy of the old content.
      #expect(laterSyncs >= (hasFailed ? 2 : 1), "\(number): \(answers)")
      #expect(sandbox["f"] == Array("two\nthree\n".utf8), "\(number)")
    }
    Issue.record("the syncs do not end")
  }
}
