/// Comparing the index with what is in the folder.
extension HistoryIndex {
  /// Looks at the sizes of all histories that the index has, and removes those that are gone.
  static func measureAll(
    in folder: [UInt8], _ database: Database
  ) throws(DatabaseError) {
    let rows = try database.prepare("SELECT name FROM history")
    var names: [[UInt8]] = []
    while try rows.step() { names.append(rows.bytes(0)) }
    let change = try database.prepare("UPDATE history SET size = ? WHERE name = ?")
    for name in names {
      let place = HistoryPlace(file: [], folder: folder, name: name)
      guard place.exists else {
        try remove(name, from: database)
        continue
      }
      change.bind(1, place.byteCount)
      change.bind(2, name)
      try change.run()
    }
    try database.run("UPDATE state SET total = (SELECT coalesce(sum(size), 0) FROM history)")
  }

  /// Compares the index with the folder: adds histories that it lacks, removes those that are gone, and marks
  /// those that others have written since as not read.
  static func compare(
    with folder: [UInt8], _ database: Database
  ) throws(DatabaseError) {
    let rows = try database.prepare("SELECT name, used FROM history")
    var known: [[UInt8]: Int] = [:]
    while try rows.step() { known[rows.bytes(0)] = rows.int(1) }
    let found = HistoryFolder.entries(in: folder)
    let insertion = try database.prepare(
      "INSERT INTO history (name, path, size, used, isread) VALUES (?, x'', ?, ?, 0)")
    let change = try database.prepare("UPDATE history SET isread = 0 WHERE name = ?")
    for entry in found {
      guard let used = known.removeValue(forKey: entry.name) else {
        insertion.bind(1, entry.name)
        insertion.bind(2, entry.byteCount)
        insertion.bind(3, entry.modified)
        try insertion.run()
        continue
      }
      if entry.modified <= used { continue }
      change.bind(1, entry.name)
      try change.run()
    }
    for name in known.keys { try remove(name, from: database) }
    let state = try database.prepare(
      """
      INSERT OR REPLACE INTO state VALUES (0, (SELECT coalesce(sum(size), 0) FROM history), ?)
      """)
    state.bind(1, SystemBoot.identity)
    try state.run()
  }
}
