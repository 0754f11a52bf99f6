/// A small, fast generator whose whole state is one number, so that a case is named by its seed.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// The seed of the case with a number, in a run with a seed of its own.
  static func seed(ofCase index: Int, in run: UInt64) -> UInt64 {
    var mixer = SplitMix64(seed: run)
    return mixer.next() &+ UInt64(index) &* 0x2545_F491_4F6C_DD1D
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
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
