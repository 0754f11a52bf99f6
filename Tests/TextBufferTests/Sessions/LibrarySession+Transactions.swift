import TextBuffer
import TextBufferTesting

/// Transactions.
extension LibrarySession {
  /// Makes a transaction with a closure, which fails now and then.
  mutating func edit() throws {
    action = "edit"
    let script = DraftScript(text, context, alphabet, using: &generator)
    let (name, policy, fails) = (
      isChance(2) ? "edit \(step)" : nil, transactionPolicy(), isChance(6)
    )
    let (time, date, form) = (time, date, random(2))
    // What was typed is recorded before.
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

  /// The policy of a transaction; nil for that of the document.
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
    if isChance(3) {
      if action != "end" { action = "roll back" }
      actOnly { $0.rollBack() }
      (text, context, latest) = (start.text, start.context, nil)
      return
    }
    if action != "end" { action = "commit" }
    try commit(since: start)
  }

  private mutating func commit(since start: (text: [UInt8], context: Int)) throws {
    let (name, policy) = (isChance(2) ? "commit \(step)" : nil, transactionPolicy())
    let (time, date) = (isChance(3) ? time : nil, date)
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
      plain.record(text, start.context, context, name: name, date: date)
      canJoin = true
      return
    }
    try require(new == 0 && canJoin && !policy.rules.isEmpty, "joined, though it must not")
    let isCancelled = document.history.current != plain.current
    unjoined = (plain.present, isCancelled, plain.current)
    if isCancelled {
      plain.cancel()
      unjoined?.current = plain.current
      canJoin = false
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
    let most = isChance(30) ? 300 : 12
    let wanted = random(most) + 1
    // The distances of the places, which stay the same for all keys.
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
      let key: [UInt8] = isChance(2) ? [0x78] : Array("é".utf8)
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

  /// Adds a revision elsewhere, by changes of one storage or another.
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
    var table = isChance(2) ? document.text(of: parent) : PieceTable(model)
    var changes: [Change] = []
    for _ in 0..<random(4) {
      let edit = RandomEdit(of: model, inserting: 9, alphabet, using: &generator)
      changes.append(edit.apply(to: &table))
      edit.apply(to: &model)
    }
    let (new, date, name) = (random(1000), date, isChance(2) ? "branch" : nil)
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
