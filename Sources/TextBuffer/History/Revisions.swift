extension History {
  /// The revisions of a history in order of creation: the number of each is its index.
  public struct Revisions: RandomAccessCollection, Sendable {
    private var entries = ChunkedArray<RevisionEntry>()
    private var groups = ChunkedArray<Steps<Step>>()
    /// Names by number, up to the last revision that has one.
    private var names: [String?] = []

    init() {}

    /// The number of the first revision, 0.
    public var startIndex: Int { 0 }
    /// The number of revisions.
    public var endIndex: Int { entries.count }

    /// The revision with a number.
    ///
    /// - Precondition: There is one.
    public subscript(id: Int) -> Revision {
      Revision(id: id, name: name(of: id), self[entry: id])
    }

    /// The data of a revision except its steps and its name.
    subscript(entry id: Int) -> RevisionEntry { entries[id] }

    /// The steps that led to a revision; none once it is dropped.
    subscript(steps id: Int) -> Steps<Step> { groups[id] }

    /// The number of steps that led to a revision.
    @inline(__always)  // saves 2 % of undo
    func stepCount(of id: Int) -> Int { groups.lend(id) { $0.count } }

    /// Calls `body` with one of the steps that led to a revision.
    @inline(__always)  // saves 1 % of undo
    func withStep<R>(_ index: Int, of id: Int, _ body: (Step) -> R) -> R {
      groups.lend(id) { $0.lend(index, body) }
    }

    /// Changes the data of a revision.
    mutating func update(_ id: Int, _ body: (inout RevisionEntry) -> Void) {
      entries.update(id, body)
    }

    /// Replaces the steps that led to a revision.
    mutating func setSteps(_ steps: Steps<Step>, of id: Int) {
      groups.update(id) { $0 = steps }
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

    /// Adds a revision that is nobody's child: the first one, or one that was dropped.
    mutating func append(
      _ steps: Steps<Step> = .none, madeFrom parent: Int? = nil, name: String?, time: Double
    ) {
      entries.append(RevisionEntry(parent: RevisionEntry.Link(parent), time: time))
      groups.append(steps)
      setName(name, of: entries.count - 1)
    }

    /// Adds a revision as the newest and preferred child of another one.
    @inline(__always)  // saves 3 % of typing
    mutating func append(
      _ steps: consuming Steps<Step>, childOf parent: Int, name: String?, time: Double
    ) {
      let id = entries.count
      let link = RevisionEntry.Link(id)
      var older = RevisionEntry.Link.none
      update(parent) { entry in
        older = entry.newestChild
        entry.newestChild = link
        entry.preferredChild = link
      }
      entries.append(
        RevisionEntry(parent: RevisionEntry.Link(parent), olderSibling: older, time: time))
      groups.append(consume steps)
      if name != nil { setName(name, of: id) }
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

extension History.Revisions: Equatable {
  /// Whether both have the same revisions, whatever their steps.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elementsEqual(rhs) }
}
