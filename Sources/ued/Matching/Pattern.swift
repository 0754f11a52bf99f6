import CLinux
import Glibc

/// A compiled POSIX regular expression: bytes in, ranges out.
///
/// glibc's matcher is the judge of what matches where. It works on strings that end with NUL, so
/// patterns come without NUL: the editor gives newlines in their place, in the pattern and in the
/// text, neither of which has newlines of its own.
///
/// Patterns that stand for themselves are found without the matcher.
///
/// Invariants of the unsafe parts:
/// - `compiled` is initialized by a successful `regcomp` and freed once, in `deinit`.
/// - `groups` has room for `Self.groupLimit` elements for as long as the object lives.
/// - Pointers to text are used only inside the call that lends them.
@safe final class Pattern {
  /// How many groups a replacement can name, the whole match included.
  static let groupLimit = 10

  /// What it was compiled from.
  let source: [UInt8]
  /// Whether it was compiled to ignore case.
  let ignoresCase: Bool
  /// The number of parenthesized groups.
  let groupCount: Int
  /// The bytes that the pattern stands for, when it stands just for them.
  private let literal: [UInt8]?
  private let compiled: UnsafeMutablePointer<regex_t>
  private let groups: UnsafeMutablePointer<regmatch_t>

  /// Compiles `source`.
  ///
  /// - Throws: glibc's own words for what is wrong.
  init(_ source: [UInt8], extended: Bool, ignoreCase: Bool) throws(PatternError) {
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    let flags = (extended ? REG_EXTENDED : 0) | (ignoreCase ? REG_ICASE : 0)
    let terminated = source + [0]
    let status = unsafe terminated.withUnsafeBytes { bytes in
      unsafe regcomp(compiled, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), flags)
    }
    guard status == 0 else {
      let message = unsafe [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
        let needed = unsafe UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: CChar.self)
        {
          unsafe regerror(status, nil, $0.baseAddress, $0.count)
        }
        count = min(needed, buffer.count) - 1
      }
      unsafe compiled.deallocate()
      throw PatternError(message: message)
    }
    unsafe self.compiled = unsafe compiled
    self.source = source
    ignoresCase = ignoreCase
    groupCount = unsafe compiled.pointee.re_nsub
    literal = ignoreCase ? nil : Self.literal(of: source, extended: extended)
    unsafe groups = .allocate(capacity: Self.groupLimit)
    unsafe groups.initialize(
      repeating: regmatch_t(rm_so: -1, rm_eo: -1), count: Self.groupLimit)
  }

  deinit {
    unsafe regfree(compiled)
    unsafe compiled.deallocate()
    unsafe groups.deallocate()
  }

  /// Whether the pattern matches somewhere in `line`.
  func matches(_ line: RawSpan) -> Bool {
    if let literal { return Self.find(literal, in: line, from: 0) != nil }
    return search(line, from: 0, isStart: true, groupLimit: 1)
  }

  /// Finds the first match that begins at or after `offset`, as if the text began there, and
  /// remembers its groups.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`.
  /// - Returns: Whether there is one.
  func firstMatch(in line: RawSpan, from offset: Int, isStart: Bool) -> Bool {
    guard let literal else {
      return search(line, from: offset, isStart: isStart, groupLimit: Self.groupLimit)
    }
    guard let start = Self.find(literal, in: line, from: offset) else { return false }
    // SAFETY: `groups` has room for at least one element.
    unsafe groups[0] = regmatch_t(
      rm_so: regoff_t(start), rm_eo: regoff_t(start + literal.count))
    return true
  }

  /// The range of a group in the last match, counted from the start of the line; nil for a group
  /// that took no part.
  ///
  /// - Precondition: `number` is 0, for the whole match, or a group's number below ``groupLimit``.
  func group(_ number: Int) -> Range<Int>? {
    precondition(number < Self.groupLimit)
    // SAFETY: `number` is below the capacity of `groups`, all of which is initialized.
    let found = unsafe groups[number]
    return found.rm_so < 0 ? nil : Int(found.rm_so)..<Int(found.rm_eo)
  }

  /// Runs glibc's matcher; the groups are then counted from the start of `line`.
  private func search(
    _ line: RawSpan, from offset: Int, isStart: Bool, groupLimit: Int
  ) -> Bool {
    unsafe line.withUnsafeBytes { bytes in
      // SAFETY: with REG_STARTEND the matcher reads `rm_eo` bytes from the pointer it is given:
      // those of `line` from `offset` on. It gets a pointer even to an empty text.
      var none: UInt8 = 0
      return unsafe withUnsafeMutablePointer(to: &none) { fallback in
        let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(fallback)
        let text = unsafe (base + offset).assumingMemoryBound(to: CChar.self)
        unsafe groups[0] = regmatch_t(rm_so: 0, rm_eo: regoff_t(bytes.count - offset))
        let flags = REG_STARTEND | (isStart ? 0 : REG_NOTBOL)
        guard unsafe regexec(compiled, text, groupLimit, groups, flags) == 0 else { return false }
        for number in 0..<groupLimit where unsafe groups[number].rm_so >= 0 {
          unsafe groups[number].rm_so += regoff_t(offset)
          unsafe groups[number].rm_eo += regoff_t(offset)
        }
        return true
      }
    }
  }

  /// The offset of the first `literal` in `line` at or after `offset`.
  private static func find(_ literal: [UInt8], in line: RawSpan, from offset: Int) -> Int? {
    unsafe line.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, offset + literal.count <= bytes.count else { return nil }
      return unsafe literal.withUnsafeBytes { needle -> Int? in
        // SAFETY: both ranges lie inside the buffers lent here.
        let found = unsafe memmem(
          base + offset, bytes.count - offset, needle.baseAddress, needle.count)
        return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
      }
    }
  }

  /// The bytes that `source` stands for, or nil where it has operators.
  private static func literal(of source: [UInt8], extended: Bool) -> [UInt8]? {
    let operators = Array((extended ? "[.*^$+?(){}|" : "[.*^$").utf8)
    var literal: [UInt8] = []
    var rest = source[...]
    while let byte = rest.popFirst() {
      // Bytes of multi-byte characters are left to the matcher, which knows the locale.
      guard byte < 0x80, !operators.contains(byte) else { return nil }
      if byte == .backslash {
        guard let escaped = rest.popFirst(), Array("./*[]^$\\&-".utf8).contains(escaped) else {
          return nil
        }
        literal.append(escaped)
      } else {
        literal.append(byte)
      }
    }
    return literal
  }
}

/// Why a regular expression can't be compiled.
struct PatternError: Error, Equatable, Sendable {
  /// glibc's message.
  var message: [UInt8]
}
