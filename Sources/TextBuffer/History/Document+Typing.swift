/// Edits that come one at a time, like keystrokes.
extension Document {
  /// Replaces bytes as part of the open transaction. If there is none, the edit goes on with the group
  /// that earlier calls have opened, or opens a new one, as `coalescing` says.
  ///
  /// A group is committed when an edit does not belong to it, by `closeGroup()`, and by everything that
  /// opens a transaction or deals with revisions. Its contexts are the one before its first edit and the
  /// one at that time, even if no edit can join it, so close it before a selection moves. An insertion
  /// where the latest edit ended always belongs to the group, also in the middle of what that has inserted.
  ///
  /// - Parameters:
  ///   - range: The bytes to replace; empty to insert.
  ///   - bytes: The bytes to insert; empty to remove.
  ///   - name: The name of the group, which its revision will have; nil for none. The edit begins a new
  ///     group if the open one has another name. In a transaction, the name has no effect. Only keys without
  ///     a name take the fastest path.
  ///   - time: The time of the edit, for measuring pauses; nil to ignore pauses.
  ///   - date: The time of the revision if this is the latest edit of its group, in the unit and from the
  ///     origin that the caller chose; seconds since 1970 for example.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(*m*) for *m* bytes next to the latest edit of the group, else O(log *p* + *m*) for
  ///   *p* pieces.
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: RawSpan, name: String? = nil,
    time: ContinuousClock.Instant?, date: Double = 0
  ) {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let moment = EditMoment(at: time, date)
    if name != nil || !core.type(lower, upper, bytes, moment) {
      replaceElsewhere(lower, upper, bytes, name: name, moment)
    }
  }

  /// Replaces bytes as part of the open transaction or group; see `replace(_:with:name:time:date:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>, name: String? = nil,
    time: ContinuousClock.Instant?, date: Double = 0
  ) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes, name: name, time: time, date: date)
    }
    if done == nil {
      unsafe replace(
        range, with: ContiguousArray(bytes).span.bytes, name: name, time: time, date: date)
    }
  }

  /// Replaces bytes, ignoring pauses; see `replace(_:with:name:time:date:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable @inline(__always)  // saves 7 % of typing
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: RawSpan, date: Double = 0
  ) {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let moment = EditMoment(nil, date)
    if !core.type(lower, upper, bytes, moment) {
      replaceElsewhere(lower, upper, bytes, name: nil, moment)
    }
  }

  /// Replaces bytes, ignoring pauses; see `replace(_:with:name:time:date:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>, date: Double = 0
  ) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes, date: date)
    }
    if done == nil { unsafe replace(range, with: ContiguousArray(bytes).span.bytes, date: date) }
  }

  /// Replaces bytes by the UTF-8 of a string, ignoring pauses; see `replace(_:with:name:time:date:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable
  public mutating func replace(
    _ range: Range<ByteOffset>, with string: some StringProtocol, date: Double = 0
  ) {
    replace(range, with: string.utf8, date: date)
  }

  /// Replaces bytes by the UTF-8 of a string; see `replace(_:with:name:time:date:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable
  public mutating func replace(
    _ range: Range<ByteOffset>, with string: some StringProtocol, name: String? = nil,
    time: ContinuousClock.Instant?, date: Double = 0
  ) {
    replace(range, with: string.utf8, name: name, time: time, date: date)
  }

  /// Slow path: an edit that does not begin or end at the caret.
  @inlinable @inline(never) mutating func replaceElsewhere(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, name: String?, _ moment: EditMoment
  ) {
    switch recorder.type(lower, upper, bytes, name: name, moment, in: &core) {
    case .joined: return
    case .opened(let hasRecorded): if hasRecorded { appendTypedContexts() }
    }
    typingContext = context
    if core.coalescing.rules.isEmpty {
      let group = recorder.history.current
      commitTyping()
      awaitsContext = recorder.history.current != group
    }
  }

  /// Closes the group that is being typed, if there is one, and lets no transaction join the present
  /// revision.
  ///
  /// - Precondition: No transaction is open.
  @inlinable
  public mutating func closeGroup() {
    requireNoTransaction()
    commitTyping()
    recorder.canJoin = false
  }

  @inlinable mutating func commitTyping() {
    settleContext()
    if core.typing.isOpen && recorder.commitTyping(&core) { appendTypedContexts() }
  }

  /// Adds the contexts of a transaction that typing had opened.
  @inlinable mutating func appendTypedContexts() {
    append(Frame(before: typingContext, after: context))
  }

  /// Makes pending edits in the tree; the group stays open. Worth a call before the text is looked at
  /// several times.
  package mutating func settle() { core.settle() }
}
