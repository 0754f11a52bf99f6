import TextBuffer
import TextBufferTesting

/// The edits of a transaction, computed on bytes beforehand, so that several documents can run
/// them.
struct DraftScript {
  indirect enum Step {
    case bytes(Range<ByteOffset>, [UInt8], form: Int)
    case lines(LineRange, [UInt8], form: Int)
    case insertLines(LineNumber, [UInt8], form: Int)
    case text([UInt8], changed: Range<ByteOffset>?)
    case context(Int)
    case inner(DraftScript, fails: Bool)
  }

  struct Failure: Error {}

  var steps: [Step] = []
  /// The text and the context after all steps.
  var text: [UInt8]
  var context: Int
  private let alphabet: RandomEdit.Alphabet

  init(
    _ text: [UInt8], _ context: Int, _ alphabet: RandomEdit.Alphabet, depth: Int = 0,
    using generator: inout SeededGenerator
  ) {
    (self.text, self.context, self.alphabet) = (text, context, alphabet)
    for _ in 0..<Int.random(in: depth == 0 ? 0...5 : 1...3, using: &generator) {
      add(depth, &generator)
    }
  }

  private mutating func add(_ depth: Int, _ generator: inout SeededGenerator) {
    let form = Int.random(in: 0..<4, using: &generator)
    let edit = RandomEdit(of: text, inserting: 6, alphabet, using: &generator)
    let lineCount = text.count { $0 == 0x0A } + (text.last.map { $0 != 0x0A } == true ? 1 : 0)
    switch Int.random(in: 0..<(depth < 2 ? 10 : 8), using: &generator) {
    case 0..<4:
      steps.append(.bytes(edit.offsets, edit.bytes, form: form))
      edit.apply(to: &text)
    case 4:
      let first = Int.random(in: 1...lineCount + 1, using: &generator)
      let last = min(lineCount, first - 1 + Int.random(in: 0...2, using: &generator))
      steps.append(.lines(LineRange(first, last), edit.bytes, form: form))
      let range = (start(ofLine: first)..<start(ofLine: last + 1))
      text.replaceSubrange(range, with: form == 3 ? [] : edit.bytes)
    case 5:
      let line = Int.random(in: 0...lineCount, using: &generator)
      steps.append(.insertLines(LineNumber(line), edit.bytes, form: form))
      text.insert(contentsOf: edit.bytes, at: start(ofLine: line + 1))
    case 6:
      let isKnown = Bool.random(using: &generator)
      edit.apply(to: &text)
      steps.append(.text(text, changed: isKnown ? edit.offsets : nil))
    case 7:
      context = Int.random(in: 0..<1000, using: &generator)
      steps.append(.context(context))
    default:
      let inner = DraftScript(text, context, alphabet, depth: depth + 1, using: &generator)
      let fails = Int.random(in: 0..<3, using: &generator) == 0
      steps.append(.inner(inner, fails: fails))
      if !fails { (text, context) = (inner.text, inner.context) }
    }
  }

  /// The offset at which a line begins, or the end of the text after the last line.
  private func start(ofLine line: Int) -> Int {
    var newlines = 0
    if line == 1 { return 0 }
    for (index, byte) in text.enumerated() where byte == 0x0A {
      newlines += 1
      if newlines == line - 1 { return index + 1 }
    }
    return text.count
  }

  /// Does the steps in a draft.
  ///
  /// - Throws: `SessionFailure` if a returned change differs from the edit.
  func run(in draft: inout Draft<Int>) throws {
    for step in steps {
      let before = draft.buffer
      var change: Change?
      switch step {
      case .bytes(let range, let bytes, let form):
        change = Self.replace(range, bytes, form, &draft)
      case .lines(let lines, let bytes, let form):
        change = Self.replaceLines(lines, bytes, form, &draft)
      case .insertLines(let line, let bytes, let form):
        change =
          form == 0
          ? draft.insertLines(PieceTable(bytes), after: line)
          : form == 1
            ? Self.string(bytes).map { draft.insertLines($0.utf8, after: line) }
              ?? draft.insertLines(bytes, after: line) : draft.insertLines(bytes, after: line)
      case .text(let bytes, let changed):
        change = draft.setText(PieceTable(bytes), changed: changed)
      case .context(let context): draft.context = context
      case .inner(let script, let fails):
        do {
          try draft.edit { inner in
            try script.run(in: &inner)
            try require(inner.startText == before, "the text at the start of an inner draft")
            if fails { throw Failure() }
          }
        } catch is Failure {
          try require(draft.buffer == before, "an inner draft failed, and left something")
        }
      }
      guard let change else { continue }
      var after = before
      try require(before.slice(change.rangeBefore) == change.removed, "the change of a draft")
      after.apply(change)
      try require(after == draft.buffer, "the text of a draft after a change")
    }
  }

  private static func string(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  private static func replace(
    _ range: Range<ByteOffset>, _ bytes: [UInt8], _ form: Int, _ draft: inout Draft<Int>
  ) -> Change? {
    switch form {
    case 0 where bytes.isEmpty: return draft.remove(range)
    case 0 where range.isEmpty: return draft.insert(bytes, at: range.lowerBound)
    case 0: return draft.replace(range, with: bytes.span.bytes)
    case 1:
      if let string = string(bytes) { return draft.replace(range, with: string.dropFirst(0)) }
      return draft.replace(range, with: bytes.reversed().reversed())
    case 2:
      var text = draft.buffer
      draft.apply(text.replace(range, with: bytes))
      return nil
    default: return draft.replace(range, with: PieceTable(bytes))
    }
  }

  private static func replaceLines(
    _ lines: LineRange, _ bytes: [UInt8], _ form: Int, _ draft: inout Draft<Int>
  ) -> Change {
    let range = LineRange(lines.first..<lines.last + 1)
    switch form {
    case 0: return draft.replaceLines(lines, with: bytes.span.bytes)
    case 1: return draft.replaceLines(range, with: PieceTable(bytes))
    case 2:
      if let string = string(bytes) { return draft.replaceLines(range, with: string.utf8) }
      return draft.replaceLines(lines, with: bytes)
    default: return bytes.count % 2 == 0 ? draft.removeLines(lines) : draft.removeLines(range)
    }
  }
}
