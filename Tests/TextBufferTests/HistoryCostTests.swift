import Testing
import TextBuffer
import TextBufferModels

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct HistoryCostTests {
  @Test func `going back and forth costs the same however much has changed`() {
    // A cost linear in the lines would be a thousand times as high.
    let small = timeBackAndForth(100)
    #expect(timeBackAndForth(100_000) < small * 100)
  }

  /// The CPU seconds of 200 moves between two texts of `lineCount` lines.
  private func timeBackAndForth(_ lineCount: Int) -> Double {
    var builder = PieceTable.Builder(from: PieceTable())
    for number in 1...lineCount { builder.append("line \(number)\n".utf8) }
    var document = Document(builder.finish())
    let first = document.buffer
    document.edit { draft in
      var builder = PieceTable.Builder(from: draft.buffer)
      for number in 1...lineCount { builder.append("other \(number)\n".utf8) }
      draft.setText(builder.finish())
    }
    let second = document.buffer
    let start = processorTime()
    for _ in 0..<50 {
      document.undo()
      document.redo()
      document.move(to: 0)
      document.move(to: 1)
    }
    let time = processorTime() - start
    #expect(document.buffer == second)
    document.undo()
    #expect(document.buffer == first)
    return time
  }

  @Test(.disabled(if: isSanitized, "the allocator of the address sanitizer takes more"))
  func `a group takes less than 200 bytes besides its text`() async {
    await #expect(processExitsWith: .success) {
      let count = 100_000
      var document = Document(PieceTable("a text of some length\n"))
      let byte = ByteOffset(3)..<ByteOffset(4)
      let before = residentBytes()
      for number in 0..<count {
        let letter = UInt8(ascii: "a") + UInt8(number % 26)
        document.edit { draft in draft.replace(byte, with: CollectionOfOne(letter)) }
      }
      let perGroup = (residentBytes() - before) / count
      guard document.history.revisions.count > count, perGroup < 200 else {
        print("\(document.history.revisions.count) revisions of \(perGroup) bytes")
        exit(1)
      }
    }
  }

  @Test(.disabled(if: isSanitized, "the allocator of the address sanitizer takes more"))
  func `a level limit bounds all memory of the groups`() async {
    await #expect(processExitsWith: .success) {
      var document = Document(PieceTable("a text of some length\n"), context: 0)
      document.levelLimit = 100
      var value = Undoable(0)
      value.levelLimit = 100
      func edit(_ count: Int) {
        for number in 0..<count {
          let letter = UInt8(ascii: "a") + UInt8(number % 26)
          document.context = number
          document.edit("Replace") { draft in
            draft.replace(ByteOffset(3)..<ByteOffset(4), with: CollectionOfOne(letter))
          }
          let end = ByteOffset(document.byteCount)
          document.replace(end..<end, with: CollectionOfOne(letter))
          document.closeGroup()
          document.replace(end..<end + 1, with: [])
          document.closeGroup()
          value.edit("Count") { $0 += 1 }
        }
      }
      edit(1000)
      let before = residentBytes()
      edit(setting("GROUPS", or: 60_000) / 3)
      let growth = residentBytes() - before
      let revision = document.history[7]
      guard growth < 1 << 20, revision.isDropped, revision.name == nil else {
        print("a growth of \(growth) bytes")
        exit(1)
      }
    }
  }
}

/// Whether the tests were built with the address sanitizer.
private let isSanitized = dlsym(dlopen(nil, RTLD_NOW), "__asan_init") != nil

/// The seconds of a processor that this thread has used.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The resident memory of this process.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 200)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let words = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
    separator: " ")
  return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
}
