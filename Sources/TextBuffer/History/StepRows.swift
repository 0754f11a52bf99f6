/// The steps of all groups of a history in one row, so that a group of one step costs no more than
/// the step.
struct StepRows<Step> {
  /// The steps of the first group, then those of the second, and so on; nil once forgotten.
  private var steps: [Step?] = []
  /// Where in the row each group ends.
  private var ends: [Int32] = []

  /// The number of groups.
  var count: Int { ends.count }

  private func indices(_ group: Int) -> Range<Int> {
    (group == 0 ? 0 : Int(ends[group - 1]))..<Int(ends[group])
  }

  /// The steps of a group in order.
  subscript(group: Int) -> [Step] { steps[indices(group)].compactMap { $0 } }

  /// The only step of a group; nil when there is none or more than one.
  func only(_ group: Int) -> Step? {
    let indices = indices(group)
    return indices.count == 1 ? steps[indices.lowerBound] : nil
  }

  /// Visits the steps of a group without copying them together.
  func forEach(in group: Int, reversed: Bool = false, _ body: (Step) -> Void) {
    let indices = indices(group)
    for index in indices {
      let index = reversed ? indices.lowerBound + indices.upperBound - 1 - index : index
      if let step = steps[index] { body(step) }
    }
  }

  /// Makes room for so many groups of one step.
  mutating func reserveCapacity(_ count: Int) {
    steps.reserveCapacity(count)
    ends.reserveCapacity(count)
  }

  /// Adds a group.
  mutating func append(_ group: Steps<Step>) {
    group.forEach { steps.append($0) }
    ends.append(Int32(steps.count))
  }

  /// Makes `step` the only step of the last group.
  mutating func replaceLast(by step: Step) {
    let indices = indices(count - 1)
    steps.removeSubrange(indices)
    steps.append(step)
    ends[count - 1] = Int32(steps.count)
  }

  /// Forgets the steps of a group.
  mutating func forget(_ group: Int) {
    for index in indices(group) { steps[index] = nil }
  }
}

extension StepRows: Sendable where Step: Sendable {}
