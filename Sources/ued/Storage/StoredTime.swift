/// An instant as databases have it: in whole milliseconds since 1970-01-01 UTC, between the years 1 and 9999.
struct StoredTime: Equatable, Sendable {
  let milliseconds: Int

  /// An instant in seconds, or the nearest one that can be stored.
  init(_ seconds: Double) {
    let exact = (seconds * 1000).rounded()
    let (first, last) = (Self.range.lowerBound, Self.range.upperBound)
    milliseconds =
      exact >= Double(last) ? last : exact >= Double(first) ? Int(exact) : first
  }

  /// What the index has, or the nearest instant that can be stored.
  init(clamping milliseconds: Int) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// What a database has.
  ///
  /// - Throws: `damaged` if it is none.
  init(stored milliseconds: Int) throws(DatabaseError) {
    guard Self.range.contains(milliseconds) else { throw .damaged }
    self.milliseconds = milliseconds
  }

  /// In seconds.
  var seconds: Double { Double(milliseconds) / 1000 }

  private static let range = -62_135_596_800_000...253_402_300_799_999
}
