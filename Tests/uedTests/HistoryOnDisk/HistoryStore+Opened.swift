import Glibc

@testable import ued

extension HistoryStore {
  /// Opens a history in this process. Programs that other tests are starting have all descriptors of this process for a
  /// moment, and with them a lock that was just given up.
  static func opened(at place: HistoryPlace) throws(StorageError) -> HistoryStore {
    while true {
      do throws(StorageError) {
        return try HistoryStore(opening: place)
      } catch  where error == .inUse {
        sched_yield()
      }
    }
  }
}
