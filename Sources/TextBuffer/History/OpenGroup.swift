/// The group that is being typed: one edit that has not reached the tree yet.
///
/// An edit next to it only changes the numbers here; the tree is changed once, when the group
/// closes or somebody wants to see the text.
struct OpenGroup: Sendable {
  /// Whether a next edit may belong to it.
  var isOpen = false
  /// Where the pending edit begins.
  var start = 0
  /// How many bytes of the tree it removes there.
  var removed = 0
  /// What it puts there.
  var inserted = PendingBytes()
  /// When the last edit was made.
  var time = 0.0

  /// Where what it puts there ends.
  var end: Int { start + inserted.count }

  /// Whether there is nothing that has not reached the tree.
  var isSettled: Bool { removed == 0 && inserted.isEmpty }

  /// What is pending.
  var span: EditSpan { EditSpan(offset: start, removed: removed, inserted: inserted.count) }
}
