import TextBuffer

/// What this run knows of the origins of lines.
struct KnownOrigins {
  /// The origins of the lines of a revision that were found out last, and the changes that led to it, which
  /// prove that it is still the same.
  var latest: (id: Int, changes: [Change], origins: TimedOrigins)?
  /// The revision from which on origins are to be stored again; nil if it is not known yet.
  var due: Int?
  /// After how many groups they are stored.
  var spacing = 1024

  /// The origins of a revision, if they are known.
  func origins(of id: Int, in document: Document<EditorContext>) -> TimedOrigins? {
    guard let latest, latest.id == id, latest.changes == document.changes(of: id) else {
      return nil
    }
    return latest.origins
  }
}

/// Origins of lines, which are stored every thousand groups or so.
extension HistoryKeeper {
  /// The origins of the lines of the present revision.
  private struct FoundOrigins {
    var present: TimedOrigins
    /// How many groups were replayed.
    var groupCount: Int
    /// The origins of revisions that are to be stored, without all their times.
    var revisions: [(id: Int, origins: TimedOrigins)] = []
    /// The revisions whose stored origins are not right.
    var wrong: Set<Int> = []
  }

  /// The most stored groups that are replayed while groups are written: 20 ms.
  private static let mostStoredGroups = 2048
  /// The most groups of a person's that are replayed then: 40 ms.
  private static let mostGroups = 1 << 14
  /// The most lines that are compared then.
  private static let mostLines = 1 << 16
  /// As how many lines the comparison of two texts counts.
  private static let linesOfComparison = 128

  /// The origins of the lines of the present revision, and the times of some.
  ///
  /// They are stored if it took many groups to find them out.
  mutating func lineOrigins(of text: inout EditedText) -> TimedOrigins {
    let found = findOrigins(in: text.document)
    if found.groupCount >= origins.spacing || !found.wrong.isEmpty {
      // They prove themselves by links, which the revisions get when they are stored.
      if hasNothingNew(of: &text) { put(found, of: text.history) } else { origins.due = 0 }
    }
    return found.present
  }

  /// Stores the origins of the lines of the present revision, which is stored, if many groups were made since that was
  /// done last, and it takes no time that one would notice.
  mutating func keepOrigins(of document: Document<EditorContext>) {
    let current = document.history.current
    guard current >= origins.due ?? origins.spacing, case .open(let store) = location else {
      return
    }
    let known = Set(store.revisionsWithOrigins + (origins.latest.map { [$0.id] } ?? []))
    let nearest = known.filter { $0 <= current }.max() ?? 0
    if origins.due == nil && current - nearest < origins.spacing {
      origins.due = nearest + origins.spacing
    } else if min(current, reader?.count ?? 0) - nearest > Self.mostStoredGroups
      || !isCheap(since: known, in: document)
    {
      // Until somebody asks for them.
      origins.due = .max
    } else {
      put(findOrigins(in: document), of: document.history)
    }
  }

  /// Whether it takes no time that one would notice to find out the origins from those of the last of some revisions.
  private func isCheap(since known: Set<Int>, in document: Document<EditorContext>) -> Bool {
    let earlier = reader?.count ?? 0
    var (groupCount, storedCount, lineCount) = (0, 0, 0)
    var isCheap = true
    document.goBack { id, changes, lines in
      if known.contains(id) { return false }
      groupCount += 1
      if id < earlier { storedCount += 1 }
      // Several changes take a comparison of the texts.
      lineCount += changes > 1 ? lines + Self.linesOfComparison : max(0, lines - 2)
      isCheap =
        storedCount <= Self.mostStoredGroups && lineCount <= Self.mostLines
        && (groupCount <= Self.mostGroups || patience == .long)
      return isCheap
    }
    return isCheap
  }

  /// Finds the origins from the nearest ancestor whose origins are known.
  private mutating func findOrigins(in document: Document<EditorContext>) -> FoundOrigins {
    var store: HistoryStore?
    if case .open(let open) = location, open.isOpen { store = open }
    let (known, stored) = (origins, Set(store?.revisionsWithOrigins ?? []))
    var base: TimedOrigins?
    var (groupCount, distance) = (0, 0)
    var (wanted, wrong) = (Set<Int>(), Set<Int>())
    var kept: [(id: Int, origins: LineOrigins)] = []
    let present = document.lineOrigins { id, lineCount in
      base = known.origins(of: id, in: document)
      if base == nil, stored.contains(id) {
        base = store?.origins(of: id, lineCount: lineCount)
        if base == nil { wrong.insert(id) }
      }
      if base == nil {
        if groupCount == distance {
          wanted.insert(id)
          distance = max(known.spacing, 4 * distance)
        }
        groupCount += 1
      }
      return base?.origins
    } visit: { id, origins in
      if wanted.contains(id) { kept.append((id, origins)) }
    }
    let times = base?.times ?? [:]
    let (current, origins) = (document.history.current, TimedOrigins(present, times: times))
    // The first revision has no changes by which it could be told from that of another text.
    if current > 0 { self.origins.latest = (current, document.changes(of: current), origins) }
    var found = FoundOrigins(present: origins, groupCount: groupCount, wrong: wrong)
    if groupCount == 0 && current > 0 { kept = [(current, present)] }
    found.revisions = kept.map { ($0.id, TimedOrigins($0.origins, times: times)) }
    return found
  }

  /// Stores origins that were found out.
  private mutating func put(_ found: FoundOrigins, of history: History<Change>) {
    origins.due = history.current + origins.spacing
    guard isStored, case .open(let store) = location, store.isOpen else { return }
    var found = found
    for index in found.revisions.indices { found.revisions[index].origins.complete(from: history) }
    if history.isDamaged { return }
    store.putOrigins(found.revisions, replacing: found.wrong)
    if let last = found.revisions.last, last.id == history.current {
      origins.latest?.origins = last.origins
    }
  }
}
