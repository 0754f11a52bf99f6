/// A value with a history whose events can be observed: a `Document`, an `Undoable` or a `History`.
public protocol EventSource {
  /// A step of its history.
  associatedtype Step: Reversible & Sendable

  /// Starts to collect events. `Observed` calls this.
  mutating func collectEvents()

  /// The events since `collectEvents()`; collecting ends.
  mutating func takeEvents() -> [History<Step>.Event]
}

/// The one place where a value with a history lives, and observers of it.
///
///     let observed = Observed(Document(PieceTable("one\n"), coalescing: .typing))
///     let token = observed.addObserver { event in view.apply(event.transition.changes) }
///     observed.update { $0.edit { draft in draft.insert("a".utf8, at: start) } }
///     observed.removeObserver(token)
///
/// A value itself has no observers, so a copy of `value` has none. Observers are called after the
/// end of `update`. They may read `value`, which then has all changes of the update, add and remove
/// observers, and update the value again; the events of that follow. The closure of `update` must
/// use only its argument: `value` and `update` trap there.
public final class Observed<Subject: EventSource> {
  /// An event of the history.
  public typealias Event = History<Subject.Step>.Event

  /// Identifies an observer for its removal.
  public struct Token: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The value as it is now.
  public private(set) var value: Subject
  private var observers: [(token: Token, tell: (Event) -> Void)] = []
  private var nextNumber = 0
  /// The events not yet passed to all observers.
  private var untold: [Event] = []
  private var isTelling = false

  /// A value without observers.
  public init(_ value: Subject) { self.value = value }

  /// Adds an observer, which gets every event from now on, after earlier observers.
  ///
  /// - Returns: The token for removing it.
  @discardableResult
  public func addObserver(_ observer: @escaping (Event) -> Void) -> Token {
    nextNumber += 1
    let token = Token(number: nextNumber)
    observers.append((token, observer))
    return token
  }

  /// Removes an observer; nothing happens if it has been removed before.
  public func removeObserver(_ token: Token) { observers.removeAll { $0.token == token } }

  /// The events from now on, as a sequence that ends when this object is released. Each call makes a
  /// new sequence, which holds the events not yet taken from it.
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

  /// Ends a sequence of events when its observer is released.
  private final class Ending {
    let continuation: AsyncStream<Event>.Continuation

    init(continuation: AsyncStream<Event>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }

  /// Changes the value, and passes the events to the observers, even if `body` throws.
  ///
  /// A copy of the value that leaves `body` continues to collect events; copy `value` afterwards
  /// instead. Observed typing takes the path of all other edits: O(log *p*) a key, for *p* pieces.
  ///
  /// - Throws: The error of `body`.
  /// - Returns: The result of `body`.
  @discardableResult
  public func update<R, E>(_ body: (inout Subject) throws(E) -> R) throws(E) -> R {
    defer { tell() }
    if observers.isEmpty { return try body(&value) }
    value.collectEvents()
    defer { untold += value.takeEvents() }
    return try body(&value)
  }

  /// Passes all events to all observers; events of changes by observers follow later.
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

extension History: EventSource {}

extension Document: EventSource {
  /// Starts to collect events. `Observed` calls this.
  public mutating func collectEvents() {
    recorder.history.collectEvents()
    core.typing.watch(true)
  }

  /// The events since `collectEvents()`; collecting ends.
  public mutating func takeEvents() -> [History<Change>.Event] {
    core.typing.watch(false)
    return recorder.history.takeEvents()
  }
}
