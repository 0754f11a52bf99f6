extension Document {
  /// The revision that wrote or moved each line of the present revision last.
  ///
  /// - Parameters:
  ///   - revision: A revision whose origins are known, and from which the present one was made; nil if none.
  ///   - known: Its origins.
  /// - Returns: The numbers of the revisions; 0 for lines of the first text.
  /// - Complexity: O(*g* log *p*), for *g* groups since that revision, besides what their steps cost.
  public func lineOrigins(
    from revision: Int? = nil, _ known: LineOrigins? = nil
  ) -> LineOrigins {
    let start = revision ?? 0
    let path = history.path(to: start).back.reversed()
    var text = committedBuffer
    for id in path.reversed() {
      for change in changes(of: id).reversed() { text.apply(change.inverse) }
    }
    var origins = known ?? LineOrigins(lineCount: text.lineCount)
    for id in path {
      let (changes, before) = (changes(of: id), text)
      for change in changes { text.apply(change) }
      origins.apply(LineStep(of: changes, from: before, to: text), by: id)
    }
    return origins
  }
}
