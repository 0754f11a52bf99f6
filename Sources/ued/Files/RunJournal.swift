import Glibc

/// What a run is about to do: it is written into every staging folder of the run before the first file is
/// renamed, so that another process can finish or undo a run that was killed.
struct RunJournal: Equatable, Sendable {
  /// A folder that has files or a staging folder of the run.
  struct Folder: Equatable, Sendable {
    /// Its absolute path when the run began.
    var path: [UInt8]
    var inode: UInt64
  }

  /// A file that is replaced, overwritten, created or removed.
  struct Entry: Equatable, Sendable {
    /// The folder whose staging folder has the new content, as an index into `folders`.
    var staging: Int
    /// The name of the new content there.
    var number: Int
    /// The folder of the file, as an index into `folders`.
    var folder: Int
    /// The name of the file; not that of a symbolic link.
    var name: [UInt8]
    /// The inode number of the old file; 0 when there was none.
    var old: UInt64
    /// The inode number, size and time of the new content; all 0 for a file that is removed.
    var new: Content

    /// Whether the file is removed.
    var isRemoval: Bool { new == Content() }
  }

  /// What tells whether a file is still as it was staged.
  struct Content: Equatable, Sendable {
    var inode: UInt64 = 0
    var byteCount = 0
    var modified = FileIdentity.Moment(seconds: 0, nanoseconds: 0)
  }

  /// The folders.
  var folders: [Folder] = []
  /// The files.
  var entries: [Entry] = []
  /// Whether the user's key has sealed the journal that was read.
  private(set) var isSealed = false

  /// The name in a staging folder.
  static let name = Array("journal".utf8)

  private static let title = "ued-run 2"
  /// The size above which a file is no journal.
  static let sizeLimit = 1 << 28

  // MARK: - Bytes

  /// Lines of fields with spaces between them; the last one has a checksum of all before, and the user's seal.
  ///
  /// - Throws: Why there is no seal.
  func bytes() throws(SystemError) -> [UInt8] {
    var bytes = Array("\(Self.title)\n".utf8)
    for folder in folders {
      bytes += Array("folder \(folder.inode) ".utf8) + Self.escaped(folder.path) + [.newline]
    }
    for entry in entries {
      let new = entry.new
      let numbers =
        "\(entry.staging) \(entry.number) \(entry.folder) \(entry.old) \(new.inode) "
        + "\(new.byteCount) \(new.modified.seconds) \(new.modified.nanoseconds) "
      bytes += Array("file \(numbers)".utf8) + Self.escaped(entry.name) + [.newline]
    }
    let seal = try UserKey.seal(bytes)
    return bytes + Array("end \(Self.checksum(bytes[...])) ".utf8) + seal + [.newline]
  }

  /// Reads a journal; nil unless all of it is there and makes sense.
  init?(_ bytes: [UInt8]) {
    guard bytes.last == .newline,
      let lastLine = bytes.dropLast().lastIndex(of: .newline).map({ $0 + 1 })
    else { return nil }
    let end = Array("end \(Self.checksum(bytes[..<lastLine])) ".utf8)
    let seal = bytes[lastLine...].dropLast().dropFirst(end.count)
    guard bytes[lastLine...].starts(with: end), seal.count == 64 else { return nil }
    isSealed = UserKey.hasSealed(bytes[..<lastLine], as: seal)
    let lines = bytes[..<(lastLine - 1)].split(separator: .newline)
    guard lines.first.map({ $0.elementsEqual(Self.title.utf8) }) == true else { return nil }
    for line in lines.dropFirst() {
      var fields = line.split(separator: .space, omittingEmptySubsequences: false)
      guard let name = fields.popLast().flatMap(Self.unescaped), fields.count > 1 else {
        return nil
      }
      let kind = String(decoding: fields[0], as: UTF8.self)
      let numbers = fields.dropFirst().compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
      guard numbers.count == fields.count - 1 else { return nil }
      switch (kind, numbers.count) {
      case ("folder", 1):
        guard entries.isEmpty, name.first == .slash else { return nil }
        folders.append(Folder(path: name, inode: numbers[0]))
      case ("file", 8):
        let indices = numbers.map { Int(clamping: $0) }
        guard folders.indices.contains(indices[0]), folders.indices.contains(indices[2]),
          !name.isEmpty, !name.contains(.slash), name != [.dot], name != [.dot, .dot]
        else { return nil }
        entries.append(
          Entry(
            staging: indices[0], number: indices[1], folder: indices[2], name: name,
            old: numbers[3],
            new: Content(
              inode: numbers[4], byteCount: indices[5],
              modified: .init(seconds: indices[6], nanoseconds: indices[7]))))
      default: return nil
      }
    }
  }

  init(folders: [Folder], entries: [Entry]) {
    self.folders = folders
    self.entries = entries
  }

  /// FNV-1a with 64 bits, in hexadecimal.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(sum, radix: 16)
  }

  /// A name without spaces, newlines and NUL: those and `%` become `%` and two digits.
  private static func escaped(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
      if byte > .space && byte != .percent { return [byte] }
      let digits = Array(String(byte, radix: 16).utf8)
      return [.percent] + (digits.count == 1 ? Array("0".utf8) : []) + digits
    }
  }

  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      if byte != .percent {
        bytes.append(byte)
      } else {
        let digits = rest.prefix(2)
        guard digits.count == 2,
          let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
          byte != 0
        else { return nil }
        bytes.append(byte)
        rest = rest.dropFirst(2)
      }
    }
    return bytes
  }
}

extension RunJournal.Content {
  init(_ identity: FileIdentity) {
    self.init(inode: identity.inode, byteCount: identity.byteCount, modified: identity.modified)
  }
}
