import Glibc

/// The commands typed at terminals, stored for later runs and shared with concurrent ones. Best
/// effort: failures are ignored, and a run continues with its own commands.
final class CommandRecall {
  /// The number of commands kept.
  static let limit = 2000

  private let database: Database
  private let newer: Statement
  private let insertion: Statement
  private let removal: Statement
  /// The id of the newest command read or added by this run.
  private var newestKnown = 0
  /// The command with the id `newestKnown`.
  private var newestLine: [UInt8] = []

  /// Opens the recall in a folder; throws why it can't be used.
  init(in folder: [UInt8]) throws(StorageError) {
    let path = folder + Array("/recall.db".utf8)
    // SQLite creates its sidecar files with the mode of this one.
    guard (try? PrivateFolder.openFile(path, O_RDWR | O_CREAT)) != nil else {
      throw .foreign(path)
    }
    database = try Database(path: path)
    // This fails while another run does it.
    try? database.run("PRAGMA journal_mode = WAL")
    // Losing the last commands in a system crash is acceptable.
    try database.run(
      """
      PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON;
      \(HistorySchema.commands)
      """)
    try HistorySchema.recall.check(database)
    newer = try database.prepare("SELECT id, line FROM commands WHERE id > ?1 ORDER BY id")
    insertion = try database.prepare("INSERT INTO commands(line) VALUES(?1)")
    removal = try database.prepare("DELETE FROM commands WHERE id <= ?1")
  }

  /// The recall in ued's state folder; nil if it can't be used.
  static func open() -> CommandRecall? {
    guard let folder = PrivateFolder.state else { return nil }
    do throws(SystemError) { try PrivateFolder.make(at: folder) } catch { return nil }
    return try? CommandRecall(in: folder)
  }

  /// The commands that other runs have added since the last call, oldest first.
  func newLines() -> [[UInt8]] { (try? readNewer()) ?? [] }

  /// Adds a command, unless it is the newest one already; returns what other runs have added since
  /// the last call.
  func add(_ line: [UInt8]) -> [[UInt8]] {
    var others: [[UInt8]] = []
    try? database.transaction { () throws(StorageError) in
      others = try readNewer()
      if line == newestLine { return }
      insertion.bind(1, line)
      try insertion.run()
      newestKnown = database.lastInsertedRow
      newestLine = line
      removal.bind(1, newestKnown &- Self.limit)
      try removal.run()
    }
    return others
  }

  private func readNewer() throws(StorageError) -> [[UInt8]] {
    newer.bind(1, newestKnown)
    var lines: [[UInt8]] = []
    while try newer.step() {
      newestKnown = newer.int(0)
      newestLine = newer.bytes(1)
      lines.append(newestLine)
    }
    return lines
  }
}
