import Glibc

/// How long a run waits for a history that another one has locked.
///
/// SQLite waits itself in most cases, but answers at once in some, such as while another process opens
/// the log of the database; so all of an attempt is repeated, after short pauses of different lengths.
enum Patience: Sendable {
  /// What SQLite waits by itself: a person would rather go on without history.
  case brief
  /// For scripts, which may run in great numbers at once.
  case long

  /// The time for all attempts, in seconds.
  private static let secondsForScripts = 2.0

  /// Repeats `body` until it does not throw that the database is busy, or the time is over.
  func wait<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let end = SystemClock.uptime + (self == .long ? Self.secondsForScripts : 0)
    while true {
      do throws(DatabaseError) {
        return try body()
      } catch {
        guard error.isBusy, SystemClock.uptime < end, !Interrupts.isInterrupted else { throw error }
        usleep(.random(in: 1000...15_000))
      }
    }
  }
}
