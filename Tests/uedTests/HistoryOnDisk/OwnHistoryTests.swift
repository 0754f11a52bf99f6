import Differential
import Glibc
import Testing

@testable import ued

/// The check of a history's owner, the effect of `forget`, and the message when no history can be
/// kept.
@Suite struct OwnHistoryTests {
  private let sandbox = Sandbox()
  private static let state = ".local/state/ued"

  /// Makes a history of one saved group, and names its database in the variable `database`.
  private static let start = """
    seq 9 >f; printf '1d\\nw\\n2d\\nQ\\n' | "$UED" --history -s f
    folder="$PWD/\(state)"; database=$(echo "$folder"/*.history)

    """

  /// Edits and saves, which has to work, and tells once why no history is kept.
  private static let end = """

    printf '$s/$/x/\\nw\\n' | "$UED" --history -s f 2>notices
    test "$(tail -1 f)" = 9x
    grep -q 'history is not kept: .* is not yours alone, or is a link' notices
    test "$(wc -l <notices)" = 1
    """

  @Test(
    arguments: [
      #"mv "$database" real; ln -s "$PWD/real" "$database"; cp real before"#,
      #"ln -s /nowhere/at/all new; mv "$database" away; ln -s "$PWD/away2" "$database""#,
      #"ln "$database" other"#, #"chmod 622 "$database""#, #"ln -s "$PWD/f" "$database-wal""#,
    ])
  func `promise 15: a history that others could have written is not read`(_ attack: String) {
    sandbox.run(Self.start + attack + Self.end + "\nif test -e before; then cmp real before; fi")
  }

  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [
      #"chown 65534 "$database""#, #"chown 65534 "$folder""#,
      #"mv .local .real; ln -s .real .local; chown -h 65534 .local"#,
      #"mv "$folder" real; ln -s "$PWD/real" "$folder"; chown -h 65534 "$folder""#,
    ])
  func `promise 15: a history of another user is not read, by root either`(_ attack: String) {
    sandbox.run(Self.start + attack + "\nchmod 755 ." + Self.end)
  }

  @Test func `a history that other users could only read is made private and used`() {
    sandbox.run(
      Self.start + """
        chmod 644 "$database"; chmod 755 "$folder"; mv "$folder" real; ln -s "$PWD/real" "$folder"
        printf 'undo\\nw\\n' | "$UED" --history -s f 2>notices
        test "$(cat notices)" = "1 group from a previous session was not saved; 'redo' brings it back"
        test "$(stat -c %a "$database") $(stat -Lc %a "$folder")" = '600 700'
        """)
  }

  @Test func `forget deletes files set aside, too`() {
    sandbox.run(
      Self.start + """
        for i in 1 2; do
          printf 'garbage%4000s' >"$database"; rm -f "$database-wal"
          printf '$s/$/x/\\nw\\n' | "$UED" --history -s f 2>notices
          test -e "$database.damaged-$i"
        done
        printf 'forget\\nforget\\n' | "$UED" --history -s f >out 2>&1 || true
        fails grep history <(ls "$folder")
        """)
  }

  @Test func `without a folder, only a wanted history gives a message, and only once`() {
    sandbox.run(
      """
      seq 3 >f; cp f g; unset HOME XDG_STATE_HOME
      printf '1d\\nw\\n1d\\nw\\nE g\\n' | "$UED" --history -s f 2>notices
      test "$(cat notices)" = 'history is not kept: neither XDG_STATE_HOME nor HOME is set to a path'
      printf '1d\\nw\\n' | "$UED" -s f 2>notices; test ! -s notices
      XDG_STATE_HOME=relative; export XDG_STATE_HOME
      printf '1d\\n' | UED_HISTORY=on "$UED" -s g 2>notices || true
      test "$(grep -c 'history is not kept' notices)" = 1
      """)
  }

  @Test func `a group that is too large gives a message, and the history before it stays`() {
    sandbox.run(
      """
      head -c 52428800 <(yes 'fifteen bytes..') >big; echo one >f
      printf '1s/^/a/\\nw\\nr big\\nw\\n$d\\nw\\n' | "$UED" --history -s f 2>notices
      test "$(cat notices)" = 'history is not kept: the last change is too large; those before it are kept'
      test "$(head -1 f)" = aone; test "$(wc -c <f)" -gt 52000000
      echo aone >f
      printf 'undo\\n,p\\nQ\\n' | "$UED" --history -s f >out 2>notices
      test "$(cat out)" = one; test ! -s notices
      """)
  }

  @Test func `diff in an open group is against the text saved in it`() {
    sandbox.run(
      """
      seq 3 >f
      printf 'begin\\n1d\\nw\\ndiff\\n!echo =\\n1d\\nbegin\\n1d\\ndiff\\nabort\\n!echo =\\nQ\\n' |
        "$UED" -s f >out
      """)
    let out = String(decoding: sandbox["out"] ?? [], as: UTF8.self)
    #expect(out.hasPrefix("=\n") && out.hasSuffix("=\n"))
    #expect(out.contains("-2\n-3\n") && !out.contains("-1\n"))
  }

  @Test func `a value that could not be bound does not become NULL`() throws {
    let database = try Database(path: Array((sandbox.path + "/base").utf8))
    try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB)")
    let insertion = try database.prepare("INSERT INTO t (bytes) VALUES (?)")
    insertion.bind(1, [UInt8](repeating: 0, count: (64 << 20) + 1))
    let error = #expect(throws: StorageError.self) { try insertion.run() }
    #expect(error == .groupTooLarge)
    #expect(try database.number("SELECT count(*) FROM t") == 0)
    insertion.bind(1, [1])
    try insertion.run()
    #expect(try database.number("SELECT count(*) FROM t WHERE bytes IS NOT NULL") == 1)
  }

  @Test func `the columns of a tree are limited`() {
    let rows = (0...200_000).reversed().map { id in
      HistoryRow(
        id: id, parent: id == 0 ? nil : 0, description: "", title: "", time: 0, isCurrent: false,
        isSaved: false, wasSaved: false)
    }
    let lines = Array(HistoryTable(HistoryListing(rows: rows, form: .tree), now: 0))
    #expect(lines.count == 200_002 && lines.allSatisfy { $0.utf8.count < 100 })
    #expect(lines[40].hasSuffix("|…") || lines[40].contains("| …"))
  }
}
