/// A text of any bytes, made for editing: edits and queries cost O(log *n*).
///
/// A piece table is a value. A copy costs O(1) whatever the size of the text: copies share their
/// common parts, and an edit of one is never visible in another.
///
///     var text = PieceTable("one\ntwo\n")
///     let change = text.replaceLines(LineRange(2, 2), with: Array("2\n".utf8))
///     text.apply(change.inverse)
///
/// Lines end in a newline (0x0A). The last line may lack it; such a line counts when it is not empty.
/// Offsets count bytes: a text has no characters or encoding, and every byte comes out as it went in.
///
/// Removed bytes stay in memory as long as the text, a slice or a change of it lives; ``compact()``
/// frees unused ones. Bytes added to a copy are freed with the copy.
public struct PieceTable: Sendable {
  /// Keeps the bytes alive that the tree refers to.
  var storage: Storage
  /// The place to append bytes to; only a value that holds the sole reference appends.
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

  /// A text of the UTF-8 of a string or of a part of one.
  public init(_ text: some StringProtocol) {
    self.init(text.utf8)
  }

  /// The number of bytes.
  public var byteCount: Int { root.summary.byteCount }

  /// The number of newlines.
  public var newlineCount: Int { root.summary.newlineCount }

  /// The number of lines; a last line without newline counts when it is not empty.
  public var lineCount: Int { newlineCount + (isEmpty || endsWithNewline ? 0 : 1) }

  /// Whether the text is empty.
  public var isEmpty: Bool { byteCount == 0 }

  /// Whether the last byte is a newline; false for an empty text.
  public var endsWithNewline: Bool { root.lastByte == newline }

  /// All bytes, copied.
  public var bytes: [UInt8] { bytes(in: ByteOffset(0)..<ByteOffset(byteCount)) }

  /// This text without its tail. While such a copy exists, the original still appends to its own.
  var withoutTail: PieceTable { PieceTable(storage: storage, root: root) }

  /// Traps unless the invariants of the tree hold; for tests.
  package func checkTree() { root.checkInvariants() }
}

extension PieceTable: Equatable {
  /// Whether both texts have the same bytes.
  ///
  /// - Complexity: O(*n*); bytes that both share are not compared.
  public static func == (lhs: PieceTable, rhs: PieceTable) -> Bool {
    lhs.root.hasSameText(as: rhs.root)
  }
}
