import Differential
import Testing

/// A script and ed's results: a rule of ed that is easy to get wrong.
struct EdFact: Sendable, CustomTestStringConvertible {
  /// In the escapes of `printf %b`.
  var script: String
  var arguments: String
  var input: Case.StandardInput
  var locale: String
  /// Standard output and standard error, with `⏎` for each newline.
  var prints: String
  var complains: String
  var status: Int32

  init(
    _ script: String, arguments: String = "-s f", input: Case.StandardInput = .pipe,
    locale: String = "C", prints: String, complains: String = "", status: Int32 = 0
  ) {
    (self.script, self.arguments, self.input, self.locale) = (script, arguments, input, locale)
    (self.prints, self.complains, self.status) = (prints, complains, status)
  }

  var testDescription: String { "\(script) [\(arguments)]" }

  var test: Case {
    Case(
      arguments: arguments.split(separator: " ").map(String.init),
      environment: ["LC_ALL=\(locale)"], standardInput: input, script: Escapes.decode(script))
  }
}

@Suite struct EdFactsTests {
  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "⏎")
  }

  @Test(arguments: EdFact.all) func `a rule of ed holds`(_ fact: EdFact) {
    let result = CaseRunner().run(fact.test, .underTest)
    #expect(text(result.output) == fact.prints)
    #expect(text(result.errors) == fact.complains)
    #expect(result.ending == .exited(fact.status))
  }
}

extension EdFact {
  static let all: [EdFact] = [
    // MARK: - Streams, errors and exit status

    // `?` and help texts all go to **stdout**; `H` turned on prints the last message; `h` prints
    // it again
    EdFact(
      #"foo\nh\nH\nbar\nQ\n"#,
      prints: #"?⏎Unexpected command suffix⏎Unexpected command suffix⏎?⏎Unknown command⏎"#,
      status: 1),
    // stderr carries only system errors (`NAME: strerror`), usage errors and what shell commands
    // write; `-q` silences it, `-s` does not
    EdFact(
      #"r nofile\nQ\n"#, prints: #"?⏎"#, complains: #"nofile: No such file or directory⏎"#,
      status: 1),
    EdFact(#"r nofile\nQ\n"#, arguments: "-q -s f", prints: #"?⏎"#, status: 1),
    // stdin a pipe (or tty): the script goes on after an error, and the final status is 1
    EdFact(#"foo\n1p\nq\n"#, prints: #"?⏎one⏎"#, status: 1),
    // stdin a regular file: the first error ends ed, status 1; with `H`/`-v` the text gets a
    // `script, line N: ` prefix
    EdFact(
      #"1p\nfoo\n2p\n"#, arguments: "-s -v f", input: .file,
      prints: #"one⏎?⏎script, line 2: Unexpected command suffix⏎"#, status: 1),
    // reading stdin by another name gives the rest of the script, without the commands already run
    EdFact(#"1p\nr /dev/stdin\n,p\n"#, prints: #"one⏎?⏎"#, status: 2),
    EdFact(#"$r /dev/fd/0\n"#, prints: #""#),
    EdFact(#"f x\n$r /proc/self/fd/0\nQ\n"#, prints: #"x⏎?⏎"#, status: 2),
    // printed lines come before lines written to the same pipe
    EdFact(#"1p\n2w /dev/stdout\n3p\n"#, prints: #"one⏎two⏎three⏎"#),
    // EOF with a modified buffer: `?` and status 2 (2 beats an earlier 1); EOF otherwise acts like
    // `q`
    EdFact(#"1d\n"#, prints: #"?⏎"#, status: 2),
    EdFact(#"foo\n1d\n"#, prints: #"?⏎?⏎"#, status: 2),
    EdFact(#"1p\n"#, prints: #"one⏎"#),
    // `q`/`e` on a modified buffer: `?` once (status 1 sticks); the *next* command, if `q`, `e` or
    // EOF, goes through; any other command or error between re-arms the warning
    EdFact(#"1d\nq\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1d\nq\n1p\nq\n"#, prints: #"?⏎two⏎?⏎"#, status: 1),
    EdFact(#"1d\nq\ne g\n1p\n"#, prints: #"?⏎alpha⏎"#, status: 1),
    EdFact(#"1d\nq\n"#, prints: #"?⏎"#, status: 1),
    // from a regular file even the first `q` with a modified buffer ends it, status 1
    EdFact(#"1d\nq\nq\n"#, input: .file, prints: #"?⏎"#, status: 1),
    // `-l`: always 0
    EdFact(#"foo\n1d\n"#, arguments: "-l -s f", prints: #"?⏎?⏎"#),
    // missing file argument: pipe → message, go on, 0; regular file as stdin → exits 2 at once.
    // Directory: also `?` and 1
    EdFact(
      #"f\nq\n"#, arguments: "nofile", prints: #"nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#),
    EdFact(
      #"f\nq\n"#, arguments: "nofile", input: .file, prints: #""#,
      complains: #"nofile: No such file or directory⏎"#, status: 2),
    EdFact(
      #"f\nq\n"#, arguments: "/tmp", prints: #"?⏎/tmp⏎"#, complains: #"/tmp: Is a directory⏎"#,
      status: 1),
    // bad option 1, nothing on stdout; options may follow the file; `-` means `-s`; second file
    // ignored; long options may be shortened
    EdFact(
      #"q\n"#, arguments: "-x f", prints: #""#,
      complains: #"ed: invalid option -- 'x'⏎Try 'ED --help' for more information.⏎"#, status: 1),
    EdFact(#"1p\n"#, arguments: "f -", prints: #"24⏎one⏎"#),
    EdFact(#"9p\nq\n"#, arguments: "--verb f", prints: #"24⏎?⏎Invalid address⏎"#, status: 1),
    // unterminated last line of the script is dropped, as a command and as input text; input mode
    // ended by EOF keeps the whole lines
    EdFact(#"1p\n2p"#, prints: #"one⏎"#),
    EdFact(#"a\nX\nY"#, prints: #"?⏎"#, status: 2),

    // MARK: - Addresses

    // `,,` = `$,$`; `;;` = `$;$`; `1,,` = `1,1`; `2,` = `2,2`; `,2` = `1,2`; `;2` = `.;2`; `%` =
    // `,`; last two of many count; `^` unknown (BSD has it)
    EdFact(
      #",,p\n;;p\n1,,p\n2,p\n1\n;2p\n1,4,5p\n2%3p\n^p\n"#,
      prints: #"five⏎five⏎one⏎two⏎one⏎one⏎two⏎four⏎five⏎two⏎three⏎?⏎"#, status: 1),
    // a number after an address adds; blanks are free there; intermediate values may leave the
    // buffer, final ones not
    EdFact(#"2 3p\n1+-+2p\n1-9+9p\n1-5p\n"#, prints: #"five⏎three⏎one⏎?⏎"#, status: 1),
    // `;` sets `.` even when the command then fails, or does not use it
    EdFact(#"2;99p\n.=\n3;#\n.=\n4;1=\n.=\n"#, prints: #"?⏎2⏎3⏎1⏎4⏎"#, status: 1),
    // `0;/re/` is a search from the top, but not a valid range
    EdFact(#"0;/one/\n0;/one/=\n0;/one/p\n"#, prints: #"one⏎1⏎?⏎"#, status: 1),
    // searches wrap and try the current line last; `//` and `s//` reuse the last regex of any
    // command; `I` after a search ignores case, `i` there is the insert command
    EdFact(#"2\n/two/\n//=\n/T/I\n/t/i\n"#, prints: #"two⏎two⏎2⏎three⏎"#),
    // an unset mark is an error, but in an empty buffer it is address 0
    EdFact(#"'a=\n'ap\n"#, arguments: "-s", prints: #"0⏎?⏎"#, status: 1),
    // no blank may follow a command letter that takes only suffixes; blanks are fine in `m 3`, `m3
    // p`, `f `, `w `
    EdFact(#"p \nd \n1m 3\n1m3 p\nf \n"#, prints: #"?⏎?⏎two⏎f⏎?⏎"#, status: 2),
    // an address on `q Q f u h H P e E !` is an error; more than one on `a i k = r x z` is not:
    // the last counts
    EdFact(#"1q\n1,3=\n1,2ka\n'a=\n"#, prints: #"?⏎3⏎2⏎"#, status: 1),

    // MARK: - The current line after each command

    // text commands: last line entered; with no text `a`,`i` go to the addressed line, `c` like
    // `d`
    EdFact(#"2a\n.\n.=\n4i\n.\n.=\n2c\n.\n.=\n$c\n.\n.=\n"#, prints: #"2⏎4⏎2⏎3⏎?⏎"#, status: 2),
    // `0i` = `0a`; `0c`, `0p`, `0d`, `0y` are errors, `0=` and `0#` are not
    EdFact(#"0i\nX\n.\n.=\n0c\n0=\n"#, prints: #"1⏎?⏎0⏎?⏎"#, status: 2),
    // `d`: line after, else new last, else 0; `j`: joined line; `m`,`t`: last line put; `r` of
    // nothing: the addressed line, even 0
    EdFact(
      #"2d\n.=\n$d\n.=\n1,2j\n.=\n1t$\n.=\n0r empty\n.=\n"#, prints: #"2⏎3⏎1⏎3⏎0⏎?⏎"#, status: 2),
    // unchanged by `= k y w W f ! #`; `s` → last line changed (last piece of a split line); `g`
    // with no match unchanged
    EdFact(
      #"2\n1y\n5ka\n4=\n1,3w x\n.=\n1,3s/o/a\\\nb/\n.=\ng/zz/p\n.=\n"#, prints: #"two⏎4⏎2⏎4⏎4⏎?⏎"#,
      status: 2),

    // MARK: - Printing

    // `l`: `\a\b\f\n\r\t\v`, octal for other bytes, `\$`, `\\`, ends in `$`; folds with `\` when a
    // 73rd column would start (escapes count in full, and are never split); off a tty always 72;
    // `n` first takes 8 columns
    EdFact(#"1c\n$\\\t\001~\n.\nl\n"#, prints: #"\$\\\t\001~$⏎?⏎"#, status: 2),
    // suffixes combine, once each: `pn` `nl` `pln`; `pp` is an error
    EdFact(#"1pn\n1nl\n1pp\n1dln\n"#, prints: #"1\#tone⏎1\#tone$⏎one⏎1\#ttwo$⏎?⏎"#, status: 2),
    // `z` prints 22 by default, `zN` sets N for later, starts at `.+1` (at `.` in a global), fails
    // past the end; `z0` is an error
    EdFact(
      #"1z2\nz\n5z\nz\ng/o/z\n"#,
      prints: #"one⏎two⏎three⏎four⏎five⏎?⏎one⏎two⏎two⏎three⏎four⏎five⏎"#, status: 1),

    // MARK: - `s`

    // without the last delimiter it prints; without both it is an error; `s/a/` deletes and prints
    EdFact(#"1s/o/0\n1s/0\n1s/0/\n"#, prints: #"0ne⏎?⏎ne⏎?⏎"#, status: 2),
    // a lone `%` is the last replacement; `\%` and `%%` are text
    EdFact(
      #"1s/o/X/p\n2s/o/%/p\n4s/o/%%/p\n5s/v/\\%/p\n"#, prints: #"Xne⏎twX⏎f%%ur⏎fi%e⏎?⏎"#, status: 2),
    // no line changed is an error, but not inside `g`, where a print suffix still prints
    EdFact(#",s/zz/y/\ng/two/s/zz/y/p\n"#, prints: #"?⏎two⏎"#, status: 1),
    // zero-width: `s/x*/-/g` fails ("Infinite substitution loop"); `s/^/#/g`, `s/$/#/g` work;
    // `s/x*/-/2` matches twice at the same place
    EdFact(
      #"1s/x*/-/g\n1s/^/#/gp\n1s/$/#/gp\n2s/x*/-/2p\n"#, prints: #"?⏎#one⏎#one#⏎-two⏎?⏎"#, status: 2
    ),
    // an error in the middle of a range leaves the lines before it changed
    EdFact(#"1s/.*/ww/\n,s/w*/-/g\n,p\n"#, prints: #"?⏎-⏎two⏎three⏎four⏎five⏎?⏎"#, status: 2),
    // `s` alone repeats; `g` toggles the flag `g`, a number sets the count, `p` toggles the
    // last print suffixes, `r` takes the last search regex
    EdFact(
      #"3s/e/E/\n5s/e/E/n\n3s\n3p\n3s/E/e/g\n3p\n3s/e/E/\n3sgp\n/f/\ns/i/x/\n/v/\nsrp\n"#,
      prints: #"5\#tfivE⏎3\#tthrEE⏎thrEE⏎three⏎thrEE⏎four⏎?⏎fivE⏎fixE⏎?⏎"#, status: 2),
    // `\N` beyond the groups is the digit N; other `\c` is c (no `\n`, `\t`); a split needs
    // backslash-newline
    EdFact(
      #"1s/o/\\1\\n\\t\\&/p\n1s/n/a\\\nb/\n1,2n\n"#, prints: #"1nt&ne⏎1\#t1a⏎2\#tbt&ne⏎?⏎"#,
      status: 2),
    // an escaped delimiter keeps its backslash in the regex: `s|a\|b|X|` is alternation,
    // `s?a\?b?X?` an optional a
    EdFact(#"1s|z\\|n|X|p\n2s?x\\?w?X?p\n"#, prints: #"oXe⏎tXo⏎?⏎"#, status: 2),
    // delimiter inside brackets is text; any byte but blank and newline delimits, but digits 1-9,
    // `g p r` mean repeat
    EdFact(#"$a\na/b\n.\ns/[/]/X/p\n1saoa0ap\n1s1o1X1\n"#, prints: #"aXb⏎0ne⏎?⏎?⏎"#, status: 2),
    // flags: `g` or N once, never both; `i`=`I`; `l n p` once each; order free
    EdFact(#"3s/E/x/Ign\n3s/x/y/2g\n3s/x/y/gg\n"#, prints: #"3\#tthrxx⏎?⏎?⏎?⏎"#, status: 2),
    // BRE is glibc: `\+ \? \| \w \W \b \B \< \> \` \' \s \S`; `*` after `^`, `\(` or `\|` is text;
    // leftmost-longest; `-E` gives ERE
    EdFact(#"3s/e\\+/X/p\n4s/u\\|o/Y/gp\n5s/\\bf/Z/p\n"#, prints: #"thrX⏎fYYr⏎Zive⏎?⏎"#, status: 2),
    EdFact(#"3s/(e)+/X/p\n1s/o|on/Y/p\n"#, arguments: "-E -s f", prints: #"thrX⏎Ye⏎?⏎"#, status: 2),

    // MARK: - `g`, `v`, `G` and `V`

    // an empty list, or an empty line in a list, is `p`; no last `/` needed
    EdFact(#"g/f/\ng/f\ng/f/=\\\n\n"#, prints: #"four⏎five⏎four⏎five⏎5⏎four⏎5⏎five⏎"#),
    // list lines end in `\`; the last `.` of a/i/c may be left out; `.` alone in the list ends
    // input
    EdFact(#"g/o/a\\\nX\\\n.\\\n-p\n"#, prints: #"one⏎two⏎four⏎?⏎"#, status: 2),
    // an error in the list stops the whole global; the changes so far stay, and one `u` undoes
    // them; `.` stays where it was
    EdFact(
      #"g/./.+2d\n.=\n,p\nu\n,p\n"#, prints: #"?⏎3⏎one⏎two⏎four⏎one⏎two⏎three⏎four⏎five⏎"#,
      status: 1),
    // lines changed, moved or deleted by an earlier turn are not visited; the visited line
    // itself may be moved
    EdFact(#"g/./m0\n,p\n"#, prints: #"five⏎four⏎three⏎two⏎one⏎?⏎"#, status: 2),
    EdFact(#"g/./1,2d\n,p\n"#, prints: #"?⏎five⏎?⏎"#, status: 2),
    EdFact(
      #"g/./.t.\n,p\n"#, prints: #"one⏎one⏎two⏎two⏎three⏎three⏎four⏎four⏎five⏎five⏎?⏎"#, status: 2),
    // nested g/v/G/V refused; `q` inside obeys the warning; `u` inside undoes the changes so far
    // and ends the global
    EdFact(#"g/o/g/e/p\n1d\ng/o/q\nw\n"#, prints: #"?⏎?⏎"#, status: 1),
    EdFact(#"g/o/s/o/0/\\\nu\n,p\n"#, prints: #"one⏎two⏎three⏎four⏎five⏎"#),
    // a newline in a replacement inside a list is also backslash-newline (one backslash)
    EdFact(
      #"g/tw/s/w/W\\\n/\\\n=\n,n\n"#,
      prints: #"6⏎1\#tone⏎2\#ttW⏎3\#to⏎4\#tthree⏎5\#tfour⏎6\#tfive⏎?⏎"#, status: 2),
    // oddity: a repeated `s` in a list leaves its newline behind, which prints the line once more
    EdFact(#"1s/o/0/\ng/o/s\ng/0/s\n"#, prints: #"tw0⏎f0ur⏎0ne⏎tw0⏎f0ur⏎?⏎"#, status: 2),
    // `G`: line printed, then a list is read from stdin; empty = nothing, `&` = last list (error
    // if none); EOF is an error; no prompt is shown
    EdFact(
      #"G/o/\ns/o/0/\n&\n\n,p\n"#, prints: #"one⏎two⏎four⏎0ne⏎tw0⏎three⏎four⏎five⏎?⏎"#, status: 2),
    EdFact(#"G/o/\n&\n1p\n"#, prints: #"one⏎?⏎one⏎"#, status: 1),
    EdFact(#"G/o/\n"#, prints: #"one⏎?⏎"#, status: 1),

    // MARK: - Undo, marks and the cut buffer

    // `u` toggles; restores `.` and the modified flag; a global is one step; nothing after `e`
    EdFact(#"2,4s/e/E/g\n.=\nu\n.=\nu\n.=\nu\nq\n"#, prints: #"3⏎5⏎3⏎"#),
    // these forget the undo state even when they change nothing: `s` with no match, `g` with no
    // match or only prints, `1j`, `1m1`, `a` with no text, failed `r`; not: prints, `k y w f ! =`,
    // unknown commands
    EdFact(#"1d\n1s/zz//\nu\n"#, prints: #"?⏎?⏎?⏎"#, status: 2),
    EdFact(#"1d\n1j\nu\n"#, prints: #"?⏎?⏎"#, status: 2),
    EdFact(#"1d\ng/o/p\nu\n"#, prints: #"two⏎four⏎?⏎?⏎"#, status: 2),
    EdFact(#"1d\n1y\n1ka\nw x\nfoo\nu\n1p\n"#, prints: #"?⏎one⏎"#, status: 1),
    // after `w`, `u` brings back the *unmodified* flag with the old text: `q` then gives no
    // warning
    EdFact(#"1d\nw\nu\nq\n"#, prints: #""#),
    EdFact(#"2s/t/X/q\n3s/e/%/\n3p\nQ\n"#, prints: #"?⏎thrXe⏎"#, status: 1),
    EdFact(
      #"1,4c\nx\ny\nx\ny\n.\n1,4g/x/m$\n2ka\nu\n'a=\nu\n'a=\n"#,
      prints: #"4⏎2⏎?⏎"#, status: 2),
    // `1m1` sets modified, `1j` and empty `a` do not
    EdFact(#"1m1\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1j\nq\n"#, prints: #""#),
    // a mark follows its line through `m`; it is lost when the line is deleted or replaced (`d c j
    // s`), back after `u`; `t` does not copy it
    EdFact(
      #"3ka\n3m0\n'a=\n1s/t/T/\n'a=\nu\n'a=\n1d\nu\n'a=\n"#, prints: #"1⏎?⏎1⏎1⏎?⏎"#, status: 2),
    // a mark is on a line, not on its text: `u` brings back the very lines that were there
    EdFact(#"1,2c\na\na\n.\n2m0\nka\nu\n'a=\nu\n'a=\n"#, prints: #"2⏎1⏎?⏎"#, status: 2),
    EdFact(#"1s/o/o/\nka\nu\n'a=\nu\n'a=\n"#, prints: #"?⏎1⏎?⏎"#, status: 2),
    EdFact(#"2kb\n2c\ntwo\n.\n'b=\nka\nu\n'a=\n'b=\n"#, prints: #"?⏎?⏎2⏎"#, status: 1),
    EdFact(#",s/e/&/g\n3ka\n2kb\nu\n'a=\n'b=\n"#, prints: #"?⏎2⏎"#, status: 1),
    EdFact(#"g/o/s/o/&/\\\n.m0\n1ka\n3kb\nu\n'a=\n'b=\nu\n'a=\n"#, prints: #"?⏎?⏎1⏎?⏎"#, status: 2),
    EdFact(#"g/./m0\n2ka\nu\n'a=\nu\n'a=\n"#, prints: #"4⏎2⏎?⏎"#, status: 2),
    // cut buffer filled by `y d c j s` (for `s`, the old text of the last changed line), not by `m
    // t`; emptied by `e`/`E`; `x` puts after the line, `0x` works
    EdFact(
      #"2,3s/t/T/\n$x\n$p\n1,2j\n0x\n1,2p\nE g\nx\n"#, prints: #"three⏎one⏎Two⏎?⏎"#, status: 1),

    // MARK: - Files

    // byte counts for `r w W e E` and the start (`-s` drops them); text without final newline:
    // `Newline appended` on stdout even with `-s`, and the newline is written and counted
    EdFact(#"w\n"#, arguments: "nonl", prints: #"Newline appended⏎8⏎8⏎"#),
    EdFact(
      #"0r nonl\n"#, arguments: "-s nonl", prints: #"Newline appended⏎Newline appended⏎?⏎"#,
      status: 2),
    // a NUL makes the buffer binary: no newline is added at the end of the file; appending after
    // it says `Newline inserted`; in a regex NUL is matched by `.`
    EdFact(
      #"w\n1s/b.c/X/\nl\nr g\n"#, arguments: "bin", prints: #"9⏎9⏎aXd$⏎Newline inserted⏎11⏎?⏎"#,
      status: 2),
    // default name: set by `e E f` and the argument, and by `r`/`w` without one; never by `!cmd`. A
    // command sets the name before it opens the file, so also on failure.
    EdFact(
      #"r nofile\nf\n"#, arguments: "-s", prints: #"?⏎nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#, status: 1),
    EdFact(#"r !echo x\nf\n"#, arguments: "-s", prints: #"?⏎?⏎"#, status: 2),
    // `e nofile` empties the buffer and sets the name, then fails
    EdFact(
      #"e nofile\n=\nf\n"#, prints: #"?⏎0⏎nofile⏎"#,
      complains: #"nofile: No such file or directory⏎"#, status: 1),
    // writing the whole buffer to any file (also `W`, or `1,$w x`) clears modified; a part, or `w
    // !cmd`, does not
    EdFact(#"1d\n,w x\nq\n"#, prints: #""#),
    EdFact(#"1d\n1,2w x\nq\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1d\nw !cat >y\nq\n"#, prints: #"?⏎"#, status: 1),
    // `wq` of a part warns if modified; `wQ` never; unmodified it just quits
    EdFact(#"1d\n1,2wq x\n"#, prints: #"?⏎"#, status: 1),
    EdFact(#"1,2wq x\n"#, prints: #""#),
    // `w` of an empty buffer writes 0 bytes, no error; `,w` there is one
    EdFact(#"w x\n,w x\n"#, arguments: "", prints: #"0⏎?⏎"#, status: 1),
    // the blank after `e E f r w W` is required; names keep trailing blanks and backslashes (a
    // final backslash continues the name on the next line)
    EdFact(#"wx\nf a\\b \nf\nf c\\\nd\n"#, prints: #"?⏎a\b ⏎a\b ⏎cd⏎"#, status: 1),
    // files are overwritten in place: modes, hard links and symlinks stay
    EdFact(
      #"!ln f k; ln -s f l; chmod 700 k\n1d\nw l\n!cmp f k && stat -c \\%a,\\%F f l\n"#,
      prints: #"700,regular file⏎777,symbolic link⏎"#),
    // a NUL ends a name or a shell command; no name is the default one
    EdFact(#"f g\0x\nf\nr g\0x\n$p\n"#, prints: #"g⏎g⏎beta⏎?⏎"#, status: 2),
    EdFact(#"w \0x\ne \0\nf\n"#, prints: #"f⏎"#),
    EdFact(#"f \0\nf\nh\n"#, arguments: "-s", prints: #"⏎?⏎No current filename⏎"#, status: 1),
    EdFact(#"!echo a\0b\n!!\n"#, prints: #"a⏎echo a⏎a⏎"#),
    // `--strip-trailing-cr` drops CR before LF on reading files only (not stdin text, not a CR at
    // an unterminated end)
    EdFact(
      #"!printf 'a\\r\\nb\\r' >d\nE d\n,l\na\nx\r\n.\nl\n"#, arguments: "--strip-trailing-cr -s f",
      prints: #"Newline appended⏎a$⏎b\r$⏎x\r$⏎?⏎"#, status: 2),

    // MARK: - The shell

    // `!cmd` ignores the exit status and prints `!` after (not with `-s`); `%` is the file name,
    // `\%` a percent sign, leading `!` the last command; after such a replacement the command
    // is printed first, `r !`/`w !` included, which share the history
    EdFact(
      #"!echo % \\%\n!!\nr !echo %\n!false\n"#, arguments: "f",
      prints: #"24⏎echo f %⏎f %⏎!⏎echo f %⏎f %⏎!⏎echo f⏎2⏎!⏎?⏎"#, status: 2),
    // the exit status of `r !cmd`, `w !cmd` and `e !cmd` is ignored since 1.21; in 1.19 it is an error
    // ("Cannot close …"), although the text is read
    EdFact(
      #"r !echo x; exit 3\nw !cat; exit 3\ne !echo y; exit 3\n,p\nQ\n"#, arguments: "-v -s f",
      prints: #"one⏎two⏎three⏎four⏎five⏎x⏎?⏎Warning: buffer modified⏎one⏎two⏎three⏎four⏎five⏎x⏎"#,
      status: 1),
    EdFact(#"w !cat; exit 3\ne !echo y; exit 3\n,p\n"#, prints: #"one⏎two⏎three⏎four⏎five⏎y⏎"#),
    // stdin is read byte by byte, so a child can take the next script lines
    EdFact(#"!read a; echo got $a\nfor the shell\n1p\n"#, prints: #"got for the shell⏎one⏎"#),
    // stdout is fully buffered off a terminal and flushed before each script line is read, so
    // inside one global list shell output overtakes earlier prints (outside globals the order is
    // right)
    EdFact(#"g/o/p\\\n!echo hi\n"#, prints: #"hi⏎hi⏎hi⏎one⏎two⏎four⏎"#),
    // a name that begins with ! behind an escaped newline is a command
    EdFact(#"$r \\\n!echo hi\n$p\nQ\n"#, prints: #"hi⏎"#),
    EdFact(#"f \\\n!x\nh\n"#, prints: #"?⏎Invalid redirection⏎"#, status: 1),
    // SIGINT while running: `⏎?⏎`, message "Interrupt", status not changed by it, next command
    // read (`!cmd` itself shields ed from it)
    EdFact(#"r !kill -INT $PPID\nh\n1p\nq\n"#, prints: #"⏎?⏎Interrupt⏎one⏎"#),
    // SIGHUP: modified buffer written to `ed.hup` (or `$HOME/ed.hup`), its byte count printed
    // unless `-s`, status 0; SIGQUIT ignored
    EdFact(#"1d\n!kill -HUP $PPID\n1p\n"#, arguments: "f", prints: #"24⏎20⏎"#),

    // MARK: - Modes

    // `-p STR` prompts before every command, not in input mode or for `G` answers; `P` toggles
    // (default `*`)
    EdFact(#"1p\na\nx\n.\nP\nP\nQ\n"#, arguments: "-s -p: f", prints: #":one⏎:::"#),
    EdFact(#"P\nQ\n"#, prints: #"*"#),
    // `-G`: `l` without `$`; `f` without a name prints an empty line; `m`/`t` need a destination;
    // an empty line in a list, or a null command, is `.+1p`; a lone newline as list is `p`
    EdFact(#"1l\n1m\ng/tw/\\\n\n"#, arguments: "-G -s f", prints: #"one⏎?⏎three⏎four⏎"#, status: 1),
    EdFact(#"f\n"#, arguments: "-G -s", prints: #"⏎"#),
    // `-r`: no shell, no `/` in names, not `..`; as argument: `?`, status 1 (regular stdin: 2)
    EdFact(
      #"!echo\nr ./f\nw ..\n"#, arguments: "-r -s -v f",
      prints: #"?⏎Shell access restricted⏎?⏎Directory access restricted⏎?⏎"#
        + #"Directory access restricted⏎"#, status: 1),
    // the lines that continue a refused r, e, w or f are not commands; lines that continue a ! are
    EdFact(
      #"r !x\\\n1d\nw !x\\\n1d\n1p\n!x\\\n1d\n1p\nQ\n"#, arguments: "-r -s f",
      prints: #"?⏎?⏎one⏎?⏎two⏎"#, status: 1),

    // MARK: - UTF-8 and other bytes

    // the regex engine follows the locale: `.` is one character, case and classes work, an invalid
    // byte matches neither `.` nor `[^x]`
    EdFact(
      #",s/./-/g\n,p\n"#, arguments: "-s u8", locale: "C.UTF-8", prints: #"----⏎---⏎---⏎?⏎"#,
      status: 2),
    EdFact(#"g/é/Ip\n"#, arguments: "-s u8", locale: "C.UTF-8", prints: #"café⏎Été⏎"#),
    EdFact(
      #"$a\na\xffb\n.\ns/a./X/\ns/a[^x]/X/\ns/a/X/\nl\n"#, arguments: "-s u8", locale: "C.UTF-8",
      prints: #"?⏎?⏎X\377b$⏎?⏎"#, status: 2),
    // in the C locale everything is bytes
    EdFact(#"1s/./-/gp\n"#, arguments: "-s u8", prints: #"-----⏎?⏎"#, status: 2),
    // `l` writes octal bytes and folds by bytes in every locale (POSIX, from memory, prints é as
    // it is)
    EdFact(#"1l\n"#, arguments: "-s u8", locale: "C.UTF-8", prints: #"caf\303\251$⏎"#),
    // a letter that is the second byte of a character does not count as a letter
    EdFact(
      #"$a\n\x83AA\n.\ns/A/B/gp\nl\ns/A/B/\n"#, locale: "zh_CN.GB18030",
      prints: #"�AB⏎\203AB$⏎?⏎?⏎"#, status: 2),
    EdFact(
      #"$a\n\xA4AA\n.\ns/A/B/g\nl\n"#, locale: "zh_TW.BIG5", prints: #"\244AB$⏎?⏎"#, status: 2),
    EdFact(
      #"$a\n\x83AA\n.\ns/A/B/g\nl\n"#, locale: "ja_JP.SHIFT_JIS", prints: #"\203AB$⏎?⏎"#, status: 2),
    // a delimiter is one byte: `s§a§b§` takes 0xC2 and fails; `[α-ω]` fails ("Invalid collation
    // character", a glibc limit)
    EdFact(
      #"1s§a§b§\n1s/[α-ω]/x/\n"#, arguments: "-v -s u8", locale: "C.UTF-8",
      prints: #"?⏎Invalid command suffix⏎?⏎Invalid collation character⏎"#, status: 1),
    // counts printed by `r`/`w` are bytes; marks are a-z only
    EdFact(#"w\nké\n"#, arguments: "u8", locale: "C.UTF-8", prints: #"22⏎22⏎?⏎"#, status: 1),
  ]
}
