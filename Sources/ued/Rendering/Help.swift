/// What `help` knows of a command.
struct HelpEntry: Sendable {
  /// The letter or word.
  var name: String
  /// How it is written, with the default addresses.
  var synopsis: String
  /// What it does, in a few words.
  var summary: String
  /// What else there is to know; lines of at most 78 columns.
  var details: String
}

/// The commands and their explanations.
enum Help {
  /// Every command in a line.
  static var overview: [String] {
    let width = entries.map(\.synopsis.count).max() ?? 0
    return entries.map {
      $0.synopsis + String(repeating: " ", count: width + 2 - $0.synopsis.count) + $0.summary
    } + ["Behind most commands p, l or n prints the line. 'help WORD' says more of one."]
  }

  /// One command in full; nil when there is none of that name.
  static func explanation(of name: String) -> [String]? {
    guard let entry = entries.first(where: { $0.name == name }) else { return nil }
    return ["\(entry.synopsis)  \(entry.summary)"]
      + entry.details.split(separator: "\n").map { "  " + $0 }
  }

  static let entries: [HelpEntry] = [
    HelpEntry(
      name: "a", synopsis: "(.)a", summary: "append text after the line",
      details: "The text goes up to a line that is a single '.'. 0a puts it at the top."),
    HelpEntry(
      name: "c", synopsis: "(.,.)c", summary: "change lines to text",
      details: "The text goes up to a line that is a single '.'."),
    HelpEntry(
      name: "d", synopsis: "(.,.)d", summary: "delete lines",
      details: "They go to the cut buffer, from where x puts them back."),
    HelpEntry(
      name: "e", synopsis: "e FILE", summary: "edit another file",
      details: "Refused once when there are unsaved changes. '!COMMAND' edits its output."),
    HelpEntry(
      name: "E", synopsis: "E FILE", summary: "edit another file, whatever is unsaved", details: ""),
    HelpEntry(name: "f", synopsis: "f FILE", summary: "show or set the file name", details: ""),
    HelpEntry(
      name: "g", synopsis: "(1,$)g/RE/LIST", summary: "run commands on the lines that match",
      details: "The list goes on after a line that ends with '\\'. Without one it is p."),
    HelpEntry(
      name: "G", synopsis: "(1,$)G/RE/", summary: "ask for commands on the lines that match",
      details: "An empty answer leaves the line, '&' repeats the last answer."),
    HelpEntry(name: "h", synopsis: "h", summary: "explain the last error", details: ""),
    HelpEntry(name: "H", synopsis: "H", summary: "explain every error, or stop it", details: ""),
    HelpEntry(
      name: "i", synopsis: "(.)i", summary: "insert text before the line",
      details: "The text goes up to a line that is a single '.'."),
    HelpEntry(name: "j", synopsis: "(.,.+1)j", summary: "join lines", details: ""),
    HelpEntry(
      name: "k", synopsis: "(.)kx", summary: "mark the line; 'x is its address",
      details: "x is a letter from a to z. The mark follows its line."),
    HelpEntry(name: "l", synopsis: "(.,.)l", summary: "print lines with escapes", details: ""),
    HelpEntry(name: "m", synopsis: "(.,.)m(.)", summary: "move lines after a line", details: ""),
    HelpEntry(name: "n", synopsis: "(.,.)n", summary: "print lines with numbers", details: ""),
    HelpEntry(name: "p", synopsis: "(.,.)p", summary: "print lines", details: ""),
    HelpEntry(name: "P", synopsis: "P", summary: "show the prompt, or hide it", details: ""),
    HelpEntry(
      name: "q", synopsis: "q", summary: "quit",
      details: "Refused once when there are unsaved changes."),
    HelpEntry(name: "Q", synopsis: "Q", summary: "quit, whatever is unsaved", details: ""),
    HelpEntry(
      name: "r", synopsis: "($)r FILE", summary: "read a file after the line",
      details: "'!COMMAND' reads its output."),
    HelpEntry(
      name: "s", synopsis: "(.,.)s/RE/TEXT/", summary: "replace what matches by text",
      details: """
        Behind the last '/': g for all matches of a line, a number for that one, I to
        ignore case, p, l or n to print. In the text '&' is what matched, '\\1' its
        first group, '%' alone the last text. s alone repeats the last one.
        """),
    HelpEntry(name: "t", synopsis: "(.,.)t(.)", summary: "copy lines after a line", details: ""),
    HelpEntry(
      name: "u", synopsis: "u", summary: "take back the last command, or do it again",
      details: "Twice is nothing. For more steps see undo."),
    HelpEntry(
      name: "v", synopsis: "(1,$)v/RE/LIST", summary: "run commands on the lines without a match",
      details: ""),
    HelpEntry(
      name: "V", synopsis: "(1,$)V/RE/", summary: "ask for commands on the lines without a match",
      details: ""),
    HelpEntry(
      name: "w", synopsis: "(1,$)w FILE", summary: "write to a file",
      details: "'!COMMAND' gets the lines instead. wq quits then, W appends to the file."),
    HelpEntry(name: "W", synopsis: "(1,$)W FILE", summary: "append to a file", details: ""),
    HelpEntry(
      name: "x", synopsis: "(.)x", summary: "put the cut buffer after the line", details: ""),
    HelpEntry(name: "y", synopsis: "(.,.)y", summary: "copy lines to the cut buffer", details: ""),
    HelpEntry(name: "z", synopsis: "(.+1)zN", summary: "print a page, of N lines", details: ""),
    HelpEntry(name: "=", synopsis: "($)=", summary: "print the line's number", details: ""),
    HelpEntry(
      name: "#", synopsis: "#", summary: "a comment up to the end of the line", details: ""),
    HelpEntry(
      name: "!", synopsis: "!COMMAND", summary: "run a shell command",
      details: """
        '%' is the file name, a first '!' the last command. With addresses, the lines
        go through the command and its output takes their place, if it reads them.
        """),
    HelpEntry(
      name: "undo", synopsis: "undo [N]", summary: "go back one group of changes, or N", details: ""
    ),
    HelpEntry(
      name: "redo", synopsis: "redo [N]", summary: "go forward again one group, or N", details: ""),
    HelpEntry(
      name: "jump", synopsis: "jump ID", summary: "go to any state the text was in",
      details: "ID is a number or a name that 'history' shows, or 'saved'."),
    HelpEntry(
      name: "earlier", synopsis: "earlier T", summary: "go back by time or saves",
      details: "T is 30s, 10m, 2h, 1d, or 1f for the last save."),
    HelpEntry(
      name: "later", synopsis: "later T", summary: "go forward by time or saves",
      details: "T is 30s, 10m, 2h, 1d, or 1f for the next save."),
    HelpEntry(
      name: "history", synopsis: "history", summary: "show the groups of changes, newest first",
      details: """
        '*' is where the text is, 'w' what is saved. 'history all' shows all branches,
        'history /RE/' those whose name or text matches, 'history json' all as JSON.
        """),
    HelpEntry(
      name: "diff", synopsis: "diff [ID [ID]]", summary: "show what changed since the save",
      details: """
        With an ID what that group did, with two what lies between them; 'diff undo'
        and 'diff redo' show what these would do.
        """),
    HelpEntry(
      name: "edit", synopsis: "(.,.)edit", summary: "edit lines where they are",
      details: """
        Each line comes up to be changed: Enter stores it and goes to the next, Ctrl-C
        leaves it as it was and ends. Only at a terminal.
        """),
    HelpEntry(
      name: "begin", synopsis: "begin [NAME]", summary: "begin a group of changes",
      details: "All up to 'end' is one step of undo. Groups can be in groups."),
    HelpEntry(name: "end", synopsis: "end", summary: "end the group", details: ""),
    HelpEntry(
      name: "abort", synopsis: "abort", summary: "give up the group, and what it changed",
      details: ""),
    HelpEntry(
      name: "name", synopsis: "name TEXT", summary: "name the latest group, or the open one",
      details: ""),
    HelpEntry(
      name: "checkpoint", synopsis: "checkpoint [NAME]", summary: "mark this state to jump to",
      details: ""),
    HelpEntry(
      name: "revert", synopsis: "revert ID", summary: "take back one older group, keep later ones",
      details: "Where a later group changed the same lines, it says which and does nothing."),
    HelpEntry(
      name: "forget", synopsis: "forget", summary: "delete the history of the file on disk",
      details: """
        It asks once: the same command again deletes it. Until the file is opened
        again none is kept.
        """),
    HelpEntry(
      name: "help", synopsis: "help [WORD]", summary: "show this, or one command in full",
      details: ""),
  ]
}
