import Synchronization

/// A mark that readers of a text set, perhaps several at once, and that its editor takes away.
///
/// It is a hint: no order with other memory is needed, and a mark that gets lost costs only time.
final class ReadMark: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Sets the mark. It is written only where it is not set, so readers share the cache line.
  func set() {
    if !isSet.load(ordering: .relaxed) { isSet.store(true, ordering: .relaxed) }
  }

  /// Takes the mark away.
  ///
  /// - Returns: Whether it was set.
  func take() -> Bool {
    let wasSet = isSet.load(ordering: .relaxed)
    if wasSet { isSet.store(false, ordering: .relaxed) }
    return wasSet
  }
}
