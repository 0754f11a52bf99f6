import TextBuffer
import TextBufferTesting

/// Moves, marks, and copies.
extension LibrarySession {
  mutating func undo() throws {
    action = "undo"
    let (first, second) = act { $0.undo() }
    try noteGroup(text)
    try noteMove(plain.parent, [first, second], isUndo: true)
  }

  mutating func redo() throws {
    action = "redo"
    let (first, second) = act { $0.redo() }
    try noteGroup(text)
    try noteMove(plain.present.next, [first, second])
  }

  mutating func move() throws {
    action = "close group and move"
    if isChance(2) { try closeGroup() }
    let target = plain.reachable[random(plain.reachable.count)]
    if plain.levelLimit != nil && isOpen { try closeGroup() }
    guard !plain.revisions[target].isDropped else { return }
    action = "move to \(target)"
    let (first, second) = act { $0.move(to: target) }
    try noteGroup(text)
    try noteMove(target, [first, second])
  }

  /// The document has gone to a revision, nil for none.
  private mutating func noteMove(
    _ target: Int?, _ moves: [Transition<Change>?], isUndo: Bool = false
  ) throws {
    (canJoin, unjoined, latest) = (false, nil, nil)
    let (before, from) = (text, plain.current)
    if let target {
      if let context = plain.move(to: target) { self.context = context }
      text = plain.present.text
    }
    for move in moves {
      try require((move == nil) == (target == nil), "whether it has moved")
      guard let move else { continue }
      try require(move.from == from && move.to == target, "the way of a move")
      try require(bytes(before, after: move.changes) == text, "the changes of a move")
    }
  }

  mutating func save() throws {
    let isSaved = random(3) > 0
    action = isSaved ? "save" : "mark as unsaved"
    actOnly { if isSaved { $0.markSaved() } else { $0.markUnsaved() } }
    try noteGroup(text)
    if isSaved { plain.markSaved() } else { plain.saved = nil }
    noteKept()
  }

  /// Nothing joins the present revision any more.
  private mutating func noteKept() { (canJoin, latest) = (false, nil) }

  mutating func name() throws {
    action = "name"
    let id = plain.reachable[random(plain.reachable.count)]
    let (name, kind) = (isChance(4) ? nil : "name \(step)", random(3))
    if !isInTransaction && plain.levelLimit != nil { try closeGroup() }
    guard !plain.revisions[id].isDropped else { return }
    let new = random(1000)
    actOnly { document in
      switch kind {
      case 0: document.setName(name, of: id)
      case 1: document.setCheckpoint(true, name: name, of: id)
      default: document.updateContextAfter(id) { $0 = new }
      }
    }
    switch kind {
    case 0:
      if !isInTransaction { try noteGroup(text) }
      plain.revisions[id].name = name
      noteKept()
    case 1:
      if !isInTransaction { try noteGroup(text) }
      (plain.revisions[id].isCheckpoint, plain.revisions[id].checkpointName) = (true, name)
      noteKept()
    default: plain.revisions[id].after = new
    }
  }

  /// Makes copies of the document and of the text; some are edited and dropped, some are kept.
  mutating func copy() throws {
    action = "copy"
    var table = isChance(2) ? document.buffer : twin.committedBuffer
    let whole = table.bytes
    let edit = RandomEdit(of: whole, inserting: 30, alphabet, using: &generator)
    let change = edit.apply(to: &table)
    var model = whole
    edit.apply(to: &model)
    try require(table.bytes == model, "text of a copy")
    if isChance(2) { table.compact() }
    if isChance(3) { texts.append((table, model)) }
    if isChance(3) {
      table.apply(change.inverse)
      texts.append((table, whole))
    }
    texts = texts.suffix(4)
    if isInTransaction || isOpen { return }
    var copy = document
    if isChance(2) {
      let undone = copy.undo()
      try require((undone == nil) == (plain.parent == nil), "undo in a copy")
      let text = copy.buffer.bytes
      let edit = RandomEdit(of: text, inserting: 30, alphabet, using: &generator)
      copy.replace(edit.offsets, with: edit.bytes)
      copy.edit { draft in draft.setText(PieceTable(whole)) }
      copy.compact()
      try require(copy.buffer.bytes == whole, "text of an edited copy")
    } else if isChance(2) {
      if isChance(2) { copy.compact() }
      copies = (copies + [(copy, text, plain)]).suffix(2)
    }
  }
}
