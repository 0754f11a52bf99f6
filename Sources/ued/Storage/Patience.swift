import Glibc

/// How long a run waits for a history that another one has locked.
enum Patience: Sendable {
  /// A person would rather go on without history.
  case brief
  /// Scripts may run in great numbers at once.
  case long

  private var seconds: Double { self == .long ? 2 : 0.1 }

  /// Repeats `body` until it does not throw that the database is busy, or the time is over.
  func wait<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let end = SystemClock.uptime + seconds
    while true {
      do throws(DatabaseError) {
        return try body()
      } catch {
        guard error.isBusy, SystemClock.uptime < end, !Interrupts.isInterrupted else { throw error }
        usleep(.random(in: 1000...10_000))
      }
    }
  }
}
