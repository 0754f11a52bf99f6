extension History {
  /// An event in a history, or in its value.
  public struct Event: Sendable {
    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
      /// A new revision is the present one. A typed group has no steps here, because earlier events
      /// had its edits.
      case recorded
      /// Edits have joined the present revision.
      case joined
      /// Edits have undone the edits that they joined, so the revision no longer exists; or typed
      /// edits have undone each other.
      case cancelled
      /// The parent became the present revision.
      case undone
      /// The preferred child became the present revision.
      case redone
      /// Any other revision became the present one.
      case moved
      /// A revision was added, and the present one stays; `to` is the new one and `from` its parent.
      case branched
      /// An edit was typed. It is part of the open group, which is not recorded yet.
      case typed
      /// A transaction was rolled back. No event had its edits, so nothing needs to be undone.
      case rolledBack
      /// The revision was saved.
      case saved
      /// The saved state is not a revision any more.
      case unsaved
      /// The revision got another name.
      case named
    }

    /// The kind of the event.
    public let kind: Kind
    /// The revisions, and the steps of the value since the previous event. Applying the steps of
    /// all events, in order, keeps a copy of the value in step. The edits of a transaction are in
    /// the event of the outermost commit.
    public let transition: Transition<Step>

    /// The revision of the event.
    public var revision: Int { transition.to }
  }

  /// Collects an event.
  package mutating func tell(_ kind: Event.Kind, _ transition: @autoclosure () -> Transition<Step>)
  {
    if events != nil { events?.append(Event(kind: kind, transition: transition())) }
  }

  /// Collects an event of one revision without a change of the value.
  package mutating func tell(_ kind: Event.Kind, of id: Int) {
    tell(kind, Transition(from: id, to: id))
  }
}
