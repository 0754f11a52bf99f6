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

  /// The default line.
  enum DefaultLine: Equatable, Sendable {
    case current, last
    /// The line after the current one; in a command list the current one, except with `-G`.
    case next
    /// The line after the current one; in a command list the current one.
    case page
    /// The line before the current one; in a command list the current one.
    case pageAbove
  }

  /// The default lines.
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
  /// The suffixes `l`, `n` and `p`, or a syntax that is particular to the command.
  case suffixes
  case file, nothing
  /// Anything: a name, a number, a time.
  case text
  case topic, historyForm
  /// A revision, or one of these words.
  case revision(or: [String])
  /// A revision that is not on the way to the present text.
  case otherBranch
  /// Up to two revisions, or one of these words.
  case revisions(or: [String])
}

/// The rules that are checked before a command runs.
struct CommandRules: Equatable, Sendable {
  /// The checks, in the order in which ed makes them.
  enum Checks: Equatable, Sendable {
    case addressesThenSuffix
    /// The command checks its suffix itself.
    case addresses
    /// The command checks its addresses itself.
    case suffix
    /// Unsaved changes are checked first.
    case unsavedThenAddressesThenSuffix
  }

  /// What a command may do, and where it may be used.
  struct Traits: OptionSet, Equatable, Sendable {
    let rawValue: UInt8
    /// It may allocate memory that it keeps.
    static let grows = Traits(rawValue: 1)
    /// It may be used in the command list of `g`.
    static let inList = Traits(rawValue: 2)
    /// It runs a shell command, which restricted mode forbids.
    static let runsShell = Traits(rawValue: 4)
    /// It reads a file, or the output of a shell command.
    static let reads = Traits(rawValue: 8)
    /// It writes a file, or the input of a shell command.
    static let writes = Traits(rawValue: 16)
    /// It compares whole texts by line.
    static let compares = Traits(rawValue: 32)
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
  /// The letter or word.
  let name: String
  /// The command without its arguments.
  let command: Command
  let rules: CommandRules
  let argument: ArgumentKind
  /// The syntax, with the default addresses.
  let synopsis: String
  /// What it does, in a few words.
  let summary: String
  /// More information, in lines of at most 78 columns.
  let details: String

  /// Describes a command.
  init(
    _ name: String, _ command: Command, _ addresses: AddressRule, form: String = "",
    checks: CommandRules.Checks = .addressesThenSuffix, traits: CommandRules.Traits = [],
    inList: Bool = true, argument: ArgumentKind = .suffixes, _ summary: String,
    _ details: String = ""
  ) {
    self.name = name
    self.command = command
    rules = CommandRules(
      addresses: addresses, checks: checks, traits: inList ? traits.union(.inList) : traits,
      takesNothing: argument == .nothing)
    self.argument = argument
    synopsis = addresses.written + name + form
    self.summary = summary
    self.details = details
  }

  /// Describes a word, which can't be used in a command list.
  init(
    _ word: Word, _ addresses: AddressRule, form: String = "",
    traits: CommandRules.Traits = [], argument: ArgumentKind = .nothing, _ summary: String,
    _ details: String = ""
  ) {
    self.init(
      word.rawValue, .word(word, argument: []), addresses, form: form, traits: traits,
      inList: false, argument: argument, summary, details)
  }
}
