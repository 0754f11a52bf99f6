extension RawSpan {
  /// The length of the multibyte UTF-8 character at the start of a range; 0 when there is none.
  func characterLength(in range: Range<Int>) -> Int {
    func byte(_ index: Int) -> UInt8 {
      let offset = range.lowerBound + index
      return offset < range.upperBound ? self[offset] : 0
    }
    let length: Int
    let seconds: ClosedRange<UInt8>
    switch byte(0) {
    case 0xC2...0xDF: (length, seconds) = (2, 0x80...0xBF)
    case 0xE0: (length, seconds) = (3, 0xA0...0xBF)
    case 0xED: (length, seconds) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, seconds) = (3, 0x80...0xBF)
    case 0xF0: (length, seconds) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, seconds) = (4, 0x80...0xBF)
    case 0xF4: (length, seconds) = (4, 0x80...0x8F)
    default: return 0
    }
    guard seconds.contains(byte(1)) else { return 0 }
    for index in 2..<max(length, 2) where byte(index) & 0xC0 != 0x80 { return 0 }
    return length
  }
}
