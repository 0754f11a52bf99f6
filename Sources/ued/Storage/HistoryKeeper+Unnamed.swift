import TextBuffer

/// Histories of texts without a name, at a terminal.
///
/// Each session has its own, which it deletes when it ends by a command. What a kill leaves is opened by the next
/// session without a file name in the same folder, whose text is empty until `redo`.
extension HistoryKeeper {
  /// Opens the first history of a text without a name which no other session has, and which has anything
  /// that was not saved.
  mutating func openUnnamed(_ text: inout EditedText) {
    guard patience == .brief, !isReadOnly, text.buffer.isEmpty else { return }
    for place in HistoryPlace.unnamed(isAskedFor: isAskedFor) where place.exists {
      do throws(DatabaseError) {
        let store = try HistoryStore(opening: place, index: index)
        guard let found = try store.load() else { continue }
        if found.entered == nil && (found.current == 0 || found.current == found.saved) {
          try? store.discard()
          continue
        }
        try adopt(found, of: store, in: &text, isMissing: false)
        location = .open(store)
        return
      } catch {
        // Another session has it, or a newer ued.
        if error.isDamage { giveUp(place, because: error) }
      }
    }
  }

  /// Makes the database for a text without a name; nil where none is kept.
  func makeUnnamedStore() throws(HistoryError) -> HistoryStore? {
    guard patience == .brief else { return nil }
    let places = HistoryPlace.unnamed(isAskedFor: isAskedFor)
    for place in places where !place.exists {
      do throws(HistoryError) {
        return try makeStore(place)
      } catch {
        // Another session may have taken it just now.
        if case .folder = error { throw error }
      }
    }
    if places.isEmpty { return nil }
    throw .tooManyUnnamed
  }

  /// Chooses the location once a text without a file name has got one; what is stored already moves there.
  ///
  /// If the file has a history, which is that of another text, a person's text keeps its own as one without a
  /// name.
  mutating func locateNamed(_ fileName: [UInt8], of text: EditedText) {
    if fileName.isEmpty || staysUnnamed { return }
    switch location {
    case .unnamed where patience == .long:
      location =
        place(of: fileName, for: text, isNamedLater: true).map { .new($0) } ?? .none
    case .unnamed: move(to: fileName, from: nil, text)
    case .open(let store) where store.place.isUnnamed: move(to: fileName, from: store, text)
    default: return
    }
  }

  private mutating func move(
    to fileName: [UInt8], from store: HistoryStore?, _ text: EditedText
  ) {
    if let found = HistoryPlace(of: fileName), found.exists {
      staysUnnamed = true
      notices.append(.staysUnnamed)
      return
    }
    unnamedStore = store
    guard let place = place(of: fileName, for: text, isNamedLater: true) else {
      // What is private now must not stay on disk.
      stop()
      deleteUnnamed()
      return
    }
    location = .new(place)
    (stored, recovered, offered) = (Stored(), [], [])
    unstored = Set(text.history.revisions.indices)
  }

  /// Leaves what an earlier session offers as it was, for the next start, once another text is entered
  /// instead, which gets a history of its own.
  mutating func leaveOffer(of text: EditedText) {
    guard let last = offered.last, !offered.contains(text.history.current),
      case .open(let store) = location, store.place.isUnnamed
    else { return }
    text.readHistory()
    if store.hasRun { try? store.cut(to: stored.earlierCount, current: last) }
    store.close()
    location = .unnamed
    (stored, recovered, offered) = (Stored(), [], [])
    unstored = Set(text.history.revisions.indices)
  }

  /// Deletes the history that a text had before it got its name.
  mutating func deleteUnnamed() {
    guard let store = unnamedStore else { return }
    unnamedStore = nil
    try? store.discard()
  }

  /// Deletes the history of a text without a name, which the user gives up. One of an earlier session is left
  /// as it was, unless the user has gone to one of its revisions.
  mutating func giveUpUnnamed() {
    deleteUnnamed()
    guard case .open(let store) = location, store.place.isUnnamed else { return }
    if let last = offered.last {
      if store.hasRun { try? store.cut(to: stored.earlierCount, current: last) }
    } else {
      try? store.discard()
    }
    stop()
  }
}

extension HistoryStore {
  /// Deletes all revisions but the first ones.
  ///
  /// - Parameters:
  ///   - count: How many are left.
  ///   - current: The one that the next run offers.
  /// - Throws: Why they can't be deleted; all are left then.
  fileprivate func cut(to count: Int, current: Int) throws(DatabaseError) {
    let (database, statements) = try prepareToWrite()
    try database.transaction { () throws(DatabaseError) in
      statements.removal.bind(1, count)
      try statements.removal.run()
      try putState(current: current, saved: 0, by: statements.state)
    }
  }
}
