/// An element of an address as written.
enum AddressTerm: Equatable, Sendable {
  /// `5`: a line number, or an offset if another term precedes it.
  case number(Int)
  /// `+2`, `-`, `-3`: an offset from the term before, or from the current line.
  case offset(Int)
  /// `12@7`: the line that was line 12 of revision 7; `12@`: line 12 of the text as opened.
  case tracked(Int, of: Int?)
  /// `12:3fa`: line 12 if it has this hash; `12@:3fa`: the same for line 12 of the text as opened.
  case anchored(Int, hash: Int, isTracked: Bool)
  /// `.`
  case current
  /// `$`
  case last
  /// `'a`: a mark. The parser does not check the letter.
  case mark(UInt8)
  /// `/re/` or `?re?`
  case search(Search)
  /// `,` or `%`
  case comma
  /// `;`
  case semicolon
  /// A syntax error; the terms before it are still evaluated.
  case fault(ParseError)
}

/// A search for a line as written.
struct Search: Equatable, Sendable {
  /// Whether it searches forward, as `/re/` does.
  var isForward: Bool
  var pattern: PatternText
}

/// A regular expression as written.
enum PatternText: Equatable, Sendable {
  /// An empty pattern, which means the last one used. `withIgnoreCase` tells whether it has the
  /// suffix `I`: an error, reported only if there is a last pattern.
  case previous(withIgnoreCase: Bool)
  /// The text between the delimiters.
  case text([UInt8], ignoreCase: Bool)
  /// The text of a substitution with the flag `F`, matched literally.
  case literal([UInt8], ignoreCase: Bool)
}

/// The addresses before a command as written, not yet resolved to lines. A single term, the usual
/// case, needs no allocation.
struct Addresses: Equatable, Sendable {
  private var first: AddressTerm?
  private var others: [AddressTerm] = []

  init() {}

  init(_ terms: [AddressTerm]) {
    first = terms.first
    others = Array(terms.dropFirst())
  }

  mutating func append(_ term: AddressTerm) {
    if first == nil { first = term } else { others.append(term) }
  }

  var last: AddressTerm? { others.last ?? first }

  var isEmpty: Bool { first == nil }

  /// Whether any term has a line hash, as in `12:3fa`.
  var haveHash: Bool { contains { if case .anchored = $0 { true } else { false } } }

  var endWithNumber: Bool { if case .number = last { true } else { false } }
}

extension Addresses: Sequence {
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
