import Differential
import Testing

@Suite struct DifferentialTests {
  // GNU ed must be installed: it is what the tests measure by.

  /// `FUZZ_CASES` makes it longer.
  @Test(arguments: Category.allCases, seeds())
  func `generated scripts do what they do in GNU ed`(_ category: Category, _ seed: UInt64) {
    var fuzzer = Fuzzer(program: .underTest, seed: seed)
    fuzzer.category = category
    let runner = CaseRunner()
    var result = Fuzzer.Result()
    for index in 0..<setting("FUZZ_CASES", or: 40) where result.failures.isEmpty {
      fuzzer.run(index, by: runner, into: &result)
    }
    for failure in result.failures {
      Issue.record("seed \(fuzzer.seed) case \(failure.index)\n\(failure.comparison.report)")
    }
  }

  @Test func `a seed gives the same case again`() {
    let fuzzer = Fuzzer(program: .oracle, seed: 5)
    for index in 0..<50 {
      #expect(fuzzer.makeCase(index).0 == fuzzer.makeCase(index).0)
    }
  }

  @Test func `a case is shrunk to what makes it fail`() {
    let test = Case(script: Array("1p\n2p\nfoo\n,s/o/x/g\n$p\n".utf8))
    var shrinker = Shrinker { $0.scriptLines.contains { $0.contains(UInt8(ascii: "s")) } }
    #expect(shrinker.shrink(test).script == Array("s".utf8))
  }

  @Test func `escapes are decoded to what was encoded`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Escapes.decode(Escapes.encode(bytes)) == bytes)
  }
}
