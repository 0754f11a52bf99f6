import Glibc
import TextBuffer

/// The pending writes of a run: one for each file, even if it is written several times or under
/// several names.
struct PendingWrites {
  /// The identity of a file, or the name of one that does not exist.
  private enum Key: Hashable {
    case file(FileIdentity.Number)
    case name(folder: [UInt8], [UInt8])
  }

  /// All writes, in the order of the first write to each file.
  private(set) var all: [FileWrite] = []
  private var indices: [Key: Int] = [:]

  var isEmpty: Bool { all.isEmpty }

  /// The text that a file will have; nil without a pending write.
  func text(of path: [UInt8]) -> PieceTable? {
    if isEmpty { return nil }
    guard let index = indices[Self.key(of: path, OpenFile.status(of: path))], !all[index].isStream
    else { return nil }
    return all[index].text
  }

  func contains(_ path: [UInt8]) -> Bool {
    !isEmpty && indices[Self.key(of: path, OpenFile.status(of: path))] != nil
  }

  /// Adds a write, which replaces an earlier one to the same file, or extends it when appending.
  /// `known` is nil if the file was not read. Throws if the content to append to can't be read.
  mutating func add(
    _ text: PieceTable, to path: [UInt8], appending: Bool, known: KnownFile?, disk: DiskFiles,
    otherChanges: NonTextChanges = NonTextChanges()
  ) throws(FileError) {
    let status = OpenFile.status(of: path)
    let key = Self.key(of: path, status)
    if let index = indices[key] {
      if appending || all[index].isStream {
        all[index].text.insert(text, at: ByteOffset(all[index].text.byteCount))
      } else {
        all[index].text = text
      }
      if !otherChanges.isEmpty { all[index].otherChanges = otherChanges }
      return
    }
    var write = FileWrite(path: path, text: text, known: known, otherChanges: otherChanges)
    let isOpen = OpenFile.descriptor(namedBy: path) != nil
    if known == nil && (isOpen || status.map { !$0.isRegular } == true) {
      write.isStream = true
    } else if appending {
      let loaded = try disk.readIfThere(path)
      write.text = loaded.original ?? loaded.text
      write.text.insert(text, at: ByteOffset(write.text.byteCount))
      write.known = known ?? KnownFile(path: path, loaded)
    }
    indices[key] = all.count
    all.append(write)
  }

  private static func key(of path: [UInt8], _ status: stat?) -> Key {
    if let status, OpenFile.descriptor(namedBy: path) == nil {
      return .file(FileIdentity(status).number)
    }
    guard let place = try? FilePlace(following: path) else { return .name(folder: [], path) }
    return .name(folder: place.folder.path, place.name)
  }
}
