import TextBuffer

/// A walk of random steps over a document, with arrays beside it that tell what every text has to be.
///
///     var walk = EditWalk(seed: 7)
///     try walk.run(1000) { document, text in
///       // Look at what your own code makes of the document.
///     }
///
/// A step types, makes a transaction of several edits, rolls one back, undoes, redoes, moves to any revision, saves, or
/// closes the open group. After each one the document is compared with the arrays. The same seed makes the same steps.
public struct EditWalk: Sendable {
  /// A document that is not as it has to be.
  public struct Mismatch: Error, CustomStringConvertible {
    /// The seed of the walk.
    public let seed: Int
    /// The number of the step, counted from 1.
    public let step: Int
    /// What the step did.
    public let action: String

    /// One line for the log of a test.
    public var description: String { "seed \(seed), step \(step): wrong after '\(action)'" }
  }

  /// The document.
  public private(set) var document: Document<Void>
  /// What its text has to be.
  public private(set) var text: [UInt8]
  /// What the texts of its revisions have to be, by number.
  public private(set) var texts: [Int: [UInt8]]
  private let seed: Int
  private let alphabet: RandomEdit.Alphabet
  private var generator: SeededGenerator
  private var stepCount = 0
  private var caret = 0

  /// A walk that starts with some text.
  ///
  /// - Parameters:
  ///   - seed: What decides on all steps.
  ///   - text: The text of revision 0.
  ///   - alphabet: Which bytes are inserted, and where.
  ///   - coalescing: Which edits are one group.
  public init(
    seed: Int, from text: [UInt8] = [], _ alphabet: RandomEdit.Alphabet = .bytes,
    coalescing: Coalescing = .typing
  ) {
    self.seed = seed
    self.alphabet = alphabet
    self.text = text
    generator = SeededGenerator(seed)
    document = Document(PieceTable(text), coalescing: coalescing)
    texts = [0: text]
  }

  /// Takes some steps, and then visits every revision and checks the invariants of the document.
  ///
  /// - Parameters:
  ///   - count: The number of steps.
  ///   - body: Called after each step with the document and what its text has to be.
  /// - Throws: `Mismatch`, or what `body` throws. The walk stays at that step.
  public mutating func run(
    _ count: Int, _ body: (Document<Void>, [UInt8]) throws -> Void = { _, _ in }
  ) throws {
    for _ in 0..<count {
      try step()
      try body(document, text)
    }
    closeGroup()
    for id in texts.keys.sorted() where document.history.canMove(to: id) {
      move(to: id)
      try check("move to \(id), in the end")
    }
    document.checkInvariants()
  }

  /// Takes a step.
  ///
  /// - Throws: `Mismatch`. The walk stays at that step.
  public mutating func step() throws(Mismatch) {
    stepCount += 1
    try check(act())
  }

  // MARK: - Steps

  /// Does something, and returns what.
  private mutating func act() -> String {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<7:
      type()
      return "type"
    case 7..<10:
      edit()
      return "edit"
    case 10:
      editInVain()
      return "roll back"
    case 11, 12:
      closeGroup()
      if document.undo() != nil { adoptText() }
      return "undo"
    case 13:
      closeGroup()
      if document.redo() != nil { adoptText() }
      return "redo"
    case 14:
      closeGroup()
      let ids = texts.keys.sorted().filter { document.history.canMove(to: $0) }
      let id = ids[Int.random(in: ids.indices, using: &generator)]
      move(to: id)
      return "move to \(id)"
    default:
      closeGroup()
      if Bool.random(using: &generator) { document.markSaved() }
      return "close the group"
    }
  }

  /// Types at the caret, or now and then elsewhere.
  private mutating func type() {
    var edit = RandomEdit(of: text, inserting: 3, alphabet, using: &generator)
    if caret <= text.count, Int.random(in: 0..<5, using: &generator) > 0 {
      edit.move(to: caret, in: text, alphabet)
    }
    let before = text
    document.replace(edit.offsets, with: edit.bytes)
    edit.apply(to: &text)
    caret = edit.range.lowerBound + edit.bytes.count
    // A group that this edit has closed is a revision now. Without coalescing, the edit itself is.
    noteRevision(document.coalescing.rules.isEmpty ? text : before)
  }

  /// Makes up to six edits in one transaction.
  private mutating func edit() {
    closeGroup()
    let alphabet = alphabet
    var (model, generator) = (text, generator)
    document.edit { draft in
      for _ in 0...Int.random(in: 0..<6, using: &generator) {
        let edit = RandomEdit(of: model, inserting: 20, alphabet, using: &generator)
        edit.apply(to: &draft)
        edit.apply(to: &model)
      }
    }
    (text, self.generator) = (model, generator)
    noteRevision(text)
  }

  /// Makes an edit, and takes it back with its transaction.
  private mutating func editInVain() {
    closeGroup()
    document.begin()
    let edit = RandomEdit(of: text, inserting: 20, alphabet, using: &generator)
    document.replace(edit.offsets, with: edit.bytes)
    document.rollBack()
  }

  private mutating func closeGroup() {
    document.closeGroup()
    noteRevision(text)
  }

  private mutating func move(to id: Int) {
    document.move(to: id)
    adoptText()
  }

  /// Takes over the text of the revision that the document has moved to.
  private mutating func adoptText() { text = texts[document.history.current] ?? [] }

  /// Remembers the text of the present revision if it is new.
  private mutating func noteRevision(_ text: [UInt8]) {
    if texts[document.history.current] == nil { texts[document.history.current] = text }
  }

  private func check(_ action: String) throws(Mismatch) {
    let buffer = document.buffer
    buffer.checkInvariants()
    guard buffer.bytes == text, document.byteCount == text.count,
      document.committedBuffer.bytes == texts[document.history.current]
    else { throw Mismatch(seed: seed, step: stepCount, action: action) }
  }
}
