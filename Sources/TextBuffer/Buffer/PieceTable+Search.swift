extension PieceTable {
  /// The places of some bytes, from the start to the end, without overlaps.
  ///
  ///     PieceTable("one two one").ranges(of: "one")  // two ranges
  ///
  /// - Parameters:
  ///   - bytes: The bytes to find; an empty collection is never found.
  ///   - range: The range to search; nil for all of the text.
  /// - Returns: Ranges of offsets in the text.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(*n*) most often; O(*n* *m*) at worst, for *m* bytes to find. Bytes are copied
  ///   only if pieces are short.
  public func ranges(
    of bytes: some Collection<UInt8>, in range: Range<ByteOffset>? = nil
  ) -> [Range<ByteOffset>] {
    var found: [Range<ByteOffset>] = []
    search(Array(bytes), range) {
      found.append($0)
      return true
    }
    return found
  }

  /// The places of a string, byte for byte: canonically equivalent characters are different.
  public func ranges(
    of string: some StringProtocol, in range: Range<ByteOffset>? = nil
  ) -> [Range<ByteOffset>] {
    ranges(of: string.utf8, in: range)
  }

  /// The first place of some bytes; nil without one.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to find; an empty collection is never found.
  ///   - range: The range to search; nil for all of the text.
  /// - Returns: A range of offsets in the text.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(*m*), for *m* bytes up to that place.
  public func firstRange(
    of bytes: some Collection<UInt8>, in range: Range<ByteOffset>? = nil
  ) -> Range<ByteOffset>? {
    var first: Range<ByteOffset>?
    search(Array(bytes), range) {
      first = $0
      return false
    }
    return first
  }

  /// The first place of a string, byte for byte; nil without one.
  public func firstRange(
    of string: some StringProtocol, in range: Range<ByteOffset>? = nil
  ) -> Range<ByteOffset>? {
    firstRange(of: string.utf8, in: range)
  }

  /// The largest number of bytes to search at once.
  private static var window: Int { 1 << 18 }

  /// Calls `body` with each place of `bytes`, until it returns false. The text is searched window
  /// by window. Windows overlap, so a match across a boundary is found.
  private func search(
    _ bytes: [UInt8], _ range: Range<ByteOffset>?, _ body: (Range<ByteOffset>) -> Bool
  ) {
    if bytes.isEmpty { return }
    let range = range ?? ByteOffset(0)..<ByteOffset(byteCount)
    precondition(contains(range), "range out of the text")
    let size = max(Self.window, 2 * bytes.count)
    var start = range.lowerBound
    while range.upperBound - start >= bytes.count {
      let end = min(start + size, range.upperBound)
      guard let next = search(bytes, inWindow: start..<end, body) else { return }
      start = max(next, end - (bytes.count - 1))
    }
  }

  /// The end of the last match, or the start of the window; nil if `body` has returned false.
  private func search(
    _ bytes: [UInt8], inWindow window: Range<ByteOffset>, _ body: (Range<ByteOffset>) -> Bool
  ) -> ByteOffset? {
    var cursor = Cursor(root, at: window.lowerBound.value)
    let end = window.upperBound.value
    guard let extent = cursor.nextMaximalExtent(upTo: end) else { return window.lowerBound }
    if extent.count == window.count {
      return search(bytes, in: extent, from: window.lowerBound, body)
    }
    return unsafe self.bytes(in: window).withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return window.lowerBound }
      // SAFETY: the extent is used during this call only.
      return unsafe search(bytes, in: Extent(base, memory.count), from: window.lowerBound, body)
    }
  }

  private func search(
    _ bytes: [UInt8], in extent: Extent, from start: ByteOffset, _ body: (Range<ByteOffset>) -> Bool
  ) -> ByteOffset? {
    var end = 0
    while let length = extent.dropping(end).firstPlace(of: bytes) {
      let lower = start + end + length
      end += length + bytes.count
      if !body(lower..<start + end) { return nil }
    }
    return start + end
  }
}
