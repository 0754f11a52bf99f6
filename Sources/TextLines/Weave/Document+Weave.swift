import TextBuffer

extension Document {
  /// Brings a weave of this document to a revision, and adds all unknown groups on the way.
  ///
  /// - Parameters:
  ///   - weave: A weave of revision 0, or one that has been brought to any revision of this document.
  ///   - id: The revision.
  ///   - details: The details of a group, which its changes do not show.
  /// - Returns: Whether the weave has arrived; false if the history is damaged or has forgotten a
  ///   group. If ``Weave/mustStop`` has stopped the work, the weave must not be used any more.
  /// - Complexity: O(log *n*) for each effect on the way. New groups also need all changes
  ///   between these and the present revision.
  @discardableResult
  public func bring(
    _ weave: inout Weave, to id: Int,
    details: (_ group: Int) -> Weave.Details = { _ in Weave.Details() }
  ) -> Bool {
    var (new, known) = ([Int](), id)
    while !weave.contains(known) {
      new.append(known)
      guard let parent = parent(of: known) else { return false }
      known = parent
    }
    // A vote may be on a group of another branch. Voted groups are older, so the recursion ends. A
    // vote on a missing group does not count.
    var knownDetails: [Weave.Details] = []
    for id in new {
      knownDetails.append(details(id))
      for vote in knownDetails[knownDetails.count - 1].votes
      where vote.group < id && !weave.contains(vote.group) && !new.contains(vote.group) {
        bring(&weave, to: vote.group, details: details)
      }
    }
    if weave.mustStop() || hasDamagedHistory { return false }
    // The other branches may have added some of these groups.
    while let oldest = new.last, weave.contains(oldest) { known = new.removeLast() }
    weave.move(to: known)
    if new.isEmpty { return true }
    var text = text(of: known)
    for (group, details) in zip(new, knownDetails).reversed() {
      let changes = changes(of: group)
      var after = text
      apply(changes, to: &after)
      if hasDamagedHistory { return false }
      weave.add(group, changes, from: text, to: after, details)
      text = after
      if weave.mustStop() { return false }
    }
    if new.count > 1000 { weave.trim() }
    return true
  }
}
