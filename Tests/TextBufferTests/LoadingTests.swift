import Synchronization
import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A text that is read` {
  @Test(arguments: [0, 1, 99, 10_000, 20_000], [1, 7, 4096, 1 << 20])
  func `equals the bytes put into memory`(sizeHint: Int, step: Int) {
    let source = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var given = 0
    let buffer = PieceTable(sizeHint: sizeHint) { memory in
      let count = min(step, memory.count, source.count - given)
      memory.copyBytes(from: source[given..<given + count])
      given += count
      return count
    }
    buffer.checkInvariants()
    #expect(buffer.bytes == source)
    #expect(buffer.newlineCount == source.count { $0 == 0x0A })
  }

  @Test func `is nothing when nothing is read`() {
    #expect(PieceTable(sizeHint: 10) { _ in 0 }.isEmpty)
  }

  @Test func `rethrows errors of reading`() {
    struct Broken: Error {}
    #expect(throws: Broken.self) {
      _ = try PieceTable(sizeHint: 10) { (_) throws(Broken) in throw Broken() }
    }
  }
}

@Suite struct `A text of adopted bytes` {
  /// Counts how often memory was given back.
  final class Releases: Sendable {
    let count = Mutex(0)
  }

  private func adopt(_ text: String, _ releases: Releases) -> PieceTable {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    memory.copyBytes(from: text.utf8)
    let address = UInt(bitPattern: memory.baseAddress)
    return PieceTable(adopting: UnsafeRawBufferPointer(memory)) {
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      releases.count.withLock { $0 += 1 }
    }
  }

  @Test func `frees memory after the last reference`() {
    let releases = Releases()
    var text: PieceTable? = adopt("one\ntwo\nthree\n", releases)
    #expect(text?.lineCount == 3)
    var slice = text?.slice(offsets(4..<8))
    text = nil
    #expect(releases.count.withLock { $0 } == 0)
    var other = PieceTable("other\n")
    other.insert(slice ?? PieceTable(), at: ByteOffset(0))
    slice = nil
    #expect(releases.count.withLock { $0 } == 0)
    #expect(other == PieceTable("two\nother\n"))
    other.checkInvariants()
    other = PieceTable()
    #expect(releases.count.withLock { $0 } == 1)
  }

  @Test func `leaks nothing when two texts copy from each other`() {
    let releases = Releases()
    do {
      var left = adopt("left\n", releases)
      var right = adopt("right\n", releases)
      left.insert(right, at: ByteOffset(0))
      right.insert(left, at: ByteOffset(0))
      #expect(right == PieceTable("right\nleft\nright\n"))
    }
    #expect(releases.count.withLock { $0 } == 2)
  }
}
