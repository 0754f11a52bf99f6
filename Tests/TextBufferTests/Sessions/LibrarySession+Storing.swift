import Foundation
import TextBuffer
import TextBufferModels
import TextBufferTesting

/// A revision as a store keeps it.
struct StoredRevision: Codable {
  var record: RevisionRecord
  var changes: [Change]
  var before: Int
  var after: Int
}

/// Documents restored from their stored records.
extension LibrarySession {
  /// All revisions of a document.
  private func stored(_ document: Text) -> [StoredRevision] {
    document.history.revisions.map {
      StoredRevision(
        record: RevisionRecord($0), changes: document.changes(of: $0.id),
        before: document.contextBefore($0.id), after: document.contextAfter($0.id))
    }
  }

  /// Continues with a restored document, and with a twin that reads its records on demand.
  mutating func restore() throws {
    action = "restore"
    try closeGroup()
    action = "restore"
    try checkStore()
    let data = try JSONEncoder().encode(stored(document))
    let all = try JSONDecoder().decode([StoredRevision].self, from: data)
    let (old, count, policy) = (document, plain.revisions.count, document.coalescing)
    var restored = try Document(
      restoring: PieceTable(text), all.map(\.record), changes: all.map(\.changes),
      contexts: all.map { (before: $0.before, after: $0.after) }, current: plain.current,
      saved: plain.saved, coalescing: policy)
    // A store knows siblings, too.
    var records = all.map(\.record)
    for id in 0..<count {
      let siblings = records[id].parent.map { old.history.children(of: $0) } ?? []
      records[id].olderSibling = siblings.last { $0 < id }
    }
    let known = records
    let source = RevisionSource<Change>(
      count: count, hasDiscardable: false, records: { Array(known[$0]) }, steps: { all[$0].changes }
    )
    twin = try Document(
      restoring: PieceTable(text), source,
      contexts: { $0.map { .init(before: all[$0].before, after: all[$0].after) } },
      current: plain.current, saved: plain.saved, coalescing: policy)
    twin.trackChanges()
    stored = [:]
    // The context of the present revision is restored with it.
    context = plain.present.after
    restored.levelLimit = plain.levelLimit
    twin.levelLimit = plain.levelLimit
    observed = Observed(restored)
    (latest, unjoined, canJoin) = (nil, nil, false)
    observe()
    for id in plain.reachable {
      try require(restored.text(of: id).bytes == plain.revisions[id].text, "restored text of \(id)")
    }
  }

  /// The store, updated with only the reported changes, has all revisions.
  mutating func checkStore() throws {
    let all = stored(twin)
    for id in twin.takeChangedRevisions() { stored[id] = all[id] }
    for (id, now) in all.enumerated() {
      guard let known = stored[id] else { continue }
      try require(
        known.record == now.record || now.record.isDropped && known.record.isDropped,
        "revision \(id) has changed, and was not told: \(known.record), \(now.record)")
      if !now.record.isDropped {
        try require(known.changes == now.changes, "changes of \(id) were not told")
        try require(known.after == now.after && known.before == now.before, "contexts of \(id)")
      }
    }
  }

  /// A damaged store is rejected, or makes a usable document.
  mutating func restoreDamaged() throws {
    action = "restore damaged"
    let old = document
    var all = stored(old)
    if all.isEmpty { return }
    var (current, saved) = (plain.current, plain.saved)
    let text = old.committedBuffer
    for _ in 0...random(3) {
      damage(&all, &current, &saved)
      if all.isEmpty { break }
    }
    if oneIn(3), var data = try? JSONEncoder().encode(all), !data.isEmpty {
      data[random(data.count)] = UInt8(random(128))
      guard let decoded = try? JSONDecoder().decode([StoredRevision].self, from: data) else {
        return
      }
      all = decoded
    }
    let damaged = all
    do throws(RestoringError) {
      let document = try Document(
        restoring: text, damaged.map(\.record), changes: damaged.map(\.changes),
        contexts: damaged.map { (before: $0.before, after: $0.after) }, current: current,
        saved: saved)
      try useDamaged(document, isWhole: true)
    } catch {}
    let source = RevisionSource<Change>(
      count: damaged.count, records: { Array(damaged[$0].map(\.record)) },
      steps: { damaged[$0].changes })
    do throws(RestoringError) {
      let document = try Document(
        restoring: text, source,
        contexts: { $0.map { .init(before: damaged[$0].before, after: damaged[$0].after) } },
        current: current, saved: saved)
      try useDamaged(document, isWhole: false)
    } catch {}
  }

  private mutating func damage(
    _ all: inout [StoredRevision], _ current: inout Int, _ saved: inout Int?
  ) {
    let id = random(all.count)
    func wild(_ number: Int) -> Int {
      [-1, 0, id, id + 1, number % all.count, all.count, .max, .min][number % 8]
    }
    if oneIn(4) {
      // All links at random.
      for id in all.indices {
        let numbers = (0..<4).map { _ in oneIn(2) ? nil : random(1000) }
        all[id].record.parent = id == 0 && oneIn(2) ? nil : numbers[0].map(wild)
        all[id].record.preferredChild = numbers[1].map(wild)
        all[id].record.newestChild = numbers[2].map(wild)
        all[id].record.olderSibling = numbers[3].map(wild)
      }
      return
    }
    let wild = wild(random(1000))
    switch random(12) {
    case 0: all[id].record.parent = oneIn(3) ? nil : wild
    case 1: all[id].record.preferredChild = wild
    case 2: all[id].record.newestChild = wild
    case 3: all[id].record.olderSibling = wild
    case 4: all[id].record.isDropped.toggle()
    case 5: all.remove(at: id)
    case 6: all.swapAt(id, random(all.count))
    case 7: current = wild
    case 8: saved = wild
    case 9: all[id].changes.reverse()
    default:
      var maker = Change.Maker(for: PieceTable())
      let (removed, inserted) = (generator.bytes(upTo: 9), generator.bytes(upTo: 9))
      let offset = oneIn(4) ? wild : random(text.count + 2)
      all[id].changes.append(
        maker.change(
          at: ByteOffset(offset), removing: removed.span.bytes, inserting: inserted.span.bytes))
    }
  }

  /// Goes around in a document that may be damaged.
  private mutating func useDamaged(_ damaged: Text, isWhole: Bool) throws(RestoringError) {
    var document = damaged
    let count = document.history.revisions.count
    for _ in 0..<8 {
      let target = random(count)
      switch random(8) {
      case 0: document.undo()
      case 1: document.redo()
      case 2: if document.history.canMove(to: target) { document.move(to: target) }
      case 3: if document.history.canMove(to: target) { _ = document.text(of: target) }
      case 4: document.levelLimit = random(3)
      case 5: _ = (document.isModified, document.history.oldest)
      case 6: _ = (document.history.children(of: target), document.history.revisions[target])
      default:
        let range = offsets(0..<min(1, document.byteCount))
        document.edit { draft in draft.replace(range, with: [0x61, UInt8(target & 0x7F)]) }
      }
      document.buffer.checkInvariants()
    }
    if isWhole && document.history.isDamaged { throw .counts }
  }
}
