extension History {
  /// Something that has happened to a history and to the value that it belongs to.
  public struct Event: Sendable {
    /// What has happened.
    public enum Kind: Hashable, Sendable {
      /// A new revision is the present one. A typed group, whose edits have been told before, has no steps here.
      case recorded
      /// Edits have joined the present revision.
      case joined
      /// Edits have taken back what they joined, so that it is no revision any more, or typed edits each other.
      case cancelled
      /// The parent became the present revision.
      case undone
      /// The preferred child became the present revision.
      case redone
      /// Any other revision became the present one.
      case moved
      /// A revision was added, and the present one stays; `to` is the new one and `from` its parent.
      case branched
      /// An edit was typed, and is part of the group that is open, which is not recorded yet.
      case typed
      /// A transaction was rolled back. As its edits have not been told, there is nothing to do again.
      case rolledBack
      /// The revision was saved.
      case saved
      /// What was saved is none of the revisions any more.
      case unsaved
      /// The revision got another name.
      case named
    }

    /// What has happened.
    public let kind: Kind
    /// The revisions, and what was done to the value since the event before: whoever applies the steps of all
    /// events, in order, to a copy of the value keeps it in step. Edits of a transaction are told when the outermost
    /// one is committed.
    public let transition: Transition<Step>

    /// The revision that it has happened to.
    public var revision: Int { transition.to }
  }

  /// Begins to collect events.
  public mutating func collectEvents() { events = [] }

  /// The events since `collectEvents()`, which are then no longer collected.
  public mutating func takeEvents() -> [Event] {
    defer { events = nil }
    return events ?? []
  }

  /// Collects an event.
  mutating func tell(_ kind: Event.Kind, _ transition: @autoclosure () -> Transition<Step>) {
    if events != nil { events?.append(Event(kind: kind, transition: transition())) }
  }

  /// Collects an event of one revision that has changed nothing of the value.
  mutating func tell(_ kind: Event.Kind, of id: Int) {
    tell(kind, Transition(from: id, to: id))
  }
}
