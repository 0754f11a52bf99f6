/// What is told of a revision, apart from its steps, to make it again.
public struct RevisionRecord: Hashable, Sendable {
  /// The revision that it was made from; nil for the first one.
  public var parent: Int?
  /// The one of its children that a redo leads to; nil for the newest.
  public var preferredChild: Int?
  /// What the group is called.
  public var name: String?
  /// When the group was recorded.
  public var time: Double
  /// Whether it is marked to be returned to.
  public var isCheckpoint: Bool
  /// Whether it was saved at some time.
  public var wasSaved: Bool
  /// Whether it is no longer part of the tree.
  public var isDropped: Bool

  /// All that there is to tell.
  public init(
    parent: Int?, preferredChild: Int? = nil, name: String? = nil, time: Double = 0,
    isCheckpoint: Bool = false, wasSaved: Bool = false, isDropped: Bool = false
  ) {
    self.parent = parent
    self.preferredChild = preferredChild
    self.name = name
    self.time = time
    self.isCheckpoint = isCheckpoint
    self.wasSaved = wasSaved
    self.isDropped = isDropped
  }
}
