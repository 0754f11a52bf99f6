/// One state in a history, and what is told about the group of steps that led to it.
public struct Revision: Hashable, Sendable {
  /// Its number: 0 for the first state, then 1, 2, 3… in order of creation.
  public let id: Int
  /// What the group is called.
  public let name: String?
  private let entry: RevisionEntry

  init(id: Int, name: String?, _ entry: RevisionEntry) {
    self.id = id
    self.name = name
    self.entry = entry
  }

  /// The revision that it was made from; nil for the first one.
  public var parent: Int? { entry.parent.id }
  /// The one of its children that a redo leads to; nil when it has none.
  public var preferredChild: Int? { entry.preferredChild.id }
  /// The child that was made last: the preferred one, unless a move has led to another since.
  public var newestChild: Int? { entry.newestChild.id }
  /// Whether it is marked to be returned to.
  public var isCheckpoint: Bool { entry.isCheckpoint }
  /// Whether it is no longer part of the tree: it turned out to change nothing, or it is older than
  /// the history is to be.
  public var isDropped: Bool { entry.isDropped }
  /// Whether its state counts as the same as that of its parent.
  public var isDiscardable: Bool { entry.isDiscardable }
  /// Whether it was saved at some time.
  public var wasSaved: Bool { entry.wasSaved }
  /// When the group was recorded, in seconds since whatever the caller counts from.
  public var time: Double { entry.time }
}
