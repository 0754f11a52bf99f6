import TextBuffer

/// Searches of 10 MB: a text line by line beside an array that is split into lines.
enum Search {
  static func run() {
    var bytes = Array(makeText(10 << 20).utf8)
    let text = PieceTable(bytes)
    compare("regex", text, bytes)
    // The same with 10,000 edits, so that lines are in several pieces.
    var edited = text
    var generator = SeededGenerator(6)
    for _ in 0..<10_000 {
      let offset = Int(generator.next() % UInt64(bytes.count))
      edited.replace(ByteOffset(offset)..<ByteOffset(offset + 1), with: "x")
      bytes[offset] = 0x78
    }
    compare("regex, edited", edited, edited.bytes)
    var count = 0
    measure("literal search", per: text.byteCount, "byte") {
      count += text.ranges(of: "key99 = 9").count
    }
    measure("literal search, edited", per: text.byteCount, "byte") {
      count += edited.ranges(of: "key99 = 9").count
    }
    blackHole(count)
  }

  private static func makeText(_ byteCount: Int) -> String {
    var generator = SeededGenerator(5)
    var text = ""
    while text.utf8.count < byteCount {
      text += "key\(generator.next() % 1000) = \(generator.next() % 100_000) # größer\n"
    }
    return text
  }

  private static func compare(_ name: String, _ text: PieceTable, _ bytes: [UInt8]) {
    let regex = /key\d*7 = (\d+)/
    var (ours, plain) = ([Double](), [Double]())
    var (found, expected) = (0, 0)
    for _ in 0..<3 {
      (found, expected) = (0, 0)
      plain.append(
        nanoseconds {
          for line in bytes.split(separator: 0x0A) {
            expected += String(decoding: line, as: UTF8.self).matches(of: regex).count
          }
        })
      ours.append(nanoseconds { found = text.ranges(of: regex).count })
      precondition(found == expected && found > 0)
    }
    report("\(name), array split by line", plain, per: bytes.count, unit: "byte")
    report("\(name), text", ours, per: bytes.count, unit: "byte")
    let ratio = (ours.min() ?? 0) / (plain.min() ?? 1)
    print(
      "  ratio \(column(ratio, width: 0, places: 4)), at most 1.2" + (ratio > 1.2 ? " MISSED" : ""))
  }
}
