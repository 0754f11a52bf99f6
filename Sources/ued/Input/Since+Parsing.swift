extension Since {
  /// Parses `30s`, `10m`, `2h` or `1d`, or a local date as `2026-11-20`, also with a time behind a blank or a `T`,
  /// as `14:02` or `14:02:11`; nil for anything else.
  init?(_ word: [UInt8]) {
    let units: [UInt8: Int] = [
      UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600,
      UInt8(ascii: "d"): 86400,
    ]
    if let unit = word.last.flatMap({ units[$0] }) {
      guard let number = Self.number(word.dropLast()) else { return nil }
      self = .ago(Double(number * unit))
      return
    }
    let halves = word.split(
      maxSplits: 1, omittingEmptySubsequences: false,
      whereSeparator: { $0 == .space || $0 == UInt8(ascii: "T") })
    let date = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let clock =
      halves.count < 2
      ? [] : halves[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let numbers = (date + clock).compactMap { Self.number($0) }
    guard date.count == 3, clock.isEmpty || 2...3 ~= clock.count, date[0].count == 4,
      numbers.count == date.count + clock.count,
      let time = SystemClock.time(numbers + Array(repeating: 0, count: 6 - numbers.count))
    else { return nil }
    self = .time(time)
  }

  /// A number of at most seven digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard 1...7 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
