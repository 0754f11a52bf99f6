import TextBuffer
import TextBufferModels

/// A difference between a session and its model.
struct SessionFailure: Error, CustomStringConvertible {
  var description: String
}

/// Throws unless a condition holds.
func require(_ condition: @autoclosure () throws -> Bool, _ what: @autoclosure () -> String) throws
{
  if try !condition() { throw SessionFailure(description: what()) }
}

/// The revisions of a text, or of other bytes, as a plain list with parents, whole texts and nothing shared.
struct PlainHistory {
  struct Revision {
    var parent: Int?
    var text: [UInt8]
    /// The contexts at the start and at the end of its transaction.
    var before = 0
    var after = 0
    var name: String?
    var date = 0.0
    var wasSaved = false
    var isDropped = false
    var isDiscardable = false
    /// The child that a redo leads to.
    var next: Int?
  }

  var revisions: [Revision]
  var current = 0
  var saved: Int? = 0
  var levelLimit: Int?

  init(_ text: [UInt8], context: Int = 0) {
    revisions = [Revision(text: text, before: context, after: context)]
  }

  var present: Revision { revisions[current] }
  var parent: Int? { present.parent.flatMap { revisions[$0].isDropped ? nil : $0 } }

  /// The revisions that can be moved to.
  var reachable: [Int] { revisions.indices.filter { !revisions[$0].isDropped } }

  /// A revision and its ancestors, the oldest last.
  func lineage(of id: Int) -> [Int] {
    var line = [id]
    while let parent = revisions[line[line.count - 1]].parent, !revisions[parent].isDropped {
      line.append(parent)
    }
    return line
  }

  func children(of id: Int) -> [Int] {
    revisions.indices.filter { revisions[$0].parent == id && !revisions[$0].isDropped }
  }

  // MARK: - Changes

  mutating func record(
    _ text: [UInt8], _ before: Int = 0, _ after: Int = 0, name: String? = nil, date: Double,
    isDiscardable: Bool = false
  ) {
    revisions.append(
      Revision(
        parent: current, text: text, before: before, after: after, name: name, date: date,
        isDiscardable: isDiscardable))
    revisions[current].next = revisions.count - 1
    current = revisions.count - 1
    if let levelLimit { forget(beyond: max(0, levelLimit)) }
  }

  private mutating func forget(beyond limit: Int) {
    while true {
      let line = lineage(of: current)
      if line.count <= limit + 1 { return }
      let (oldest, next) = (line[line.count - 1], line[line.count - 2])
      var rest = children(of: oldest).filter { $0 != next }
      while let id = rest.popLast() {
        rest += children(of: id)
        revisions[id].isDropped = true
      }
      revisions[oldest].isDropped = true
    }
  }

  /// Drops the present, newest revision, whose edits cancel out.
  mutating func cancel() {
    guard let parent = present.parent else { return }
    revisions[current].isDropped = true
    current = parent
    revisions[parent].next = children(of: parent).last
  }

  /// Goes to a revision; returns the context restored with it, nil for the present revision.
  mutating func move(to id: Int) -> Int? {
    if id == current { return nil }
    let (from, to) = (lineage(of: current), lineage(of: id))
    let forward = to.filter { !from.contains($0) }
    let back = from.filter { !to.contains($0) }
    for child in forward {
      if let parent = revisions[child].parent { revisions[parent].next = child }
    }
    current = id
    return forward.isEmpty ? back.last.map { revisions[$0].before } : present.after
  }

  mutating func markSaved() {
    saved = current
    revisions[current].wasSaved = true
  }

  // MARK: - Checks

  var isModified: Bool {
    guard let saved else { return true }
    if saved == current { return false }
    if revisions[saved].isDropped { return true }
    let (from, to) = (lineage(of: current), lineage(of: saved))
    let path = from.filter { !to.contains($0) } + to.filter { !from.contains($0) }
    return path.contains { !revisions[$0].isDiscardable }
  }

  func check<Step>(_ history: History<Step>) throws {
    try require(history.current == current, "present is \(history.current), not \(current)")
    try require(history.saved == saved, "saved is \(history.saved ?? -1), not \(saved ?? -1)")
    try require(
      history.revisions.count == revisions.count,
      "\(history.revisions.count) revisions, not \(revisions.count)")
    for (id, plain) in revisions.enumerated() {
      let revision = history.revisions[id]
      try require(revision.isDropped == plain.isDropped, "dropped: \(id)")
      if plain.isDropped { continue }
      try require(
        revision.parent == plain.parent && revision.name == plain.name
          && revision.time == plain.date && revision.wasSaved == plain.wasSaved
          && revision.isDiscardable == plain.isDiscardable,
        "revision \(id): \(revision.parent ?? -1) \(revision.name ?? "-") \(revision.time), not "
          + "\(plain.parent ?? -1) \(plain.name ?? "-") \(plain.date)")
      try require(
        revision.preferredChild == plain.next,
        "redo from \(id) leads to \(revision.preferredChild ?? -1), not \(plain.next ?? -1)")
    }
    try require(history.canUndo == (parent != nil), "can undo")
    try require(history.canRedo == (present.next != nil), "can redo")
    try require(history.oldest == lineage(of: current).last, "oldest")
    try require(history.isModified == isModified, "modified")
    try require(history.undoName == (parent == nil ? nil : present.name), "name of undo")
    try require(history.redoName == present.next.flatMap { revisions[$0].name }, "name of redo")
    let id = revisions.count / 2
    if !revisions[id].isDropped {
      try require(history.children(of: id) == children(of: id), "children of \(id)")
    }
  }
}

/// `text` after changes; each must remove exactly the bytes at its place.
func bytes(_ text: [UInt8], after changes: [Change]) throws -> [UInt8] {
  var text = text
  for change in changes {
    let (lower, upper) = (change.rangeBefore.lowerBound.value, change.rangeBefore.upperBound.value)
    try require(0 <= lower && lower <= upper && upper <= text.count, "a change outside the text")
    try require(
      change.removed.bytes.elementsEqual(text[lower..<upper]), "a change removes other bytes")
    text.replaceSubrange(lower..<upper, with: change.inserted.bytes)
  }
  return text
}
