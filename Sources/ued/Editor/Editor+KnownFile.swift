import Glibc
import TextBuffer

/// What ued knows of the file that it edits, so that it does not write over what somebody else has
/// written there.
extension Editor {
  /// Takes note of what was read from a file.
  mutating func noteReading(_ path: [UInt8], _ loaded: LoadedText) {
    guard path == fileName, let identity = loaded.identity else { return }
    knownFile = KnownFile(
      path: path, identity: identity, texts: [loaded.original ?? loaded.text],
      isWhole: loaded.failure == nil)
  }

  /// Takes note of a file that could not be opened for reading.
  mutating func noteReading(_ path: [UInt8], failed error: FileError) {
    guard path == fileName, error.code != ENOENT else { return }
    knownFile = KnownFile(path: path, isWhole: false)
  }

  /// Tells that a command is about to write over what nobody here has seen. A person is refused once,
  /// a script is warned.
  mutating func checkUnseen(
    _ path: [UInt8], writing renderer: inout Renderer
  ) throws(EditorError) {
    guard isFriendly else { return warnOfUnseen(path, writing: &renderer) }
    guard let known = knownFile, let (danger, present) = files.danger(ofWriting: path, over: known),
      present != unseenFile
    else { return }
    unseenFile = present
    throw .fileUnseen(danger)
  }

  /// Tells on standard error that what nobody here has seen is written over.
  func warnOfUnseen(_ path: [UInt8], writing renderer: inout Renderer) {
    if let known = knownFile, let (danger, _) = files.danger(ofWriting: path, over: known) {
      renderer.report(Messages.warning(danger, of: path))
    }
  }

  /// Writes text to a file and takes note of it.
  mutating func save(
    _ text: PieceTable, to path: [UInt8], appending: Bool
  ) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    let isOtherName = isOtherNameOfKnown(path)
    let isKnown = appending ? isAsKnown(path) : path == fileName || path == knownFile?.path
    // What is written under another name is not what somebody else has done.
    let name = isOtherName ? knownFile?.path ?? path : path
    do throws(FileError) {
      let identity = try files.write(text, all, to: path, appending: appending)
      guard isKnown || isOtherName else { return }
      knownFile = identity.map {
        KnownFile(path: name, identity: $0, texts: appending ? [] : [text])
      }
    } catch {
      // Then it may be there all the same.
      if isKnown { knownFile?.texts.append(text) }
      throw error
    }
  }

  /// Whether a name is another one of the file that is known, and nobody else has changed that.
  private func isOtherNameOfKnown(_ path: [UInt8]) -> Bool {
    guard let known = knownFile, known.path != path, let identity = known.identity,
      let status = OpenFile.status(of: path)
    else { return false }
    return identity == FileIdentity(status)
  }

  /// Whether all of a file is known.
  private func isAsKnown(_ path: [UInt8]) -> Bool {
    guard let known = knownFile, known.path == path else { return false }
    return files.danger(ofWriting: path, over: known) == nil
  }
}
