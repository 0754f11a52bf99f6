/// The right side of a substitution, parsed.
struct ReplacementTemplate: Sendable {
  private enum TemplatePart {
    case bytes([UInt8])
    /// `&`, which is group 0, or `\1` to `\9`.
    case group(Int)
  }

  private var parts: [TemplatePart] = []
  /// Whether it refers to capture groups other than the whole match.
  private(set) var hasGroups = false

  /// Parses a template: `&`, `\1` to `\9`, and backslashes that escape the next byte.
  init(_ template: [UInt8]) {
    var bytes: [UInt8] = []
    func flushed(_ parts: [TemplatePart], then group: Int) -> [TemplatePart] {
      parts + (bytes.isEmpty ? [] : [.bytes(bytes)]) + [.group(group)]
    }
    var rest = template[...]
    while let byte = rest.popFirst() {
      if byte == .ampersand {
        parts = flushed(parts, then: 0)
        bytes = []
      } else if byte == .backslash, let escaped = rest.popFirst() {
        if escaped.isNonzeroDigit {
          parts = flushed(parts, then: Int(escaped - .zero))
          hasGroups = true
          bytes = []
        } else {
          bytes.append(escaped)
        }
      } else {
        bytes.append(byte)
      }
    }
    if !bytes.isEmpty { parts.append(.bytes(bytes)) }
  }

  /// A template in which nothing is special.
  init(literal text: [UInt8]) {
    if !text.isEmpty { parts = [.bytes(text)] }
  }

  /// Appends the replacement for the last match of `pattern` in `line` to `text`.
  ///
  /// The digit of a group that the pattern does not have stands for itself.
  func append(to text: inout [UInt8], from line: RawSpan, matchedBy pattern: Pattern) {
    for part in parts {
      switch part {
      case .bytes(let bytes):
        text.append(contentsOf: bytes)
      case .group(let number):
        if number > pattern.groupCount {
          text.append(.zero + UInt8(number))
        } else if let range = pattern.group(number) {
          text.append(line, in: range)
        }
      }
    }
  }
}
