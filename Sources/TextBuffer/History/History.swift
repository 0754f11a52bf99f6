/// The states of a value over time, as a tree of revisions. Recording after an undo starts a branch
/// and keeps the old one.
///
/// A history holds the steps between states, not the states. Revision numbers are never reused. A
/// ``Document`` records its own; `TextBufferModels` records and undoes steps of other values.
public struct History<Step: Reversible & Sendable>: Sendable {
  /// All revisions; the number of a revision is its index.
  public internal(set) var revisions = Revisions()
  /// The number of the present revision.
  public private(set) var current = 0
  /// The last saved revision; nil if the saved state is not a revision.
  public private(set) var saved: Int? = 0

  /// The oldest revision that undo can reach: 0 unless a `levelLimit` has dropped older ones.
  ///
  /// - Complexity: O(1); in a restored history O(*m*), for *m* revisions on the path to it.
  @usableFromInline package var oldest: Int { knownOldest ?? path.last ?? current }
  /// The maximum number of revisions that can be undone; nil for no limit. Recording the next
  /// revision drops the older ones. Of the oldest dropped revisions only `isDropped` remains known:
  /// name, time and parent are gone, as if they had never been set.
  public var levelLimit: Int? {
    didSet { if oldValue == nil && levelLimit != nil { countLevel() } }
  }

  /// Whether new revisions lose their steps at once, because the limit allows no undo.
  var forgetsAll: Bool { levelLimit.map { $0 <= 0 } ?? false }

  /// The number of revisions that can be undone; valid only with a `levelLimit`.
  private var level = 0
  /// The cached `oldest`; nil in a restored history until computed.
  private var knownOldest: Int? = 0
  private var hasDiscardable = false
  /// Whether a revision is from outside, or was.
  private(set) var hasOutside = false

  /// The events since collecting began; nil while not collecting.
  @usableFromInline package var events: [Event]?

  /// Whether changed revisions are collected in `changes`.
  private var isTracking = false
  /// The revisions changed since `takeChangedRevisions()`, in order of change, with repetitions.
  @usableFromInline private(set) var changes: [Int] = []

  /// A history with one revision, number 0, which counts as saved.
  package init(firstName name: String?, time: Double) {
    revisions.append(name: name, time: time)
  }

  /// A history of stored revisions; `current` must be part of the tree.
  init(
    _ revisions: Revisions, current: Int, saved: Int?, hasDiscardable: Bool, hasOutside: Bool
  ) {
    self.revisions = revisions
    self.current = current
    self.saved = saved
    self.hasDiscardable = hasDiscardable
    self.hasOutside = hasOutside
    knownOldest = nil
  }

  /// Whether a stored revision could not be read. All revisions still exist, but without steps.
  /// Discard everything read since the failure.
  @inlinable package var isDamaged: Bool { revisions.isDamaged }

  /// Starts to collect the revisions that `takeChangedRevisions()` returns.
  package mutating func trackChanges() { isTracking = true }

  /// The revisions that are new or have changed since `takeChangedRevisions()` or `trackChanges()`,
  /// ascending.
  package var changedRevisions: [Int] { Set(changes).sorted() }

  /// Returns the revisions that are new or have changed since the last call. A store must write
  /// them, and the numbers of the present and the saved revision.
  ///
  /// - Returns: Their numbers, ascending; empty unless `trackChanges` has been called.
  package mutating func takeChangedRevisions() -> [Int] {
    defer { changes = [] }
    return changedRevisions
  }

  @usableFromInline mutating func markChanged(_ id: Int) {
    if isTracking && changes.last != id { changes.append(id) }
  }

  /// The revision with number `id`.
  ///
  /// - Precondition: The revision `id` exists.
  public subscript(id: Int) -> Revision { revisions[id] }

  /// The steps from the parent of a revision to the revision, in order.
  ///
  /// - Precondition: The revision `id` exists.
  public func steps(of id: Int) -> [Step] { revisions[steps: id].array }

  /// The children of a revision, oldest first.
  ///
  /// - Precondition: The revision `id` exists.
  public func children(of id: Int) -> [Int] {
    var children: [Int] = []
    var next = revisions[entry: id].newestChild.id
    while let child = next {
      // Stored links may be wrong, so the parent is checked.
      if revisions[entry: child].parent.id == id { children.append(child) }
      next = revisions[entry: child].olderSibling.id
    }
    return children.reversed()
  }

  /// Whether the present revision is not the saved one, ignoring discardable revisions on the path.
  ///
  /// - Complexity: O(1); if any revision is discardable, O(*m*) for *m* revisions on the path to
  ///   the saved one.
  public var isModified: Bool {
    if current == saved { return false }
    guard hasDiscardable, let saved, canMove(to: saved) else { return true }
    let (back, forward) = path(to: saved)
    return (back + forward).contains { !revisions[entry: $0].isDiscardable }
  }

  /// Whether the present group has a parent to go back to.
  public var canUndo: Bool { parentToUndo != nil }

  /// The parent of the present group, if it is still part of the tree.
  var parentToUndo: Int? {
    revisions[entry: group].parent.id.flatMap { canMove(to: $0) ? $0 : nil }
  }

  /// The revision of the group that an undo takes back.
  @inline(__always)  // saves 10 % of undo
  var group: Int { hasOutside ? group(at: current) : current }

  /// A revision, or its nearest ancestor that is not from outside; the oldest one of the tree if all
  /// are.
  ///
  /// - Complexity: O(*m*), for *m* revisions from outside between both.
  func group(at id: Int) -> Int {
    var id = id
    while isOutside(id), let parent = revisions[entry: id].parent.id, canMove(to: parent) {
      id = parent
    }
    return id
  }

  private func isOutside(_ id: Int) -> Bool { hasOutside && revisions[entry: id].isOutside }

  /// The ancestors of the present revision that an undo can reach, nearest first.
  private var path: [Int] {
    var (path, id) = ([Int](), current)
    while let parent = revisions[entry: id].parent.id, canMove(to: parent) {
      path.append(parent)
      id = parent
    }
    return path
  }

  /// Computes `level` and `knownOldest`.
  private mutating func countLevel() {
    let path = path
    (level, knownOldest) = (path.count, path.last ?? current)
  }

  /// Whether the revision `id` exists and is still part of the tree.
  public func canMove(to id: Int) -> Bool {
    revisions.indices.contains(id) && !revisions[entry: id].isDropped
  }

  /// Whether a redo is possible.
  public var canRedo: Bool { preferredChild != nil }

  /// The revision of the group that a redo brings back: the preferred child of the present group,
  /// or beyond revisions from outside.
  var preferredChild: Int? {
    var id = group
    while let child = revisions[entry: id].preferredChild.id {
      if !hasOutside && !revisions.isRestored(child) { return child }
      // Stored links may be wrong, so the child is checked.
      let entry = revisions[entry: child]
      if entry.parent.id != id || entry.isDropped { return nil }
      if !entry.isOutside { return child }
      id = child
    }
    return nil
  }

  /// Whether a revert of an ancestor is in effect at the present revision.
  ///
  /// - Complexity: O(*m*), for *m* revisions since the ancestor.
  func isReverted(_ id: Int) -> Bool {
    var (reverted, here) = (Set<Int>(), current)
    while here > id, let parent = revisions[entry: here].parent.id {
      if let other = revisions[entry: here].reverts.id, !reverted.contains(here) {
        reverted.insert(other)
      }
      here = parent
    }
    return reverted.contains(id)
  }

  /// The name of the revision to undo; nil if nothing can be undone, or the revision has no name.
  package var undoName: String? { canUndo ? revisions.name(of: group) : nil }

  /// The name of the revision to redo; nil if nothing can be redone, or the revision has no name.
  package var redoName: String? { preferredChild.flatMap { revisions.name(of: $0) } }

  /// Records applied steps, in order, as one new revision, now the present one; nil, with nothing
  /// recorded, if no step changes anything.
  package mutating func record(
    applied steps: [Step], name: String?, time: Double, isDiscardable: Bool
  ) -> Int? {
    let group = Steps(steps.filter { !$0.changesNothing })
    if group.isEmpty { return nil }
    let parent = current
    record(checked: group, name: name, time: time)
    let id = current
    tell(.recorded, Transition(from: parent, to: id, group))
    revisions.update(id) { $0.isDiscardable = isDiscardable }
    hasDiscardable = hasDiscardable || isDiscardable
    return id
  }

  /// Records steps without checking that they change anything.
  @inline(__always)  // saves 2.5 % of typing
  mutating func record(
    checked group: consuming Steps<Step>, name: String?, time: Double, isOutside: Bool = false
  ) {
    let id = revisions.count
    if isOutside {
      revisions.append(consume group, besideChildrenOf: current, name: name, time: time)
      revisions.update(id) { $0.isOutside = true }
      hasOutside = true
    } else {
      revisions.append(consume group, childOf: current, name: name, time: time)
      if hasOutside { preferWay(to: id, from: current) }
    }
    if isTracking {
      markChanged(current)
      markChanged(id)
    }
    current = id
    level += 1
    if let levelLimit { forget(beyond: max(0, levelLimit)) }
  }

  /// Adds a revision as a child of any revision, without moving to it. No redo leads to the new
  /// revision until a move has gone there. Without `keepsEmpty`, nothing is added if no step
  /// changes anything.
  ///
  /// - Precondition: `canMove(to: parent)`.
  package mutating func addBranch(
    _ steps: [Step], from parent: Int, name: String?, time: Double, keepsEmpty: Bool
  ) -> Int? {
    precondition(canMove(to: parent), "no such revision")
    let group = Steps(steps.filter { !$0.changesNothing })
    if group.isEmpty && !keepsEmpty { return nil }
    let id = revisions.count
    revisions.append(group, besideChildrenOf: parent, name: name, time: time)
    markChanged(parent)
    markChanged(id)
    tell(.branched, Transition(from: parent, to: id))
    return id
  }

  /// Adds a revision that another user of the store has made since this history was restored,
  /// without moving to it. The revision does not count as changed.
  ///
  /// - Precondition: The parent is part of the tree, unless the revision is dropped.
  mutating func adopt(_ record: RevisionRecord, _ steps: [Step]) {
    precondition(record.hasParent(as: revisions.count), "no such revision")
    let id = revisions.count
    revisions.append(Steps(steps), record)
    if let parent = record.parent { tell(.branched, Transition(from: parent, to: id)) }
  }

  /// Drops ancestors until at most `limit` revisions can be undone, and their other branches.
  private mutating func forget(beyond limit: Int) {
    while level > limit, let next = childOnPath {
      let oldest = oldest
      for child in children(of: oldest) where child != next { drop(child) }
      revisions.update(oldest) { $0.isDropped = true }
      markChanged(oldest)
      revisions.setSteps(.none, of: next)
      markChanged(next)
      knownOldest = next
      level -= 1
      revisions.forget(before: next)
    }
  }

  /// The child of the oldest revision on the path to the present one.
  private var childOnPath: Int? {
    // Without revisions from outside, the path follows preferred children.
    if !hasOutside { return revisions[entry: oldest].preferredChild.id }
    var id = current
    while let parent = revisions[entry: id].parent.id, parent != oldest { id = parent }
    return id
  }

  private mutating func drop(_ id: Int) {
    var rest = [id]
    while let next = rest.popLast() {
      rest += children(of: next)
      revisions.setSteps(.none, of: next)
      revisions.update(next) { $0.isDropped = true }
      markChanged(next)
    }
  }

  /// Makes the parent the present revision, without applying steps; a redo leads back.
  mutating func moveToParent() {
    guard let parent = revisions[entry: current].parent.id else { return }
    // In a restored history, another child may be the preferred one.
    preferWay(to: current, from: parent)
    current = parent
    level -= 1
  }

  /// Makes a child the present revision and the preferred child, without applying steps.
  mutating func moveToChild(_ id: Int) {
    preferWay(to: id, from: current)
    current = id
    level += 1
  }

  /// Makes a redo lead to a revision, over the revisions from outside between its group and the
  /// group before. No redo leads to a revision from outside.
  @inline(__always)  // saves 3 % of undo
  private mutating func preferWay(to id: Int, from parent: Int) {
    if isOutside(id) { return }
    prefer(id, of: parent)
    if hasOutside { preferWay(from: parent) }
  }

  private mutating func preferWay(from parent: Int) {
    var child = parent
    while isOutside(child), let parent = revisions[entry: child].parent.id, canMove(to: parent) {
      prefer(child, of: parent)
      child = parent
    }
  }

  /// Makes `child` the revision that a redo from `parent` leads to.
  mutating func prefer(_ child: Int, of parent: Int) {
    if revisions[entry: parent].preferredChild.id == child { return }
    revisions.update(parent) { $0.preferredChild = RevisionEntry.Link(child) }
    markChanged(parent)
  }

  /// Replaces the steps of the present revision, which must be the latest one.
  package mutating func amendCurrent(_ steps: Steps<Step>, name: String?, time: Double) {
    assert(current == revisions.count - 1)
    revisions.setSteps(steps, of: current)
    revisions.setName(name, of: current)
    revisions.update(current) { $0.time = time }
    markChanged(current)
  }

  /// Drops the present revision, which must have no children; its parent becomes the present one.
  package mutating func dropCurrent() {
    guard let parent = revisions[entry: current].parent.id else { return }
    dropLeaf(current)
    current = parent
    level -= 1
  }

  /// Drops a revision that has no children.
  package mutating func dropLeaf(_ id: Int) {
    guard let parent = revisions[entry: id].parent.id else { return }
    revisions.dropLeaf(id)
    markChanged(parent)
    markChanged(id)
  }

  /// Marks the present revision as saved.
  package mutating func setSaved() {
    saved = current
    revisions.update(current) { $0.wasSaved = true }
    markChanged(current)
    tell(.saved, of: current)
  }

  /// Records that the present revision, which has just been recorded, reverts another one.
  mutating func setReverts(_ id: Int) {
    revisions.update(current) { $0.reverts = RevisionEntry.Link(id) }
  }

  /// Takes `setSaved` back.
  mutating func takeBackSave(to saved: Int?, _ wasSaved: Bool) {
    self.saved = saved
    revisions.update(current) { $0.wasSaved = wasSaved }
    markChanged(current)
  }

  /// Records that the saved state is not a revision.
  package mutating func setUnsaved() {
    saved = nil
    tell(.unsaved, of: current)
  }

  /// Names a revision, or removes its name.
  ///
  /// - Precondition: The revision `id` exists.
  package mutating func rename(_ id: Int, to name: String?) {
    precondition(revisions.indices.contains(id), "no such revision")
    adoptName(name, of: id)
    // A name counts even if the revision has changed just before.
    if isTracking { changes.append(id) }
  }

  /// Does what `rename` does, but the store knows the name.
  mutating func adoptName(_ name: String?, of id: Int) {
    revisions.setName(name, of: id)
    tell(.named, of: id)
  }
}

// MARK: - Moving

/// Moves from one revision to another.
extension History {
  /// Goes back to the parent of the present revision, if there is one.
  package mutating func undoStep() -> Transition<Step>? {
    parentToUndo.map { move(to: $0, .undone) }
  }

  /// Goes on to the preferred child of the present revision, if there is one.
  package mutating func redoStep() -> Transition<Step>? {
    preferredChild.map { move(to: $0, .redone) }
  }

  /// Goes to any revision.
  package mutating func moveStep(to id: Int) -> Transition<Step> { move(to: id, .moved) }

  private mutating func move(to id: Int, _ kind: Event.Kind) -> Transition<Step> {
    let (back, forward) = path(to: id)
    let transition = Transition(
      from: current, to: id, back: back, forward: forward, in: revisions)
    for _ in back { moveToParent() }
    for revision in forward { moveToChild(revision) }
    tell(kind, transition)
    return transition
  }

  /// The path to a revision: the revisions to take back, and then the revisions to redo, in order.
  ///
  /// - Precondition: `canMove(to: id)`.
  /// - Returns: The numbers of both; `back` begins with the present revision.
  /// - Complexity: O(*m*), for *m* revisions on the path.
  package func path(to id: Int) -> (back: [Int], forward: [Int]) {
    precondition(canMove(to: id) || isDamaged, "no such revision")
    var back: [Int] = []
    var forward: [Int] = []
    var (here, there) = (current, id)
    // A parent always has a smaller number than its children.
    while here != there {
      if here > there {
        back.append(here)
        here = revisions[entry: here].parent.id ?? 0
      } else {
        forward.append(there)
        there = revisions[entry: there].parent.id ?? 0
      }
    }
    return (back, forward.reversed())
  }
}
