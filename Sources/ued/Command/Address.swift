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
///
/// Most often there is one term, and that needs no memory of its own.
struct Addresses: Equatable, Sendable {
  private var first: AddressTerm?
  private var others: [AddressTerm] = []

  /// These terms.
  init(_ terms: [AddressTerm] = []) {
    first = terms.first
    others = Array(terms.dropFirst())
  }

  /// Adds a term, or a separator.
  mutating func append(_ term: AddressTerm) {
    if first == nil { first = term } else { others.append(term) }
  }

  /// The last term.
  var last: AddressTerm? { others.last ?? first }

  /// Whether nothing was written.
  var isEmpty: Bool { first == nil }
}

extension Addresses: Sequence {
  /// The terms in order, separators included.
  struct Iterator: IteratorProtocol {
    let addresses: Addresses
    var position = 0

    mutating func next() -> AddressTerm? {
      defer { position += 1 }
      if position == 0 { return addresses.first }
      return position <= addresses.others.count ? addresses.others[position - 1] : nil
    }
  }

  func makeIterator() -> Iterator { Iterator(addresses: self) }
}
