/// Moves from one revision to another.
extension History {
  /// Goes back to the parent of the present revision, if there is one.
  package mutating func undoStep() -> Transition<Step>? {
    parentToUndo.map { move(to: $0, .undone) }
  }

  /// Goes on to the preferred child of the present revision, if there is one.
  package mutating func redoStep() -> Transition<Step>? {
    preferredChild.map { move(to: $0, .redone) }
  }

  /// Goes to any revision.
  package mutating func moveStep(to id: Int) -> Transition<Step> { move(to: id, .moved) }

  private mutating func move(to id: Int, _ kind: Event.Kind) -> Transition<Step> {
    let (back, forward) = path(to: id)
    let transition = Transition(
      from: current, to: id, back: back, forward: forward, in: revisions)
    for _ in back { moveToParent() }
    for revision in forward { moveToChild(revision) }
    tell(kind, transition)
    return transition
  }

  /// The path to a revision: the revisions to take back, and then the revisions to redo, in order.
  ///
  /// - Precondition: `canMove(to: id)`.
  /// - Returns: The numbers of both; `back` begins with the present revision.
  /// - Complexity: O(*m*), for *m* revisions on the path.
  package func path(to id: Int) -> (back: [Int], forward: [Int]) {
    precondition(canMove(to: id) || isDamaged, "no such revision")
    var back: [Int] = []
    var forward: [Int] = []
    var (here, there) = (current, id)
    // A parent always has a smaller number than its children.
    while here != there {
      if here > there {
        back.append(here)
        here = revisions[entry: here].parent.id ?? 0
      } else {
        forward.append(there)
        there = revisions[entry: there].parent.id ?? 0
      }
    }
    return (back, forward.reversed())
  }
}
