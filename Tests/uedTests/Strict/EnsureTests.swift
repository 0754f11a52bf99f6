import Differential
import Testing

/// `ensure` in runs over files.
@Suite struct EnsureTests {
  @Test func `an ensured line is written once, in every kind of file`() {
    Sandbox("UED_HISTORY=on").run(
      #"""
      cat >rules <<'.'
      ensure /^#*Port / Port 22
      ensure /^#*Root / after /^Port / Root no
      ensure /^# BEGIN/,/^# END/ <<END
      # BEGIN
      new
      # END
      END
      .
      printf '#Port 1\na\nPort 2\n' >plain; printf 'Port 22\r\na\r\n' >crlf; printf 'Port 22' >short; : >empty
      status=0; "$UED" --check -f rules plain crlf short empty || status=$?; test $status = 4
      "$UED" --run=rules --atomic -i -f rules plain crlf short none 2>said && exit 9; grep none said
      test "$(cat plain)" = "$(printf '#Port 1\na\nPort 2\n')"
      "$UED" --run=rules --atomic -i -f rules plain crlf short
      printf 'Port 22\nRoot no\na\n# BEGIN\nnew\n# END\n' | cmp - plain
      printf 'Port 22\r\nRoot no\r\na\r\n# BEGIN\r\nnew\r\n# END\r\n' | cmp - crlf
      printf 'Port 22\nRoot no\n# BEGIN\nnew\n# END' | cmp - short
      stat -c '%i %Y' plain crlf short >before; "$UED" -i -f rules plain crlf short <&-; "$UED" --check -f rules plain
      "$UED" -i <rules plain crlf; stat -c '%i %Y' plain crlf short | cmp - before
      "$UED" --undo-run=rules; printf '#Port 1\na\nPort 2\n' | cmp - plain; printf 'Port 22' | cmp - short
      """#)
  }

  @Test func `an error does not change the text, and has a code`() {
    Sandbox().run(
      #"""
      printf '# BEGIN\na\n# BEGIN\n# END\n' >f
      printf '%s\n' 'ensure /^# B/,/^# E/ <<E' '# B' '# E' E 'ensure /x/ after /none/ x' 'ensure /x/' 'ensure /x/ <<E' \
        a b E 'ensure /\(/ x' 'ensure /a/ in /a/,/none/ b' ,p Q | "$UED" --json f >answers || test $? = 1
      jq -r '.error // empty' answers >codes
      printf '%s\n' unbalanced-markers no-match invalid-argument invalid-argument invalid-pattern | cmp - codes
      jq -r 'select(.n == 7).output[]' answers >text; printf '# BEGIN\na\n# BEGIN\n# END\nb\n' | cmp - text
      """#)
  }
}
