import Foundation
import TextBuffer
import TextBufferModels
import TextBufferTesting

/// A random session with an undoable value, compared with a plain list of its revisions.
struct UndoableSession {
  private var generator: SeededGenerator
  private let observed: Observed<Undoable<[UInt8]>>
  private var plain: PlainHistory
  private var value: [UInt8]
  private var starts: [[UInt8]] = []
  private var canJoin = false
  private let mirror: Mirror
  private var step = 0
  private(set) var action = "start"

  private final class Mirror {
    var value: [UInt8]
    init(_ value: [UInt8]) { self.value = value }
  }

  private struct Failure: Error {}

  init(seed: Int) {
    generator = SeededGenerator(seed &+ 77_777)
    value = generator.bytes(upTo: 5)
    plain = PlainHistory(value)
    observed = Observed(Undoable(value))
    mirror = Mirror(value)
    let mirror = mirror
    observed.addObserver { event in
      for step in event.transition.steps { mirror.value = step.after }
    }
  }

  private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  mutating func run(_ count: Int) throws {
    for _ in 0..<count {
      step += 1
      if starts.isEmpty { try act() } else { try actInTransaction() }
      try check()
    }
    while !starts.isEmpty { end() }
    try check()
    try checkCoding()
  }

  private mutating func act() throws {
    let ids = plain.reachable
    let target = ids[random(ids.count)]
    let (name, kind) = (random(3) == 0 ? nil : "n\(random(2))", random(14))
    action = "kind \(kind)"
    switch kind {
    case 0, 1, 2, 3, 4: try edit()
    case 5:
      observed.update { $0.begin() }
      starts.append(value)
    case 6: try note(observed.update { $0.undo() }, to: plain.parent)
    case 7: try note(observed.update { $0.redo() }, to: plain.present.next)
    case 8: try note(observed.update { $0.move(to: target) }, to: target)
    case 9:
      observed.update { $0.markSaved() }
      (canJoin, _) = (false, plain.markSaved())
    case 10:
      observed.update { $0.setName(name, of: target) }
      (canJoin, plain.revisions[target].name) = (false, name)
    case 11:
      let limit: Int? = random(3) == 0 ? nil : random(5)
      observed.update { $0.levelLimit = limit }
      plain.levelLimit = limit
    case 12:
      observed.update { $0.closeGroup() }
      canJoin = false
    default:
      observed.update { $0.markUnsaved() }
      (canJoin, plain.saved) = (false, nil)
    }
  }

  private mutating func actInTransaction() throws {
    action = "in a transaction"
    switch random(4) {
    case 0:
      observed.update { $0.begin() }
      starts.append(value)
    case 1, 2: end()
    default: try edit()
    }
  }

  private mutating func edit() throws {
    let edit = RandomEdit(of: value, inserting: 3, using: &generator)
    let (name, date) = (random(3) == 0 ? nil : "n\(random(2))", Double(step))
    let (isDiscardable, joins, fails) = (random(4) == 0, random(2) == 0, random(6) == 0)
    action = "edit \(edit)"
    let start = value
    do throws(Failure) {
      try observed.update { undoable throws(Failure) in
        try undoable.edit(
          name, date: date, joining: joins ? .sameName : nil, isDiscardable: isDiscardable
        ) { value throws(Failure) in
          edit.apply(to: &value)
          if fails { throw Failure() }
        }
      }
      edit.apply(to: &value)
      if starts.isEmpty { note(start, name, date, joins: joins, isDiscardable: isDiscardable) }
    } catch {}
  }

  private mutating func end() {
    guard let start = starts.popLast() else { return }
    if random(3) == 0 {
      observed.update { $0.rollBack() }
      value = start
      return
    }
    let (name, date, joins) = (random(3) == 0 ? nil : "n\(random(2))", Double(step), random(2) == 0)
    observed.update { undoable in
      _ = undoable.commit(name, date: date, joining: joins ? .sameName : nil)
    }
    if starts.isEmpty { note(start, name, date, joins: joins, isDiscardable: false) }
  }

  /// Records a commit in `plain`.
  private mutating func note(
    _ start: [UInt8], _ name: String?, _ date: Double, joins: Bool, isDiscardable: Bool
  ) {
    if value == start { return }
    let isJoined =
      joins && canJoin && name != nil && plain.present.name == name && plain.parent != nil
      && plain.present.isDiscardable == isDiscardable
    canJoin = true
    guard isJoined, let parent = plain.parent else {
      plain.record(value, name: name, date: date, isDiscardable: isDiscardable)
      return
    }
    if plain.revisions[parent].text == value {
      plain.cancel()
      canJoin = false
    } else {
      plain.revisions[plain.current].text = value
      plain.revisions[plain.current].date = date
    }
  }

  private mutating func note(_ moved: Transition<Replacement<[UInt8]>>?, to target: Int?) throws {
    canJoin = false
    try require((moved == nil) == (target == nil), "whether it has moved")
    guard let target, let moved else { return }
    try require(moved.from == plain.current && moved.to == target, "the way of a move")
    _ = plain.move(to: target)
    value = plain.present.text
    if let last = moved.steps.last { try require(last.after == value, "the steps of a move") }
  }

  private func check() throws {
    let undoable = observed.value
    try require(undoable.value == value, "value is \(undoable.value), not \(value)")
    if starts.isEmpty { try require(mirror.value == value, "the events lead elsewhere") }
    try plain.check(undoable.history)
    for id in plain.reachable {
      try require(undoable.value(of: id) == plain.revisions[id].text, "value of \(id)")
    }
  }

  /// Encoding and decoding changes nothing.
  private mutating func checkCoding() throws {
    action = "code"
    let data = try JSONEncoder().encode(observed.value)
    var decoded = try JSONDecoder().decode(Undoable<[UInt8]>.self, from: data)
    try plain.check(decoded.history)
    try require(decoded.value == value && decoded.levelLimit == plain.levelLimit, "decoded")
    for id in plain.reachable {
      decoded.move(to: id)
      try require(decoded.value == plain.revisions[id].text, "decoded value of \(id)")
    }
    var damaged = data
    damaged[random(damaged.count)] = UInt8(random(128))
    if var decoded = try? JSONDecoder().decode(Undoable<[UInt8]>.self, from: damaged) {
      decoded.undo()
      decoded.redo()
      decoded.edit { $0.append(1) }
      _ = decoded.isModified
    }
  }
}
