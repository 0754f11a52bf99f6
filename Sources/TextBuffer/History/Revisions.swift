/// The revisions of a history in order of creation: the number of each is its index.
public struct Revisions: RandomAccessCollection, Sendable {
  private var entries = ChunkedArray<RevisionEntry>()
  /// As many as up to the last one with a name.
  private var names: [String?] = []

  init() {}

  /// The number of the first one, 0.
  public var startIndex: Int { 0 }
  /// How many there are.
  public var endIndex: Int { entries.count }

  /// The revision with a number.
  ///
  /// - Precondition: There is one.
  public subscript(id: Int) -> Revision {
    Revision(id: id, name: name(of: id), entries[id])
  }

  /// What is kept of a revision.
  subscript(entry id: Int) -> RevisionEntry { entries[id] }

  /// Changes what is kept of a revision.
  @inline(__always) mutating func update(_ id: Int, _ body: (inout RevisionEntry) -> Void) {
    entries.update(id, body)
  }

  /// The name of a revision.
  func name(of id: Int) -> String? { id < names.count ? names[id] : nil }

  /// Names a revision, or takes its name away.
  mutating func setName(_ name: String?, of id: Int) {
    if id >= names.count {
      if name == nil { return }
      names.append(contentsOf: repeatElement(nil, count: id + 1 - names.count))
    }
    names[id] = name
  }

  /// Adds a revision that nothing leads to: the first one, or one that has left the tree.
  mutating func append(madeFrom parent: Int? = nil, name: String?, time: Double) {
    entries.append(RevisionEntry(parent: RevisionEntry.Link(parent), time: time))
    setName(name, of: entries.count - 1)
  }

  /// Adds a revision that is made from another one, as its newest child and the preferred one.
  @inline(__always) mutating func append(childOf parent: Int, name: String?, time: Double) {
    let id = entries.count
    let link = RevisionEntry.Link(id)
    var older = RevisionEntry.Link.none
    entries.update(parent) { entry in
      older = entry.newestChild
      entry.newestChild = link
      entry.preferredChild = link
    }
    entries.append(
      RevisionEntry(parent: RevisionEntry.Link(parent), olderSibling: older, time: time))
    if name != nil { setName(name, of: id) }
  }

  /// Takes a revision without children out of the tree, the one that its parent got last.
  mutating func dropNewestChild(_ id: Int) {
    guard let parent = entries[id].parent.id else { return }
    let older = entries[id].olderSibling
    entries.update(parent) { entry in
      entry.newestChild = older
      entry.preferredChild = older
    }
    entries.update(id) { $0.isDropped = true }
  }
}

extension Revisions: Equatable {
  /// Whether both have the same revisions.
  public static func == (lhs: Revisions, rhs: Revisions) -> Bool { lhs.elementsEqual(rhs) }
}
