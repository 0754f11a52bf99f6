extension History {
  /// A change of the present revision.
  public struct Event: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: Hashable, Sendable {
      /// A new revision is recorded.
      case record
      /// The parent becomes the present revision.
      case undo
      /// The preferred child becomes the present revision.
      case redo
      /// Any other revision becomes the present one.
      case move
    }

    /// The kind of the change.
    public var kind: Kind
    /// Whether the change has been made; else it is about to be.
    public var isDone: Bool
    /// The present revision at this moment.
    public var current: Int
  }
}
