extension History {
  /// The revisions of a history in order of creation: the number of each is its index.
  public struct Revisions: RandomAccessCollection, Sendable {
    private var slots = ChunkedArray<RevisionSlot<Step>>()
    /// Names by number, up to the last revision that has one.
    private var names: [String?] = []
    /// Names of checkpoints by the number of their revision.
    private var checkpointNames: [Int: String] = [:]

    init() {}

    /// The number of the first revision, 0.
    public var startIndex: Int { 0 }
    /// The number of revisions.
    public var endIndex: Int { slots.count }

    /// The revision with a number.
    ///
    /// - Precondition: There is one.
    public subscript(id: Int) -> Revision {
      Revision(
        id: id, name: name(of: id), checkpointName: checkpointNames[id], self[entry: id])
    }

    /// The data of a revision except its steps and its name.
    subscript(entry id: Int) -> RevisionEntry { slots.lend(id) { $0.entry } }

    /// The steps that led to a revision; none once it is dropped.
    subscript(steps id: Int) -> Steps<Step> { slots.lend(id) { $0.steps } }

    /// The number of steps that led to a revision.
    @inline(__always)  // saves 2 % of undo
    func stepCount(of id: Int) -> Int { slots.lend(id) { $0.steps.count } }

    /// Calls `body` with one of the steps that led to a revision.
    @inline(__always)  // saves 1 % of undo
    func withStep<R>(_ index: Int, of id: Int, _ body: (Step) -> R) -> R {
      slots.lend(id) { $0.steps.lend(index, body) }
    }

    /// Changes the data of a revision.
    mutating func update(_ id: Int, _ body: (inout RevisionEntry) -> Void) {
      slots.update(id) { body(&$0.entry) }
    }

    /// Replaces the steps that led to a revision.
    mutating func setSteps(_ steps: Steps<Step>, of id: Int) {
      slots.update(id) { $0.steps = steps }
    }

    /// The name of a revision.
    func name(of id: Int) -> String? { id < names.count ? names[id] : nil }

    /// Names a revision, or removes its name.
    mutating func setName(_ name: String?, of id: Int) {
      if id >= names.count {
        if name == nil { return }
        names.append(contentsOf: repeatElement(nil, count: id + 1 - names.count))
      }
      names[id] = name
    }

    /// Marks a revision as a checkpoint, or as none, which also has no name.
    mutating func setCheckpoint(_ isCheckpoint: Bool, name: String?, of id: Int) {
      update(id) { $0.isCheckpoint = isCheckpoint }
      if name != nil || !checkpointNames.isEmpty {
        checkpointNames[id] = isCheckpoint ? name : nil
      }
    }

    /// Adds a revision that is nobody's child: the first one, or one that was dropped.
    mutating func append(
      _ steps: Steps<Step> = .none, madeFrom parent: Int? = nil, name: String?, time: Double
    ) {
      let entry = RevisionEntry(parent: RevisionEntry.Link(parent), time: time)
      slots.append(RevisionSlot(entry: entry, steps: steps))
      setName(name, of: slots.count - 1)
    }

    /// Adds a revision as the newest and preferred child of another one.
    @inline(__always)  // saves 3 % of typing
    mutating func append(
      _ steps: consuming Steps<Step>, childOf parent: Int, name: String?, time: Double
    ) {
      let id = slots.count
      let link = RevisionEntry.Link(id)
      var older = RevisionEntry.Link.none
      update(parent) { entry in
        older = entry.newestChild
        entry.newestChild = link
        entry.preferredChild = link
      }
      let entry = RevisionEntry(
        parent: RevisionEntry.Link(parent), olderSibling: older, time: time)
      slots.append(RevisionSlot(entry: entry, steps: consume steps))
      if name != nil { setName(name, of: id) }
    }

    /// Adds a revision as the newest child of another one, whose preferred child stays the same.
    mutating func append(
      _ steps: consuming Steps<Step>, besideChildrenOf parent: Int, name: String?, time: Double
    ) {
      let preferred = self[entry: parent].preferredChild
      append(steps, childOf: parent, name: name, time: time)
      update(parent) { $0.preferredChild = preferred }
    }

    /// Drops a revision without children, the newest child of its parent.
    mutating func dropNewestChild(_ id: Int) {
      guard let parent = self[entry: id].parent.id else { return }
      let older = self[entry: id].olderSibling
      update(parent) { entry in
        entry.newestChild = older
        entry.preferredChild = older
      }
      update(id) { $0.isDropped = true }
      setSteps(.none, of: id)
    }
  }
}

/// The data of a revision except its name. One list of these makes typing 1.6 % faster than two lists.
private struct RevisionSlot<Step> {
  var entry: RevisionEntry
  /// The steps that led to the revision; none once it is dropped.
  var steps: Steps<Step>
}

extension RevisionSlot: Sendable where Step: Sendable {}

extension History.Revisions: Equatable {
  /// Whether both have the same revisions, whatever their steps.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elementsEqual(rhs) }
}
