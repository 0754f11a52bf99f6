import Glibc
import TextBuffer

/// A run over all files that it changed.
struct IndexedRun: Sendable {
  let tag: RunTag
  /// The histories that it changed, in the order of their files.
  var places: [HistoryPlace]
  /// The runs that have taken it back, the oldest first.
  var undoers: [RunTag] = []
}

/// What the index knows. It is compared with the folder first if it may lack something.
extension HistoryIndex {
  /// All runs, newest first, with the files that they changed, and the runs that have taken them back. Texts
  /// without a name are left out.
  func runs(in folder: [UInt8]) throws(DatabaseError) -> [IndexedRun] {
    try bringUpToDate(in: folder)
    var runs: [IndexedRun] = []
    var indices: [String: Int] = [:]
    try transaction(in: folder) { database throws(DatabaseError) in
      let rows = try database.prepare(
        """
        SELECT identity, run.time, run.name, history.path, history.name
        FROM run JOIN history ON history.id = history ORDER BY path
        """)
      while try rows.step() {
        guard let identity = rows.text(0).map(RunTag.readable) else { continue }
        let place = HistoryPlace(file: rows.bytes(3), folder: folder, name: rows.bytes(4))
        if place.isUnnamed || place.file.isEmpty { continue }
        if let index = indices[identity] {
          runs[index].places.append(place)
          continue
        }
        indices[identity] = runs.count
        runs.append(
          IndexedRun(
            tag: RunTag(
              identity: identity, name: rows.text(2),
              time: StoredTime(clamping: rows.int(1)).seconds
            ).readable,
            places: [place]))
      }
      // What they are called is in `HistoryKeeper.title(ofRuns:)` and `UndoneRun.title`.
      let pairs = try database.prepare(
        """
        SELECT DISTINCT run.identity, undoer.identity FROM undone
        JOIN run ON run.history = undone.history AND run.number < undone.number
        JOIN run undoer ON undoer.history = undone.history AND undoer.number = undone.number
        WHERE undone.name IN (run.name, CAST(run.number AS TEXT))
          OR instr(undone.name, run.identity) ORDER BY undoer.time
        """)
      while try pairs.step() {
        guard let undone = pairs.text(0).flatMap({ indices[RunTag.readable($0)] }),
          let undoer = pairs.text(1).flatMap({ indices[RunTag.readable($0)] })
        else { continue }
        runs[undone].undoers.append(runs[undoer].tag)
      }
    }
    return runs.enumerated().sorted {
      ($0.element.tag.time, $0.offset) > ($1.element.tag.time, $1.offset)
    }.map(\.element)
  }

  /// All histories of files, in the order of these.
  func places(in folder: [UInt8]) throws(DatabaseError) -> [HistoryPlace] {
    try bringUpToDate(in: folder)
    var places: [HistoryPlace] = []
    try transaction(in: folder) { database throws(DatabaseError) in
      let rows = try database.prepare("SELECT path, name FROM history ORDER BY path")
      while try rows.step() {
        let place = HistoryPlace(file: rows.bytes(0), folder: folder, name: rows.bytes(1))
        if !place.isUnnamed && !place.file.isEmpty { places.append(place) }
      }
    }
    return places
  }

  /// Compares the index with the folder if the computer was started since, or an update was skipped, and reads
  /// the runs and the saved content of all histories that it has not read.
  func bringUpToDate(in folder: [UInt8]) throws(DatabaseError) {
    var unread: [(id: Int, name: [UInt8])] = []
    try transaction(in: folder) { database throws(DatabaseError) in
      let state = try database.prepare("SELECT boot FROM state")
      let isOfThisBoot = try state.step() && state.bytes(0) == SystemBoot.identity
      state.reset()
      // A power cut may have left anything of it.
      if !isOfThisBoot { try database.checkIntegrity() }
      let mark = folder + Self.staleName
      if !isOfThisBoot || OpenFile.status(of: mark) != nil {
        // A mark that is made from now on is for the next reader.
        try? HistoryPlace.remove(mark)
        try Self.compare(with: folder, database)
      }
      let rows = try database.prepare("SELECT id, name FROM history WHERE isread = 0")
      while try rows.step() { unread.append((rows.int(0), rows.bytes(1))) }
    }
    // The index is not locked while histories are read.
    var found: [(id: Int, history: Summary)] = []
    for (id, name) in unread {
      let place = HistoryPlace(file: [], folder: folder, name: name)
      if let history = try? Summary(of: place) { found.append((id, history)) }
    }
    if found.isEmpty { return }
    try transaction(in: folder) { database throws(DatabaseError) in
      let row = try database.prepare(
        "UPDATE history SET path = ?, isread = 1, used = max(used, ?) WHERE id = ?")
      for (id, history) in found {
        row.bind(1, history.file)
        row.bind(2, history.modified)
        row.bind(3, id)
        try row.run()
        for run in history.runs { try Self.put(run, of: id, into: database) }
        if let content = history.content { try Self.put(content, of: id, into: database) }
      }
    }
  }

  /// What a history says of itself.
  private struct Summary {
    let file: [UInt8]
    let runs: [StoredRun]
    /// The content hash of what the file was last saved with.
    let content: [UInt8]?
    let modified: Int

    /// Reads it.
    ///
    /// - Throws: Why that is impossible; `busy` while another run has it open.
    init(of place: HistoryPlace) throws(DatabaseError) {
      let store = try HistoryStore(opening: place)
      let state = try store.connection.prepare(
        "SELECT path, (SELECT hash FROM revision WHERE id = saved) FROM state")
      try state.needRow()
      file = state.bytes(0)
      content = state.isNull(1) ? nil : state.bytes(1)
      state.reset()
      // Otherwise it is not the history of that file.
      let hash = ContentHash(of: file).hexadecimal
      guard place.name.starts(with: hash.utf8) else { throw .damaged }
      let undone = try store.undoneRuns()
      runs = try store.runs().map { run in
        var run = run
        run.undone = undone[run.number] ?? []
        return run
      }
      modified =
        OpenFile.status(of: place.database).map {
          $0.st_mtim.tv_sec * 1000 + $0.st_mtim.tv_nsec / 1_000_000
        } ?? 0
    }
  }
}
