/// An open file with several owners; closed when the last of them is gone.
final class SharedFile: Sendable {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }
}
