/// Giving a history back to other runs for a while.
extension HistoryKeeper {
  /// What has become of a suspended history.
  enum Resumption: Equatable, Sendable {
    /// The history is open, and as it was left; or none is kept.
    case unchanged
    /// Somebody else has changed, made or deleted it meanwhile: what this run knows of it is no longer true, and
    /// nothing more is stored. The run can report that, or start over with `open`.
    case changed
    /// It can't be used, as a notice says, and nothing more is stored; editing can go on.
    case notKept
  }

  /// Closes the database, so that this run holds no lock and no descriptor. All that is known of it stays in
  /// memory; a database without content is deleted. Without an open database it does nothing.
  mutating func suspend() {
    guard case .open(let store) = location else { return }
    let isEmpty = store.isEmpty
    store.close()
    if isEmpty { location = .new(store.place) }
  }

  /// Opens a suspended history again, and waits for other runs to release it. When it is open, or none is
  /// kept, it does nothing.
  mutating func resume() -> Resumption {
    do throws(DatabaseError) {
      switch location {
      case .none, .unnamed: return .unchanged
      case .new(let place):
        guard patience == .long, let store = try openStore(at: place) else { return .unchanged }
        location = .open(store)
        if store.isEmpty { return .unchanged }
      case .open(let store):
        if store.isOpen { return .unchanged }
        let isSame = try patience.wait { () throws(DatabaseError) in
          store.place.exists ? try store.reopen() : false
        }
        if isSame { return .unchanged }
      }
      stop()
      return .changed
    } catch {
      stop(because: HistoryError(error))
      return .notKept
    }
  }
}
