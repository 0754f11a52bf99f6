/// A step with an inverse: what a `History` keeps.
///
/// `Change` is the step of a text, `Replacement` that of any value that is assigned.
public protocol Reversible {
  /// The step that undoes this one.
  var inverse: Self { get }

  /// Whether the state after this step is the same as before; such a step is not recorded.
  var changesNothing: Bool { get }
}

extension Change: Reversible {}

/// The replacement of one value by another.
public struct Replacement<Value: Equatable & Sendable>: Reversible, Equatable, Sendable {
  /// The value before the step.
  public var before: Value
  /// The value after the step.
  public var after: Value

  /// The step from `before` to `after`.
  public init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }

  /// The step from `after` to `before`.
  public var inverse: Self { Self(before: after, after: before) }

  /// Whether both values are equal.
  public var changesNothing: Bool { before == after }
}
