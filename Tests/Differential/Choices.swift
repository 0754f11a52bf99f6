import TextBufferTesting

/// The one random generator of all tests.
package typealias SeededGenerator = TextBufferTesting.SeededGenerator

extension SeededGenerator {
  /// The seed of the case with number `index` in the run with seed `run`.
  static func seed(ofCase index: Int, in run: UInt64) -> UInt64 {
    var mixer = SeededGenerator(seed: run)
    return mixer.next() &+ UInt64(index) &* 0x2545_F491_4F6C_DD1D
  }

  /// A number in `0..<bound`. The bias of the remainder is far below what a test could notice.
  package mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next() >> 33) % bound
  }

  /// True in about `percent` of a hundred calls.
  package mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  /// One of the values, each as often as its weight says.
  package mutating func pick<Element>(weighted choices: [(weight: Int, value: Element)]) -> Element
  {
    var rest = below(choices.reduce(0) { $0 + $1.weight })
    for choice in choices.dropLast() {
      if rest < choice.weight { return choice.value }
      rest -= choice.weight
    }
    return choices[choices.count - 1].value
  }
}
