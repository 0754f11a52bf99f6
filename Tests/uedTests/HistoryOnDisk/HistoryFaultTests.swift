import Differential
import Glibc
import Testing

/// Failures, once and permanent, of every call that stores or opens a history. The file is saved,
/// and each lost group is reported.
@Suite struct HistoryFaultTests {
  private let sandbox = Sandbox()

  static let calls = [
    "openat", "pread64", "pwrite64", "fsync,fdatasync", "ftruncate", "unlink,unlinkat",
    "newfstatat,fstat", "flock,fcntl", "rename",
  ]

  /// `FAULTS=20` fails each of 20 calls.
  @Test(arguments: calls)
  func `promise 14: a failing history call reports each lost group`(_ call: String) {
    let all = setting("FAULTS", or: 0)
    for step in all > 0 ? Array(1...all) : [1, 3, 4, 7, 12] {
      for suffix in all > 0 ? ["", "+"] : [step % 3 == 1 ? "" : "+"] {
        let error = call == "pwrite64" && step % 2 == 0 ? "ENOSPC" : "EIO"
        sandbox.run(
          """
          rm -rf .local f; echo one >f
          printf 's/$/ 0/\\nw\\n' | "$UED" --history -s f
          folder="$PWD/.local/state/ued"; database=$(echo "$folder"/*.history)
          strace -qqq -o trace -P "$folder" -P "$database" -P "$database-wal" \
            -P "$folder/index.db" -P "$folder/index.db-journal" \
            -e inject=\(call):error=\(error):when=\(step)\(suffix) "$UED" --history -s f \
            >out 2>notices <<END
          s/$/ 1/
          w
          s/$/ 2/
          Q
          END
          test "$(cat f)" = 'one 0 1'
          test "$(wc -l <notices)" -le 2
          # A failed call does not count as damage.
          fails grep -q damaged <(ls "$folder")
          printf 'redo\\n,p\\nQ\\n' | "$UED" --history -s f >out 2>later || grep -q '?' out
          fails grep -q damaged later
          grep -q histor notices || test "$(tail -1 out)" = 'one 0 1 2'
          """)
      }
    }
  }

  /// `MEMORY_STEPS` tries more limits.
  @Test(.limitsMemory)
  func `promise 14: with little memory, a history never keeps a text from being saved`() {
    sandbox.run(
      """
      seq 200000 >big; cp big f; printf '1s/$/x/\\nw\\n1,$s/$/y/\\nw\\n' | "$UED" --history -s f
      cp f start; sed '1s/^/new /' start >saved
      """)
    let count = setting("MEMORY_STEPS", or: 6)
    for step in 0..<count {
      let limit = 24_000 + step * 180_000 / count
      sandbox.run(
        """
        cp start f; status=0
        (ulimit -v \(limit); printf '1s/^/new /\\nw\\n' | "$UED" --history -s f >out 2>notices) || status=$?
        # With too little memory, ued can't start.
        test $status -le 2 -o $status = 127
        cmp -s f start || cmp -s f saved
        """)
    }
    sandbox.run("cmp f saved")
  }
}
