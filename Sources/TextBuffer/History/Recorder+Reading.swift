/// Reads the latest transaction and the steps of a revision.
extension Recorder {
  /// The transition of the transaction just committed, from revision `from` to the present one.
  @usableFromInline func latestTransition(from: Int, in core: EditCore) -> Transition<Change> {
    Transition(from: from, to: history.current, Steps(latestChanges(in: core)))
  }

  /// Whether a revision has a single step, which only inserts or only removes bytes.
  @usableFromInline func isInsertionOrRemoval(_ id: Int) -> Bool {
    history.revisions.stepCount(of: id) == 1
      && history.revisions.withStep(0, of: id) {
        $0.removedByteCount == 0 || $0.insertedByteCount == 0
      }
  }

  @usableFromInline func latestChanges(in core: EditCore) -> [Change] {
    if core.typing.isOpen { return core.typedChanges }
    return switch latest {
    case .nothing: []
    case .currentSteps: history.steps(of: history.current)
    case .part(let log): log.steps(to: core.text).array
    }
  }
}
