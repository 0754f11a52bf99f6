import Glibc
import TextBuffer

/// The file being edited: its name, what is known of it on the disk, and writes that wait for the end
/// of the script.
struct EditedFile {
  /// A write that waits for the end of the script.
  struct PendingWrite: Sendable {
    var path: [UInt8]
    var text: PieceTable
    var isAppending: Bool
  }

  /// The name that commands use when they are given none; empty when there is none.
  var name: [UInt8] = []
  /// The last shell command, `%` and `!` replaced.
  var lastShellCommand: [UInt8]?
  /// The file that was read or written last under the default name.
  var known: KnownFile?
  /// The file that the user was told not to know, so that the next command may write over it.
  private var acknowledged: FileIdentity?
  /// What is written at the end, if all goes well.
  var pendingWrites: [PendingWrite] = []
  /// The disk and the shell.
  let disk: DiskFiles

  init(disk: DiskFiles) { self.disk = disk }

  // MARK: - Reading

  /// Reads a file, or what a waiting write will make of it.
  ///
  /// - Throws: Why it can't be opened.
  mutating func read(
    _ path: [UInt8], strippingCR: Bool, isBinary: Bool
  ) throws(FileError) -> LoadedText {
    do throws(FileError) {
      if pendingWrites.contains(where: { $0.path == path }) {
        return LoadedText(
          text: try textAfterPendingWrites(path), hasNUL: isBinary, failure: nil)
      }
      let loaded = try disk.read(path, strippingCR: strippingCR)
      if path == name, let identity = loaded.identity {
        known = KnownFile(
          path: path, identity: identity, texts: [loaded.original ?? loaded.text],
          isWhole: loaded.failure == nil)
      }
      return loaded
    } catch {
      if path == name, error.code != ENOENT { known = KnownFile(path: path, isWhole: false) }
      throw error
    }
  }

  /// The text of a file, with what waits to be written to it.
  func textAfterPendingWrites(_ path: [UInt8]) throws(FileError) -> PieceTable {
    let writes = pendingWrites.filter { $0.path == path }
    let whole = writes.lastIndex { !$0.isAppending }
    var text: PieceTable
    if let whole { text = writes[whole].text } else { text = try disk.textIfThere(path) }
    for write in writes[(whole.map { $0 + 1 } ?? 0)...] {
      text.insert(write.text, at: ByteOffset(text.byteCount))
    }
    return text
  }

  // MARK: - Writing

  /// What a write to a file would destroy that was never read here; nil when nothing.
  func danger(ofWriting path: [UInt8]) -> KnownFile.Danger? {
    known.flatMap { disk.danger(ofWriting: path, over: $0)?.danger }
  }

  /// As ``danger(ofWriting:)``, but only once for one state of the file.
  mutating func dangerToAcknowledge(ofWriting path: [UInt8]) -> KnownFile.Danger? {
    guard let known, let (danger, present) = disk.danger(ofWriting: path, over: known),
      present != acknowledged
    else { return nil }
    acknowledged = present
    return danger
  }

  /// Writes text to a file and remembers it.
  mutating func save(
    _ text: PieceTable, to path: [UInt8], appending: Bool
  ) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    let isOtherName = isOtherNameOfKnown(path)
    let isKnown = appending ? isUnchanged(path) : path == name || path == known?.path
    // What is written under another name is not what somebody else has done.
    let knownName = isOtherName ? known?.path ?? path : path
    do throws(FileError) {
      let identity = try disk.write(text, all, to: path, appending: appending)
      guard isKnown || isOtherName else { return }
      known = identity.map {
        KnownFile(path: knownName, identity: $0, texts: appending ? [] : [text])
      }
    } catch {
      // Then it may be there all the same.
      if isKnown { known?.texts.append(text) }
      throw error
    }
  }

  /// Whether a name is another one of the file that is known, and nobody else has changed that.
  private func isOtherNameOfKnown(_ path: [UInt8]) -> Bool {
    guard let known, known.path != path, let identity = known.identity,
      let status = OpenFile.status(of: path)
    else { return false }
    return identity == FileIdentity(status)
  }

  /// Whether all of a file is known, and it is as it was then.
  private func isUnchanged(_ path: [UInt8]) -> Bool {
    guard let known, known.path == path else { return false }
    return disk.danger(ofWriting: path, over: known) == nil
  }
}
