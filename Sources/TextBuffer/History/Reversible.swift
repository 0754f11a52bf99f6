/// A step that a `History` keeps and can undo.
///
/// `Change` is a step of a text. `Replacement` is a step of any value, which it replaces as a
/// whole.
public protocol Reversible {
  /// The step that undoes this one.
  var inverse: Self { get }

  /// Whether the step has no effect on the state. Steps without effect are not recorded.
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
