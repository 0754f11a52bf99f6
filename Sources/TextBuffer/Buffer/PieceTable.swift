/// A text of any bytes, made for editing: every edit costs O(log n), and so does every question.
///
/// It is a value. A copy costs nothing, whatever the size of the text: what two buffers have in
/// common they share, and an edit of one is never seen in the other.
///
///     var text = PieceTable("one\ntwo\n")
///     let change = text.replaceLines(LineRange(2, 2), with: Array("2\n".utf8))
///     text.apply(change.inverse)
///
/// Lines end in a newline (0x0A). The last line may lack it; such a line counts when it is not
/// empty. Offsets count bytes: a buffer knows nothing of characters or encodings, and every byte
/// comes out as it went in.
///
/// Bytes that were removed stay in memory as long as a buffer, a slice or a change that began
/// with the same text lives.
public struct PieceTable: Sendable {
  /// Keeps the bytes alive that the tree refers to.
  var storage: Storage
  /// Where bytes are appended; this value's own only while nobody shares it.
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

  /// A text of the UTF-8 of `text`.
  public init(_ text: String) {
    self.init(text.utf8)
  }

  /// The number of bytes.
  public var byteCount: Int { root.summary.byteCount }

  /// The number of newlines.
  public var newlineCount: Int { root.summary.newlineCount }

  /// The number of lines; a last line without newline counts when it is not empty.
  public var lineCount: Int { newlineCount + (isEmpty || endsWithNewline ? 0 : 1) }

  /// Whether there is not a single byte.
  public var isEmpty: Bool { byteCount == 0 }

  /// Whether the last byte is a newline; false for an empty text.
  public var endsWithNewline: Bool { root.lastByte == newline }

  /// All bytes, copied.
  public var bytes: [UInt8] { bytes(in: ByteOffset(0)..<ByteOffset(byteCount)) }

  /// This text without the right to append to its bytes: holding it costs an edit of the
  /// original nothing.
  var withoutTail: PieceTable { PieceTable(storage: storage, root: root) }

  /// Traps unless the tree is sound; for tests.
  package func checkInvariants() { root.checkInvariants() }
}

extension PieceTable: Equatable {
  /// Whether both texts have the same bytes, however they came about.
  ///
  /// - Complexity: O(n); what both share is not compared byte by byte.
  public static func == (lhs: PieceTable, rhs: PieceTable) -> Bool {
    lhs.root.hasSameText(as: rhs.root)
  }
}
