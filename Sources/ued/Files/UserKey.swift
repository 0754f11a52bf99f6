import Glibc
import TextBuffer

/// A random key in a private folder of the user.
///
/// The key seals the journals of runs. A planted journal lacks the seal.
enum UserKey {
  private static let name = Array(".ued-\(SystemUser.number)-key".utf8)
  /// The first line of the file, which no other file of the user has.
  private static let title = Array("ued-key 1\n".utf8)
  private static let randomCount = 32

  /// Seals bytes, with a new key if the user has none yet.
  ///
  /// - Throws: Why no folder takes the key.
  static func seal(_ bytes: [UInt8]) throws(SystemError) -> [UInt8] {
    try PrivateFolder.first(after: SystemError(code: EACCES)) { (folder) throws(SystemError) in
      if let key = read(in: folder.file) { return seal(bytes, with: key) }
      return seal(bytes, with: try make(in: folder))
    }
  }

  /// Whether the user's key gives these bytes this seal.
  static func hasSealed(_ bytes: ArraySlice<UInt8>, as seal: some Sequence<UInt8>) -> Bool {
    key.map { Self.seal(Array(bytes), with: $0).elementsEqual(seal) } ?? false
  }

  /// The first key in the candidate folders; nil without one.
  private static var key: [UInt8]? {
    for path in PrivateFolder.paths {
      guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY) else { continue }
      if let key = read(in: folder) { return key }
    }
    return nil
  }

  private static func read(in folder: borrowing OpenFile) -> [UInt8]? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? OpenFile(name, in: folder.descriptor, flags),
      let status = try? file.status(), status.isOwnFile, status.st_mode & 0o077 == 0,
      status.st_size == title.count + randomCount
    else { return nil }
    let key = try? file.block(at: 0)
    return key?.starts(with: title) == true ? key : nil
  }

  private static func make(in folder: SharedFile) throws(SystemError) -> [UInt8] {
    let random = (0..<randomCount).map { _ in UInt8.random(in: .min ... .max) }
    var file = try StagedFile(in: folder, mode: 0o600)
    try unsafe DescriptorWriter.write((title + random).span.bytes, to: file.file.descriptor)
    do throws(SystemError) {
      try file.commitSynced(as: name, replacing: false)
    } catch {
      // Another run may have made one just now.
      guard error.code == EEXIST, let key = read(in: folder.file) else { throw error }
      return key
    }
    return title + random
  }

  /// Hashes twice, as HMAC does: otherwise anybody could extend sealed bytes.
  private static func seal(_ bytes: [UInt8], with key: [UInt8]) -> [UInt8] {
    let inner = SHA256Hash(of: PieceTable(key + bytes)).bytes
    return Array(SHA256Hash(of: PieceTable(key + inner)).bytes.hexadecimal.utf8)
  }
}
