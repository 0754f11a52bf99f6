import TextBuffer

/// Keeping lines while they are entered, before the command that reads them has made its group of them.
///
/// They are rows of their own until the group is stored, in one transaction with which they are deleted. What a
/// kill leaves of them becomes a group when the history is opened next.
extension HistoryKeeper {
  /// How many lines have been entered into the command that reads now.
  var enteredLineCount: Int {
    allEntered.reduce(0) { $0 + $1.text.count { $0 == .newline } }
  }

  /// Stores lines that a person has entered, in one transaction. What can't be stored is stored with the
  /// next ones.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - text: The text, which need not have them yet.
  mutating func keepEntered(_ lines: EnteredLines, into text: EditedText) {
    if isStored {
      replaceLost(of: text)
      leaveOffer(of: text)
      entered.append(lines)
    }
    allEntered.append(lines)
    guard isStored else { return }
    let history = text.history
    let isReady =
      stored.count > 0 && unstored.isEmpty && recovered.isEmpty
      && stored.position == (history.current, history.saved)
    if isReady, case .open(let store) = location {
      do throws(DatabaseError) {
        try store.append(
          entered, after: stored.hasOpenGroup ? stored.count : history.current,
          start: (start, effect))
        stored.hasEntered = true
        entered = []
        failure = nil
      } catch {
        handle(error, of: store)
      }
    } else if !(text.isInStep && text.isInGroup) {
      // An open group would be stored with what its open step has changed.
      write(text, saving: nil)
    }
  }

  /// Makes the lines of a command that was cut off a group after the revision that they change, and goes
  /// back to the current one.
  ///
  /// - Parameters:
  ///   - cutOff: The lines.
  ///   - text: The text with its stored history.
  ///   - run: The run in which they were entered.
  /// - Returns: The group; nil if they are not lines of that text.
  mutating func recover(
    _ cutOff: EnteredText, in text: inout EditedText, run: Int
  ) -> Int? {
    let here = text.history.current
    guard text.isRevision(cutOff.base), let time = cutOff.lines.last?.time else { return nil }
    text.document.move(to: cutOff.base)
    defer {
      text.document.move(to: here)
      recovered = Set(text.document.takeChangedRevisions())
    }
    var marks = text.document.context.marks
    text.document.begin()
    for lines in cutOff.lines {
      let (old, range) = (text.buffer, lines.replaced)
      guard range.first > .zero, range.count >= 0, range.last.value <= old.newlineCount else {
        text.document.rollBack()
        return nil
      }
      let change = text.document.edit { $0.replaceLines(range, with: lines.text) }
      marks.follow(
        range, inserting: change.insertedNewlineCount, from: old, to: text.document.buffer)
      text.document.context = EditorContext(
        line: range.first + (change.insertedNewlineCount - 1), marks: marks,
        usesCRLF: text.document.context.usesCRLF, changedLine: cutOff.lines[0].replaced.first,
        label: cutOff.label)
    }
    guard let id = text.document.commit(date: time)?.to else { return nil }
    stored.earlierCount += 1
    stored.recoveredRun = run
    return id
  }
}

extension EnteredText {
  /// The label of the group; nil if its one change describes itself.
  fileprivate var label: GroupLabel? {
    guard lines.count > 1, let first = lines.first, let last = lines.last else { return nil }
    // Only `edit` enters lines that do not follow each other.
    let growth = lines.dropLast().reduce(0) {
      $0 + $1.text.count(where: { $0 == .newline }) - $1.replaced.count
    }
    return GroupLabel(.linesEdited(LineRange(first.replaced.first, last.replaced.last - growth)))
  }
}
