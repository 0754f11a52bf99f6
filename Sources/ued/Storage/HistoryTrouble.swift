/// Why a history on disk is not kept, or not the one that was there.
enum HistoryTrouble: Error, Equatable, Sendable {
  /// Somebody else has the file in ued.
  case inUse
  /// It was damaged and has this name now; a new one begins.
  case damaged(setAside: [UInt8])
  /// It was damaged and is in the way.
  case damagedInPlace
  /// A newer ued has written it.
  case newer
  /// The folder can't be used, for this reason of the system.
  case folder([UInt8], code: Int32)
  /// The database says why.
  case database(String)
  /// The history is as large as one may be.
  case full
  /// The text is too large.
  case textTooLarge
  /// A buffer got the name of a file that has a history already.
  case fileHasHistory
  /// The text before has no name, and would be lost.
  case textWithoutName

  /// What a failing database comes to.
  init(_ error: DatabaseError) {
    self = error.isBusy ? .inUse : .database(error.message)
  }
}
