/// A transition from one revision to another, with the steps to apply to the value.
public struct Transition<Step: Reversible & Sendable>: Sendable {
  /// The present revision before the transition.
  public let from: Int
  /// The present revision after the transition. Equal to `from` if edits joined that revision or
  /// are not recorded yet.
  public let to: Int
  private let way: Way

  /// The source of the steps, which are computed on demand because most callers don't need them.
  private enum Way: Sendable {
    case forward(Steps<Step>)
    case backward(Steps<Step>)
    case path(History<Step>.Revisions, back: [Int], forward: [Int])
  }

  /// A transition that applies `steps`.
  init(from: Int, to: Int, _ steps: Steps<Step> = .none) {
    (self.from, self.to) = (from, to)
    way = .forward(steps)
  }

  /// A transition that applies `steps`, in order.
  package init(from: Int, to: Int, _ steps: [Step]) {
    self.init(from: from, to: to, Steps(steps))
  }

  /// A transition that undoes `steps`.
  init(from: Int, to: Int, takingBack steps: Steps<Step>) {
    (self.from, self.to) = (from, to)
    way = .backward(steps)
  }

  init(
    from: Int, to: Int, back: [Int], forward: [Int], in revisions: History<Step>.Revisions
  ) {
    (self.from, self.to) = (from, to)
    way = .path(revisions, back: back, forward: forward)
  }

  /// The steps to apply to the value, in order. Each starts from the result of the previous step.
  ///
  /// - Complexity: O(*s*) per access, for *s* steps.
  public var steps: [Step] {
    switch way {
    case .forward(let steps): return steps.array
    case .backward(let steps): return steps.array.reversed().map(\.inverse)
    case .path(let revisions, let back, let forward):
      let taken = back.flatMap { revisions[steps: $0].array.reversed().map(\.inverse) }
      return taken + forward.flatMap { revisions[steps: $0].array }
    }
  }
}

extension Transition where Step == Change {
  /// The changes to apply to the text, in order. Each starts from the result of the previous
  /// change.
  ///
  /// - Complexity: O(*c*) per access, for *c* changes.
  package var changes: [Change] { steps }
}
