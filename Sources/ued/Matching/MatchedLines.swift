import TextBuffer

/// The lines that a global command is to visit, in ascending order.
struct MatchedLines {
  /// What is kept of them.
  enum Form {
    case numbers
    /// Their bytes, which are all that `p` needs.
    case bytes
  }

  private let form: Form
  private(set) var count = 0
  /// The last line; nil if there are none.
  private(set) var last: LineNumber?
  /// All lines, if their numbers are kept.
  private(set) var numbers: [LineNumber] = []
  /// The bytes of all lines, if those are kept. Lines next to each other are one part.
  private(set) var parts: [Range<ByteOffset>] = []
  /// Whether lines were left out as memory was too short for visiting them.
  private(set) var isShort = false
  private var nextCheck = 0

  /// The additional memory in bytes that visiting a line may take: its number in a growing array and in
  /// `ActiveLines`, or its part in a growing array.
  private static let bytesPerVisit = 32

  init(as form: Form) { self.form = form }

  /// Adds lines, which must be behind all others.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - bytes: Where they are in the text, their newlines included.
  /// - Returns: False if memory is too short.
  mutating func add(_ lines: Range<LineNumber>, _ bytes: Range<ByteOffset>) -> Bool {
    if lines.isEmpty { return true }
    let added = lines.upperBound - lines.lowerBound
    let size = form == .bytes ? parts.count + 1 : count + added
    if size >= nextCheck {
      nextCheck = size + 65_536
      isShort = isShort || Memory.isShort(for: Self.bytesPerVisit * nextCheck)
    }
    if isShort { return false }
    count += added
    last = lines.upperBound - 1
    switch form {
    case .numbers where added == 1: numbers.append(lines.lowerBound)
    case .numbers:
      numbers += (lines.lowerBound.value..<lines.upperBound.value).lazy.map { LineNumber($0) }
    case .bytes:
      if let part = parts.last, part.upperBound == bytes.lowerBound {
        parts[parts.count - 1] = part.lowerBound..<bytes.upperBound
      } else {
        parts.append(bytes)
      }
    }
    return true
  }
}
