import Differential
import Glibc
import Testing
import TextBuffer

@testable import ued

/// The origins of lines that a history keeps, beside those that are found out from the first group on.
@Suite struct StoredOriginsTests {
  private let sandbox = Sandbox()

  /// The database of the history of the file `f`.
  private var place: HistoryPlace {
    let file = Array("\(sandbox.path)/f".utf8)
    let name = Array("\(ContentHash(of: file).hexadecimal).history".utf8)
    return HistoryPlace(
      file: file, folder: Array("\(sandbox.path)/.local/state/ued".utf8), name: name)
  }

  /// Makes groups that each change one line of forty, in one run.
  private func makeHistory(_ count: Int = 1500) {
    sandbox["f"] = Array((1...40).map { "line \($0)\n" }.joined().utf8)
    var script = ""
    for index in 0..<count { script += "\(index * 7919 % 37 + 1)s/$/ \(index % 10)/\n" }
    sandbox["script"] = Array((script + "w\n").utf8)
    sandbox.run("\"$UED\" --history -s f <script", seconds: 60)
  }

  /// What `blame` prints in a process of its own.
  private func blame(_ more: String = "#", _ options: String = "") -> [UInt8] {
    sandbox.run("\"$UED\" --history \(options) -s f -e '\(more)' -e blame -e Q", seconds: 60)
  }

  private func database() throws -> Database {
    try Database(path: place.database, mayCreate: false)
  }

  private func rowCount() throws -> Int {
    let base = try database()
    if try base.number("SELECT count(*) FROM sqlite_schema WHERE name = 'origins'") == 0 {
      return 0
    }
    return try base.number("SELECT count(*) FROM origins")
  }

  @Test func `a run of many groups leaves them, and blame is the same without`() throws {
    makeHistory()
    #expect(try rowCount() == 2)
    let expected = blame()
    try database().run("DROP TABLE origins")
    #expect(blame("=", "--check").suffix(expected.count) == expected)
    #expect(try rowCount() == 0)
    #expect(blame() == expected)
    #expect(try rowCount() == 2)
    // A revision between the two rows.
    let undone = blame("undo 5")
    try database().run("DROP TABLE origins")
    #expect(blame("undo 5") == undone)
    #expect(undone != expected)
  }

  @Test func `a write replays no long history, and blame does it once`() throws {
    makeHistory(2200)
    try database().run("DROP TABLE origins")
    sandbox.run("\"$UED\" --history -s f -e '40s/$/ x/' -e w")
    #expect(try rowCount() == 0)
    let expected = blame()
    #expect(try rowCount() == 2)
    let row = try HistoryStore(opening: place)
    _ = try row.load()
    let told = try #require(row.origins(of: 2201, lineCount: 40))
    #expect(told.origins[LineNumber(40)] == 2201)
    row.close()
    #expect(blame() == expected)
  }

  @Test func `what is stored is what is told`() throws {
    makeHistory()
    let store = try HistoryStore(opening: place)
    _ = try store.load()
    let planted = TimedOrigins(LineOrigins(lineCount: 40, origin: 7), times: [7: 86_400_000])
    store.putOrigins([(1500, planted)], replacing: [])
    store.close()
    let lines = String(decoding: blame(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 40 && lines.allSatisfy { $0.hasPrefix("   7  1970-01-0") })
  }

  @Test func `rows for few groups are not made, nor where no history is kept`() throws {
    makeHistory(30)
    let expected = blame()
    #expect(try rowCount() == 0)
    #expect(expected.count { $0 == UInt8(ascii: "\n") } == 40)
    makeHistory(1030)
    sandbox.run("\"$UED\" --history=off -s f -e '1s/$/ x/' -e blame -e Q")
    #expect(try rowCount() > 0)
    sandbox.run("\"$UED\" --history -s f -e forget; ls .local/state/ued/*.history", status: 2)
  }

  // MARK: - Random histories

  /// A text with a history that is stored.
  private struct Work {
    var text = EditedText(forPerson: true)
    var keeper: HistoryKeeper
    let name: [UInt8]

    /// Opens the stored history of a text, or begins one.
    init(_ bytes: [UInt8], at place: HistoryPlace) throws {
      name = place.file
      keeper = HistoryKeeper(
        isOn: true, isAskedFor: true, isReadOnly: false, patience: .brief, index: HistoryIndex())
      text.insert(bytes, after: .zero)
      text.startHistory(opening: name)
      text.document.trackChanges()
      keeper.location = .new(place)
      keeper.origins.spacing = 8
      if !place.exists { return }
      // A process that another test is just starting may have the lock.
      let store = try Patience.long.wait { () throws(DatabaseError) in
        try HistoryStore(opening: place)
      }
      let found = try #require(try store.load())
      try keeper.adopt(found, of: store, in: &text, isMissing: false)
      keeper.location = .open(store)
      keeper.stored.position = (text.history.current, text.history.saved)
      keeper.start = text.history.current
    }

    mutating func edit(_ random: inout SeededGenerator) throws {
      let count = text.lastLine.value
      let first = Int(random.below(count)) + 1
      let range = LineRange(first, min(count, first + Int(random.below(3))))
      let new = Array((0...random.below(3)).map { _ in "\(random.below(100))\n" }.joined().utf8)
      if random.below(8) == 0 {
        return try text.jump(to: Int(random.below(text.history.revisions.count)))
      }
      if random.below(8) == 0 {
        _ = try? text.undo()
        return
      }
      _ = text.beginStep()
      if random.below(3) > 0 { text.insert(new, after: range.last) }
      if random.below(2) == 0 && count > 6 { text.delete(range) }
      text.endStep()
    }

    /// Saves the text and closes the history.
    mutating func close() -> [UInt8] {
      keeper.willSave(&text, of: name)
      text.didSave()
      keeper.record(&text, of: name)
      #expect(keeper.takeNotices().isEmpty)
      keeper.startOver()
      return text.buffer.bytes
    }

    mutating func compare(_ what: String) {
      let found = keeper.lineOrigins(of: &text)
      #expect(found.origins == text.document.lineOrigins(), "\(what)")
      for (id, time) in found.times {
        #expect(time == Int((text.history[id].time * 1000).rounded()), "\(what)")
      }
    }
  }

  @Test(arguments: seeds(6))
  func `they are right after undo, jumps, branches, restarts and damage`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = Array((1...12).map { "first \($0)\n" }.joined().utf8)
    var rowCount = 0
    for session in 0..<14 {
      var work = try Work(bytes, at: place)
      for step in 0..<30 {
        try work.edit(&random)
        if random.below(2) == 0 { work.keeper.record(&work.text, of: work.name) }
        if random.below(6) == 0 { work.compare("seed \(seed), session \(session), step \(step)") }
      }
      bytes = work.close()
      rowCount += try self.rowCount()
      if random.below(2) == 0 { try damage(&random) }
    }
    #expect(rowCount > 14)
  }

  private func damage(_ random: inout SeededGenerator) throws {
    if try rowCount() == 0 { return }
    let base = try database()
    if try base.number("SELECT count(*) FROM sqlite_schema WHERE type = 'view'") > 0 {
      return try base.run("DROP VIEW origins")
    }
    let garbage = (0...random.below(20)).map { _ in UInt8(random.below(256)) }
    switch random.below(9) {
    case 0: try base.run("DROP TABLE origins")
    case 1: try base.run("DROP TABLE origins; CREATE TABLE origins (x)")
    case 2: try base.run("UPDATE origins SET link = link + 1")
    case 3: try base.run("UPDATE OR REPLACE origins SET id = id + 1")
    case 4: try base.run("UPDATE origins SET lines = x'\(garbage.hexadecimal)'")
    case 5: try base.run("UPDATE origins SET lines = NULL, checksum = 0")
    case 6: try base.run("DROP TABLE origins; CREATE VIEW origins AS SELECT * FROM state")
    default: try plant(in: base, &random, garbage)
    }
  }

  /// Plants rows that are right but for what they say of the lines.
  private func plant(
    in base: Database, _ random: inout SeededGenerator, _ garbage: [UInt8]
  ) throws {
    let rows = try base.prepare(
      "SELECT origins.id, origins.link, lines FROM origins JOIN revision USING (id)")
    var planted: [(id: Int, link: Int, lines: [UInt8])] = []
    while try rows.step() { planted.append((rows.int(0), rows.int(1), rows.bytes(2))) }
    let update = try base.prepare("UPDATE origins SET lines = ?2, checksum = ?3 WHERE id = ?1")
    for (id, link, old) in planted {
      var lines = old
      switch random.below(6) {
      case 0: lines += [0, 1]
      case 1: lines = Array(lines.dropLast())
      case 2: lines = [1] + [UInt8](repeating: 0xFF, count: 8) + [0x7F, 0, 0, 12]
      case 3: lines = [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [0x7F]
      case 4: lines = [UInt8](repeating: 0xFF, count: 8) + [0x7F] + old
      default: lines = garbage + [0x80]
      }
      update.bind(1, id)
      update.bind(2, lines)
      update.bind(3, HistoryStore.checksum(ofOrigins: lines, of: id, link: link))
      try update.run()
    }
  }

  // MARK: - Bytes

  @Test(arguments: seeds(20)) func `bytes that are none of a revision are refused`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var origins: [Int] = []
    for _ in 0...random.below(6) {
      let id = Int(random.below(2000))
      origins += (0...random.below(4)).map { _ in id }
    }
    var times: [Int: Int] = [:]
    for id in origins { times[id] = Int(random.below(1 << 40)) - (1 << 39) }
    let timed = TimedOrigins(LineOrigins(origins), times: times)
    let (bytes, count) = (timed.bytes, origins.count)
    #expect(TimedOrigins(bytes, of: 2000, lineCount: count) == timed)
    #expect(TimedOrigins(bytes, of: origins.max() ?? 0, lineCount: count) == timed)
    #expect(TimedOrigins(bytes, of: (origins.max() ?? 0) - 1, lineCount: count) == nil)
    for wrong in [0, count - 1, count + 1, .max] {
      #expect(TimedOrigins(bytes, of: 2000, lineCount: wrong) == nil)
    }
    for end in bytes.indices {
      #expect(TimedOrigins(Array(bytes[..<end]), of: 2000, lineCount: count) == nil)
    }
    for _ in 0..<200 {
      var damaged = bytes
      damaged[Int(random.below(bytes.count))] = UInt8(random.below(256))
      guard let read = TimedOrigins(damaged, of: 2000, lineCount: count) else { continue }
      #expect(read.origins.lineCount == count)
      #expect(read.origins.runs.allSatisfy { read.times[$0.origin] != nil && $0.origin <= 2000 })
    }
  }

  @Test func `the closer to the newest revision, the closer to each other`() {
    #expect(HistoryStore.spaced([]) == [])
    #expect(HistoryStore.spaced([5]) == [5])
    #expect(
      HistoryStore.spaced([100_000, 98_976, 95_904, 83_616]) == [100_000, 98_976, 95_904, 83_616])
    var kept: Set<Int> = []
    for id in stride(from: 1024, through: 1_024_000, by: 1024) {
      kept = Set(HistoryStore.spaced(kept.union([id])))
      #expect(kept.count < 16)
      // Whatever is undone, few times as many groups are replayed.
      for undone in [1, 1500, 20_000, 200_000] where undone < id - 1024 {
        let left = id - undone
        let nearest = kept.filter { $0 <= left }.max() ?? 0
        #expect(left - nearest <= max(2048, 8 * undone), "\(id) \(undone)")
      }
    }
  }
}
