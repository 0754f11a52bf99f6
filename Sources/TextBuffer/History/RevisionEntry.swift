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
  var isDropped = false
  var isDiscardable = false
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
    wasSaved = record.wasSaved
  }
}
