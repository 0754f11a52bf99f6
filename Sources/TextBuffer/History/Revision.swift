/// One state in a history, with the data of the group of steps that led to it.
public struct Revision: Hashable, Sendable {
  /// Its number: 0 for the first state, then 1, 2, 3… in order of creation.
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

  /// Hashes the number, the name and the time.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(entry.time)
  }

  /// The revision that it was made from; nil for the first one.
  public var parent: Int? { entry.parent.id }
  /// The child that a redo leads to; nil without children.
  public var preferredChild: Int? { entry.preferredChild.id }
  /// The newest child: the preferred one, unless a move has led to another since.
  public var newestChild: Int? { entry.newestChild.id }
  /// Whether it has left the tree: its group cancelled out, or it is beyond the level limit.
  public var isDropped: Bool { entry.isDropped }
  /// Whether `History.isModified` ignores it, like a moved selection.
  public var isDiscardable: Bool { entry.isDiscardable }
  /// Whether it has ever been saved.
  public var wasSaved: Bool { entry.wasSaved }
  /// The time when the group was recorded, in the unit and from the origin that the caller chose.
  public var time: Double { entry.time }
}
