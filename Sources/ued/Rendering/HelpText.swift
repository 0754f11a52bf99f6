/// The output of `help`. Each subject fits a screen of 24 lines and 80 columns, with the prompt below.
enum HelpText {
  /// The lines about a subject. On a narrow screen, the lines of a paragraph are joined for
  /// wrapping; `columns` is nil if unknown.
  static func lines(_ subject: HelpSubject, columns: Int? = nil) -> [String] {
    let width = min(columns ?? lineWidth, lineWidth)
    let lines =
      switch subject {
      case .overview: overview(width)
      case .topic(let topic): lines(of: topic, width)
      case .command(let row): details(of: row)
      case .meaning(let note, let rows):
        DisplayWidth.wrapped(note, to: lineWidth)
          + (rows.count > 2 ? summaries(of: rows, width) : rows.flatMap { details(of: $0) })
      case .found(let rows): Array(summaries(of: rows, width).prefix(22))
      }
    return width < lineWidth ? joined(lines) : lines
  }

  /// Joins the lines of each paragraph: neighbours with the same indentation and no columns.
  private static func joined(_ lines: [String]) -> [String] {
    func indentation(_ line: String) -> Int? {
      let text = line.drop { $0 == " " }
      let isProse = text.count >= 20 && !text.contains("  ") && line.count - text.count <= 4
      return isProse || text.last == "." ? line.count - text.count : nil
    }
    var joined: [String] = []
    var last: Int?
    for line in lines {
      let this = indentation(line)
      if let this, this == last {
        joined[joined.count - 1] += " " + line.dropFirst(this)
      } else {
        joined.append(line)
      }
      last = this
    }
    return joined
  }

  /// The groups of commands, with a word or two about each command.
  private static func overview(_ lineWidth: Int) -> [String] {
    var lines: [String] = []
    for topic in HelpTopic.allCases where !topic.rows.isEmpty {
      var line = padded(topic.rawValue, topicWidth)
      for row in topic.rows {
        let entry = "\(row.name) \(row.gloss)"
        if line.count + entry.count > lineWidth {
          lines.append(trimmed(line))
          line = padded("", topicWidth)
        }
        line += entry + "   "
      }
      lines.append(trimmed(line))
    }
    let others = HelpTopic.allCases.filter { $0.rows.isEmpty }.map { "'help \($0.rawValue)'" }
    return lines + [
      "",
      "Lines come before a command: 3p  2,5d  $a  /RE/s/a/b/  ,n (all lines).",
      "After most commands p, l or n prints the current line.",
      "'help WORD' explains a command or lists a group; see also \(others[0]),",
      others.dropFirst().joined(separator: ", ") + ".",
    ]
  }

  /// A line for each command of a group, or the text of another topic.
  private static func lines(of topic: HelpTopic, _ lineWidth: Int) -> [String] {
    switch topic {
    case .editing, .showing, .lines, .files, .changes, .other:
      return summaries(of: topic.rows, lineWidth)
    case .addresses: return split(HelpTopicText.addresses)
    case .regex: return split(HelpTopicText.regex)
    case .keys: return split(HelpTopicText.keys)
    case .settings: return split(HelpTopicText.settings)
    }
  }

  /// A line for each command, or two lines in a narrow screen.
  private static func summaries(of rows: [CommandRow], _ lineWidth: Int) -> [String] {
    let width = (rows.map(\.synopsis.count).max() ?? 0) + 2
    return lineWidth == Self.lineWidth
      ? rows.map { padded($0.synopsis, width) + $0.summary }
      : rows.flatMap { [$0.synopsis, "    " + $0.summary] }
  }

  private static func details(of row: CommandRow) -> [String] {
    ["\(row.synopsis)  \(row.summary)"]
      + row.details.split(separator: "\n").map { "  " + $0 } + ["  example:  \(row.example)"]
  }

  private static let topicWidth = 10
  private static let lineWidth = 79

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// The texts of `help` that are not about commands.
enum HelpTopicText {
  static let addresses = """
    An address is a line; two with a comma between them are a range.

      .         the current line           $         the last line
      7         line 7                     0         before line 1, for a, i, r ...
      +3 -3     lines from the current     +, -      the next, the previous line
      'x        the line marked by kx      3@        what was line 3 when opened
      7:3fa     line 7 if 'anchors' still shows 3fa; 7@:3fa  likewise 7@
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
    Up, Down              earlier and later lines that begin as the typed text;
                          in a new line of text, and in edit: the line above
    Page up, Page down    the same
    Ctrl-R, Ctrl-S        search in earlier lines, back and forward
    Tab                   complete a word, a file name or a revision
    Alt-/                 complete a word of the text, again for the next one
    Home, End             go to the start, to the end (also Ctrl-A, Ctrl-E)
    Ctrl-W, Ctrl-U        delete the word before, the line
    Alt-B, Alt-F          go one word back, or forward
    Ctrl-L                clear the screen
    Ctrl-V                take the next key as text
    Ctrl-_                undo what was typed, then the last change of the text
    Alt-_                 redo, keeping what is being typed
    Ctrl-C                drop the line, or stop a command
    Ctrl-D                on an empty line: end of input
    Ctrl-Z                suspend

    'ued:bind -v' in ~/.editrc chooses the keys of vi; see editrc(5).
    """

  static let settings = """
    Settings are variables of the environment:

      UED_HISTORY    on or off: keep histories and typed commands on disk
      UED_PAGER      1 or a command: the pager for more lines than fit the screen;
                     1 is $PAGER, else less
      UED_PLAIN      1: history and diff in sentences, for screen readers
      EDITRC         the settings of line editing, instead of ~/.editrc
      LINES          the height of the screen
      NO_COLOR       if not empty: no colours
      TERM           dumb: no line editing, no colours, no pager
      TMPDIR         where texts go that are too large for memory
    """
}

/// The output of `--help` and `--version`, and the messages about a wrong command line.
enum UsageText {
  static let version = "1.0.0"

  /// The output of `--version`, as two lines; `commit` is empty if unknown.
  static func versionText(commit: String) -> String {
    """
    ued \(version)\(commit.isEmpty ? "" : " (\(commit))")
    A line editor with the language of ed. MIT license, no warranty.

    """
  }

  /// The message for an error in the command line, as two lines.
  static func message(for error: UsageError, calledAs program: [UInt8]) -> [UInt8] {
    shortName(program) + Array(": ".utf8) + reason(error) + Array("\nTry '".utf8) + program
      + Array(" --help' for more information.\n".utf8)
  }

  static func shortName(_ program: [UInt8]) -> [UInt8] {
    program.split(separator: .slash).last.map { Array($0) } ?? Array("ued".utf8)
  }

  static func reason(_ error: UsageError) -> [UInt8] {
    let (before, argument, after): (String, [UInt8], String) =
      switch error {
      case .unknownLetter(let letter):
        ("invalid option -- '", [letter], "'" + advice(on: "-\(Unicode.Scalar(letter))"))
      case .letterNeedsArgument(let letter): ("option requires an argument -- '", [letter], "'")
      case .unknownWord(let argument):
        (
          "unrecognized option '", argument,
          "'" + advice(on: String(decoding: argument, as: UTF8.self))
        )
      case .ambiguousWord(let argument): ("option '", argument, "' is ambiguous")
      case .wordNeedsArgument(let word): ("option '--\(word)' requires an argument", [], "")
      case .wordTakesNoArgument(let word): ("option '--\(word)' doesn't allow an argument", [], "")
      case .badArgument(let word, let valid, let argument):
        ("option '--\(word)' takes \(valid), not '", argument, "'")
      case .badRunName(let name): ("UED_RUN takes \(UsageError.runNames), not '", name, "'")
      case .wordsConflict(let word, let other):
        ("options '--\(word)' and '--\(other)' can't be used together", [], "")
      case .wordNeedsOther(let word, let others):
        ("'--\(word)' is for use with \(others.map { "--\($0)" }.joined(separator: ", "))", [], "")
      case .isGivenTwice(let word): ("'--\(word)' is given twice", [], "")
      case .wordNeedsFile(let word): ("'--\(word)' needs a FILE", [], "")
      case .hashesDoNotMatchFiles: ("each FILE needs an '--expect' of its own", [], "")
      case .strictRunIsNotLoose:
        ("'-l' would hide the failures of a strict run; leave it out", [], "")
      case .filterTakesNo(let word):
        ("the FILE '-' is standard input, which takes no '--\(word)'", [], "")
      case .patchTakesNoFile: ("'--apply' takes no FILE; the patch names its files", [], "")
      case .emptyFileName: ("a FILE has an empty name", [], "")
      case .fileIsCommand(let name): ("there is no file '", name, "'; a command needs -e")
      case .scriptIsMissing:
        ("no script; use -e, -f or standard input", [], "")
      }
    return Array(before.utf8) + shown(argument, in: error) + Array(after.utf8)
  }

  /// Advice on an option of another program; empty without any.
  private static func advice(on option: String) -> String {
    let advice = [
      "-I": "did you mean '-i'?", "-n": "only commands such as 'p' print lines",
      "-z": "a line ends with a newline", "--dry-run": "did you mean '--diff'?",
      "--inplace": "did you mean '--in-place'?", "--null-data": "a line ends with a newline",
      "--regexp-extended": "did you mean '--extended-regexp'?",
    ]
    return advice[option].map { "; \($0)" } ?? ""
  }

  /// An argument in a message: unchanged in one of GNU ed, else without control characters.
  private static func shown(_ argument: [UInt8], in error: UsageError) -> [UInt8] {
    switch error {
    case .badArgument, .badRunName, .fileIsCommand:
      Array(GroupNames.readable(argument).utf8)
    default: argument
    }
  }
}
