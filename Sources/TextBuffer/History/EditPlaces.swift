/// The separate places touched by a series of edits, in ascending order: with several carets, one
/// for each. Edits that touch each other share a place. A place stores its distance from the
/// previous one, so an edit adjusts only the next place, not all later ones. Places are stored in
/// chunks, so an edit visits O(√*k*) of *k* places.
struct EditPlaces: Sendable {
  private struct Place {
    /// The number of unchanged bytes since the end of the previous place.
    var kept: Int
    var removed: Int
    var inserted: Int

    /// The number of bytes from the end of the previous place to the end of this one, in the text
    /// after all edits.
    var length: Int { kept + inserted }
  }

  /// Consecutive places, at least one.
  private struct Chunk {
    var places: [Place]
    /// The sum of the lengths of the places.
    var length: Int

    init(_ places: [Place]) {
      self.places = places
      length = places.reduce(0) { $0 + $1.length }
    }

    mutating func replace(_ range: Range<Int>, with place: Place) {
      places.replaceSubrange(range, with: CollectionOfOne(place))
      length = places.reduce(0) { $0 + $1.length }
    }
  }

  private var chunks: [Chunk] = []
  private(set) var count = 0

  /// The largest number of places that are tracked separately.
  static let most = 4096
  /// The largest number of places in a chunk.
  #if DEBUG
    private static let mostInChunk = OwnTests.areRunning ? 4 : 128
  #else
    private static let mostInChunk = 128
  #endif

  init() {}

  /// The places of edits made one after the other; nil if there are too many.
  init?(_ edits: some Sequence<EditSpan>) {
    for edit in edits {
      add(edit)
      if isTooMany { return nil }
    }
  }

  /// Whether there are too many places to track them separately.
  var isTooMany: Bool { count > Self.most }

  /// The places with offsets in the text after all edits.
  var spans: [EditSpan] {
    var end = 0
    return chunks.flatMap(\.places).map { place in
      defer { end += place.length }
      return EditSpan(offset: end + place.kept, removed: place.removed, inserted: place.inserted)
    }
  }

  /// The places with offsets in the text before all edits.
  var spansBefore: [EditSpan] {
    var end = 0
    return chunks.flatMap(\.places).map { place in
      defer { end += place.kept + place.removed }
      return EditSpan(offset: end + place.kept, removed: place.removed, inserted: place.inserted)
    }
  }

  /// The places of these edits followed by those in `next`; nil if there are too many.
  func followed(by next: EditPlaces) -> EditPlaces? {
    var all = self
    all.add(next)
    return all.isTooMany ? nil : all
  }

  /// Adds the places of edits made after all edits so far.
  mutating func add(_ next: EditPlaces) {
    // From the last place to the first, so that no edit moves a place still to come.
    for edit in next.spansBefore.reversed() { add(edit) }
  }

  /// Adds an edit. Its offset counts in the text after all earlier edits.
  ///
  /// - Complexity: O(√*k* + *m*), for *k* places and *m* places that the edit touches.
  mutating func add(_ edit: EditSpan) {
    // Finds the first place that ends at or after the start of the edit. `end` is where the place
    // before it ends.
    var (chunk, index, end) = (0, 0, 0)
    while chunk < chunks.count, end + chunks[chunk].length < edit.offset {
      end += chunks[chunk].length
      chunk += 1
    }
    if chunk < chunks.count {
      while end + chunks[chunk].places[index].length < edit.offset {
        end += chunks[chunk].places[index].length
        index += 1
      }
    } else if chunk > 0 {
      chunk -= 1
      index = chunks[chunk].places.count
    }
    // Merges the edit with all places from there on that begin at or before its end.
    var (lastChunk, lastIndex, lastEnd) = (chunk, index, end)
    var touched: EditSpan?
    while lastChunk < chunks.count {
      if lastIndex == chunks[lastChunk].places.count {
        (lastChunk, lastIndex) = (lastChunk + 1, 0)
        continue
      }
      let place = chunks[lastChunk].places[lastIndex]
      let span = EditSpan(
        offset: lastEnd + place.kept, removed: place.removed, inserted: place.inserted)
      if span.offset > edit.offset + edit.removed { break }
      touched = touched?.union(span) ?? span
      lastEnd += place.length
      lastIndex += 1
      count -= 1
    }
    let all = touched?.union(edit) ?? edit
    count += 1
    let growth = edit.inserted - edit.removed
    if lastChunk < chunks.count {
      var next = chunks[lastChunk].places[lastIndex]
      next.kept += lastEnd + growth - (all.offset + all.inserted)
      chunks[lastChunk].replace(lastIndex..<lastIndex + 1, with: next)
    }
    let place = Place(kept: all.offset - end, removed: all.removed, inserted: all.inserted)
    if chunks.isEmpty {
      chunks = [Chunk([place])]
    } else if lastChunk == chunk {
      chunks[chunk].replace(index..<lastIndex, with: place)
    } else {
      chunks[chunk].replace(index..<chunks[chunk].places.count, with: place)
      if lastIndex > 0 {
        chunks[lastChunk] = Chunk(Array(chunks[lastChunk].places[lastIndex...]))
      }
      chunks.removeSubrange(chunk + 1..<lastChunk)
    }
    if chunks[chunk].places.count > Self.mostInChunk { split(chunk) }
  }

  private mutating func split(_ chunk: Int) {
    let places = chunks[chunk].places
    let half = places.count / 2
    chunks[chunk] = Chunk(Array(places[..<half]))
    chunks.insert(Chunk(Array(places[half...])), at: chunk + 1)
  }
}
