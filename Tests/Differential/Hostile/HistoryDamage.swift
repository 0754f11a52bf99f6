import Glibc
import UedSQLite

/// Damages a database at random: its bytes, or the values of its columns.
package struct HistoryDamage {
  /// The path of the database.
  package var path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The commands that read the damaged parts of a history.
  package static let readingScript = Array(
    """
    history all
    history json
    1,$history
    1,$blame
    diff 1
    jump 1
    redo
    undo
    1@p
    peek 2 1,$
    history patch
    history git
    history /a/
    jump saved
    revert 1
    merge 1
    pick 2

    """.utf8)

  private static let values = [
    "-9223372036854775808", "9223372036854775807", "0", "-1", "1", "NULL", "2147483648", "64",
    "67108863", "zeroblob(5000000)", "x''", "x'ffffffffffffffffff'", "'abc'", "x'1b5b33316d'",
    "1e300", "randomblob(100)", "x'00'",
  ]

  /// Damages it a little.
  ///
  /// - Returns: A description of the damage.
  package func damage(by random: inout SeededGenerator) -> String {
    if random.below(3) == 0, let bytes = Disk.read(path), !bytes.isEmpty {
      Disk.write(path, Self.damaged(bytes, by: &random))
      return "bytes of \(path)"
    }
    var said = ""
    for _ in 0...random.below(3) {
      guard let sql = statement(by: &random) else { break }
      run(sql)
      said += sql + "; "
    }
    return said
  }

  /// Bytes with some of them changed, removed or added.
  package static func damaged(_ bytes: [UInt8], by random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<(1 << random.below(6)) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes[place] ^= UInt8(1 << random.below(8))
      case 1: bytes[place] = [0, 255, 127, 128][random.below(4)]
      case 2:
        bytes.removeSubrange(place..<min(bytes.count, place + [1, 7, 512, 4096][random.below(4)]))
      default:
        let count = [1, 16, 4096][random.below(3)]
        bytes.insert(contentsOf: (0..<count).map { _ in UInt8(random.below(256)) }, at: place)
      }
    }
    return bytes
  }

  private func statement(by random: inout SeededGenerator) -> String? {
    let columns = rows(
      """
      SELECT m.name, c.name, k.name FROM sqlite_schema m, pragma_table_info(m.name) c,
        pragma_table_info(m.name) k WHERE m.type = 'table' AND k.cid = 0
      """)
    if columns.isEmpty { return nil }
    let row = columns[random.below(columns.count)]
    let (table, column, key) = (row[0], row[1], row[2])
    let value = Self.values[random.below(Self.values.count)]
    let places = [
      "", " WHERE \(key) = (SELECT max(\(key)) FROM \(table))",
      " WHERE \(key) = (SELECT \(key) FROM \(table) LIMIT 1 OFFSET \(random.below(8)))",
    ]
    return
      (random.below(12) == 0
      ? "DELETE FROM \(table)" : "UPDATE OR REPLACE \(table) SET \(column) = \(value)")
      + places[random.below(3)]
  }

  /// Runs statements; SQLite stops at the first that it refuses.
  package func run(_ sql: String) {
    withDatabase { sqlite3_exec($0, sql, nil, nil, nil) }
  }

  private func rows(_ sql: String) -> [[String]] {
    var rows: [[String]] = []
    withDatabase { database in
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
      defer { sqlite3_finalize(statement) }
      while sqlite3_step(statement) == SQLITE_ROW {
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
          })
      }
    }
    return rows
  }

  private func withDatabase(_ body: (OpaquePointer) -> Void) {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let database
    else {
      return
    }
    body(database)
  }
}
