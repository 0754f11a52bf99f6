import Differential
import Testing

/// The limits of histories, which the manual tells. That of all histories together is in `HistoryTroubleTests`.
@Suite(.serialized) struct HistoryLimitTests {
  private let sandbox = Sandbox()

  @Test func `a text of more than 16 MiB has no history, and is edited and saved`() {
    sandbox.run(
      """
      set -e
      edit() { printf '1s/^/x/\\nw\\n' | "$UED" --history -s f 2>notices; }
      yes 'fifteen bytes..' | head -c 16777200 >f; edit; test ! -s notices
      test "$(ls .local/state/ued/*.history | wc -l)" = 1; rm -r .local
      yes 'fifteen bytes..' | head -c 16777232 >f; edit
      grep -q '^history is not kept: ' notices; test "$(wc -l <notices)" = 1
      test "$(head -c 3 f)" = xfi; test -z "$(ls .local/state/ued/*.history 2>/dev/null)"
      """, seconds: 120)
  }

  @Test func `a history stops growing at 64 MiB, and what it has is there still`() {
    sandbox.run(
      """
      set -e
      echo one >f; head -c 14000000 /dev/urandom | base64 -w 99 >big
      printf 's/$/ 1/\\nw\\n' | "$UED" --history -s f
      printf 'r big\\n2,$d\\nw\\n' | "$UED" --history -s f >/dev/null 2>notices; test ! -s notices
      printf 'r big\\n2,$d\\nr big\\n2,$d\\ns/$/ 2/\\nw\\n' | "$UED" --history -s f >/dev/null 2>notices
      grep -q '^history is not kept: it has reached its size limit' notices
      test "$(cat f)" = 'one 1 2'; test "$(wc -l <notices)" = 1
      test "$(cat .local/state/ued/*.history* | wc -c)" -lt 67108865
      printf 'undo\\nundo 3\\nw\\n' | "$UED" --history -s f; test "$(cat f)" = one
      """, seconds: 120)
  }
}
