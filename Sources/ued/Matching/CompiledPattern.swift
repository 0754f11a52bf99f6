import Glibc
import UedLinux

/// A regular expression as glibc has compiled it.
///
/// SAFETY: `regex` is initialized by a successful `regcomp` and freed once, in `deinit`. In
/// between, only glibc writes to it, under its own lock. Pointers to a subject don't outlive the
/// call that lends them.
@safe final class CompiledPattern: @unchecked Sendable {
  private let regex: UnsafeMutablePointer<regex_t>

  var groupCount: Int { unsafe regex.pointee.re_nsub }

  /// Compiles a regular expression without NULs, on another thread if it may take long.
  ///
  /// - Throws: The error of glibc; `.abandoned` after an interrupt.
  static func compile(
    _ source: [UInt8], flags: Int32, _ cost: PatternCost
  ) throws(MatchError) -> CompiledPattern {
    guard cost.isAllowed else { throw .invalidPattern(message: Self.message(for: _REG_ESIZE)) }
    if cost.isSmall { return try CompiledPattern(source, flags: flags) }
    final class Job: @unchecked Sendable {
      var result = Result<CompiledPattern, MatchError>.failure(.abandoned)
    }
    let job = Job()
    let ending = SideThread.run {
      do throws(MatchError) {
        job.result = .success(try CompiledPattern(source, flags: flags))
      } catch {
        job.result = .failure(error)
      }
    }
    switch ending {
    case .done: return try job.result.get()
    case .abandoned: throw .abandoned
    // Without a thread, the stack may be too small.
    case .noThread: throw .invalidPattern(message: Self.message(for: _REG_ESPACE))
    }
  }

  private init(_ source: [UInt8], flags: Int32) throws(MatchError) {
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    let terminated = source + [0]
    let status = unsafe terminated.withUnsafeBytes { bytes in
      unsafe regcomp(compiled, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), flags)
    }
    guard status == 0 else {
      unsafe compiled.deallocate()
      throw .invalidPattern(message: Self.message(for: reg_errcode_t(rawValue: status)))
    }
    unsafe regex = unsafe compiled
  }

  deinit {
    unsafe regfree(regex)
    unsafe regex.deallocate()
  }

  private static func message(for code: reg_errcode_t) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
      let needed = unsafe UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: CChar.self) {
        unsafe regerror(code.rawValue, nil, $0.baseAddress, $0.count)
      }
      count = min(needed, buffer.count) - 1
    }
  }

  /// Runs glibc's matcher on a range of a line, shorter than 1 GiB, and returns whether there is a
  /// match. `isStart` if `^` matches at the start of the range. `groups` gets the wanted groups, as
  /// offsets in the range; it has `groupLimit` elements, or one if 0.
  ///
  /// - Throws: `.outOfMemory`.
  func search(
    _ line: RawSpan, _ range: Range<Int>, isStart: Bool,
    groups: UnsafeMutablePointer<regmatch_t>, groupLimit: Int
  ) throws(MatchError) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= line.byteCount)
    let (isFound, fails) = unsafe line.withUnsafeBytes { bytes in
      // SAFETY: with REG_STARTEND `regexec` reads only the `rm_eo` bytes after its pointer, the
      // bytes of `range`. Even an empty line needs a pointer.
      var none: UInt8 = 0
      return unsafe withUnsafeMutablePointer(to: &none) { fallback in
        let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(fallback)
        let text = unsafe (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
        unsafe groups[0] = regmatch_t(rm_so: 0, rm_eo: regoff_t(range.count))
        let flags = REG_STARTEND | (isStart ? 0 : REG_NOTBOL)
        errno = 0
        let isFound = unsafe regexec(regex, text, groupLimit, groups, flags) == 0
        // `regexec` returns the same for no match and for no memory.
        if isFound || errno != ENOMEM { return (isFound, false) }
        let fails = unsafe clinux_search_fails(regex, text, Int32(range.count), isStart ? 1 : 0)
        return (false, fails != 0)
      }
    }
    if fails { throw .outOfMemory }
    return isFound
  }
}

/// The reason why a pattern can't be compiled, a line can't be searched, or a substitution fails.
enum MatchError: Error, Equatable, Sendable {
  /// The pattern is invalid or too large; the message is glibc's.
  case invalidPattern(message: [UInt8])
  /// A line has a second empty match at the same place, so that replacing all would never end.
  case infiniteSubstitution
  /// A line is too long for glibc.
  case lineTooLong
  /// Memory is too short for a copy of a line.
  case outOfMemory
  /// A signal came meanwhile.
  case abandoned
}
