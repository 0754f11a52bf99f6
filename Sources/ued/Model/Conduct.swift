/// How ued behaves for the one who gives the commands: a person at a terminal, a plain script, a
/// strict run, or a program in a dialogue. Decided once, at the start; all other code asks for a
/// decision, never for the mode.
///
///                        person   script   strict run   dialogue
///     announces             x
///     decorates             x
///     asksFirst             x
///     allowsCorrection      x
///     groupsByPause         x
///     beginsMissingFiles    x
///     savesCarefully        x
///     keepsHistory          x
///     sharesHistory         x                                x
///     restoresText          x                  JSON          x
///     knowsSlips            x                    x           x
///     endsAtError                                x           x
///     defersStoring                              x
///     followsEd                      x
struct Conduct: Equatable, Sendable {
  /// Reports effects, progress and advice that ed does not give.
  let announces: Bool
  /// Arranges output for reading: tables with room for the prompt, marked matches, pages.
  let decorates: Bool
  /// Refuses, once, a command that may destroy something or was probably not meant.
  let asksFirst: Bool
  /// Goes on after an invalid reply, an interrupt or a failed entry; an interrupted command is
  /// rolled back.
  let allowsCorrection: Bool
  /// A pause ends a group of edits. The groups of a script must not depend on the clock.
  let groupsByPause: Bool
  /// A missing file begins empty, and `next` opens the other files of the command line.
  let beginsMissingFiles: Bool
  /// Syncs each save.
  let savesCarefully: Bool
  /// Keeps a history unless an option says otherwise.
  let keepsHistory: Bool
  /// Reads the groups that other sessions have stored before each command, and tries again to
  /// store its own.
  let sharesHistory: Bool
  /// Restores the text if reading another file fails, where ed has lost it.
  let restoresText: Bool
  /// Recognizes slips and explains them: a line of a patch, a carriage return, a command of another
  /// editor, `~/`.
  let knowsSlips: Bool
  /// The first error ends the run, so whatever might be wrong is one; nothing can be confirmed.
  let endsAtError: Bool
  /// Stores groups and makes writes only at the end of the script.
  let defersStoring: Bool
  /// Behaves as ed in whatever a script can see.
  let followsEd: Bool

  /// The conduct by options; `isAtTerminal` tells whether both input and output are a terminal.
  init(_ options: Options, isAtTerminal: Bool) {
    let isPerson = isAtTerminal && options.isFriendly
    let (isStrict, isDialogue) = (options.isStrict, options.isDialogue)
    announces = isPerson
    decorates = isPerson
    asksFirst = isPerson
    allowsCorrection = isPerson
    groupsByPause = isPerson
    beginsMissingFiles = isPerson
    savesCarefully = isPerson
    keepsHistory = isPerson
    sharesHistory = isPerson || isDialogue
    restoresText = isPerson || options.json
    knowsSlips = isPerson || isStrict
    endsAtError = isStrict
    defersStoring = isStrict && !isDialogue
    followsEd = !isPerson && !isStrict
  }
}
