/// What was recorded last, and what a revision did.
extension Recorder {
  /// What the transaction that has just been committed did.
  ///
  /// - Parameters:
  ///   - from: The present revision before.
  ///   - core: The text after it.
  /// - Returns: The way from there to the present revision, and the changes.
  @usableFromInline func latestTransition(from: Int, in core: EditCore) -> Transition<Change> {
    Transition(from: from, to: history.current, Steps(latestChanges(in: core)))
  }

  /// Whether a revision is one insertion or one removal.
  @usableFromInline func isInsertionOrRemoval(_ id: Int) -> Bool {
    history.revisions.stepCount(of: id) == 1
      && history.revisions.withStep(0, of: id) {
        $0.removedByteCount == 0 || $0.insertedByteCount == 0
      }
  }

  /// What the latest transaction did by itself.
  @usableFromInline func latestChanges(in core: EditCore) -> [Change] {
    if core.typing.isOpen { return core.typedChanges }
    return switch latest {
    case .nothing: []
    case .currentSteps: history.steps(of: history.current)
    case .part(let log): log.steps(to: core.text).array
    }
  }
}
