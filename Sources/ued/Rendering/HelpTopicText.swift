/// The texts of `help` that are not about commands.
enum HelpTopicText {
  static let addresses = """
    An address is a line; two with a comma between them are a range.

      .         the current line           $         the last line
      7         line 7                     0         before line 1, for a, i, r ...
      +3 -3     lines from the current     +, -      the next, the previous line
      'x        the line marked by kx      3@        what was line 3 when opened
      /RE/      the next line that matches, around the end of the text
      ?RE?      the previous line that matches
      //  ??    the same, with the last RE

      3,7       lines 3 to 7               ,         all lines, as 1,$ and %
      ;         the current line to $      3;+4      3 becomes current: 3 to 7
      /a/,/b/   from a match of a to one of b, both after the current line
      $-2,$     the last three lines

    A lone address prints its line, Enter the next one. In 'help editing' and the
    like, (.) or (1,$) before a command are the lines that it takes without any.
    """

  static let regex = """
    In a regular expression every character stands for itself, except these:

      .         any character              [abc]     one of them
      ^  $      start, end of the line     [^a-z]    any other
      x*        any number of x            [[:digit:]]  and alpha, alnum, space,
      \\.        a plain '.'                          upper, lower, punct
      \\(x\\)     a group, \\1 is it again     \\|        either of two
      x\\{2,4\\}  two to four x              x\\+  x\\?   one or more, at most one
      \\w  \\W    a letter of a word, or not \\<  \\>    start, end of a word
      \\s  \\S    a blank, or not            \\b  \\B    edge of a word, or not

    With -E the braces, groups, | + and ? are special without the '\\'.
    The leftmost match counts; among those, the longest. 'I' behind it ignores
    case, as in /RE/I. A '/' inside is written '\\/', or use another delimiter:
    s,/usr,/opt,g. With the flag F of s nothing is special.

    In the text of s/RE/TEXT/, & is the match and \\1 the first group; '\\' at the
    end of the line makes a new line.
    """

  static let keys = """
    Up, Down              earlier and later lines that begin as the typed text
    Page up, Page down    the same
    Ctrl-R, Ctrl-S        search in earlier lines, back and forward
    Tab                   complete a word, a file name or a revision
    Home, End             go to the start, to the end (also Ctrl-A, Ctrl-E)
    Ctrl-W, Ctrl-U        delete the word before, the line
    Alt-B, Alt-F          go one word back, or forward
    Ctrl-L                clear the screen
    Ctrl-V                take the next key as text
    Ctrl-_                undo, keeping what is being typed
    Alt-_                 redo, likewise
    Ctrl-C                drop the line, or stop a command
    Ctrl-D                on an empty line: end of input
    Ctrl-Z                suspend

    'ued:bind -v' in ~/.editrc chooses the keys of vi; see editrc(5).
    """

  static let settings = """
    Settings are variables of the environment:

      UED_AUTOPRINT  1: print the current line after s, d, j, m and t
      UED_HISTORY    on or off: keep histories and typed commands on disk
      UED_PAGER      1 or a command: show what does not fit the screen through it;
                     1 is $PAGER, else less
      UED_PLAIN      1: history and diff in sentences, for screen readers
      EDITRC         the settings of line editing, instead of ~/.editrc
      LINES          the height of the screen
      NO_COLOR       if not empty: no colours
      TERM           dumb: no line editing, no colours, no pager
      TMPDIR         where texts go that are too large for memory
    """
}
