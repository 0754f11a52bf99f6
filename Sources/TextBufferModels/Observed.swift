import TextBuffer

/// A value whose history reports events: a `Document`, an `Undoable` or a `History`.
public protocol EventSource {
  /// A step of the history.
  associatedtype Step: Reversible & Sendable

  /// Starts to collect events. `Observed` calls this.
  mutating func collectEvents()

  /// Returns the events since `collectEvents()`, and stops collecting.
  mutating func takeEvents() -> [History<Step>.Event]
}

/// Owns a value with a history, and passes its events to observers.
///
///     let observed = Observed(Document(PieceTable("one\n"), coalescing: .typing))
///     let token = observed.addObserver { event in view.apply(event.transition.steps) }
///     observed.update { $0.edit { draft in draft.insert("a".utf8, at: start) } }
///     observed.removeObserver(token)
///
/// Observers belong to this object, so a copy of `value` has none. `update` calls them after its
/// closure, when `value` has all changes of that update. An observer may read `value`, add and
/// remove observers, and call `update`; events of nested updates follow later. The closure of
/// `update` must use only its argument: `value` and `update` trap there.
public final class Observed<Subject: EventSource> {
  /// An event of the history.
  public typealias Event = History<Subject.Step>.Event

  /// Identifies an observer for its removal.
  public struct Token: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The current value.
  public private(set) var value: Subject
  private var observers: [(token: Token, tell: (Event) -> Void)] = []
  private var nextNumber = 0
  /// The events not yet passed to all observers.
  private var untold: [Event] = []
  private var isTelling = false

  /// Wraps a value, without observers.
  public init(_ value: Subject) { self.value = value }

  /// Adds an observer of all future events. Observers are called in the order they were added.
  ///
  /// - Returns: The token for removing it.
  @discardableResult
  public func addObserver(_ observer: @escaping (Event) -> Void) -> Token {
    nextNumber += 1
    let token = Token(number: nextNumber)
    observers.append((token, observer))
    return token
  }

  /// Removes an observer. Does nothing if it has already been removed. An observer that is removed
  /// during an event still receives that event.
  public func removeObserver(_ token: Token) { observers.removeAll { $0.token == token } }

  /// Returns future events as a sequence, which ends when this object is released. Each call makes
  /// a new sequence, which buffers unread events without limit.
  public func events() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    var token: Token?
    let ending = Ending(continuation: continuation)
    token = addObserver { [weak self] event in
      if case .terminated = ending.continuation.yield(event), let token {
        self?.removeObserver(token)
      }
    }
    return stream
  }

  /// Finishes a stream when the observer that owns this object is released.
  private final class Ending {
    let continuation: AsyncStream<Event>.Continuation

    init(continuation: AsyncStream<Event>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }

  /// Changes the value, and passes the events to the observers, even if `body` throws.
  ///
  /// A closure of one expression, where its result can't be dropped, as in the action of a button,
  /// needs `_ =` before the call or the edit: Swift infers the type from both.
  ///
  /// Copy `value` afterwards, not inside `body`: a copy made there would keep collecting events.
  /// Observed typing bypasses the fast path, and costs O(log *p*) per key for *p* pieces.
  ///
  /// - Throws: The error that `body` throws.
  /// - Returns: The result of `body`.
  @discardableResult
  public func update<R, E>(_ body: (inout Subject) throws(E) -> R) throws(E) -> R {
    defer { tell() }
    if observers.isEmpty { return try body(&value) }
    value.collectEvents()
    defer { untold += value.takeEvents() }
    return try body(&value)
  }

  /// Passes pending events to all observers. A nested call returns at once, and the outer loop
  /// passes the events of updates by observers.
  private func tell() {
    if isTelling { return }
    isTelling = true
    defer { isTelling = false }
    while !untold.isEmpty {
      let events = untold
      untold = []
      for event in events {
        for observer in observers { observer.tell(event) }
      }
    }
  }
}

extension History: EventSource {
  /// Starts to collect events. `Observed` calls this.
  public mutating func collectEvents() { events = [] }

  /// Returns the events since `collectEvents()`, and stops collecting.
  public mutating func takeEvents() -> [Event] {
    defer { events = nil }
    return events ?? []
  }
}

extension Document: EventSource {
  /// Starts to collect events. `Observed` calls this.
  public mutating func collectEvents() { events = [] }

  /// Returns the events since `collectEvents()`, and stops collecting.
  public mutating func takeEvents() -> [History<Change>.Event] {
    defer { events = nil }
    return events ?? []
  }
}
