import TextBuffer

/// The origins of the lines of a revision, and when these revisions were made.
struct TimedOrigins: Equatable, Sendable {
  /// The revision that wrote or moved each line last.
  var origins: LineOrigins
  /// When revisions were made, in milliseconds since 1970-01-01 UTC; it need not have all of them.
  var times: [Int: Int] = [:]

  /// When a revision was made, in seconds, if that is known.
  func time(of id: Int) -> Double? { times[id].map { Double($0) / 1000 } }

  /// Leaves only the times of the origins, and adds those that are missing.
  mutating func complete(from history: History<Change>) {
    var complete: [Int: Int] = [:]
    for run in origins.runs where complete[run.origin] == nil {
      complete[run.origin] = times[run.origin] ?? StoredTime(history[run.origin].time).milliseconds
    }
    times = complete
  }

  // MARK: - As stored

  /// The origins and times as bytes: the number of revisions, each with the difference of its number and of its
  /// time to the one before; then the runs of lines, as a place among those revisions and a count.
  ///
  /// Differences of times are twice their size, and one less if they are negative.
  ///
  /// - Precondition: The times are complete.
  var bytes: [UInt8] {
    let ids = times.keys.sorted()
    var bytes: [UInt8] = []
    bytes.append(varint: ids.count)
    var (place, last) = ([Int: Int](minimumCapacity: ids.count), (id: 0, time: 0))
    for (index, id) in ids.enumerated() {
      let time = times[id] ?? 0
      bytes.append(varint: id - last.id)
      let growth = time &- last.time
      bytes.append(varint: ((growth &<< 1) ^ (growth &>> 63)) & .max)
      place[id] = index
      last = (id, time)
    }
    for run in origins.runs {
      bytes.append(varint: place[run.origin] ?? 0)
      bytes.append(varint: run.count)
    }
    return bytes
  }

  /// Reads what is stored of a revision; nil if the bytes are not of such a revision.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - id: The revision.
  ///   - lineCount: The number of lines of its text.
  init?(_ bytes: [UInt8], of id: Int, lineCount: Int) {
    var reader = VarintReader(bytes[...])
    guard let count = reader.next(), count <= bytes.count else { return nil }
    var (ids, times, last) = ([Int](), [Int: Int](), (id: 0, time: 0))
    for index in 0..<count {
      guard let growth = reader.next(), growth > 0 || index == 0, growth <= id - last.id,
        let difference = reader.next()
      else { return nil }
      last.id += growth
      last.time = last.time &+ ((difference &>> 1) ^ -(difference & 1))
      guard (try? StoredTime(stored: last.time)) != nil else { return nil }
      ids.append(last.id)
      times[last.id] = last.time
    }
    var (runs, rest) = ([LineOrigins.Run](), lineCount)
    while !reader.isAtEnd {
      guard let place = reader.next(), place < ids.count, let count = reader.next(), count > 0,
        count <= rest
      else { return nil }
      runs.append(LineOrigins.Run(origin: ids[place], count: count))
      rest -= count
    }
    guard rest == 0 else { return nil }
    self.init(LineOrigins(runs: runs), times: times)
  }

  /// Origins, with the times that are known.
  init(_ origins: LineOrigins, times: [Int: Int]) {
    self.origins = origins
    self.times = times
  }
}
