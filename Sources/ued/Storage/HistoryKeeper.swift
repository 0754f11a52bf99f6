import Glibc
import TextBuffer

/// Keeps the history of the text on disk.
///
/// Nothing that goes wrong here stands in the way of editing: it becomes a notice, and work goes on.
struct HistoryKeeper {
  /// Where the history goes.
  enum Destination {
    /// Nowhere.
    case none
    /// To the file that the text will get as its first name.
    case unnamed
    /// To a database that is made when there is something to keep.
    case new(HistoryPlace)
    case open(HistoryStore)
  }

  /// What the database holds.
  struct Stored {
    /// How many revisions.
    var count = 0
    /// How many of them are of earlier runs, and which run made each.
    var earlierRuns: [Int] = []
    /// The present and the saved revision.
    var position: (current: Int, saved: Int?) = (0, 0)
    /// Whether a group that is still open is stored as if it had ended.
    var hasOpenGroup = false
  }

  /// Whether histories are kept.
  let isOn: Bool
  /// Whether the user has said so, and means private files too.
  let isAskedFor: Bool
  /// Whether the history is only looked at, since nothing is written in this run.
  let isReadOnly: Bool
  var destination = Destination.none
  var stored = Stored()
  /// What was not told yet.
  var notices: [HistoryNotice] = []
  /// The revisions that differ from what is stored.
  var unstored: Set<Int> = []
  /// The hashes of texts that were saved.
  var hashes: [Int: ContentHash] = [:]
  /// The revision that this run began with.
  var start = 0
  /// The revisions that runs began with, where undo stops once.
  var borders: Set<Int> = []
  /// The border at which undo has stopped.
  private var reportedBorder: Int?
  /// Whether a failure to write was told already.
  var hasReportedFailure = false

  init(isOn: Bool, isAskedFor: Bool, isReadOnly: Bool) {
    self.isOn = isOn
    self.isAskedFor = isAskedFor
    self.isReadOnly = isReadOnly
  }

  /// Whether there is, or will be, a database.
  var isKept: Bool { if case .none = destination { false } else { true } }

  /// Whether there is a database.
  var isOnDisk: Bool { if case .open = destination { true } else { false } }

  /// What was not told yet about the history on disk.
  mutating func takeNotices() -> [HistoryNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: - Beginning and ending

  /// Forgets all about the present history; nothing is kept from now on.
  mutating func startOver() {
    let notices = notices
    self = HistoryKeeper(isOn: isOn, isAskedFor: isAskedFor, isReadOnly: isReadOnly)
    self.notices = notices
  }

  /// Keeps nothing from now on.
  mutating func stop() {
    destination = .none
    unstored = []
  }

  /// Keeps nothing from now on, and says why.
  mutating func giveUp(_ trouble: HistoryTrouble) {
    notices.append(.trouble(trouble))
    stop()
  }

  /// Whether another file can be edited with a history of its own: the present one is on disk, or
  /// there is nothing in it that is not saved.
  mutating func mayLeave(_ text: EditedText) -> Bool {
    switch destination {
    case .new, .open: if unstored.isEmpty { return true }
    case .none, .unnamed: break
    }
    if !text.document.isModified { return true }
    if case .unnamed = destination { giveUp(.textWithoutName) }
    return false
  }

  /// Deletes the history on disk.
  ///
  /// - Throws: Why it is still there.
  mutating func forget() throws(EditorError) {
    guard case .open(let store) = destination else { throw .noHistoryOnDisk }
    // Whoever has it open is the one who may delete it.
    do throws(SystemError) {
      try store.place.delete()
    } catch {
      throw .historyNotDeleted(error.code)
    }
    startOver()
    notices.append(.forgotten)
  }

  // MARK: - Borders between runs

  /// The part of a way back that does not leave the run in which it begins; where it begins at the
  /// border, that was told already.
  ///
  /// - Parameter ids: The revisions on the way, the present one first.
  /// - Throws: That the way begins at a border.
  mutating func wayToBorder(_ ids: [Int]) throws(EditorError) -> [Int] {
    let mayLeave = reportedBorder == ids[0]
    reportedBorder = nil
    guard
      let stop = ids.indices.dropLast().first(where: {
        borders.contains(ids[$0]) && !($0 == 0 && mayLeave)
      })
    else { return ids }
    reportedBorder = ids[stop]
    if stop == 0 { throw .sessionBegins }
    return Array(ids[...stop])
  }
}
