import TextBuffer

/// Lines of one text, and the lines of another that replace them.
///
/// An empty range is a gap: its `first` is the line below the gap, its `last` the line above.
public struct LineHunk: Hashable, Sendable {
  /// The lines in the old text that are not in the new one; empty where lines were only added.
  public var old: LineRange
  /// The lines in the new text that are not in the old one; empty where lines were only removed.
  public var new: LineRange

  /// The lines `old` of one text replaced by the lines `new` of another.
  public init(old: LineRange, new: LineRange) {
    self.old = old
    self.new = new
  }
}
