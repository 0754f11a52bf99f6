/// A transition from one revision to another, with the steps of the value.
public struct Transition<Step: Reversible & Sendable>: Sendable {
  /// The present revision before.
  public let from: Int
  /// The present revision after. `from` again if edits joined that revision, or are not recorded
  /// yet.
  public let to: Int
  private let way: Way

  /// The source of the steps, which are put together on demand: most callers don't need them.
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

  /// The steps of the value, in order: each begins with the value after the step before it.
  ///
  /// - Complexity: O(*s*), for *s* steps, at each call.
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
  /// The changes of the text, in order: each applies to the text after the changes before it.
  ///
  ///     if let undone = document.undo() { caret = caret.adjusted(by: undone.changes) }
  ///
  /// - Complexity: O(*c*), for *c* changes, at each call.
  public var changes: [Change] { steps }
}
