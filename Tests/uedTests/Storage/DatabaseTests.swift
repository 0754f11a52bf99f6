import Differential
import Glibc
import TextBuffer
import Testing

@testable import ued

@Suite struct DatabaseTests {
  private let sandbox = Sandbox()
  private var path: [UInt8] { Array((sandbox.path + "/base").utf8) }

  @Test func `stored bytes are read back unchanged`() throws {
    let values: [[UInt8]] = [[], [0], [0xFF, 0, 0xFE], Array("é漢".utf8)]
    do {
      let database = try Database(path: path)
      try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB, number INTEGER)")
      let insert = try database.prepare("INSERT INTO t (bytes, number) VALUES (?, ?)")
      for (index, value) in values.enumerated() {
        insert.bind(1, value)
        insert.bind(2, index == 1 ? nil : index - 2)
        try insert.run()
      }
      #expect(database.lastInsertedRow == values.count)
    }
    let rows = try Database(path: path).prepare("SELECT bytes, number FROM t ORDER BY id")
    for (index, value) in values.enumerated() {
      #expect(try rows.step())
      #expect(rows.bytes(0) == value)
      #expect(rows.isNull(1) == (index == 1))
      if index != 1 { #expect(rows.int(1) == index - 2) }
    }
    #expect(try !rows.step())
  }

  @Test func `a transaction that fails leaves nothing`() throws {
    let database = try Database(path: path)
    try database.run("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    #expect(throws: StorageError.self) {
      try database.transaction { () throws(StorageError) in
        try database.run("INSERT INTO t VALUES (1)")
        try database.run("INSERT INTO t VALUES (1)")
      }
    }
    let count = try database.prepare("SELECT count(*) FROM t")
    #expect(try count.step())
    #expect(count.int(0) == 0)
  }

  @Test func `the first statement reports a file that is not a database`() throws {
    sandbox["base"] = Array(repeating: 0x78, count: 5000)
    let database = try Database(path: path)
    let error = #expect(throws: StorageError.self) { try database.run("PRAGMA user_version = 1") }
    #expect(error?.isFormatError == true)
    #expect(throws: StorageError.self) { try Database(path: Array("/nowhere/at/all".utf8)) }
  }

  @Test func `a hash does not depend on how the text came about`() throws {
    let bytes = Array((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
    var text = PieceTable(bytes)
    let hash = ContentHash(of: bytes)
    #expect(ContentHash(of: text) == hash)
    text.replace(ByteOffset(500)..<ByteOffset(500), with: [1])
    #expect(ContentHash(of: text) != hash)
    text.replace(ByteOffset(500)..<ByteOffset(501), with: [])
    #expect(ContentHash(of: text) == hash)
    // The published value for no bytes.
    #expect(ContentHash(of: []).hexadecimal == "99aa06d3014798d86001c324468d497f")
    #expect(ContentHash(stored: hash.bytes) == hash)
    #expect(ContentHash(stored: [1]) == nil)
  }
}
