/// Why a history is not kept on disk, or an existing one is not used.
enum HistoryError: Error, Equatable, Sendable {
  /// Another run has the history open.
  case inUse
  /// The file system of the histories has no locks.
  case noLocks
  /// Another run has changed the history while this one had closed it.
  case changedMeanwhile
  /// The history was corrupt and has been set aside under this path; a new one begins.
  case damaged(setAside: [UInt8])
  /// The history is corrupt and could not be set aside.
  case damagedInPlace
  /// The history was written by a newer version of ued.
  case newer
  /// The folder can't be used; `code` is the system's error.
  case folder([UInt8], code: Int32)
  /// A file or folder with this path belongs to another user, can be written by others, or is a link.
  case foreign(String)
  /// Neither XDG_STATE_HOME nor HOME says where histories are.
  case noFolder
  /// A group has more bytes than a history can have.
  case groupTooLarge
  /// Any other error of the database.
  case database(String)
  /// The history has reached its size limit.
  case full
  /// The text is too large for its history to be kept.
  case textTooLarge
  /// A buffer without a name was given that of a file with a history.
  case fileHasHistory
  /// Too many texts without a name have their histories kept in the folder.
  case tooManyUnnamed
  /// The text has no name, so its history is kept in memory when another file is edited.
  case textWithoutName
}
