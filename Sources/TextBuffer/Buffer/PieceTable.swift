/// A text of any bytes, made for editing: lookups cost O(log *p*) for *p* pieces,
/// and so do edits, with the bytes that they insert.
///
/// A piece table is a value. A copy costs O(1), whatever the size of the text. Copies share their
/// common parts, but an edit of one is never visible in another.
///
///     var text = PieceTable("one\ntwo\n")
///     let change = text.replaceLines(LineRange(2, 2), with: Array("2\n".utf8))
///     text.apply(change.inverse)
///
/// Lines end in a newline (0x0A), which the last line may lack. A final newline starts no new line.
/// Offsets count bytes. A text has no characters or encoding; every byte is kept as it is.
///
/// Removed bytes stay in memory as long as the text, a slice or a change of it lives; ``compact()``
/// frees unused blocks of bytes. Bytes added to a copy are freed with the copy.
public struct PieceTable: Sendable {
  /// Keeps the blocks of the tree's pieces alive.
  var storage: Storage
  /// The region for new bytes; a value appends only while it holds the sole reference.
  @usableFromInline var tail: Tail?
  @usableFromInline var root: Subtree

  init(storage: Storage, tail: Tail? = nil, root: Subtree) {
    self.storage = storage
    self.tail = tail
    self.root = root
  }

  /// An empty text.
  public init() {
    self.init(storage: Storage(), root: .empty)
  }

  /// A text of the given bytes.
  public init(_ bytes: some Collection<UInt8>) {
    self.init()
    insert(bytes, at: ByteOffset(0))
  }

  /// A text of the UTF-8 of a string or substring.
  public init(_ text: some StringProtocol) {
    self.init(text.utf8)
  }

  /// The number of bytes.
  public var byteCount: Int { root.summary.byteCount }

  /// The number of newlines.
  public var newlineCount: Int { root.summary.newlineCount }

  /// The number of lines as grep and ed count them, including a last line without newline.
  public var lineCount: Int { newlineCount + (isEmpty || endsWithNewline ? 0 : 1) }

  /// Whether the text is empty.
  public var isEmpty: Bool { byteCount == 0 }

  /// Whether the last byte is a newline; false for an empty text.
  public var endsWithNewline: Bool { root.lastByte == newline }

  /// All bytes, copied.
  public var bytes: [UInt8] { bytes(in: ByteOffset(0)..<ByteOffset(byteCount)) }

  /// A copy without the tail. The original stays the sole owner of the tail and can append to it.
  package var withoutTail: PieceTable { PieceTable(storage: storage, root: root) }

  /// Traps unless the invariants of the tree hold; for tests.
  package func checkTree() { root.checkInvariants() }
}

extension PieceTable: Equatable {
  /// Whether both texts have the same bytes.
  ///
  /// - Complexity: O(*n*); bytes at the same place in memory are not compared.
  public static func == (lhs: PieceTable, rhs: PieceTable) -> Bool {
    lhs.root.hasSameText(as: rhs.root)
  }
}

// MARK: - Editing

extension PieceTable: EditableText {
  /// Replaces the bytes in a range by borrowed ones, which are copied.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change {
    precondition(contains(range), "range out of the text")
    let inserted =
      bytes.isEmpty ? Fragment.empty : Fragment(Storage.append(bytes, to: &tail, in: &storage))
    return replace(range, with: inserted)
  }

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  @discardableResult
  public mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change {
    precondition(contains(range), "range out of the text")
    storage = storage.joined(with: text.storage)
    return replace(range, with: Fragment(text.root))
  }

  private mutating func replace(_ range: Range<ByteOffset>, with inserted: Fragment) -> Change {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let removed = root.replace(lower, upper, with: inserted)
    return Change(offset: lower, before: removed, after: inserted, storage: storage)
  }

  /// Applies a change that was made at another time or to another copy of this text.
  ///
  /// - Precondition: The range that the change replaces is in the text. Its bytes are not compared
  ///   with the removed ones.
  /// - Complexity: O(log *p*), for *p* pieces in the text and in the change.
  public mutating func apply(_ change: Change) {
    storage = storage.joined(with: change.storage)
    restore(change.after, in: change.rangeBefore)
  }

  /// Replaces bytes by others that the storage of this text already holds.
  mutating func restore(_ fragment: borrowing Fragment, in range: Range<ByteOffset>) {
    precondition(contains(range), "change does not fit")
    _ = root.replace(range.lowerBound.value, range.upperBound.value, with: fragment)
  }
}
