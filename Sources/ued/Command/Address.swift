/// One element of an address as written.
enum AddressTerm: Equatable, Sendable {
  /// `5`: a line number, or, after another term, that many lines further on.
  case number(Int)
  /// `+2`, `-`, `-3`: so many lines from the term before, or from the current line.
  case offset(Int)
  /// `.`
  case current
  /// `$`
  case last
  /// `'a`: the mark's letter is not yet checked.
  case mark(UInt8)
  /// `/re/` or `?re?`
  case search(Search)
  /// `,` or `%`
  case comma
  /// `;`
  case semicolon
  /// Where the text stops making sense; the terms before it still count.
  case fault(ParseError)
}

/// A search for a line, as written.
struct Search: Equatable, Sendable {
  /// Whether it goes down, as `/re/` does.
  var isForward: Bool
  /// What to look for.
  var pattern: PatternText
}

/// A regular expression as written.
enum PatternText: Equatable, Sendable {
  /// An empty one: the last that was used. The flag tells that a suffix `I` stands behind it,
  /// which is wrong, but matters only after the lack of a last one.
  case previous(withIgnoreCase: Bool)
  /// The text between the delimiters.
  case text([UInt8], ignoreCase: Bool)
}

/// The addresses before a command, as written: not yet line numbers.
struct Addresses: Equatable, Sendable {
  /// The terms in order, separators included.
  var terms: [AddressTerm] = []

  /// Whether nothing was written.
  var isEmpty: Bool { terms.isEmpty }
}
