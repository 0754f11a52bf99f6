/// The data of a revision, except its steps, from which it can be restored.
public struct RevisionRecord: Equatable, Codable, Sendable {
  /// The revision that it was made from; nil for the first one.
  public var parent: Int?
  /// The child that a redo leads to; nil for the newest, and the revision's own number for none.
  public var preferredChild: Int?
  /// The newest child; see `RevisionSource`.
  package var newestChild: Int?
  /// The next older child of the same parent; see `RevisionSource`.
  package var olderSibling: Int?
  /// The name of the group.
  public var name: String?
  /// The time when the group was recorded.
  public var time: Double
  /// Whether it has ever been saved.
  public var wasSaved: Bool
  /// Whether it has left the tree.
  public var isDropped: Bool
  /// Whether `History.isModified` ignores it, like a moved selection.
  public var isDiscardable: Bool

  /// The record of a revision with these properties.
  public init(
    parent: Int?, preferredChild: Int? = nil, name: String? = nil, time: Double = 0,
    wasSaved: Bool = false, isDropped: Bool = false, isDiscardable: Bool = false
  ) {
    (self.parent, self.preferredChild, self.name, self.time) = (parent, preferredChild, name, time)
    (self.wasSaved, self.isDropped, self.isDiscardable) = (wasSaved, isDropped, isDiscardable)
  }

  /// The record of a revision.
  public init(_ revision: Revision) {
    self.init(
      parent: revision.parent,
      preferredChild: revision.preferredChild ?? revision.newestChild.map { _ in revision.id },
      name: revision.name, time: revision.time, wasSaved: revision.wasSaved,
      isDropped: revision.isDropped, isDiscardable: revision.isDiscardable)
    newestChild = revision.newestChild
  }

  /// Whether this is the record of the first revision, or has a parent before it.
  func hasParent(as id: Int) -> Bool {
    id == 0 ? parent == nil : (0..<id).contains(parent ?? -1)
  }

  /// Whether the record of a revision, among `count` records, refers only to possible revisions.
  func isSound(as id: Int, of count: Int) -> Bool {
    hasParent(as: id) && olderSibling.map { (0..<id).contains($0) } != false
      && newestChild.map { (id + 1..<count).contains($0) } != false
      && (id..<count).contains(preferredChild ?? id)
  }
}
