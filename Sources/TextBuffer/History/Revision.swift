/// One state in a history, with data about the group of steps that led to it.
public struct Revision: Equatable, Sendable {
  /// The number of the revision: 0 for the first state, then 1, 2, 3… in order of creation.
  public let id: Int
  /// The name of the group.
  public let name: String?
  private let entry: RevisionEntry

  init(id: Int, name: String?, _ entry: RevisionEntry) {
    self.id = id
    self.name = name
    self.entry = entry
  }

  /// Whether all public properties are equal.
  public static func == (one: Revision, other: Revision) -> Bool {
    var entry = one.entry
    entry.olderSibling = other.entry.olderSibling
    return one.id == other.id && one.name == other.name && entry == other.entry
  }

  /// The revision that this one was made from; nil for the first revision.
  public var parent: Int? { entry.parent.id }
  /// The child that a redo leads to; nil if nothing can be redone from here.
  public var preferredChild: Int? { entry.preferredChild.id }
  /// The newest child: also the preferred one, unless added as a branch or unless a move has since
  /// led to another child.
  package var newestChild: Int? { entry.newestChild.id }
  /// Whether the revision has left the tree: its group cancelled out, or the level limit removed
  /// it.
  public var isDropped: Bool { entry.isDropped }
  /// Whether `History.isModified` ignores this revision, such as a moved selection.
  public var isDiscardable: Bool { entry.isDiscardable }
  /// Whether the revision has ever been saved.
  public var wasSaved: Bool { entry.wasSaved }
  /// The time when the group was recorded, in the caller's unit and from the caller's origin.
  public var time: Double { entry.time }
}
