import Differential
import Glibc
import Testing

@testable import ued

/// Compares the automata with glibc's matcher. `MATCHING_ROUNDS` makes the test longer.
@Suite struct MatchingTests {
  @Test func `a replacement of many parts is parsed in one pass`() {
    let parts = [UInt8](repeating: UInt8(ascii: "&"), count: 2_000_000) + Array("\\1x".utf8)
    #expect(ReplacementTemplate(parts).size == (1, 2_000_001))
  }

  /// The match and the groups that it found, or nil.
  private func groups(_ pattern: Pattern, _ line: [UInt8], from offset: Int, needsGroups: Bool)
    -> [Range<Int>?]?
  {
    guard
      pattern.firstMatch(
        in: line.span.bytes, from: offset, isStart: offset == 0, needsGroups: needsGroups)
    else { return nil }
    return (0...(needsGroups ? min(pattern.groupCount, 9) : 0)).map { pattern.group($0) }
  }

  /// The difference on a line, or nil.
  private func difference(_ fast: Pattern, _ plain: Pattern, _ line: [UInt8], needsGroups: Bool)
    -> String?
  {
    if fast.matches(line.span.bytes) != plain.matches(line.span.bytes) { return "matches" }
    var offset = 0
    while true {
      let found = groups(fast, line, from: offset, needsGroups: needsGroups)
      let expected = groups(plain, line, from: offset, needsGroups: needsGroups)
      if found != expected {
        return "from \(offset): \(found ?? []) instead of \(expected ?? [])"
      }
      guard let end = expected?[0]?.upperBound, offset < line.count else { return nil }
      offset = max(end, offset + (end == offset ? 1 : 0))
    }
  }

  /// GNU ed searches two thousand million times.
  @Test(arguments: [("x*", "yabc\n"), ("b*$", nil), ("\\(ab*\\|\\)", "aby c\n")])
  func `a high match number is reached at once where an empty match repeats itself`(
    _ pattern: String, _ expected: String?
  ) throws {
    var pass = SubstitutionPass(
      pattern: try Pattern(Array(pattern.utf8), extended: false, ignoreCase: false),
      template: ReplacementTemplate([UInt8(ascii: "y")]), count: Int(Int32.max), isBinary: false,
      isConfirmed: false)
    let line = Array((pattern.first == "x" ? "abc" : "ab c").utf8)
    #expect(try pass.replace(in: line.span.bytes) == (expected != nil))
    if let expected { #expect(pass.text == Array(expected.utf8)) }
  }

  @Test(.limitsMemory) func `a search without enough memory for glibc is an error`() {
    let sandbox = Sandbox()
    sandbox["script"] = Array("H\n1s/^\\(a*\\)b\\1//\nQ\n".utf8)
    let answer = sandbox.run(
      """
      head -c 20000000 /dev/zero | tr '\\0' a >f; echo >>f
      ulimit -v 200000; cat script | "$UED" -s f
      """, status: 1)
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("?\nout of memory"))
  }

  /// The lines of a text that match, found as a whole.
  private func matchingLines(_ pattern: Pattern, _ text: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var position = 0
    while position < text.count,
      let line = pattern.firstMatchingLine(in: text.span.bytes, position..<text.count)
    {
      lines.append(line)
      position = line.upperBound + 1
    }
    return lines
  }

  @Test(
    arguments: [
      ("abc", 1, 3), ("abcdefg", 1, 4), ("a\\|b", 2, 1), ("a*b", 1, 0), ("[ab]c", 1, 2),
      ("ab*c", 1, 1),
      ("^a", nil, 0), (".", 1, 1),
    ] as [(String, Int?, Int)])
  func `the possible beginnings of a match are known for some patterns`(
    _ pattern: String, _ count: Int?, _ length: Int
  ) throws {
    let syntax = SyntaxParser.parse(
      Array(pattern.utf8), extended: false, ignoreCase: false,
      locale: try #require(MatchingLocale()))?.syntax
    let prefixes = syntax?.prefixes
    #expect(prefixes?.count == count)
    #expect(prefixes?.first?.sets.count ?? 0 == length)
  }

  @Test(
    arguments: seeds().flatMap { seed in
      [("C", false), ("C", true), ("C.UTF-8", false), ("C.UTF-8", true)].map { ($0, $1, seed) }
    })
  func `automata find the same matches as the system`(
    _ localeName: String, _ isExtended: Bool, _ seed: UInt64
  ) throws {
    let locale = try #require(newlocale(1 << LC_CTYPE | 1 << LC_COLLATE, localeName, nil))
    let former = uselocale(locale)
    defer {
      uselocale(former)
      freelocale(locale)
    }
    var generator = PatternGenerator(random: SeededGenerator(seed: seed), isExtended: isExtended)
    var failures = 0
    var accepted = 0
    for _ in 0..<setting("MATCHING_ROUNDS", or: 150) where failures < 20 {
      let source = generator.pattern()
      let ignoresCase = generator.random.chance(15)
      guard
        let plain = try? Pattern(
          source, extended: isExtended, ignoreCase: ignoresCase, automatonThreshold: .max)
      else { continue }
      let fast = try Pattern(
        source, extended: isExtended, ignoreCase: ignoresCase, automatonThreshold: 1)
      let matcher = LineMatcher(source, extended: isExtended, ignoreCase: ignoresCase)
      if matcher?.matches([UInt8.newline].span.bytes) != nil { accepted += 1 }
      let lines = (0..<25).map { _ in generator.line() }
      var report: [String] = []
      for line in lines {
        for needsGroups in [false, true] {
          if let difference = difference(fast, plain, line, needsGroups: needsGroups) {
            report.append("groups \(needsGroups) \(Escapes.encode(line)) \(difference)")
          }
        }
      }
      let text = lines.flatMap { $0 + [UInt8.newline] }
      if matchingLines(fast, text) != matchingLines(plain, text) { report.append("lines") }
      if let first = report.first {
        failures += 1
        Issue.record("\(Escapes.encode(source)) ignoring case \(ignoresCase): \(first)")
      }
    }
    #expect(accepted > 0)
    // Bytes from 0x80 on that are not valid UTF-8 are left to glibc.
    #expect(LineMatcher([0x80], extended: isExtended, ignoreCase: false) == nil)
  }

  @Test(arguments: [#"s/\(.*\)*9\(.*\)*\1$/x/"#, #"g/\(.*\)\(\1*\)*9\(.*\)*\1$/p"#])
  func `a search that takes minutes for three bytes is interrupted`(_ command: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("999\n".utf8)
    sandbox["script"] = Array("\(command)\n,p\nQ\n".utf8)
    sandbox.run(
      """
      mkfifo in; "$UED" -s f <in >out 2>&1 & exec 3>in; echo p >&3; until grep 999 out || ! kill -0 $!; do :; done
      cat script >&3; exec 3>&-; while kill -INT $!; do sleep .5; done
      wait $!; grep "?" out
      """)
  }
}
