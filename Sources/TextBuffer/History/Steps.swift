/// The steps of one group. Most groups have one step, which needs no array.
@usableFromInline package enum Steps<Step> {
  case none
  case one(Step)
  case many([Step])

  init(_ steps: [Step]) {
    switch steps.count {
    case 0: self = .none
    case 1: self = .one(steps[0])
    default: self = .many(steps)
    }
  }

  var isEmpty: Bool { if case .none = self { true } else { false } }

  var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let steps): steps.count
    }
  }

  /// Calls `body` with the step at `index`.
  func lend<R>(_ index: Int, _ body: (Step) -> R) -> R {
    switch self {
    case .none: preconditionFailure("no steps")
    case .one(let step): body(step)
    case .many(let steps): body(steps[index])
    }
  }

  @usableFromInline var array: [Step] {
    switch self {
    case .none: []
    case .one(let step): [step]
    case .many(let steps): steps
    }
  }
}

extension Steps: Sendable where Step: Sendable {}

/// A step that a `History` keeps and can undo.
///
/// A ``Change`` is a step of a text.
public protocol Reversible {
  /// The step that undoes this one.
  var inverse: Self { get }

  /// Whether the step has no effect on the state. Steps without effect are not recorded.
  var changesNothing: Bool { get }
}

extension Change: Reversible {}
