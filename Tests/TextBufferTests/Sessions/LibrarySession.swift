import TextBuffer
import TextBufferModels
import TextBufferTesting

/// A random session with a document, compared with plain values.
///
/// The document has an observer; a twin gets the same edits without one, to test both ways of
/// typing. Keys settle at once where the text is read, so half of the sessions seldom read the
/// twin's. A mirror follows the text by events alone.
struct LibrarySession {
  typealias Text = Document<Int>

  /// A text that follows events.
  final class Mirror {
    var bytes: [UInt8]
    var problem: String?
    /// The kinds of events so far.
    var kinds: Set<History<Change>.Event.Kind> = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func follow(_ event: History<Change>.Event) {
      let changes = event.transition.changes
      kinds.insert(event.kind)
      do {
        bytes = try TextBufferTests.bytes(bytes, after: changes)
      } catch {
        problem = "\(event.kind): \(error)"
      }
    }
  }

  let alphabet: RandomEdit.Alphabet
  var generator: SeededGenerator
  var observed: Observed<Text>
  var twin: Text
  let isTwinRead: Bool
  var mirror: Mirror
  var plain: PlainHistory
  /// The present text, with the open group, and the context.
  var text: [UInt8]
  var context = 0
  var caret = 0
  /// The number of the step, from which dates are made.
  var step = 0
  var action = "start"

  /// Whether typed edits are open as a group; the possible contexts at its start, and the possible
  /// dates of its last edit.
  var isOpen = false
  var openContexts: Set<Int> = []
  var openName: String?
  var openDates: Set<Double> = []
  /// Whether `context` is still the context after the present revision: no other edit has begun.
  var awaitsContext = false
  /// The text and the context at the start of each open transaction, outermost first.
  var starts: [(text: [UInt8], context: Int)] = []
  /// The text before and after `latestChanges`; nil if there are none.
  var latest: (before: [UInt8], after: [UInt8])?
  /// The revision that the latest transaction joined, as it was.
  var unjoined: (revision: PlainHistory.Revision, isCancelled: Bool, current: Int)?
  var canJoin = false
  /// The revision that the latest transactions have cancelled out, which a next one may bring back.
  var cancelled: PlainHistory.Revision?

  /// Copied documents, and their expected values.
  var copies: [(document: Text, text: [UInt8], plain: PlainHistory)] = []
  var texts: [(table: PieceTable, text: [UInt8])] = []
  /// The records in a store that writes only the reported changes.
  var stored: [Int: StoredRevision] = [:]

  init(seed: Int) {
    generator = SeededGenerator(seed)
    alphabet = seed % 2 == 0 ? .unicode : .bytes
    text =
      alphabet == .unicode
      ? Array(generator.text(upTo: 40).utf8) : generator.bytes(upTo: 60)
    let coalescing = Self.coalescing(&generator)
    twin = Document(PieceTable(text), context: 0, coalescing: coalescing)
    twin.trackChanges()
    isTwinRead = seed % 4 < 2
    observed = Observed(Document(PieceTable(text), context: 0, coalescing: coalescing))
    mirror = Mirror(text)
    plain = PlainHistory(text)
    observe()
    if seed % 3 == 0 { setLimit() }
  }

  var document: Text { observed.value }
  var isInTransaction: Bool { !starts.isEmpty }

  mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
  mutating func oneIn(_ count: Int) -> Bool { random(count) == 0 }

  static func coalescing(_ generator: inout SeededGenerator) -> Coalescing {
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    var policy: Coalescing =
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: .none
      case 1: .commands
      case 2: Coalescing(Coalescing.Rules(rawValue: UInt8.random(in: 0..<32, using: &generator)))
      default: .typing
      }
    if oneIn(4) { policy.longestPause = .seconds(2) }
    if oneIn(4) {
      policy.boundaries = .init(rawValue: UInt8.random(in: 0..<8, using: &generator))
    }
    if oneIn(6) { policy.longestInsertion = 4 }
    return policy
  }

  /// Begins to observe the document with a new mirror.
  mutating func observe() {
    (mirror.bytes, mirror.problem) = (text, nil)
    let mirror = mirror
    let removed = observed.addObserver { _ in mirror.problem = "a removed observer was told" }
    observed.addObserver { [unowned observed] event in
      mirror.follow(event)
      if !observed.value.history.revisions.indices.contains(event.revision) {
        mirror.problem = "an event of revision \(event.revision)"
      }
    }
    observed.removeObserver(removed)
  }

  /// Does the same to the document and to its twin.
  mutating func act<R>(_ body: (inout Text) throws -> R) rethrows -> (R, R) {
    let first = try observed.update(body)
    return (first, try body(&twin))
  }

  /// Does the same to both where nothing is returned.
  mutating func actOnly(_ body: (inout Text) throws -> Void) rethrows { _ = try act(body) }

  // MARK: - Steps

  mutating func run(_ count: Int) throws {
    for _ in 0..<count { try next() }
    action = "end"
    while isInTransaction { try endTransaction() }
    try closeGroup()
    try check()
    try checkWhole()
    for _ in 0..<2 { try restoreDamaged() }
  }

  private mutating func next() throws {
    step += 1
    switch random(isInTransaction ? 17 : 34) {
    case 0..<5: try type()
    case 5, 6: try edit()
    case 7: try typeAtCarets()
    case 8:
      try begin()
    case 9, 10:
      if isInTransaction { try endTransaction() } else { try edit() }
    case 11: try copy()
    case 12, 13: try read()
    case 14: try addBranch()
    case 15: try name()
    case 16: setContext()
    case 17..<20: try undo()
    case 20, 21: try redo()
    case 22, 23: try move()
    case 24: try separate()
    case 25: try save()
    case 26: try setCoalescing()
    case 27: setLimit()
    case 28: try tidy()
    case 29: try closeGroup()
    case 30: try restore()
    case 31: try restoreDamaged()
    case 32: try compare()
    default: try type()
    }
    try check()
    if step % 8 == 0 { document.checkInvariants() }
    if oneIn(6) { try checkStore() }
  }

  // MARK: - Checks

  /// Compares the document with the plain values.
  func check() throws {
    let document = document
    try require(document.byteCount == text.count, "\(document.byteCount) bytes, not \(text.count)")
    let buffer = document.buffer
    try require(buffer.bytes == text, "text is \(buffer.bytes), not \(text)")
    try require(twin.byteCount == text.count, "\(twin.byteCount) bytes in the twin")
    if isTwinRead || step % 16 == 0 {
      try require(twin.buffer.bytes == text, "the twin's text is \(twin.buffer), not \(text)")
    }
    try require(document.newlineCount == text.count { $0 == 0x0A }, "number of newlines")
    try plain.check(document.history)
    try plain.check(twin.history)
    try require(document.committedBuffer.bytes == plain.present.text, "committed text")
    try require(document.context == context && twin.context == context, "context")
    try require(document.isInTransaction == isInTransaction, "in a transaction")
    try require(document.isModified == (plain.isModified || isOpen), "modified")
    try require(document.canUndo == (plain.parent != nil || isOpen), "can undo")
    try require(document.canRedo == (plain.present.next != nil && !isOpen), "can redo")
    let undoName = isOpen ? openName : plain.parent == nil ? nil : plain.present.name
    let redoName = isOpen ? nil : plain.present.next.flatMap { plain.revisions[$0].name }
    try require(document.undoName == undoName && twin.undoName == undoName, "name of undo")
    try require(document.redoName == redoName && twin.redoName == redoName, "name of redo")
    try require(!document.history.isDamaged, "damaged")
    for (id, revision) in plain.revisions.enumerated() where !revision.isDropped {
      try require(
        document.contextBefore(id) == revision.before && document.contextAfter(id) == revision.after
          && twin.contextBefore(id) == revision.before && twin.contextAfter(id) == revision.after,
        "contexts of \(id)")
    }
    if let problem = mirror.problem { throw SessionFailure(description: problem) }
    if !isInTransaction {
      try require(mirror.bytes == text, "the events lead to \(mirror.bytes), not \(text)")
    }
    let start = isOpen ? (before: plain.present.text, after: text) : latest
    for changes in [document.latestChanges, twin.latestChanges] {
      if let start {
        let result = try bytes(start.before, after: changes)
        try require(result == start.after, "latest changes lead to \(result), not \(start.after)")
      } else {
        try require(changes.isEmpty, "latest changes where there are none")
      }
    }
  }

  /// Compares all revisions, and all copies that were kept.
  func checkWhole() throws {
    for document in [document, twin] {
      document.checkInvariants()
      try Self.checkTexts(of: document, plain)
    }
    for copy in copies {
      copy.document.checkInvariants()
      try require(copy.document.buffer.bytes == copy.text, "text of a copy")
      try copy.plain.check(copy.document.history)
      try Self.checkTexts(of: copy.document, copy.plain)
    }
    for (table, text) in texts {
      table.checkInvariants()
      try require(table.bytes == text, "a text that was kept")
    }
  }

  static func checkTexts(of document: Text, _ plain: PlainHistory) throws {
    for id in plain.reachable {
      let revision = plain.revisions[id]
      try require(document.text(of: id).bytes == revision.text, "text of revision \(id)")
      if let parent = revision.parent, !plain.revisions[parent].isDropped {
        let result = try bytes(plain.revisions[parent].text, after: document.changes(of: id))
        try require(result == revision.text, "the changes of \(id) lead to \(result)")
      }
    }
  }
}
