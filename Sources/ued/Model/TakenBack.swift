import TextBuffer

/// What a group has taken back: earlier groups, or places of one.
final class TakenBack: Sendable, Equatable {
  /// A place where a group is taken back.
  struct Place: Equatable, Sendable {
    /// The lines before that group.
    var old: LineRange
    /// The lines after it.
    var undone: LineRange
    /// The lines after they have been taken back.
    var restored: LineRange
  }

  /// The groups, in ascending order.
  let groups: [Int]
  /// The places of the only group, in ascending order; of several groups none are kept, and none of very many.
  let places: [Place]
  /// Whether all of the groups is taken back, and not only what is in these places.
  let isWhole: Bool

  /// The number of places beyond which the whole group counts as taken back.
  static let placeLimit = 1000

  init(_ groups: [Int], _ places: [Place] = [], isWhole: Bool = true) {
    self.groups = groups
    self.places = groups.count == 1 && places.count <= Self.placeLimit ? places : []
    self.isWhole = isWhole || self.places.isEmpty
  }

  static func == (lhs: TakenBack, rhs: TakenBack) -> Bool {
    lhs.groups == rhs.groups && lhs.places == rhs.places && lhs.isWhole == rhs.isWhole
  }
}
