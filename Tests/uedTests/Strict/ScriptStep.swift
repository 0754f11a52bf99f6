/// A command in ``StrictTableTests``; ``RunModel`` knows its effect.
enum ScriptStep: Equatable, Sendable {
  case deleteFirst
  /// Appends an `x` to the last line.
  case extendLast
  /// Substitutes the first `o` of line 1 by itself.
  case changeNothing
  /// Appends the line `new` at the end.
  case append
  case printAll
  /// Needs `-E`: elsewhere the bar is an ordinary character, and nothing matches.
  case alternation
  /// `w`, or `w NAME`.
  case write(String?)
  /// `W NAME`.
  case appendTo(String)
  case writeAndQuit
  case quit
  case quitDiscarding
  case edit(String)
  /// `E`, which gives unsaved changes up.
  case editAnyway(String)
  /// `f NAME`.
  case setName(String)
  case undo
  case begin
  case end
  case abort
  /// Appends a line with a dot.
  case hereDocument
  case endlessHereDocument
  case filter
  /// `w !`, to the file `sink`.
  case writeToShell
  case succeedInShell
  case failInShell
  /// Another program appends a line to `f`: in every attempt, or in the first one only.
  case otherWriter(once: Bool)
  /// Another program removes `f`.
  case otherRemoves
  /// A search without a match.
  case fail
  case unknownCommand

  /// The lines of the script.
  var lines: [String] {
    switch self {
    case .deleteFirst: ["1d"]
    case .extendLast: ["$s/$/x/"]
    case .changeNothing: ["1s/o/o/"]
    case .append: ["$a", "new", "."]
    case .printAll: [",p"]
    case .alternation: ["1s/one|two/X/"]
    case .write(nil): ["w"]
    case .write(let name?): ["w \(name)"]
    case .appendTo(let name): ["W \(name)"]
    case .writeAndQuit: ["wq"]
    case .quit: ["q"]
    case .quitDiscarding: ["Q"]
    case .edit(let name): ["e \(name)"]
    case .editAnyway(let name): ["E \(name)"]
    case .setName(let name): ["f \(name)"]
    case .abort: ["abort"]
    case .hereDocument: ["$a <<END", ".", "END"]
    case .endlessHereDocument: ["$a <<END", "text"]
    case .filter: ["1!tr a-z A-Z"]
    case .writeToShell: ["w !cat >sink"]
    case .otherRemoves: ["!rm -f f"]
    case .unknownCommand: ["Y"]
    case .undo: ["undo"]
    case .begin: ["begin tidy"]
    case .end: ["end"]
    case .succeedInShell: ["!true"]
    case .failInShell: ["!false"]
    case .otherWriter(once: false): ["!echo other >>f"]
    case .otherWriter(once: true): ["!test -e once || echo other >>f; : >>once"]
    case .fail: ["/zz/"]
    }
  }

  /// Whether nothing after the command is read.
  var endsScript: Bool { [.writeAndQuit, .quit, .quitDiscarding].contains(self) }

  /// The scripts of the table.
  static let bodies: [[ScriptStep]] = [
    [.deleteFirst], [.deleteFirst, .write(nil)], [.deleteFirst, .write(nil), .extendLast],
    [.deleteFirst, .write(nil), .extendLast, .write(nil)],
    [.deleteFirst, .write("new"), .extendLast],
    [.deleteFirst, .write("alias"), .extendLast, .write(nil)],
    [.write("alias"), .edit("alias"), .deleteFirst, .write(nil), .printAll],
    [.edit("other"), .deleteFirst, .write("new"), .extendLast, .writeAndQuit],
    [.deleteFirst, .write("other")], [.appendTo("other"), .deleteFirst, .write(nil)],
    [.deleteFirst, .appendTo("new"), .quitDiscarding], [.extendLast, .writeAndQuit, .fail],
    [.extendLast, .quit, .fail], [.extendLast, .quitDiscarding, .fail],
    [.deleteFirst, .write(nil), .extendLast, .quitDiscarding], [.deleteFirst, .edit("other")],
    [.deleteFirst, .write(nil), .edit("other"), .deleteFirst, .write(nil), .printAll],
    [.deleteFirst, .write("other"), .edit("other"), .extendLast, .writeAndQuit],
    [.deleteFirst, .write(nil), .edit("other"), .deleteFirst, .write(nil), .fail],
    [.deleteFirst, .undo, .write(nil)], [.deleteFirst, .extendLast, .undo, .quit],
    [.begin, .deleteFirst, .extendLast, .end, .write(nil)],
    [.begin, .deleteFirst, .fail, .end, .write(nil)],
    [.begin, .deleteFirst, .write(nil), .extendLast, .end, .writeAndQuit], [.begin, .deleteFirst],
    [.succeedInShell, .deleteFirst, .write(nil), .succeedInShell],
    [.deleteFirst, .failInShell, .write(nil)], [.deleteFirst, .write(nil), .fail, .deleteFirst],
    [.deleteFirst, .fail, .extendLast, .write(nil)], [.deleteFirst, .edit("missing")],
    [.edit("missing")], [.deleteFirst, .editAnyway("other"), .deleteFirst, .write(nil)],
    [.deleteFirst, .setName("new"), .write(nil), .extendLast, .write(nil)],
    [
      .deleteFirst, .write(nil), .edit("other"), .deleteFirst, .write(nil), .edit("f"), .extendLast,
      .write(nil),
    ], [.append, .write(nil), .extendLast, .write(nil)],
    [.otherRemoves, .deleteFirst, .write(nil)], [.otherRemoves],
    [.deleteFirst, .writeToShell, .write(nil)], [.extendLast, .writeToShell, .quit],
    [.filter, .write(nil)], [.hereDocument, .writeAndQuit],
    [.deleteFirst, .write(nil), .endlessHereDocument],
    [.deleteFirst, .unknownCommand, .write(nil)], [.begin, .deleteFirst, .abort, .write(nil)],
    [.deleteFirst, .write(nil), .end], [.changeNothing, .write(nil)], [.changeNothing], [.printAll],
    [.write(nil)], [.append, .printAll, .write(nil)], [.append, .quit],
    [.alternation, .write(nil)], [.otherWriter(once: false), .deleteFirst, .write(nil)],
    [.otherWriter(once: true), .deleteFirst, .printAll, .writeAndQuit],
    [.deleteFirst, .write(nil), .otherWriter(once: true), .extendLast, .write(nil)],
    [.appendTo("other"), .otherWriter(once: true), .deleteFirst, .write(nil)],
    [.otherWriter(once: false), .deleteFirst, .quitDiscarding], [],
  ]
}
