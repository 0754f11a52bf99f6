import Testing
import TextBuffer

@Test func `a line range counts both ends`() {
  #expect(LineRange(2, 5).count == 4)
  #expect(LineRange(2, 1).count == 0)
}
