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
      if isChance(2) { edit.bytes = [] }
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
    let before = text
    actOnly { document in
      switch form {
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
      noteSeparate(before, isNothing)
    } else {
      try noteTyped(before, isNothing)
    }
  }

  /// A typed edit was a group of its own.
  private mutating func noteSeparate(_ before: [UInt8], _ isNothing: Bool) {
    if isNothing { return }
    (canJoin, unjoined) = (false, nil)
    latest = nil
    if text == before { return }
    plain.record(text, context, context, date: date)
    latest = (before, text)
  }

  /// A typed edit went on with the open group, or opened one.
  private mutating func noteTyped(_ before: [UInt8], _ isNothing: Bool) throws {
    let new = document.history.revisions.count - plain.revisions.count
    try require(new == 0 || new == 1 && isOpen && !isNothing, "a typed edit was recorded")
    if new == 1 { try noteGroup(before) }
    if isNothing {
      openDates.insert(date)
      return
    }
    if !isOpen { openContexts = [] }
    if !isOpen || before == plain.present.text { openContexts.insert(context) }
    (isOpen, canJoin, openDates) = (true, false, [date])
  }

  /// The open group has become a revision, if its text is another one.
  mutating func noteGroup(_ text: [UInt8]) throws {
    if !isOpen { return }
    (isOpen, canJoin, latest, unjoined) = (false, false, nil, nil)
    defer { openContexts = [] }
    if text == plain.present.text { return }
    let id = plain.revisions.count
    try require(document.history.revisions.count > id, "an open group was not recorded")
    let start = document.contextBefore(id)
    try require(openContexts.contains(start), "the context before a typed group")
    let date = document.history.revisions[id].time
    try require(openDates.contains(date), "the date of a typed group")
    latest = (plain.present.text, text)
    plain.record(text, start, context, date: date)
  }

  mutating func closeGroup() throws {
    if action != "end" { action = "close group" }
    actOnly { $0.closeGroup() }
    try noteGroup(text)
    canJoin = false
  }

  /// What makes no difference, except that giving memory back closes the group.
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
    let limit: Int? = isChance(4) ? nil : random(7)
    actOnly { $0.levelLimit = limit }
    plain.levelLimit = limit
  }

  mutating func setContext() {
    action = "set context"
    let new = random(1000)
    actOnly { $0.context = new }
    context = new
  }
}
