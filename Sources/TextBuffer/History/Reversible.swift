/// A step that knows how to be taken back.
///
/// A history can keep steps of any such type. A text has `Change`; for a value that is simply set,
/// there is `Replacement`.
public protocol Reversible {
  /// The step that takes this one back.
  var inverse: Self { get }

  /// Whether everything is the same after this step as before it; such a step is not recorded.
  var changesNothing: Bool { get }
}

extension Change: Reversible {}

/// One value in place of another.
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
