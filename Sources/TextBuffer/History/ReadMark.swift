import Synchronization

/// A flag that readers of a text set, possibly concurrently, and that its editor clears. The mark
/// is a hint: it needs no memory ordering, and losing it costs only time.
final class ReadMark: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Sets the mark. A set mark is not written again, so readers share the cache line.
  func set() {
    if !isSet.load(ordering: .relaxed) { isSet.store(true, ordering: .relaxed) }
  }

  /// Clears the mark, and returns whether it was set.
  func take() -> Bool {
    let wasSet = isSet.load(ordering: .relaxed)
    if wasSet { isSet.store(false, ordering: .relaxed) }
    return wasSet
  }
}
