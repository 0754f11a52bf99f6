import TextBuffer

/// The part of a text that is to be written, and the path that errors name.
struct FileContent {
  let text: PieceTable
  let range: Range<ByteOffset>
  /// The path of a file, or `!` and a shell command.
  let path: [UInt8]

  /// The size of the buffer of ed's streams. Content that fits fails only when ed closes the file, which
  /// has another message than a failed write.
  private static let streamBufferSize = 4096

  /// The number of bytes.
  var byteCount: Int { range.upperBound - range.lowerBound }

  /// Writes all of the content to a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: An open descriptor.
  ///   - isInterruptible: Whether to stop at an interrupt.
  /// - Throws: Why not all could be written.
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

  /// Runs one step of a save and translates its error.
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
