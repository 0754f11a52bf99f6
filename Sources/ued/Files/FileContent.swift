import TextBuffer

/// A part of a text on its way to a file, and how to speak of what goes wrong.
struct FileContent {
  let text: PieceTable
  let range: Range<ByteOffset>
  /// The file's name, or a shell command behind its `!`.
  let path: [UInt8]

  /// Up to so many bytes, a stream notices that it can't write only when it is closed; ed's words for
  /// the two differ.
  private static let streamBufferSize = 4096

  /// The number of bytes.
  var byteCount: Int { range.upperBound - range.lowerBound }

  /// Writes it all, small pieces gathered.
  ///
  /// - Parameters:
  ///   - descriptor: Where to.
  ///   - isInterruptible: Whether an interrupt ends it.
  /// - Throws: Why not all of it could be written.
  func write(to descriptor: Int32, isInterruptible: Bool = false) throws(FileError) {
    var failure: SystemError?
    var output = BlockWriter { block in
      do throws(SystemError) {
        try DescriptorWriter.write(block, to: descriptor, isInterruptible: isInterruptible)
      } catch {
        failure = error
      }
      return failure == nil
    }
    text.forEachChunk(in: range) { chunk in
      output.write(chunk)
      return !output.isStopped
    }
    output.flush()
    guard let failure else { return }
    let isSmall = byteCount <= Self.streamBufferSize
    throw FileError(
      attempt: isSmall ? .closeOutput : .writeOutput, path: path, code: failure.code)
  }

  /// Does one step of a save.
  func attempt<Result: ~Copyable>(
    _ attempt: FileError.Attempt, _ step: () throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try step()
    } catch {
      throw FileError(attempt: attempt, path: path, code: error.code)
    }
  }
}
