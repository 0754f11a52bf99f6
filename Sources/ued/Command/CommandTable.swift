/// The commands that are words. ed rejects them, so no ed script uses them for something else.
enum Word: String, CaseIterable, Sendable {
  case abort, anchors, apply, begin, blame, bring, diff, earlier, edit, end, ensure, expect, forget,
    help, history, jump, later, merge, mergeMarking = "merge!", name, next, peek, pick, redo,
    replace, revert, tree, undo

  /// Whether it moves the text to another revision, or applies or undoes changes.
  var moves: Bool {
    switch self {
    case .earlier, .jump, .later, .merge, .mergeMarking, .pick, .redo, .revert, .undo: true
    default: false
    }
  }
}

/// The table of all commands. The parser, the checks before a command runs, completion, `help` and
/// the test of the manual read it. `help` lists the rows in this order, and its overview shows the
/// gloss of each, which follows the name.
enum CommandTable {
  static let editing: [CommandRow] = [
    CommandRow(
      "a", "append", .append(.toBeRead(upTo: .period)), .line(or: .current, zero: true),
      traits: .grows,
      "append text after the line",
      """
      The text goes up to a line that is a single '.'. 0a puts it at the top.
      After 'a <<END' it goes up to a line 'END', and a '.' is text like all else.
      """,
      example: "$a  adds text at the end"),
    CommandRow(
      "i", "insert", .insert(.toBeRead(upTo: .period)), .line(or: .current, zero: true),
      traits: .grows,
      "insert text before the line",
      "The text goes up to a line that is a single '.', or after 'i <<END' to 'END'.",
      example: "1i  inserts text at the top"),
    CommandRow(
      "c", "change", .change(.toBeRead(upTo: .period)), .lines(or: .current), traits: .grows,
      "replace lines with text",
      "The text goes up to a line that is a single '.', or after 'c <<END' to 'END'.",
      example: "2,4c  replaces lines 2 to 4"),
    CommandRow(
      "d", "delete", .delete, .lines(or: .current), traits: .grows, "delete lines",
      "They go to the cut buffer; x puts them back.",
      example: "2,5d  deletes lines 2 to 5"),
    CommandRow(
      "j", "join", .join, .lines(or: .currentAndNext), traits: .grows, "join lines",
      example: "3,5j  makes lines 3 to 5 one line"),
    CommandRow(
      "m", "move", .move(to: Addresses()), .lines(or: .current), form: "(.)", checks: .addresses,
      traits: .grows, "move lines after a line",
      example: "2,4m$  moves lines 2 to 4 to the end"),
    CommandRow(
      "t", "copy", .copy(to: Addresses()), .lines(or: .current), form: "(.)", checks: .addresses,
      traits: .grows, "copy lines after a line",
      example: "5t.  copies line 5 to here"),
    CommandRow(
      "s", "replace", .repeatSubstitute([]), .lines(or: .current), form: "/RE/TEXT/",
      checks: .addresses,
      traits: .grows, "replace matches with text",
      """
      After the last '/': g replaces all matches in a line, a number N only the Nth,
      I ignores case, c asks at each match (y, n, a for all from there on, q for no
      more), and p, l or n prints the line. In TEXT, '&' is the match and '\\1' its
      first group; '%' alone is the last TEXT. s alone repeats the substitution.
      With F, RE and TEXT are plain text: only the '/' is special.
      """,
      example: ",s/colour/color/g  in all lines"),
    CommandRow(
      "y", "yank", .yank, .lines(or: .current), traits: .grows, "copy lines to the cut buffer",
      example: "2,5y  copies lines 2 to 5"),
    CommandRow(
      "x", "put", .put, .line(or: .current, zero: true), traits: .grows,
      "put the cut buffer after the line",
      example: "$x  puts them at the end"),
    CommandRow(
      .bring, "from any file", .line(or: .current, zero: true), traits: .grows,
      "put lines that were cut in any file after the line",
      "Like x, but also puts lines that were cut in another file, before e left it.",
      example: "$bring"),
    CommandRow(
      .replace, "a block", .lines(or: .allOrNone), form: " [N] <<OLD <<NEW", traits: .grows,
      argument: .text, "replace a block of lines",
      """
      The lines that follow up to a line 'OLD' are replaced by those up to 'NEW'.
      They must occur exactly once, or N times; 'replace all' takes 1 or more.
      'replace text' also finds text within lines. 'replace loose' finds lines that
      differ in indentation, blanks at the end, or typographic quotes and dashes.
      """,
      example: "replace <<OLD <<NEW"),
    CommandRow(
      .ensure, "a line", .lines(or: .allOrNone), form: " /RE/ LINE", traits: .grows,
      argument: .text,
      "make sure that the text has a line exactly once",
      """
      The first line that matches RE becomes LINE, which must match RE, too; other
      matches are deleted. If no line matches, LINE is added at the end, or where
      'after /RE/' or 'before /RE/' says. 'in /RE/,/RE/' limits all this to lines
      after the first match and before the second.
      'ensure /RE/,/RE/ <<END' does so with a block from one match to the other.
      'ensure unless /RE/ LINE' only adds LINE: lines that match stay as they are.
      """,
      example: "ensure /^#*Port / Port 22"),
    CommandRow(
      .edit, "in place", .lines(or: .current), traits: .grows, "edit lines in place",
      """
      Each line is shown, ready to be edited: Enter stores it and goes to the next,
      Ctrl-C leaves it as it was and stops. Only at a terminal.
      """,
      example: "3edit  edits line 3"),
    CommandRow(
      .apply, "a patch", .none, form: " FILE", traits: [.grows, .reads], argument: .file,
      "apply a patch, as 'diff -u' and git make them",
      """
      'apply <<END' takes the lines up to 'END'. Hunks that have moved are applied
      where they fit exactly, if that is one place only; all are applied, or none.
      Wrong counts in '@@' lines, text around the patch, or other line ends do no
      harm.
      '*** Begin Patch' and blocks of SEARCH and REPLACE are patches, too.
      """,
      example: "apply fix.diff"),
  ]

  static let showing: [CommandRow] = [
    CommandRow(
      "p", "print", .print(.plain), .lines(or: .current), traits: .shows, "print lines",
      example: "1,10p  prints the first ten lines"),
    CommandRow(
      "n", "with numbers", .print(.numbered), .lines(or: .current), traits: .shows,
      "print lines with numbers",
      example: ",n  prints all lines with their numbers"),
    CommandRow(
      "l", "with escapes", .print(.list), .lines(or: .current), traits: .shows,
      "print lines with escapes",
      example: "2l  shows the tabs and blanks at the end of line 2"),
    CommandRow(
      "z", "a page", .scroll(.below, lines: nil), .line(or: .page), form: "N", checks: .addresses,
      traits: .shows,
      "print a page of N lines",
      "'z.' has the line in its middle, 'z-' is the page above; both take N, too.",
      example: "1z20  prints the first 20 lines"),
    CommandRow(
      "=", "line number", .lineNumber, .line(or: .last, zero: true), traits: .shows,
      "print the line number",
      example: ".=  prints the number of the current line"),
    CommandRow(
      .expect, "these lines", .lines(or: .allOrNone), form: " <<END", traits: .shows,
      argument: .text,
      "fail unless the lines are as given",
      """
      They must equal the lines up to 'END'. 'expect N /RE/': exactly N of them
      match. 'expect sha256:HEX': their hash begins with HEX; 'anchors' prints it.
      """,
      example: "3expect 1 /^port/  fails unless line 3 begins with port"),
    CommandRow(
      .anchors, "of lines", .lines(or: .allOrNone), traits: .shows,
      "print lines with addresses that check their content",
      """
      Each line as 12:3fa, a tab and the line. 12:3fa is line 12 if it still is this
      line, and else an error. The last line is the hash of all, for 'expect'.
      """,
      example: "10,20anchors"),
  ]

  static let lines: [CommandRow] = [
    CommandRow(
      "g", "where RE matches", .global(Global(isInverted: false, isInteractive: false)),
      .lines(or: .all),
      form: "/RE/LIST", checks: .addresses, traits: .grows, inList: false,
      "run commands on the lines that match",
      "End a line with '\\' to continue the list. The default list is p.",
      example: "g/TODO/d  deletes all lines with TODO"),
    CommandRow(
      "v", "where not", .global(Global(isInverted: true, isInteractive: false)), .lines(or: .all),
      form: "/RE/LIST", checks: .addresses, traits: .grows, inList: false,
      "run commands on the lines that do not match",
      example: "v/./d  deletes all empty lines"),
    CommandRow(
      "G", "ask where RE matches", .global(Global(isInverted: false, isInteractive: true)),
      .lines(or: .all), form: "/RE/",
      checks: .addresses, traits: .grows, inList: false, "ask for commands on the lines that match",
      "An empty answer skips the line, '&' repeats the last answer.",
      example: "G/TODO/"),
    CommandRow(
      "V", "ask where it does not", .global(Global(isInverted: true, isInteractive: true)),
      .lines(or: .all), form: "/RE/",
      checks: .addresses, traits: .grows, inList: false,
      "ask for commands on the lines that do not match",
      example: "V/./"),
    CommandRow(
      "k", "mark a line", .mark(0), .line(or: .current), form: "x",
      "mark the line; 'x is its address",
      "x is a letter from a to z. The mark follows its line.",
      example: "7ka  marks line 7; 'a goes there"),
  ]

  static let files: [CommandRow] = [
    CommandRow(
      "w", "write", .write(.none, appending: false, then: .nothing), .lines(or: .allOrNone),
      form: " FILE",
      checks: .suffix, traits: .writes, argument: .file, "write to a file",
      "'!COMMAND' gets the lines instead. wq also quits, W appends to the file.",
      example: "1,5w part.txt  writes lines 1 to 5 to a file"),
    CommandRow(
      "W", "append to", .write(.none, appending: true, then: .nothing), .lines(or: .allOrNone),
      form: " FILE",
      checks: .suffix, traits: .writes, argument: .file, "append to a file",
      example: "1,5W log.txt  appends lines 1 to 5 to a file"),
    CommandRow(
      "r", "read in", .read(.none), .line(or: .last, zero: true), form: " FILE",
      traits: [.grows, .reads],
      argument: .file, "read a file after the line",
      "'!COMMAND' reads its output.",
      example: "0r head.txt  reads a file in at the top"),
    CommandRow(
      "e", "edit another", .edit(.none, discarding: false), .none, form: " FILE",
      checks: .unsavedThenAddressesThenSuffix, traits: [.grows, .reads], argument: .file,
      "edit another file",
      "Refused once if there are unsaved changes. '!COMMAND' edits its output.",
      example: "e notes.txt"),
    CommandRow(
      "E", "edit, discarding changes", .edit(.none, discarding: true), .none, form: " FILE",
      traits: [.grows, .reads],
      argument: .file, "edit another file, discarding changes",
      example: "E notes.txt"),
    CommandRow(
      .next, "file", .none, "edit the next file of the command line",
      "Refused once when there are unsaved changes. Only at a terminal.",
      example: "next"),
    CommandRow(
      "f", "file name", .fileName(.none), .none, form: " FILE", argument: .file,
      "show or set the file name",
      example: "f notes.txt  makes it the name that w writes to"),
    CommandRow(
      "q", "quit", .quit(discarding: false), .none, "quit",
      "Refused once if there are unsaved changes.",
      example: "q"),
    CommandRow(
      "Q", "quit, discarding changes", .quit(discarding: true), .none, "quit, discarding changes",
      example: "Q"),
  ]

  static let changes: [CommandRow] = [
    CommandRow(
      "u", "undo or redo the last command", .undo, .none, "undo the last command, or redo it",
      "A second u redoes it. For more steps use undo.",
      example: "u"),
    CommandRow(
      .undo, "N groups", .optional, form: " [N]", argument: .text,
      "undo one group of changes, or N",
      """
      With an address, as '2,4undo', undoes the newest group that still affects
      these lines, and keeps everything else. 'revert ID' undoes one older group
      alone.
      """,
      example: "undo 3  takes back three groups"),
    CommandRow(
      .redo, "N groups", .none, form: " [N]", argument: .text, "redo one group of changes, or N",
      example: "redo"),
    CommandRow(
      .history, "list them", .optional, form: " [N]", argument: .historyForm,
      "show the groups of changes, newest first",
      """
      '*' is where the text is, 'r' where redo leads, 'w' what is saved, 's' what
      was saved before. N is how many to show; '+3-1' is lines added and removed.
      'history all' shows all branches, 'history /RE/' groups whose name or text
      matches, 'history json' all as JSON, 'history patch' patches from the first
      state to this one, 'history git' what 'git fast-import' takes.
      With an address only groups that touched the lines.
      """,
      example: "history /TODO/  finds the groups that touched TODO"),
    CommandRow(
      .tree, "walk", .none, "walk through all revisions on a full screen",
      """
      Arrows, Page up and Page down select a revision, and what it changed is beside
      it. Enter goes there, 'd' compares it with the text, '/' and 's' filter, 'p'
      picks, 'r' reverts, 'n' names, '?' lists all keys, 'q' leaves. Only at a
      terminal; 'history all' lists the same.
      """,
      example: "tree"),
    CommandRow(
      .blame, "by line", .lines(or: .allOrNone), traits: [.shows, .compares], argument: .text,
      "show which group wrote or moved each line last",
      """
      The number of the group, its time, the name of its run, the line; 0 is the
      text as first opened. 'blame json' shows them as JSON, without the text.
      """,
      example: "10,20blame"),
    CommandRow(
      .diff, "show changes", .none, form: " [ID [ID]]", traits: [.shows, .compares],
      argument: .revisions(or: ["disk", "undo", "redo"]),
      "show what changed since the last save",
      """
      'diff ID' shows what a group did, 'diff ID ID' how two states differ, 'diff
      undo' and 'diff redo' what these would do, 'diff disk' how the text differs
      from the file as it is on disk now, 'diff -' what the last move did. 'saved'
      is the state that was saved last.
      """,
      example: "diff 7  shows what group 7 did"),
    CommandRow(
      .jump, "to any state", .none, form: " ID", argument: .revision(or: ["saved"]),
      "go to any state of the text",
      """
      ID is a number or a name that 'history' shows, 'saved', or '-': where the text
      was before the last undo, redo, jump, earlier, later or u.
      """,
      example: "jump saved  goes back to what was saved last"),
    CommandRow(
      .peek, "at one", .none, form: " ID [A,B]", traits: .shows, argument: .revision(or: ["saved"]),
      "print lines of another state, without going there",
      "'peek 3 5,9' prints lines 5 to 9, 'peek 3 $' the last one, 'peek 3' all.",
      example: "peek saved 1,10"),
    CommandRow(
      .earlier, "by time", .none, form: " T", argument: .text, "go back in time, or by saves",
      "T is 30s, 10m, 2h, 1d, or 1f for the last save.",
      example: "earlier 10m  goes back ten minutes"),
    CommandRow(
      .later, "by time", .none, form: " T", argument: .text, "go forward in time, or by saves",
      "T is 30s, 10m, 2h, 1d, or 1f for the next save.",
      example: "later 1f  goes forward to the next save"),
    CommandRow(
      .revert, "one old group", .optional, form: " ID", traits: [.grows, .compares],
      argument: .revision(or: ["run", "saved"]),
      "undo one older group, keeping later ones",
      """
      If a later group changed the same lines, it says which, and changes nothing.
      'revert run' undoes all groups of the last run before this one, 'revert run
      NAME' those of all runs with that name. With an address, as in '2,4revert 7',
      these lines become what they were at 7, or without ID as last saved.
      """,
      example: "revert 7  takes back group 7 and keeps the later ones"),
    CommandRow(
      .pick, "a group", .none, form: " ID", traits: [.grows, .compares], argument: .otherBranch,
      "apply a group of another branch here",
      "If a group here changed the same lines, it says which, and changes nothing.",
      example: "pick 7"),
    CommandRow(
      .merge, "a branch", .none, form: " ID", traits: [.grows, .reads, .compares],
      argument: .revision(or: ["disk"]),
      "join another revision with this text",
      """
      The result is a group with the changes of both since their common revision.
      If both changed the same lines, it names these groups and changes nothing.
      'merge disk' joins the file as it is now; 'w' may overwrite it after that.
      """,
      example: "merge disk  joins what another program has written"),
    CommandRow(
      .mergeMarking, "marked", .none, form: " ID", traits: [.grows, .reads, .compares],
      argument: .revision(or: ["disk"]), "join another revision, marking conflicts",
      "Both forms of a conflict stay in the text, between markers as of 'diff3 -m'.",
      example: "merge! disk"),
    CommandRow(
      .begin, "a group", .none, form: " [NAME]", argument: .text, "begin a group of changes",
      """
      All changes up to 'end' are undone together. Groups nest. In a script an error
      rolls back the whole group, and commands up to its 'end' are refused.
      """,
      example: "begin tidy up"),
    CommandRow(
      .end, "it", .none, "end the group",
      example: "end"),
    CommandRow(
      .abort, "drop it", .none, "drop the group and its changes",
      example: "abort"),
    CommandRow(
      .name, "a state", .none, form: " TEXT", argument: .text, "name this state, or the open group",
      "'jump TEXT' goes there. A second name replaces the first.",
      example: "name as delivered"),
    CommandRow(
      .forget, "all", .none, "delete the history of the file on disk",
      """
      Repeat the command to confirm. No history is kept until the file is opened
      again.
      """,
      example: "forget"),
  ]

  static let other: [CommandRow] = [
    CommandRow(
      "!", "shell command, filter", .shell(ShellText(bytes: [])), .optional, form: "COMMAND",
      traits: [.grows, .runsShell],
      "run a shell command",
      """
      '%' is the file name, a leading '!' the last command. With an address, the
      lines are filtered: the command reads them, and its output replaces them.
      """,
      example: "2,9!sort  sorts lines 2 to 9"),
    CommandRow(
      "h", "last error", .help, .none, traits: .shows, "explain the last error",
      example: "h"),
    CommandRow(
      "H", "all errors", .toggleHelp, .none, "turn explanations of errors on or off",
      example: "H"),
    CommandRow(
      "P", "prompt", .togglePrompt, .none, "turn the prompt on or off",
      example: "P"),
    CommandRow(
      "#", "comment", .comment, .ignored, traits: .shows, "a comment up to the end of the line",
      example: "# to do: sort"),
    CommandRow(
      .help, "this", .none, form: " [WORD]", traits: .shows, argument: .topic,
      "list the commands, or explain one",
      example: "help s"),
  ]

  /// All rows but that of the empty command.
  static let rows = HelpTopic.allCases.flatMap(\.rows)

  /// The rows, and one for the empty command, whose letter is the newline.
  static let allRows =
    rows + [
      CommandRow(
        "\n", "", .null, .line(or: .next), traits: .shows, "print the next line", example: "")
    ]

  static func row(ofWord word: ArraySlice<UInt8>) -> CommandRow? {
    rows.first { $0.name.utf8.count > 1 && word.elementsEqual($0.name.utf8) }
  }

  /// The index of a letter in ``allRows``.
  static func index(ofLetter letter: UInt8) -> Int? {
    let index = indices[Int(letter)]
    return index < 0 ? nil : Int(index)
  }

  /// For each byte, the index of its row in ``allRows``, or -1.
  private static let indices: [Int8] = {
    var indices = [Int8](repeating: -1, count: 256)
    for (index, row) in allRows.enumerated() where row.name.utf8.count == 1 {
      for letter in row.name.utf8 { indices[Int(letter)] = Int8(index) }
    }
    return indices
  }()
}

/// The addresses that a command takes, and their defaults.
enum AddressRule: Equatable, Sendable {
  /// No addresses; one is an error.
  case none
  /// Any addresses, which are ignored.
  case ignored
  /// One line: the last address given. Line 0 is an error unless `zero` is true.
  case line(or: DefaultLine, zero: Bool = false)
  /// A first and a last line.
  case lines(or: DefaultLines)
  /// A first and a last line; without addresses the command does something else.
  case optional

  enum DefaultLine: Equatable, Sendable {
    case current, last
    /// The line after the current one; in a command list the current one, except with `-G`.
    case next
    /// The line after the current one; in a command list the current one.
    case page
    /// The line before the current one; in a command list the current one.
    case pageAbove
  }

  enum DefaultLines: Equatable, Sendable {
    case all, current, currentAndNext
    /// All lines, or none in an empty buffer, where `all` is an error.
    case allOrNone
  }

  /// The addresses as the manual writes them.
  fileprivate var written: String {
    switch self {
    case .none, .ignored, .optional: ""
    case .line(.current, _): "(.)"
    case .line(.last, _): "($)"
    case .line(.next, _), .line(.page, _): "(.+1)"
    case .line(.pageAbove, _): "(.-1)"
    case .lines(.all), .lines(.allOrNone): "(1,$)"
    case .lines(.current): "(.,.)"
    case .lines(.currentAndNext): "(.,.+1)"
    }
  }
}

/// The argument of a command, for completion.
enum ArgumentKind: Equatable, Sendable {
  /// The suffixes `l`, `n` and `p`, or a syntax of the command's own.
  case suffixes
  case file, nothing
  /// Anything: a name, a number, a time.
  case text
  case topic, historyForm
  /// A revision, or one of these words.
  case revision(or: [String])
  /// A revision outside the path to the present text.
  case otherBranch
  /// Up to two revisions, or one of these words.
  case revisions(or: [String])
}

/// The rules that are checked before a command runs.
struct CommandRules: Equatable, Sendable {
  /// The checks, in ed's order.
  enum Checks: Equatable, Sendable {
    case addressesThenSuffix
    /// The command checks its suffix itself.
    case addresses
    /// The command checks its addresses itself.
    case suffix
    /// Unsaved changes are checked first.
    case unsavedThenAddressesThenSuffix
  }

  /// The possible effects of a command, and whether command lists may contain it.
  struct Traits: OptionSet, Equatable, Sendable {
    let rawValue: UInt8
    /// The command may allocate memory that it keeps.
    static let grows = Traits(rawValue: 1)
    /// The command list of `g` may contain the command.
    static let inList = Traits(rawValue: 2)
    /// The command runs a shell command, which restricted mode forbids.
    static let runsShell = Traits(rawValue: 4)
    /// The command reads a file, or the output of a shell command.
    static let reads = Traits(rawValue: 8)
    /// The command writes a file, or the input of a shell command.
    static let writes = Traits(rawValue: 16)
    /// The command compares whole texts by line.
    static let compares = Traits(rawValue: 32)
    /// The command changes neither the text nor its history, so other sessions need not wait.
    static let shows = Traits(rawValue: 64)
  }

  var addresses: AddressRule
  var checks = Checks.addressesThenSuffix
  var traits: Traits = .inList
  /// Whether the command is a word that takes no argument.
  var takesNothing = false

  /// The rules for a command that does not exist.
  static let unknown = CommandRules(addresses: .ignored, checks: .addresses)

  /// The rules for `!` in ed, which has no filters.
  static let shellOfEd = CommandRules(addresses: .none, traits: [.inList, .runsShell])
}

/// The description of a command.
struct CommandRow: Sendable {
  let name: String
  /// The effect of the command in a word or two.
  let gloss: String
  /// The command without its arguments.
  let command: Command
  let rules: CommandRules
  let argument: ArgumentKind
  /// The syntax, with the default addresses.
  let synopsis: String
  /// The effect of the command, in a few words.
  let summary: String
  /// More information, in lines of at most 78 columns.
  let details: String
  /// A command, then two blanks and its effect, unless that is clear.
  let example: String

  init(
    _ name: String, _ gloss: String, _ command: Command, _ addresses: AddressRule,
    form: String = "",
    checks: CommandRules.Checks = .addressesThenSuffix, traits: CommandRules.Traits = [],
    inList: Bool = true, argument: ArgumentKind = .suffixes, _ summary: String,
    _ details: String = "", example: String
  ) {
    self.name = name
    self.gloss = gloss
    self.command = command
    rules = CommandRules(
      addresses: addresses, checks: checks, traits: inList ? traits.union(.inList) : traits,
      takesNothing: argument == .nothing)
    self.argument = argument
    synopsis = addresses.written + name + form
    self.summary = summary
    self.details = details
    self.example = example
  }

  /// Describes a word, which can't be used in a command list.
  init(
    _ word: Word, _ gloss: String, _ addresses: AddressRule, form: String = "",
    traits: CommandRules.Traits = [], argument: ArgumentKind = .nothing, _ summary: String,
    _ details: String = "", example: String
  ) {
    self.init(
      word.rawValue, gloss, .word(word, argument: []), addresses, form: form, traits: traits,
      inList: false, argument: argument, summary, details, example: example)
  }
}
