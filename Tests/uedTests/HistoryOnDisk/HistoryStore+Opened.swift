import Glibc

@testable import ued

extension HistoryStore {
  /// Opens a history in this process. A program started by another test briefly inherits all
  /// descriptors of this process, and so holds a lock that was just released.
  static func opened(at place: HistoryPlace) throws(StorageError) -> HistoryStore {
    while true {
      do throws(StorageError) {
        return try HistoryStore(opening: place)
      } catch  where error == .inUse {
        sched_yield()
      }
    }
  }

  /// Begins a history, whose file comes with the first write.
  static func created(at place: HistoryPlace) throws -> HistoryStore {
    try HistoryStore(creating: try StagedDatabase(at: place), index: HistoryIndex())
  }
}
