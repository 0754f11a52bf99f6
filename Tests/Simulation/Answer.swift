/// The fields of an answer of `ued --json` that the simulation looks at.
///
/// No text, name or command of the simulation has characters that are escaped in JSON.
struct Answer {
  var isOK = false
  var revision = -1
  var lineCount = -1
  var error: String?
  var notices = ""
  var output: [[UInt8]] = []
  /// Of the last answer, the exit status.
  var status: Int?
  let line: [UInt8]

  init(_ line: [UInt8]) {
    self.line = line
    if Self.value(of: "end", in: line) != nil {
      status = Self.number(of: "status", in: line)
      return
    }
    isOK = Self.value(of: "ok", in: line)?.first == UInt8(ascii: "t")
    revision = Self.number(of: "revision", in: line) ?? -1
    lineCount = Self.number(of: "lines", in: line) ?? -1
    error = Self.value(of: "error", in: line).map { Self.string(in: $0) }
    if let notices = Self.value(of: "notices", in: line) {
      self.notices = String(decoding: notices.prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
    }
    if let output = Self.value(of: "output", in: line) {
      self.output = output.dropFirst().prefix { $0 != UInt8(ascii: "]") }
        .split(separator: UInt8(ascii: ",")).map { Array($0.dropFirst().dropLast()) }
    }
  }

  private static func value(of name: String, in line: [UInt8]) -> ArraySlice<UInt8>? {
    let key = Array("\"\(name)\":".utf8)
    var start = line.startIndex
    while let quote = line[start...].firstIndex(of: UInt8(ascii: "\"")) {
      if line[quote...].starts(with: key) { return line[(quote + key.count)...] }
      start = quote + 1
    }
    return nil
  }

  private static func number(of name: String, in line: [UInt8]) -> Int? {
    value(of: name, in: line).flatMap {
      Int(String(decoding: $0.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    }
  }

  private static func string(in value: ArraySlice<UInt8>) -> String {
    String(decoding: value.dropFirst().prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}
