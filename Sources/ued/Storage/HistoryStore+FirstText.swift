import TextBuffer

/// The text as first opened, stored in parts.
extension HistoryStore {
  private static let bytesPerPart = 1 << 20

  /// Loads the text as first opened.
  ///
  /// - Parameters:
  ///   - hash: Its content hash.
  ///   - usesCRLF: Whether its lines end with CR LF in the file.
  /// - Throws: `damaged` if it is corrupt.
  /// - Returns: The text.
  func firstText(hash: ContentHash?, usesCRLF: Bool) throws(DatabaseError) -> PieceTable {
    try Statement.askForMemory(firstLength)
    var builder = PieceTable.Builder(from: PieceTable())
    let parts = try connection.prepare("SELECT part, bytes, checksum FROM text ORDER BY part")
    while try parts.step() {
      let bytes = parts.bytes(1)
      guard ContentHash.short(bytes[...]) == parts.int(2) else { throw .damaged }
      builder.append(bytes)
    }
    let text = builder.finish()
    guard text.byteCount == firstLength, ContentHash(of: text, usesCRLF: usesCRLF) == hash
    else { throw .damaged }
    return text
  }

  /// Stores the text as first opened.
  func put(_ text: PieceTable, into database: Database) throws(DatabaseError) {
    firstLength = text.byteCount
    let statement = try database.prepare("INSERT OR REPLACE INTO text VALUES (?, ?, ?)")
    for start in stride(from: 0, to: text.byteCount, by: Self.bytesPerPart) {
      let end = min(start + Self.bytesPerPart, text.byteCount)
      let bytes = text.bytes(in: ByteOffset(start)..<ByteOffset(end))
      statement.bind(1, start / Self.bytesPerPart)
      statement.bind(2, bytes)
      statement.bind(3, ContentHash.short(bytes[...]))
      try statement.run()
    }
  }
}
