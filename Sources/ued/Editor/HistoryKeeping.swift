/// What is known of the history on disk while a file is being edited.
struct HistoryKeeping {
  /// Where the history goes.
  enum Target {
    /// Nowhere.
    case none
    /// To the file that the text will get as its first name.
    case unnamed
    /// To a database that is made when there is something to keep.
    case new(HistoryPlace)
    case open(HistoryStore)
  }

  var target = Target.none
  /// Whether histories are kept.
  let isOn: Bool
  /// Whether the user has said so, and means private files too.
  let isAskedFor: Bool
  /// What was not told yet.
  var notices: [HistoryNotice] = []
  /// The revisions that have to be written.
  var pending: Set<Int> = []
  /// How many revisions are stored.
  var storedCount = 0
  /// How many revisions earlier sessions have stored.
  var oldCount = 0
  /// The present and the saved revision as stored.
  var storedPosition: (current: Int, saved: Int?) = (0, 0)
  /// The sessions in which those were made.
  var oldRuns: [Int] = []
  /// The hashes of texts that were saved.
  var hashes: [Int: ContentHash] = [:]
  /// Whether a group that is still open is stored as if it had ended.
  var hasOpenGroup = false
  /// Whether a failure to write was told already.
  var hasToldFailure = false
  /// The revision that this session began with.
  var start = 0
  /// The revisions that sessions began with, where undo stops once.
  var borders: Set<Int> = []
  /// The border that undo has stopped at.
  var toldBorder: Int?
  /// Whether the user was asked whether to delete the history, so that the same command does it.
  var asksToForget = false

  init(isOn: Bool, isAskedFor: Bool) {
    self.isOn = isOn
    self.isAskedFor = isAskedFor
  }

  /// Whether there is, or will be, a place for the history.
  var isKept: Bool { if case .none = target { false } else { true } }

  /// Nothing known, nothing kept.
  mutating func startOver() {
    let notices = notices
    self = HistoryKeeping(isOn: isOn, isAskedFor: isAskedFor)
    self.notices = notices
  }

  /// Gives up keeping the history, and says why.
  mutating func giveUp(_ trouble: HistoryTrouble) {
    notices.append(.trouble(trouble))
    stop()
  }

  /// Keeps nothing from now on.
  mutating func stop() {
    target = .none
    pending = []
  }
}
