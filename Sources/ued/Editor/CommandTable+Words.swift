import TextBuffer

/// The words: how each is written and explained, and what it does.
extension CommandTable {
  static let words: [WordRow] = [
    WordRow(
      .editing, "bring", "from any file", .line(or: .current, zero: true), traits: .grows,
      "put lines that were cut in any file after the line",
      "Like x, but also puts lines that were cut in another file, before e left it.",
      example: "$bring"
    ) { (editor, _, lines) throws(EditorError) in
      try editor.put(editor.text.cut?.text ?? editor.text.earlierCut, after: lines.last)
    },
    WordRow(
      .editing, "replace", "a block", .lines(or: .allOrNone), form: " [N] <<OLD <<NEW",
      traits: .grows,
      argument: .text, "replace a block of lines",
      """
      The lines that follow up to a line 'OLD' are replaced by those up to 'NEW'.
      They must occur exactly once, or N times; 'replace all' takes 1 or more.
      'replace text' also finds text within lines. 'replace loose' finds lines that
      differ in indentation, blanks at the end, or typographic quotes and dashes.
      """,
      example: "replace <<OLD <<NEW"
    ) { (_, _, _) throws(EditorError) in
      throw .badForm("replace")
    },
    WordRow(
      .editing, "ensure", "a line", .lines(or: .allOrNone), form: " /RE/ LINE", traits: .grows,
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
      example: "ensure /^#*Port / Port 22"
    ) { (_, argument, _) throws(EditorError) in
      throw .badEnsure(CommandParser.fault(inEnsured: argument) ?? .noPattern)
    },
    WordRow(
      .editing, "edit", "in place", .lines(or: .current), traits: .grows, "edit lines in place",
      """
      Each line is shown, ready to be edited: Enter stores it and goes to the next,
      Ctrl-C leaves it as it was and stops. Only at a terminal.
      """,
      example: "3edit  edits line 3"
    ) { (editor, _, lines) throws(EditorError) in
      try editor.edit(lines)
    },
    WordRow(
      .editing, "apply", "a patch", .none, form: " FILE", traits: [.grows, .reads], argument: .file,
      "apply a patch, as 'diff -u' and git make them",
      """
      'apply <<END' takes the lines up to 'END'. Hunks that have moved are applied
      where they fit exactly, if that is one place only; all are applied, or none.
      Wrong counts in '@@' lines, text around the patch, or other line ends do no
      harm.
      '*** Begin Patch' and blocks of SEARCH and REPLACE are patches, too.
      """,
      example: "apply fix.diff"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.apply(argument)
    },
    WordRow(
      .showing, "expect", "these lines", .lines(or: .allOrNone), form: " <<END", traits: .shows,
      argument: .text,
      "fail unless the lines are as given",
      """
      They must equal the lines up to 'END'. 'expect N /RE/': exactly N of them
      match. 'expect sha256:HEX': their hash begins with HEX; 'anchors' prints it.
      """,
      example: "3expect 1 /^port/  fails unless line 3 begins with port"
    ) { (_, _, _) throws(EditorError) in
      throw .badForm("expect")
    },
    WordRow(
      .showing, "anchors", "of lines", .lines(or: .allOrNone), traits: .shows,
      "print lines with addresses that check their content",
      """
      Each line as 12:3fa, a tab and the line. 12:3fa is line 12 if it still is this
      line, and else an error. The last line is the hash of all, for 'expect'.
      """,
      example: "10,20anchors"
    ) { (editor, _, lines) throws(EditorError) in
      try editor.showAnchors(of: lines)
    },
    WordRow(
      .files, "next", "file", .none, "edit the next file of the command line",
      "Refused once when there are unsaved changes. Only at a terminal.",
      example: "next"
    ) { (editor, _, _) throws(EditorError) in
      try editor.openNextFile()
    },
    WordRow(
      .changes, "undo", "N groups", .optional, form: " [N]", traits: .moves, argument: .text,
      "undo one group of changes, or N",
      """
      With an address, as '2,4undo', undoes the newest group that still affects
      these lines, and keeps everything else. 'revert ID' undoes one older group
      alone.
      """,
      example: "undo 3  takes back three groups"
    ) { (editor, argument, lines) throws(EditorError) in
      try editor.undo(argument, in: lines)
    },
    WordRow(
      .changes, "redo", "N groups", .none, form: " [N]", traits: .moves, argument: .text,
      "redo one group of changes, or N",
      example: "redo"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.redo(argument)
    },
    WordRow(
      .changes, "history", "list them", .optional, form: " [N]", argument: .historyForm,
      "show the groups of changes, newest first",
      """
      '*' is where the text is, 'r' where redo leads, 'w' what is saved, 's' what
      was saved before. N is how many to show; '+3-1' is lines added and removed.
      'history all' shows all branches, 'history /RE/' groups whose name or text
      matches, 'history json' all as JSON, 'history patch' patches from the first
      state to this one, 'history git' what 'git fast-import' takes.
      With an address only groups that touched the lines.
      """,
      example: "history /TODO/  finds the groups that touched TODO"
    ) { (editor, argument, lines) throws(EditorError) in
      try editor.showHistory(argument, touching: lines)
    },
    WordRow(
      .changes, "tree", "walk", .none, "walk through all revisions on a full screen",
      """
      Arrows, Page up and Page down select a revision, and what it changed is beside
      it. Enter goes there, 'd' compares it with the text, '/' and 's' filter, 'p'
      picks, 'r' reverts, 'n' names, '?' lists all keys, 'q' leaves. Only at a
      terminal; 'history all' lists the same.
      """,
      example: "tree"
    ) { (editor, _, _) throws(EditorError) in
      try editor.showTree()
    },
    WordRow(
      .changes, "blame", "by line", .lines(or: .allOrNone), traits: [.shows, .compares],
      argument: .text,
      "show which group wrote or moved each line last",
      """
      The number of the group, its time, the name of its run, the line; 0 is the
      text as first opened. 'blame json' shows them as JSON, without the text.
      """,
      example: "10,20blame"
    ) { (editor, argument, lines) throws(EditorError) in
      try editor.blame(argument, lines)
    },
    WordRow(
      .changes, "diff", "show changes", .none, form: " [ID [ID]]", traits: [.shows, .compares],
      argument: .revisions(or: ["disk", "undo", "redo"]),
      "show what changed since the last save",
      """
      'diff ID' shows what a group did, 'diff ID ID' how two states differ, 'diff
      undo' and 'diff redo' what these would do, 'diff disk' how the text differs
      from the file as it is on disk now, 'diff -' what the last move did. 'saved'
      is the state that was saved last.
      """,
      example: "diff 7  shows what group 7 did"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.showDifference(argument)
    },
    WordRow(
      .changes, "jump", "to any state", .none, form: " ID", traits: .moves,
      argument: .revision(or: ["saved"]),
      "go to any state of the text",
      """
      ID is a number or a name that 'history' shows, 'saved', or '-': where the text
      was before the last undo, redo, jump, earlier, later or u.
      """,
      example: "jump saved  goes back to what was saved last"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.jump("jump", argument)
    },
    WordRow(
      .changes, "peek", "at one", .none, form: " ID [A,B]", traits: .shows,
      argument: .revision(or: ["saved"]),
      "print lines of another state, without going there",
      "'peek 3 5,9' prints lines 5 to 9, 'peek 3 $' the last one, 'peek 3' all.",
      example: "peek saved 1,10"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.peek(argument)
    },
    WordRow(
      .changes, "earlier", "by time", .none, form: " T", traits: .moves, argument: .text,
      "go back in time, or by saves",
      "T is 30s, 10m, 2h, 1d, or 1f for the last save.",
      example: "earlier 10m  goes back ten minutes"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.jump("earlier", argument)
    },
    WordRow(
      .changes, "later", "by time", .none, form: " T", traits: .moves, argument: .text,
      "go forward in time, or by saves",
      "T is 30s, 10m, 2h, 1d, or 1f for the next save.",
      example: "later 1f  goes forward to the next save"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.jump("later", argument)
    },
    WordRow(
      .changes, "revert", "one old group", .optional, form: " ID",
      traits: [.grows, .compares, .moves],
      argument: .revision(or: ["run", "saved"]),
      "undo one older group, keeping later ones",
      """
      If a later group changed the same lines, it says which, and changes nothing.
      'revert run' undoes all groups of the last run before this one, 'revert run
      NAME' those of all runs with that name. With an address, as in '2,4revert 7',
      these lines become what they were at 7, or without ID as last saved.
      """,
      example: "revert 7  takes back group 7 and keeps the later ones"
    ) { (editor, argument, lines) throws(EditorError) in
      try editor.revert(argument, in: lines)
    },
    WordRow(
      .changes, "pick", "a group", .none, form: " ID", traits: [.grows, .compares, .moves],
      argument: .otherBranch,
      "apply a group of another branch here",
      "If a group here changed the same lines, it says which, and changes nothing.",
      example: "pick 7"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.pick(argument)
    },
    WordRow(
      .changes, "merge", "a branch", .none, form: " ID",
      traits: [.grows, .reads, .compares, .moves],
      argument: .revision(or: ["disk"]),
      "join another revision with this text",
      """
      The result is a group with the changes of both since their common revision.
      If both changed the same lines, it names these groups and changes nothing.
      'merge disk' joins the file as it is now; 'w' may overwrite it after that.
      """,
      example: "merge disk  joins what another program has written"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.merge(argument, marksConflicts: false)
    },
    WordRow(
      .changes, "merge!", "marked", .none, form: " ID",
      traits: [.grows, .reads, .compares, .moves],
      argument: .revision(or: ["disk"]), "join another revision, marking conflicts",
      "Both forms of a conflict stay in the text, between markers as of 'diff3 -m'.",
      example: "merge! disk"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.merge(argument, marksConflicts: true)
    },
    WordRow(
      .changes, "begin", "a group", .none, form: " [NAME]", argument: .text,
      "begin a group of changes",
      """
      All changes up to 'end' are undone together. Groups nest. In a script an error
      rolls back the whole group, and commands up to its 'end' are refused.
      """,
      example: "begin tidy up"
    ) { (editor, argument, _) throws(EditorError) in
      editor.text.beginGroup(argument)
      editor.say(.begun)
    },
    WordRow(
      .changes, "end", "it", .none, "end the group",
      example: "end"
    ) { (editor, _, _) throws(EditorError) in
      try editor.endGroup()
    },
    WordRow(
      .changes, "abort", "drop it", .none, "drop the group and its changes",
      example: "abort"
    ) { (editor, _, _) throws(EditorError) in
      try editor.text.abortGroup()
      editor.say(.aborted)
    },
    WordRow(
      .changes, "name", "a state", .none, form: " TEXT", argument: .text,
      "name this state, or the open group",
      "'jump TEXT' goes there. A second name replaces the first.",
      example: "name as delivered"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.name(editor.text.history.current, argument)
    },
    WordRow(
      .changes, "forget", "all", .none, "delete the history of the file on disk",
      """
      Repeat the command to confirm. No history is kept until the file is opened
      again.
      """,
      example: "forget"
    ) { (editor, _, _) throws(EditorError) in
      try editor.forget()
    },
    WordRow(
      .other, "help", "this", .none, form: " [WORD]", traits: .shows, argument: .topic,
      "list the commands, or explain one",
      example: "help s"
    ) { (editor, argument, _) throws(EditorError) in
      try editor.help(argument)
    },
  ]

  /// The row of a word; nil for other names.
  static func word(_ name: some Sequence<UInt8>) -> WordRow? {
    words.first { name.elementsEqual($0.row.name.utf8) }
  }
}

/// The description of a word, and the function that runs it.
struct WordRow: Sendable {
  let topic: HelpTopic
  let row: CommandRow
  /// Runs the word with its argument on the addressed lines.
  let run: @Sendable (inout Editor, _ argument: [UInt8], LineRange) throws(EditorError) -> Void

  fileprivate init(
    _ topic: HelpTopic, _ word: Word, _ gloss: String, _ addresses: AddressRule, form: String = "",
    traits: CommandRules.Traits = [], argument: ArgumentKind = .nothing, _ summary: String,
    _ details: String = "", example: String,
    run: @escaping @Sendable (inout Editor, [UInt8], LineRange) throws(EditorError) -> Void
  ) {
    self.topic = topic
    self.run = run
    row = CommandRow(
      word.name, gloss, .word(word, argument: []), addresses, form: form, traits: traits,
      inList: false, argument: argument, summary, details, example: example)
  }
}

extension Editor {
  /// Runs `tree`.
  fileprivate mutating func showTree() throws(EditorError) {
    guard let screen = console.screen, conduct.decorates, !TerminalOutput.prefersSentences else {
      throw .needsTerminal("tree")
    }
    let start = text.snapshot
    var view = TreeView(self, on: screen)
    console.begin(on: screen)
    view.run(&self)
    console.end(on: screen)
    if view.hasMoved { sayDifference(since: start) }
  }

  /// Points a person to `tree` after a list of groups with branches, once in a session.
  fileprivate mutating func sayTree(after form: [UInt8]) {
    guard conduct.announces, !firstSteps.hasToldTree, !TerminalOutput.prefersSentences,
      console.screen != nil, !["git", "json", "patch"].contains(where: { form == Array($0.utf8) }),
      branchCount > 1
    else { return }
    firstSteps.hasToldTree = true
    console.say(.treeIsThere)
  }

  /// Reports the new state of a manual group to a person.
  fileprivate func say(_ report: GroupReport) {
    if conduct.announces && !options.isSilent { console.say(.group(report)) }
  }

  /// Deletes the history on disk when the command is repeated.
  fileprivate mutating func forget() throws(EditorError) {
    try keeper.refuseToForget()
    var isConfirmed = false
    if case .forgetsHistory = refusal { isConfirmed = true }
    // An error that asks for confirmation would end a strict run.
    if !isConfirmed && !conduct.treatsDoubtsAsErrors {
      throw .forgetsHistory(groups: text.history.revisions.count { !$0.isDropped } - 1)
    }
    if options.isDry { return }
    if options.defersWrites {
      keeper.own.forgetsAtEnd = true
    } else {
      text.readHistory()
      try keeper.forget()
    }
  }

  fileprivate mutating func endGroup() throws(EditorError) {
    let start = text.history.current
    try text.endGroup()
    let id = text.history.current
    say(text.isInGroup ? .innerEnded : id == start ? .unchanged : .ended(id, text.title(id)))
  }

  fileprivate mutating func showHistory(
    _ argument: [UInt8], touching lines: LineRange
  ) throws(EditorError) {
    try list(argument, touching: lines)
    sayTree(after: argument)
    tellUnkeptHistory()
  }

  fileprivate func help(_ argument: [UInt8]) throws(EditorError) {
    if argument.isEmpty { return console.say(.help(.overview)) }
    guard let subject = HelpSubject(String(decoding: argument, as: UTF8.self)) else {
      throw .noHelp(argument)
    }
    console.say(.help(subject))
  }
}
