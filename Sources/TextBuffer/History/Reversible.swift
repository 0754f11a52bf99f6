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
