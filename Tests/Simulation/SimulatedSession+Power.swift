import Crashes
import Differential
import Glibc

/// The changes of the disk since its last known state; they determine the results of a power cut.
struct DiskRecording {
  /// Holds the record of changes, and the inode numbers that programs shall see after the cut.
  let folder = TemporaryFolder()
  /// The folder at the start counts as durable.
  private(set) var first: DiskImage
  private var recordStart = 0
  /// Files that plain scripts have made, which are not synced.
  var unsynced: Set<String> = []
  var recordPath: String { folder.path + "/record" }
  var inodesPath: String { folder.path + "/inodes" }

  init(of root: String) { first = DiskImage(of: root) }

  /// Starts again from the present folder, after an unrecorded change.
  mutating func begin() {
    first = DiskImage(of: first.root)
    recordStart = Disk.read(recordPath)?.count ?? 0
    unsynced = []
  }

  /// Leaves one of the possible states of the disk once no program writes to it.
  func cut(seed: UInt64) {
    let record = (Disk.read(recordPath) ?? []).dropFirst(recordStart)
    var states = CrashStates(
      of: DiskChange.all(in: Array(record)), from: first, strict: false, seed: seed)
    Disk.write(inodesPath, Array(states.finalState().image.write().utf8))
  }
}

/// Power cuts, at most one in a session.
extension SimulatedSession {
  /// The variables that record changes before a cut, and keep inode numbers after it.
  var powerEnvironment: [String] {
    if let power { return ["UED_DISK_RECORD=\(power.recordPath)"] }
    return lastPower.map { ["UED_DISK_INODES=\($0.inodesPath)"] } ?? []
  }

  /// Another program has changed files, and synced them.
  func noteOutsideChange() { power?.begin() }

  /// After a program was killed, the power may fail before another program sees the result.
  func cutPowerPerhaps() throws(Violation) {
    if power != nil, powerRandom.chance(60) { try cutPower() }
  }

  /// All programs die, and unsynced data may be lost.
  func cutPower() throws(Violation) {
    guard let power else { return }
    self.power = nil
    lastPower = power
    while let editor = editors.last { try kill(editor) }
    power.cut(seed: powerRandom.next())
    unlink("\(work)/ed.hup")
    note("power cut")
    for name in power.unsynced where read(name) != files[name] {
      note("  (\(name) was new and not synced: it is \(shown(read(name))))")
      files[name] = read(name)
      // The model does not know binary files such as one of zeros: another program rewrites it.
      if files[name]?.contains(0) == true {
        files[name] = newText()
        writeInPlace(name)
      }
    }
    // The removal of a copy made by a save in place may be lost.
    if !linked.isEmpty || mayHaveSavedInPlace { mayKeepOldTexts = true }
  }
}
