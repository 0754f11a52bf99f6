/// What kind of error it is, for programs: the word in the field `error` of an answer.
///
/// The list is closed, and in the manual and `share/ued/answer.schema.json`, too.
enum ErrorCode: String, CaseIterable {
  case ambiguousRevision = "ambiguous-revision"
  case conflict
  case fileChanged = "file-changed"
  case fileExists = "file-exists"
  case fileLocked = "file-locked"
  case fileNotFound = "file-not-found"
  case fileNotReadable = "file-not-readable"
  case fileNotRegular = "file-not-regular"
  case fileNotWritable = "file-not-writable"
  case groupAborted = "group-aborted"
  case groupOpen = "group-open"
  case historyChanged = "history-changed"
  case historyNotDeleted = "history-not-deleted"
  case infiniteSubstitution = "infinite-substitution"
  case interrupted
  case invalidAddress = "invalid-address"
  case invalidArgument = "invalid-argument"
  case invalidCommand = "invalid-command"
  case invalidDestination = "invalid-destination"
  case invalidFileName = "invalid-file-name"
  case invalidMark = "invalid-mark"
  case invalidPattern = "invalid-pattern"
  case invalidSuffix = "invalid-suffix"
  case markNotSet = "mark-not-set"
  case missingArgument = "missing-argument"
  case needsConfirmation = "needs-confirmation"
  case needsTerminal = "needs-terminal"
  case noFileName = "no-file-name"
  case noGroup = "no-group"
  case noHelp = "no-help"
  case noHistory = "no-history"
  case noMatch = "no-match"
  case noPrevious = "no-previous"
  case noSuchLine = "no-such-line"
  case noSuchRevision = "no-such-revision"
  case notInList = "not-in-list"
  case notRestored = "not-restored"
  case nothingToDo = "nothing-to-do"
  case otherBranch = "other-branch"
  case outOfMemory = "out-of-memory"
  case outputFailed = "output-failed"
  case rejected
  case restricted
  case shellFailed = "shell-failed"
  case unexpectedContent = "unexpected-content"
  case unexpectedEnd = "unexpected-end"
  case unsavedChanges = "unsaved-changes"
  case usage
}
