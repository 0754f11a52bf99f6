import TextBuffer

/// Lines that a person has entered into a command that still reads: what they replace, in the text with
/// all earlier ones of the command, and the new lines.
///
/// For `a` and `i` nothing is replaced. The first lines of `c` replace those that it will delete, and
/// `edit` replaces one line by each.
struct EnteredLines: Equatable, Sendable {
  var replaced: LineRange
  /// Whole lines.
  var text: [UInt8]
  /// When they were entered.
  var time = SystemClock.now
}

/// The lines of a command that was cut off while it read them.
struct EnteredText: Equatable, Sendable {
  /// The revision whose text they change.
  var base: Int
  /// What was entered, in order; lines that follow each other are one element.
  var lines: [EnteredLines] = []

  /// Adds lines behind all others.
  mutating func append(_ new: EnteredLines) {
    guard let last = lines.last, new.replaced.count == 0,
      new.replaced.first == last.replaced.first + last.text.count(where: { $0 == .newline })
    else {
      lines.append(new)
      return
    }
    lines[lines.count - 1].text += new.text
    lines[lines.count - 1].time = new.time
  }
}
