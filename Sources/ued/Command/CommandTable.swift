/// A command that is a word. ed rejects these, so no ed script uses them for something else.
struct Word: Hashable, ExpressibleByStringLiteral, Sendable {
  let name: String

  init(stringLiteral name: String) { self.name = name }
}

/// The table of all commands. The parser, the checks before a command runs, completion, `help` and
/// the test of the manual read it. `help` lists the rows of a topic in this order, with the words
/// last, and its overview shows the gloss of each, which follows the name.
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
      example: "u")
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
  ]

  /// All rows but that of the empty command.
  static let rows = HelpTopic.allCases.flatMap(\.rows)

  /// The rows, and one for the empty command, whose letter is the newline.
  static let allRows =
    rows + [
      CommandRow(
        "\n", "", .null, .line(or: .next), traits: .shows, "print the next line", example: "")
    ]

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
    /// The command moves the text to another revision, or applies or undoes changes.
    static let moves = Traits(rawValue: 128)
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
}
