/// One state in a history, and what is told about the group of steps that led to it.
public struct Revision: Hashable, Sendable {
  // A long history has very many of these, so numbers are kept small and stored such that no
  // space is lost between them; -1 is none.
  private let number: Int32
  private let parentNumber: Int32
  private var preferredNumber: Int32 = -1
  private var newestChildNumber: Int32 = -1
  private let olderSiblingNumber: Int32

  /// Its number: 0 for the first state, then 1, 2, 3… in order of creation.
  public var id: Int { Int(number) }
  /// The revision that it was made from; nil for the first one.
  public var parent: Int? { Self.id(parentNumber) }
  /// The one of its children that a redo leads to; nil when it has none.
  public var preferredChild: Int? { Self.id(preferredNumber) }
  /// Whether it is marked to be returned to.
  public internal(set) var isCheckpoint = false
  /// Whether it is no longer part of the tree: it turned out to change nothing, or it is older than
  /// the history is to be.
  public internal(set) var isDropped = false
  /// Whether its state counts as the same as that of its parent.
  public internal(set) var isDiscardable = false
  /// Whether it was saved at some time.
  public internal(set) var wasSaved = false
  /// What the group is called.
  public internal(set) var name: String?
  /// When the group was recorded, in seconds since whatever the caller counts from.
  public internal(set) var time: Double

  init(id: Int, parent: Int?, olderSibling: Int? = nil, name: String?, time: Double) {
    number = Int32(id)
    parentNumber = Int32(parent ?? -1)
    olderSiblingNumber = Int32(olderSibling ?? -1)
    self.name = name
    self.time = time
  }

  /// The child that was made last: the preferred one, unless a move has led to another since.
  public var newestChild: Int? { Self.id(newestChildNumber) }

  /// The child of the same parent that was made before this one.
  var olderSibling: Int? { Self.id(olderSiblingNumber) }

  /// Makes `child` the one that a redo leads to.
  mutating func prefer(_ child: Int) { preferredNumber = Int32(child) }

  /// Adds a child, which becomes the preferred one.
  ///
  /// - Returns: The one that was newest before.
  mutating func add(child: Int) -> Int? {
    let older = newestChild
    newestChildNumber = Int32(child)
    prefer(child)
    return older
  }

  /// Takes out the child that was made last.
  mutating func removeNewestChild(olderSibling: Int?) {
    newestChildNumber = Int32(olderSibling ?? -1)
    preferredNumber = newestChildNumber
  }

  private static func id(_ number: Int32) -> Int? { number < 0 ? nil : Int(number) }
}
