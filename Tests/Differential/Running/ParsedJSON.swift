/// A value of JSON, read strictly: UTF-8, no control characters in strings, no name twice.
package enum ParsedJSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([ParsedJSON])
  case object([String: ParsedJSON])

  /// The error in a text that is not JSON, or has fractions.
  package struct Fault: Error {
    var position: Int
  }

  package init(_ text: [UInt8]) throws(Fault) {
    guard String(validating: text, as: UTF8.self) != nil else { throw Fault(position: -1) }
    var reader = JSONReader(text: text)
    self = try reader.value()
    reader.skipBlanks()
    if reader.position != text.count { throw Fault(position: reader.position) }
  }

  package subscript(name: String) -> ParsedJSON? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var elements: [ParsedJSON] {
    if case .array(let elements) = self { elements } else { [] }
  }
  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var number: Int? { if case .number(let number) = self { number } else { nil } }

  /// The bytes of a string, or the bytes encoded in base64.
  package var bytes: [UInt8] {
    if let text { return Array(text.utf8) }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (bits, count, bytes) = (0, 0, [UInt8]())
    for digit in self["base64"]?.text?.utf8 ?? "".utf8 {
      guard let value = digits.firstIndex(of: digit) else { break }
      bits = (bits << 6 | value) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}

/// Reads JSON from the front.
private struct JSONReader {
  let text: [UInt8]
  var position = 0

  private var fault: ParsedJSON.Fault { ParsedJSON.Fault(position: position) }

  mutating func skipBlanks() {
    while position < text.count, " \t\r\n".utf8.contains(text[position]) { position += 1 }
  }

  private mutating func takes(_ word: String) -> Bool {
    guard text[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  mutating func value() throws(ParsedJSON.Fault) -> ParsedJSON {
    skipBlanks()
    if takes("null") { return .null }
    if takes("true") { return .bool(true) }
    if takes("false") { return .bool(false) }
    if takes("[") { return try array() }
    if takes("{") { return try object() }
    if takes("\"") { return .string(try string()) }
    let digits = text[position...].prefix { $0 == UInt8(ascii: "-") || 48...57 ~= $0 }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { throw fault }
    position += digits.count
    return .number(number)
  }

  private mutating func array() throws(ParsedJSON.Fault) -> ParsedJSON {
    var elements: [ParsedJSON] = []
    skipBlanks()
    if takes("]") { return .array([]) }
    while true {
      elements.append(try value())
      skipBlanks()
      if takes("]") { return .array(elements) }
      if !takes(",") { throw fault }
    }
  }

  private mutating func object() throws(ParsedJSON.Fault) -> ParsedJSON {
    var members: [String: ParsedJSON] = [:]
    skipBlanks()
    if takes("}") { return .object([:]) }
    while true {
      skipBlanks()
      if !takes("\"") { throw fault }
      let name = try string()
      skipBlanks()
      if !takes(":") || members[name] != nil { throw fault }
      members[name] = try value()
      skipBlanks()
      if takes("}") { return .object(members) }
      if !takes(",") { throw fault }
    }
  }

  /// The rest of a string whose quote has been taken.
  private mutating func string() throws(ParsedJSON.Fault) -> String {
    var bytes: [UInt8] = []
    while position < text.count {
      let byte = text[position]
      if byte < 0x20 { throw fault }
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        continue
      }
      guard position < text.count else { throw fault }
      let escaped = text[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(escaped)
      case UInt8(ascii: "u"):
        let digits = String(decoding: text[position...].prefix(4), as: UTF8.self)
        guard let code = UInt8(digits, radix: 16), code < 0x20 else { throw fault }
        bytes.append(code)
        position += 4
      default: throw fault
      }
    }
    throw fault
  }
}
