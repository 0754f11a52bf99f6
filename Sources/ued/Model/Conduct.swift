/// The behaviour of ued for each source of commands: a person at a terminal, a plain script, a
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
///     treatsDoubtsAsErrors                       x           x
///     awaitsAnswers                                          x
///     defersStoring                              x
///     followsEd                      x
struct Conduct: Equatable, Sendable {
  /// Reports effects, progress and advice that ed does not give.
  let announces: Bool
  /// Arranges output for reading: tables with room for the prompt, marked matches, pages.
  let decorates: Bool
  /// Refuses, once, a command that may destroy something or was probably not meant.
  let asksFirst: Bool
  /// Goes on after an invalid reply, an interrupt, or a failure while lines are entered. An
  /// interrupted command is rolled back.
  let allowsCorrection: Bool
  /// A pause ends a group of edits. The groups of a script must not depend on the clock.
  let groupsByPause: Bool
  /// A missing file begins empty, and `next` opens the other files of the command line.
  let beginsMissingFiles: Bool
  /// Syncs each save.
  let savesCarefully: Bool
  /// Keeps a history unless an option says otherwise.
  let keepsHistory: Bool
  /// Before each command, reads groups stored by other sessions, and retries to store its own.
  let sharesHistory: Bool
  /// Restores the text if reading another file fails; ed loses it.
  let restoresText: Bool
  /// Recognizes slips and explains them: a line of a patch, a carriage return, a command of another
  /// editor, `~/`.
  let knowsSlips: Bool
  /// Treats a doubtful command or result as an error, such as a shell command that fails, since no
  /// user can confirm it. The first error ends a strict run; a dialogue sends it as its answer.
  let treatsDoubtsAsErrors: Bool
  /// The other program sends each command only after the answer to the one before.
  let awaitsAnswers: Bool
  /// Stores groups and writes files only at the end of the script.
  let defersStoring: Bool
  /// Behaves like ed in everything that a script can observe.
  let followsEd: Bool

  /// The conduct by options; `isAtTerminal` is true if input and output are both terminals.
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
    treatsDoubtsAsErrors = isStrict
    awaitsAnswers = isDialogue
    defersStoring = isStrict && !isDialogue
    followsEd = !isPerson && !isStrict
  }
}
