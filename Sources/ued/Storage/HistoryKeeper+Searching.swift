import TextBuffer

/// Searching the groups of the text.
extension HistoryKeeper {
  /// The groups that may match a pattern, without those of earlier runs that can be told not to by their rows.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - text: The text, which stays the same.
  /// - Returns: The groups in order, among them some that are no longer in the tree; nil if all have to be
  ///   looked at.
  mutating func candidates(for pattern: Pattern, in text: inout EditedText) -> [Int]? {
    // What has changed since it was stored is known only of a history that is stored.
    guard isStored, case .open = location, let reader else { return nil }
    unstored.formUnion(text.document.takeChangedRevisions())
    guard let rows = reader.candidates(for: pattern, isBinary: text.isBinary) else { return nil }
    let count = text.history.revisions.count
    let others = unstored.union(recovered).union(reader.count..<max(count, reader.count))
    return others.union(rows).filter { $0 < count }.sorted()
  }
}
