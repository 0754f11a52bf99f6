/// The lines that a command takes before its name, and those it gets when none are given.
enum AddressRule: Equatable, Sendable {
  /// None; an address is an error.
  case none
  /// Any, which are ignored.
  case ignored
  /// One line, the last one given. Line 0 is an error unless `zero` says that it is a place too.
  case line(or: DefaultLine, zero: Bool = false)
  /// A first and a last line.
  case lines(or: DefaultLines)
  /// A first and a last line, or none, which means something else.
  case optional

  /// The line that stands for a missing address.
  enum DefaultLine: Equatable, Sendable {
    case current, last
    /// The line after the current one; in a command list the current one, unless ed is to behave as
    /// before GNU (`-G`).
    case next
    /// The line after the current one; in a command list the current one.
    case page
  }

  /// The lines that stand for missing addresses.
  enum DefaultLines: Equatable, Sendable {
    case all, current, currentAndNext
  }

  /// The addresses as the manual writes them before a command's name.
  fileprivate var written: String {
    switch self {
    case .none, .ignored, .optional: ""
    case .line(.current, _): "(.)"
    case .line(.last, _): "($)"
    case .line(.next, _), .line(.page, _): "(.+1)"
    case .lines(.all): "(1,$)"
    case .lines(.current): "(.,.)"
    case .lines(.currentAndNext): "(.,.+1)"
    }
  }
}

/// What follows a command's name, which tells how it can be completed.
enum ArgumentKind: Equatable, Sendable {
  /// The suffixes `l`, `n` and `p`, or a form that only this command has.
  case suffixes
  case file
  case nothing
  case text
  case number
  case time
  case topic
  case historyForm
  /// A revision, or one of these words.
  case revision(or: [String])
  /// Up to two revisions, or one of these words.
  case revisions(or: [String])
}

/// What has to be known of a command before it runs.
struct CommandRules: Equatable, Sendable {
  /// The checks that ed makes first, in its order.
  enum Checks: Equatable, Sendable {
    case addressesThenSuffix
    /// The command finds what is wrong behind its name by itself, later.
    case addresses
    /// The command looks at its addresses by itself, later.
    case suffix
    /// Unsaved changes are an error before anything else.
    case unsavedThenAddressesThenSuffix
  }

  /// What a command may do, or where it may stand.
  struct Traits: OptionSet, Equatable, Sendable {
    let rawValue: UInt8
    /// It may take memory that it does not give back.
    static let grows = Traits(rawValue: 1)
    /// It may stand in the command list of `g`.
    static let inList = Traits(rawValue: 2)
    /// It starts a shell, which restricted mode forbids.
    static let runsShell = Traits(rawValue: 4)
    /// It reads a file, or the output of a command.
    static let reads = Traits(rawValue: 8)
    /// It writes a file, or to a command.
    static let writes = Traits(rawValue: 16)
  }

  var addresses: AddressRule
  var checks = Checks.addressesThenSuffix
  var traits: Traits = .inList
  /// Whether nothing may follow the name; only words say so.
  var takesNothing = false

  /// Those of a command that does not exist.
  static let unknown = CommandRules(addresses: .ignored, checks: .addresses)
}

/// All that is the same for every use of a command.
struct CommandRow: Sendable {
  /// The letter or word.
  let name: String
  /// The command, with nothing yet of what is written behind its name.
  let command: Command
  let rules: CommandRules
  let argument: ArgumentKind
  /// How the command is written, with its default addresses.
  let synopsis: String
  /// What it does, in a few words.
  let summary: String
  /// What else there is to know; lines of at most 78 columns.
  let details: String

  /// The row of a letter.
  init(
    _ name: String, _ command: Command, _ addresses: AddressRule, form: String = "",
    checks: CommandRules.Checks = .addressesThenSuffix, traits: CommandRules.Traits = [],
    inList: Bool = true, argument: ArgumentKind = .suffixes, _ summary: String,
    _ details: String = ""
  ) {
    self.name = name
    self.command = command
    rules = CommandRules(
      addresses: addresses, checks: checks, traits: inList ? traits.union(.inList) : traits)
    self.argument = argument
    synopsis = addresses.written + name + form
    self.summary = summary
    self.details = details
  }

  /// The row of a word, which may not stand in a command list.
  init(
    _ word: Word, _ addresses: AddressRule, form: String = "",
    traits: CommandRules.Traits = [], argument: ArgumentKind = .nothing, _ summary: String,
    _ details: String = ""
  ) {
    name = word.rawValue
    command = .word(word, argument: [])
    rules = CommandRules(
      addresses: addresses, traits: traits, takesNothing: argument == .nothing)
    self.argument = argument
    synopsis = addresses.written + name + form
    self.summary = summary
    self.details = details
  }
}
