import TextBuffer
import TextBufferTesting

/// Typing, and the group that it opens.
extension LibrarySession {
  /// The moment from which times of edits are counted.
  private static let origin = ContinuousClock.now

  var time: ContinuousClock.Instant { Self.origin + .milliseconds(step * 400) }
  var date: Double { Double(step) }

  /// Makes some edits at the caret, or elsewhere.
  mutating func type() throws {
    action = "type"
    for _ in 0...random(4) { try type(key()) }
  }

  /// An edit as a key makes it, most often at the caret.
  private mutating func key() -> RandomEdit {
    var edit = RandomEdit(of: text, inserting: 3, alphabet, using: &generator)
    caret = min(caret, text.count)
    while alphabet == .unicode && caret < text.count && text[caret] & 0xC0 == 0x80 { caret -= 1 }
    switch random(8) {
    case 0: break
    case 1: edit = RandomEdit(of: text, inserting: 200, alphabet, using: &generator)
    case 2:
      var lower = caret
      repeat {
        lower = max(0, lower - 1)
      } while alphabet == .unicode && lower > 0
        && text[lower] & 0xC0 == 0x80
      edit.range = lower..<caret
      if oneIn(2) { edit.bytes = [] }
    case 3:
      var upper = caret
      repeat {
        upper = min(text.count, upper + 1)
      } while alphabet == .unicode
        && upper < text.count && text[upper] & 0xC0 == 0x80
      edit.range = caret..<upper
      edit.bytes = []
    default: edit.range = caret..<caret
    }
    return edit
  }

  mutating func type(_ edit: RandomEdit) throws {
    let (range, bytes, time, date) = (edit.offsets, edit.bytes, time, date)
    let form = random(6)
    let name: String? = oneIn(3) ? ["Typing", "Delete"][random(2)] : nil
    let before = text
    actOnly { document in
      switch form {
      case _ where name != nil:
        document.replace(
          range, with: bytes, name: name, time: form % 2 == 0 ? time : nil, date: date)
      case 0: document.replace(range, with: bytes.span.bytes, date: date)
      case 1: document.replace(range, with: bytes, time: time, date: date)
      case 2: document.replace(range, with: bytes.span.bytes, time: time, date: date)
      case 3:
        if let string = String(validating: bytes, as: UTF8.self) {
          document.replace(range, with: string.utf8, date: date)
        } else {
          document.replace(range, with: bytes.reversed().reversed(), date: date)
        }
      default: document.replace(range, with: bytes, date: date)
      }
    }
    edit.apply(to: &text)
    caret = edit.range.lowerBound + bytes.count
    let isNothing = edit.range.isEmpty && bytes.isEmpty
    if isInTransaction {
      latest = (before, text)
    } else if document.coalescing.rules.isEmpty {
      noteSeparate(before, isNothing, name)
    } else {
      try noteTyped(before, isNothing, name)
    }
  }

  /// A typed edit made a separate group.
  private mutating func noteSeparate(_ before: [UInt8], _ isNothing: Bool, _ name: String?) {
    if isNothing { return }
    (canJoin, unjoined) = (false, nil)
    latest = nil
    awaitsContext = text != before
    if text == before { return }
    plain.record(text, context, context, name: name, date: date)
    latest = (before, text)
  }

  /// A typed edit went on with the open group, or opened one.
  private mutating func noteTyped(
    _ before: [UInt8], _ isNothing: Bool, _ name: String?
  ) throws {
    let new = document.history.revisions.count - plain.revisions.count
    try require(new == 0 || new == 1 && isOpen && !isNothing, "a typed edit was recorded")
    if new == 1 { try noteGroup(before) }
    if isNothing {
      openDates.insert(date)
      return
    }
    if isOpen && name != openName {
      try require(before == plain.present.text, "joined a group of another name")
      isOpen = false
    }
    openName = name
    if !isOpen { openContexts = [] }
    if !isOpen || before == plain.present.text { openContexts.insert(context) }
    (isOpen, canJoin, openDates) = (true, false, [date])
  }

  /// The open group has become a revision, if it changed the text.
  mutating func noteGroup(_ text: [UInt8]) throws {
    awaitsContext = false
    if !isOpen { return }
    (isOpen, canJoin, latest, unjoined) = (false, false, nil, nil)
    defer { openContexts = [] }
    if text == plain.present.text { return }
    let id = plain.revisions.count
    try require(document.history.revisions.count > id, "an open group was not recorded")
    // A limit may have dropped it, and then its data is not known.
    let (isDropped, start) = (!document.history.canMove(to: id), document.contextBefore(id))
    try require(isDropped || openContexts.contains(start), "the context before a typed group")
    let date = document.history.revisions[id].time
    try require(isDropped || openDates.contains(date), "the date of a typed group")
    latest = (plain.present.text, text)
    plain.record(text, start, context, name: openName, date: date)
  }

  mutating func closeGroup() throws {
    if action != "end" { action = "close group" }
    actOnly { $0.closeGroup() }
    try noteGroup(text)
    canJoin = false
  }

  /// Calls that must have no effect, except that `compact` closes the group.
  mutating func tidy() throws {
    let kind = random(3)
    action = ["settle", "compact", "settle and compact"][kind]
    actOnly { document in
      if kind != 1 { document.settle() }
      if kind != 0 { document.compact() }
    }
    if kind == 0 { return }
    try noteGroup(text)
    (canJoin, latest, unjoined) = (false, nil, nil)
  }

  mutating func setCoalescing() throws {
    action = "set coalescing"
    let policy = Self.coalescing(&generator)
    actOnly { $0.coalescing = policy }
    try noteGroup(text)
    canJoin = false
  }

  mutating func setLimit() {
    action = "set level limit"
    let limit: Int? = oneIn(4) ? nil : random(7)
    actOnly { $0.levelLimit = limit }
    plain.levelLimit = limit
  }

  mutating func setContext() {
    action = "set context"
    let new = random(1000)
    actOnly { $0.context = new }
    context = new
    if awaitsContext { plain.revisions[plain.current].after = new }
  }

  // MARK: - Moves, marks, and copies

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
    if oneIn(2) { try closeGroup() }
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

  /// From now on nothing joins the present revision.
  private mutating func noteKept() { (canJoin, latest) = (false, nil) }

  mutating func name() throws {
    action = "name"
    let id = plain.reachable[random(plain.reachable.count)]
    let (name, isName) = (oneIn(4) ? nil : "name \(step)", !oneIn(3))
    if !isInTransaction && plain.levelLimit != nil { try closeGroup() }
    guard !plain.revisions[id].isDropped else { return }
    let new = random(1000)
    actOnly { document in
      if isName {
        document.setName(name, of: id)
      } else {
        document.updateContextAfter(id) { $0 = new }
      }
    }
    if isName {
      if !isInTransaction { try noteGroup(text) }
      plain.revisions[id].name = name
      noteKept()
    } else {
      awaitsContext = false
      plain.revisions[id].after = new
    }
  }

  /// Makes copies of the document and of the text; some are edited and dropped, some are kept.
  mutating func copy() throws {
    action = "copy"
    var table = oneIn(2) ? document.buffer : twin.committedBuffer
    let whole = table.bytes
    let edit = RandomEdit(of: whole, inserting: 30, alphabet, using: &generator)
    let change = edit.apply(to: &table)
    var model = whole
    edit.apply(to: &model)
    try require(table.bytes == model, "text of a copy")
    if oneIn(2) { table.compact() }
    if oneIn(3) { texts.append((table, model)) }
    if oneIn(3) {
      table.apply(change.inverse)
      texts.append((table, whole))
    }
    texts = texts.suffix(4)
    if isInTransaction || isOpen { return }
    var copy = document
    if oneIn(2) {
      let undone = copy.undo()
      try require((undone == nil) == (plain.parent == nil), "undo in a copy")
      let text = copy.buffer.bytes
      let edit = RandomEdit(of: text, inserting: 30, alphabet, using: &generator)
      copy.replace(edit.offsets, with: edit.bytes)
      copy.edit { draft in draft.setText(PieceTable(whole)) }
      copy.compact()
      try require(copy.buffer.bytes == whole, "text of an edited copy")
    } else if oneIn(2) {
      if oneIn(2) { copy.compact() }
      copies = (copies + [(copy, text, plain)]).suffix(2)
    }
  }

  // MARK: - Transactions

  /// Makes a transaction with a closure, which fails now and then.
  mutating func edit() throws {
    action = "edit"
    let script = DraftScript(text, context, alphabet, using: &generator)
    let (name, policy, fails) = (
      oneIn(2) ? "edit \(step)" : nil, transactionPolicy(), oneIn(6)
    )
    let (time, date, form) = (time, date, random(2))
    // Typed edits are recorded first.
    let start = (text: text, context: context)
    do {
      try actOnly { document in
        func body(_ draft: inout Draft<Int>) throws {
          try script.run(in: &draft)
          if fails { throw DraftScript.Failure() }
        }
        if form == 0 {
          try document.edit(name, date: date, coalescing: policy ?? .none, body)
        } else {
          try document.edit(name, time: time, date: date, coalescing: policy ?? .none, body)
        }
      }
    } catch is DraftScript.Failure {
      // The twin fails as the document has.
      try? twin.edit { draft in
        try script.run(in: &draft)
        throw DraftScript.Failure()
      }
    }
    if starts.isEmpty { try noteGroup(start.text) }
    if fails {
      latest = nil
      return
    }
    (text, context) = (script.text, script.context)
    if starts.isEmpty {
      try noteTransaction(since: start, name, policy ?? .none)
    } else {
      latest = (start.text, text)
    }
  }

  /// The policy of a transaction; nil for the document's own.
  private mutating func transactionPolicy() -> Coalescing? {
    switch random(4) {
    case 0: nil
    case 1: .commands
    case 2: Optional(.none)
    default: Self.coalescing(&generator)
    }
  }

  mutating func begin() throws {
    action = "begin"
    actOnly { $0.begin() }
    if !isInTransaction { try noteGroup(text) }
    starts.append((text, context))
  }

  /// Commits the innermost transaction, or rolls it back.
  mutating func endTransaction() throws {
    guard let start = starts.popLast() else { return }
    if oneIn(3) {
      if action != "end" { action = "roll back" }
      actOnly { $0.rollBack() }
      (text, context, latest) = (start.text, start.context, nil)
      return
    }
    if action != "end" { action = "commit" }
    try commit(since: start)
  }

  private mutating func commit(since start: (text: [UInt8], context: Int)) throws {
    let (name, policy) = (oneIn(2) ? "commit \(step)" : nil, transactionPolicy())
    let (time, date) = (oneIn(3) ? time : nil, date)
    let from = plain.current
    let (done, twins) = act { document in
      document.commit(name, time: time, date: date, coalescing: policy)
    }
    if isInTransaction {
      try require(done == nil && twins == nil, "an inner commit returned something")
      latest = (start.text, text)
      return
    }
    try noteTransaction(since: start, name, policy ?? document.coalescing)
    for done in [done, twins] {
      try require((done == nil) == (text == start.text), "what a commit returned")
      guard let done else { continue }
      try require(done.from == from && done.to == plain.current, "the way of a commit")
      try require(bytes(start.text, after: done.changes) == text, "the changes of a commit")
    }
  }

  /// An outermost transaction has been committed.
  private mutating func noteTransaction(
    since start: (text: [UInt8], context: Int), _ name: String?, _ policy: Coalescing
  ) throws {
    let new = document.history.revisions.count - plain.revisions.count
    unjoined = nil
    latest = text == start.text ? nil : (start.text, text)
    if text == start.text {
      try require(
        new == 0 && document.history.current == plain.current, "recorded, though nothing changed")
      return
    }
    if new == 1 {
      let (id, old) = (document.history.current, canJoin ? cancelled : nil)
      var (before, group) = (start.context, name)
      if let old, !policy.rules.isEmpty, document.contextBefore(id) == old.before,
        document.history[id].name == name ?? old.name
      {
        (before, group) = (old.before, name ?? old.name)
      }
      plain.record(text, before, context, name: group, date: date)
      (canJoin, cancelled) = (true, nil)
      return
    }
    try require(new == 0 && canJoin && !policy.rules.isEmpty, "joined, though it must not")
    let isCancelled = document.history.current != plain.current
    unjoined = (plain.present, isCancelled, plain.current)
    if isCancelled {
      cancelled = plain.present
      if name != nil { cancelled?.name = name }
      plain.cancel()
      unjoined?.current = plain.current
      try require(plain.present.text == text, "cancelled, though the text is another one")
    } else {
      let id = plain.current
      plain.revisions[id].text = text
      plain.revisions[id].after = context
      plain.revisions[id].name = name ?? plain.revisions[id].name
      plain.revisions[id].date = date
    }
  }

  /// Types at several carets, each key a transaction.
  mutating func typeAtCarets() throws {
    action = "type at carets"
    if text.isEmpty { return }
    let most = oneIn(30) ? 300 : 12
    let wanted = random(most) + 1
    // The places of the carets, which move with each key.
    var carets = (0..<wanted).map { _ in Int.random(in: 0...text.count, using: &generator) }
    if alphabet == .unicode {
      carets = carets.map { place in
        var place = place
        while place < text.count && text[place] & 0xC0 == 0x80 { place -= 1 }
        return place
      }
    }
    carets = Array(Set(carets)).sorted()
    for _ in 0...random(3) {
      let key: [UInt8] = oneIn(2) ? [0x78] : Array("é".utf8)
      try begin()
      for index in carets.indices {
        let place = carets[index] + index * key.count
        let range = offsets(place..<place)
        let before = text
        actOnly { $0.replace(range, with: key) }
        text.insert(contentsOf: key, at: place)
        latest = (before, text)
        carets[index] = place + key.count
      }
      carets.sort()
      guard let start = starts.popLast() else { return }
      action = "type at carets"
      try commit(since: start)
    }
  }

  mutating func separate() throws {
    action = "separate"
    let (joined, isTyping, count) = (unjoined, isOpen, plain.revisions.count)
    let context = context
    let (first, second) = act { $0.separateLatestEdit() }
    try require(first == second, "separated \(first ?? -1), and the twin \(second ?? -1)")
    guard let id = first else {
      try require(
        joined == nil || isTyping || joined?.current != plain.current, "it was not separated")
      return
    }
    guard let joined, !isTyping else { throw SessionFailure(description: "nothing was joined") }
    (unjoined, canJoin) = (nil, false)
    let date = plain.present.date
    if id == count - 1 || joined.isCancelled {
      let next = text
      if joined.isCancelled {
        plain.record(
          joined.revision.text, joined.revision.before, joined.revision.after,
          name: joined.revision.name, date: joined.revision.date)
      } else {
        let now = plain.present
        plain.revisions[plain.current] = joined.revision
        plain.revisions[plain.current].next = now.next
      }
      plain.record(next, joined.revision.after, context, date: date)
    } else {
      // The joined revision was saved or named since, and stays.
      let (current, limit) = (plain.current, plain.levelLimit)
      plain.levelLimit = nil
      if let parent = plain.present.parent { _ = plain.move(to: parent) }
      plain.record(
        joined.revision.text, joined.revision.before, joined.revision.after,
        name: joined.revision.name, date: joined.revision.date)
      _ = plain.move(to: current)
      (latest, plain.levelLimit) = (nil, limit)
    }
  }

  /// Adds a branch, whose text may share storage with the document.
  mutating func addBranch() throws {
    action = "add branch"
    if !isInTransaction {
      // The group is recorded first; then the new revision can be its child.
      actOnly { $0.closeGroup() }
      try noteGroup(text)
      canJoin = false
    }
    let parent = plain.reachable[random(plain.reachable.count)]
    var model = plain.revisions[parent].text
    var table = oneIn(2) ? document.text(of: parent) : PieceTable(model)
    var changes: [Change] = []
    for _ in 0..<random(4) {
      let edit = RandomEdit(of: model, inserting: 9, alphabet, using: &generator)
      changes.append(edit.apply(to: &table))
      edit.apply(to: &model)
    }
    let (new, date, name) = (random(1000), date, oneIn(2) ? "branch" : nil)
    let (id, twins) = act {
      $0.addBranch(changes, from: parent, name: name, date: date, context: new)
    }
    try require(id == twins, "a branch of the twin")
    try require((id == nil) == changes.allSatisfy(\.changesNothing), "a branch of nothing")
    guard let id else { return }
    try require(id == plain.revisions.count, "number of a branch")
    plain.revisions.append(
      .init(
        parent: parent, text: model, before: plain.revisions[parent].after, after: new, name: name,
        date: date))
    (canJoin, latest) = (false, nil)
  }
}
