import Glibc
import UedLinux

/// The identity of a run in all histories that it changes.
struct RunTag: Equatable, Sendable {
  /// Twelve random letters and digits. The first is a letter, so an identity is never a number.
  let identity: String
  /// The name given by `--run` or UED_RUN.
  let name: String?
  /// The beginning of the run, in seconds since 1970-01-01 UTC.
  let time: Double

  init(identity: String, name: String?, time: Double) {
    (self.identity, self.name, self.time) = (identity, name, time)
  }

  /// The tag of a run that has begun at a time.
  init(name: String?, time: Double) {
    let first = Character(UnicodeScalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "f"))))
    let rest = String(UInt64.random(in: 0..<1 << 44), radix: 16)
    self.init(
      identity: String(first) + String(repeating: "0", count: 11 - rest.count) + rest, name: name,
      time: time)
  }

  /// The tag without control characters, which ued does not store.
  var readable: RunTag {
    RunTag(identity: Self.readable(identity), name: name.map(Self.readable), time: time)
  }

  /// An identity or a name without control characters, cut off at 64 KiB: a database made elsewhere
  /// may have longer ones.
  static func readable(_ name: String) -> String { GroupNames.readable(name.utf8.prefix(1 << 16)) }

  /// The name, or else the identity.
  var shownName: String { name ?? identity }
}

/// Signs to other processes, as locks on bytes of one file: a byte for each run in progress, a
/// byte for each history in use. The kernel releases them however the process ends. The locks
/// belong to the open file (OFD locks), so a query finds only those of other processes.
///
/// SAFETY: `fcntl` reads and fills a lock description on the stack.
@safe struct RunLocks: ~Copyable {
  private let file: OpenFile

  /// The locks of the runs on the histories in a folder; throws why their file can't be opened.
  init(in folder: [UInt8]) throws(SystemError) {
    file = try PrivateFolder.openFile(folder + Array("/runs.lock".utf8), O_RDWR | O_CREAT)
  }

  /// Shows that `run`, of this process, is alive.
  func hold(_ run: RunTag) { lock(Self.byte(of: run), F_WRLCK) }

  /// Shows whether this process uses a history.
  func share(_ place: HistoryPlace, _ isUsed: Bool) {
    lock(Self.byte(of: place), isUsed ? F_RDLCK : F_UNLCK)
  }

  /// Whether another process is `run`.
  func isHeld(by run: RunTag) -> Bool { isLocked(Self.byte(of: run)) }

  /// Whether another process uses a history.
  func isShared(_ place: HistoryPlace) -> Bool { isLocked(Self.byte(of: place)) }

  private static func byte(of run: RunTag) -> Int { max(0, Int(run.identity, radix: 16) ?? 0) }

  /// A byte behind those of all runs.
  private static func byte(of place: HistoryPlace) -> Int {
    1 << 48 + ContentHash.short(place.name[...]) & (1 << 48 - 1)
  }

  private func lock(_ byte: Int, _ type: Int32) {
    var request = Self.description(of: byte, type)
    _ = unsafe fcntl(file.descriptor, Int32(clinux_try_lock), &request)
  }

  private func isLocked(_ byte: Int) -> Bool {
    var request = Self.description(of: byte, F_WRLCK)
    return unsafe fcntl(file.descriptor, Int32(clinux_show_lock), &request) == 0
      && request.l_type != F_UNLCK
  }

  private static func description(of byte: Int, _ type: Int32) -> Glibc.flock {
    Glibc.flock(
      l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
  }
}

/// A run as stored in a history.
struct StoredRun: Equatable, Sendable {
  /// Its number in this history, counted from 1.
  let number: Int
  let tag: RunTag
  var effect: RunEffect = []
  /// The revision that was current when it began.
  var start = 0
  /// The identities of the runs that it has undone.
  var undone: [String] = []
}

/// The effect of a run on the file itself, besides its text.
struct RunEffect: OptionSet, Sendable {
  let rawValue: Int

  /// The file does not exist when the run begins.
  static let makes = RunEffect(rawValue: 1)
  static let removes = RunEffect(rawValue: 2)
  static let all: RunEffect = [.makes, .removes]
}

/// An instant as stored: in whole milliseconds since 1970-01-01 UTC, between the years 1 and 9999.
struct StoredTime: Equatable, Sendable {
  let milliseconds: Int

  /// An instant in seconds, or the nearest one that can be stored.
  init(_ seconds: Double) {
    let exact = (seconds * 1000).rounded()
    let (first, last) = (Self.range.lowerBound, Self.range.upperBound)
    milliseconds =
      exact >= Double(last) ? last : exact >= Double(first) ? Int(exact) : first
  }

  /// The instant in the index, or the nearest one that can be stored.
  init(clamping milliseconds: Int) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// An instant read from a database; throws `damaged` if it is out of range.
  init(stored milliseconds: Int) throws(StorageError) {
    guard Self.range.contains(milliseconds) else { throw .damaged }
    self.milliseconds = milliseconds
  }

  var seconds: Double { Double(milliseconds) / 1000 }

  private static let range = -62_135_596_800_000...253_402_300_799_999
}
