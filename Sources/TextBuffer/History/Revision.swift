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
  /// Whether undo and redo pass over this revision; see `Document.editFromOutside(_:date:_:)`.
  public var isOutside: Bool { entry.isOutside }
  /// The revision whose group this one has taken back; see `Document.revert(_:name:date:)`.
  public var reverts: Int? { entry.reverts.id }
  /// Whether the revision has ever been saved.
  public var wasSaved: Bool { entry.wasSaved }
  /// The time when the group was recorded, in the caller's unit and from the caller's origin.
  public var time: Double { entry.time }
}

/// The data of a revision except its steps and its name. A long history has very many of these, so
/// they are small and hold no references.
struct RevisionEntry: Hashable, Sendable {
  /// The number of a revision, or none.
  struct Link: Hashable, Sendable {
    private var number: Int32

    static let none = Link(nil)

    init(_ id: Int?) { number = Int32(id ?? -1) }

    var id: Int? { number < 0 ? nil : Int(number) }
  }

  var parent: Link
  var preferredChild = Link.none
  var newestChild = Link.none
  /// The next older child of the same parent.
  var olderSibling: Link
  /// The revision that this one reverts.
  var reverts = Link.none
  var isDropped = false
  var isDiscardable = false
  var isOutside = false
  var wasSaved = false
  var time: Double

  init(parent: Link, olderSibling: Link = .none, time: Double) {
    self.parent = parent
    self.olderSibling = olderSibling
    self.time = time
  }

  init(_ record: RevisionRecord, of id: Int) {
    self.init(
      parent: Link(record.parent), olderSibling: Link(record.olderSibling), time: record.time)
    newestChild = Link(record.newestChild)
    preferredChild =
      record.preferredChild == id ? .none : Link(record.preferredChild ?? record.newestChild)
    isDropped = record.isDropped
    isDiscardable = record.isDiscardable
    isOutside = record.isOutside
    reverts = Link(record.reverts)
    wasSaved = record.wasSaved
  }
}

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
  /// Whether undo and redo pass over it; see `Document.editFromOutside(_:date:_:)`.
  public var isOutside: Bool {
    get { outside ?? false }
    set { outside = newValue ? true : nil }
  }
  /// The revision whose group it has taken back; see `Document.revert(_:name:date:)`.
  public var reverts: Int?
  /// `isOutside`; nil for false, as in records that were encoded without it.
  private var outside: Bool?

  /// The record of a revision with these properties.
  public init(
    parent: Int?, preferredChild: Int? = nil, name: String? = nil, time: Double = 0,
    wasSaved: Bool = false, isDropped: Bool = false, isDiscardable: Bool = false,
    isOutside: Bool = false, reverts: Int? = nil
  ) {
    (self.parent, self.preferredChild, self.name, self.time) = (parent, preferredChild, name, time)
    (self.wasSaved, self.isDropped, self.isDiscardable) = (wasSaved, isDropped, isDiscardable)
    (self.isOutside, self.reverts) = (isOutside, reverts)
  }

  /// The record of a revision.
  public init(_ revision: Revision) {
    self.init(
      parent: revision.parent,
      preferredChild: revision.preferredChild ?? revision.newestChild.map { _ in revision.id },
      name: revision.name, time: revision.time, wasSaved: revision.wasSaved,
      isDropped: revision.isDropped, isDiscardable: revision.isDiscardable,
      isOutside: revision.isOutside, reverts: revision.reverts)
    newestChild = revision.newestChild
  }

  /// Whether this is the record of the first revision, or has a parent before it.
  func hasParent(as id: Int) -> Bool {
    id == 0 ? parent == nil : (0..<id).contains(parent ?? -1)
  }

  /// Whether this is the record of no revert, or of one of an earlier revision with a parent.
  func revertsEarlier(than id: Int) -> Bool {
    reverts.map { 0 < $0 && $0 < id } ?? true
  }

  /// Whether the record of a revision, among `count` records, refers only to possible revisions.
  func isSound(as id: Int, of count: Int) -> Bool {
    hasParent(as: id) && olderSibling.map { (0..<id).contains($0) } != false
      && revertsEarlier(than: id)
      && newestChild.map { (id + 1..<count).contains($0) } != false
      && (id..<count).contains(preferredChild ?? id)
  }
}
