import Testing
import TextBuffer
import TextBufferTesting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Test func `a document that a person typed comes out right, and goes back and forth`() {
  let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
  let trace = Trace(path: "/\(folder)/Fixtures/sveltecomponent.trace")
  var document = Document(PieceTable(), coalescing: .typing)
  for edit in trace.edits {
    document.replace(offsets(edit.range), with: trace.bytes[edit.inserted])
  }
  document.closeGroup()
  #expect(document.buffer.bytes == trace.final)
  let revisions = document.history.revisions.count
  #expect(revisions < trace.edits.count / 4)
  while document.undo() != nil {}
  #expect(document.history.current == 0 && document.buffer.isEmpty)
  while document.redo() != nil {}
  #expect(document.history.current == revisions - 1)
  #expect(document.buffer.bytes == trace.final)
  document.buffer.checkInvariants()
}
