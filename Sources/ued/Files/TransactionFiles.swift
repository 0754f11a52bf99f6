import Glibc

/// The files of a run, and the progress of each. Names in the staging folders record it:
///
///     N         the new content, or the old file once both have been exchanged
///     N.old     the old file or a copy of it, if exchanging is not possible or the file is removed
///     N.begun   the new content, while it is written over the file
///     N.done    the new content, once it is on the disk
///     N.EXT     the new content, under the file's extension, while a program checks it
///     undo      the run is being undone
///     over      the run is over, and its staging folders are being removed
///     journal   see ``TransactionJournal``
struct TransactionFiles {
  /// A folder of the run.
  struct Folder {
    let folder: SharedFile
    /// Its path when the run began.
    let path: [UInt8]
    let number: FileIdentity.Number
    /// The staging folder in it; nil if it has none, or if the run is over there.
    var staging: StagingFolder?
  }

  /// The progress of a file.
  enum State: Equatable {
    /// The file is the old one.
    case waiting
    /// The new content has its name; the old file has the name `old` in the staging folder.
    case replaced(old: [UInt8])
    /// The file did not exist, and does now.
    case created
    /// Its bytes are being overwritten, or have been.
    case overwriting, overwritten
    /// The staging folder has no file of it.
    case over
  }

  /// The folders; nil for a folder that can't be found any more.
  var folders: [Folder?]
  var entries: [TransactionJournal.Entry]

  static let undoMark = Array("undo".utf8)
  static let endMark = Array("over".utf8)
  /// Marks a staging folder that has no journal, but has old content that could not be put back.
  static let stuckMark = Array("stuck".utf8)

  /// A name in a staging folder.
  static func name(_ number: Int, _ ending: StaticString = "") -> [UInt8] {
    Array("\(number)\(ending)".utf8)
  }

  /// Whether a name in a staging folder belongs to a run.
  static func isName(_ name: [UInt8]) -> Bool {
    if [undoMark, endMark, stuckMark, TransactionJournal.name].contains(name) { return true }
    let parts = name.split(separator: .dot, omittingEmptySubsequences: false)
    return parts.count <= 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isDigit)
      && (parts.count == 1 || isExtension(parts[1]))
  }

  /// Whether the extension of a name in a staging folder records the progress of a file.
  static func isState(_ bytes: ArraySlice<UInt8>) -> Bool {
    ["old", "begun", "done"].contains { bytes.elementsEqual($0.utf8) }
  }

  /// Whether the extension of a file can be used for a name in a staging folder.
  static func isExtension(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0.isDigit || ($0 | 0x20).isLowercase }
  }

  var stagings: [StagingFolder] { folders.compactMap { $0?.staging } }

  /// The folders that were found, with their indices, in the order of locking.
  var foldersInOrder: [(Int, Folder)] {
    folders.enumerated().compactMap { index, folder in folder.map { (index, $0) } }
      .sorted { $0.1.number < $1.1.number }
  }

  /// The staging folder of a file, and the folder of the file.
  ///
  /// - Throws: ENOENT if one of them is missing.
  func folders(
    of entry: TransactionJournal.Entry
  ) throws(SystemError) -> (staging: StagingFolder, folder: SharedFile) {
    guard let staging = folders[entry.staging]?.staging, let folder = folders[entry.folder]?.folder
    else { throw SystemError(code: ENOENT) }
    return (staging, folder)
  }

  func state(of entry: TransactionJournal.Entry) -> State {
    guard let staging = folders[entry.staging]?.staging else { return .over }
    let name = Self.name(entry.number)
    if let present = staging.folder.status(of: name) {
      return UInt64(present.st_ino) == entry.new.inode ? .waiting : .replaced(old: name)
    }
    if staging.folder.has(Self.name(entry.number, ".begun")) { return .overwriting }
    if staging.folder.has(Self.name(entry.number, ".done")) { return .overwritten }
    let oldName = Self.name(entry.number, ".old")
    if let old = staging.folder.status(of: oldName) {
      // If only the copy of an overwritten file is left, the run was over, and its files were being
      // removed. The journal is removed first, but a power cut can bring it back.
      let isCopy = !entry.isRemoval && UInt64(old.st_ino) != entry.old
      return isCopy ? .overwritten : .replaced(old: oldName)
    }
    if entry.isRemoval { return .waiting }
    return entry.old == 0 ? .created : .over
  }

  /// The remedy for a killed run.
  enum Remedy {
    /// All files are the new ones: the old ones can go.
    case finish
    /// Some file is the old one: all others are put back.
    case undo
    /// The state is unknown, since staging folders are missing: nothing may be removed or put back.
    case setAside
  }

  /// The remedy for the run. A missing staging folder was removed at the end of the run, was set
  /// aside, or can't be found any more. Then the run's files themselves show the progress, unless
  /// other programs have replaced them.
  var remedy: Remedy {
    if stagings.contains(where: { $0.folder.has(Self.undoMark) }) { return .undo }
    let states = entries.map { (entry: $0, state: state(of: $0)) }
    if stagings.contains(where: { $0.folder.has(Self.endMark) }) {
      // The run may have been given up before the first file was replaced.
      return states.contains { $0.state == .waiting } ? .undo : .finish
    }
    if states.allSatisfy({ isNew($0.entry, $0.state) }) { return .finish }
    if states.allSatisfy({ $0.state == .waiting || $0.state == .over }) { return .undo }
    return states.allSatisfy { $0.state != .over || isOld($0.entry) } ? .undo : .setAside
  }

  /// Whether a file is the new one, and replaced the old one of the run.
  private func isNew(_ entry: TransactionJournal.Entry, _ state: State) -> Bool {
    switch state {
    case .waiting, .overwriting: false
    case .replaced(let name):
      folders[entry.staging]?.staging?.folder.status(of: name).map { UInt64($0.st_ino) }
        == entry.old
    case .created, .overwritten: true
    case .over where entry.isRemoval: folders[entry.folder] != nil && present(entry) == nil
    case .over:
      present(entry).map { $0.inode == entry.new.inode || isOverwritten($0, entry) } ?? false
    }
  }

  /// Whether a file without a staging folder is the old one, or is still missing.
  private func isOld(_ entry: TransactionJournal.Entry) -> Bool {
    guard folders[entry.folder] != nil else { return false }
    guard let present = present(entry) else { return entry.old == 0 }
    return present.inode == entry.old && !isOverwritten(present, entry)
  }

  /// The file that now has the name of a file of the run.
  private func present(_ entry: TransactionJournal.Entry) -> FileIdentity? {
    folders[entry.folder]?.folder.file.status(of: entry.name).map { FileIdentity($0) }
  }

  /// Whether a file looks like an old one overwritten with the new content after staging.
  private func isOverwritten(_ file: FileIdentity, _ entry: TransactionJournal.Entry) -> Bool {
    let (time, staged) = (file.modified, entry.new.modified)
    return !entry.isRemoval && file.inode == entry.old && file.byteCount == entry.new.byteCount
      && (time.seconds, time.nanoseconds) >= (staged.seconds, staged.nanoseconds)
  }

  func path(of entry: TransactionJournal.Entry) -> [UInt8] {
    PreservedFile.join(folders[entry.folder]?.path ?? [], entry.name)
  }

  // MARK: - Copies

  /// Copies the old bytes of a file to be overwritten.
  func copyOld(
    _ entry: TransactionJournal.Entry, _ path: [UInt8], _ beforeStep: () throws(SystemError) -> Void
  ) throws(FileError) {
    try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      let (staging, folder) = try folders(of: entry)
      try beforeStep()
      let flags = O_NOFOLLOW | O_NONBLOCK
      let old = try OpenFile(entry.name, in: folder.file.descriptor, O_RDONLY | flags)
      let copy = try OpenFile(
        Self.name(entry.number, ".old"), in: staging.folder.descriptor,
        O_WRONLY | O_CREAT | O_EXCL | flags, mode: 0o600)
      try old.copy(Int(try old.status().st_size), to: copy)
      try copy.sync()
    }
  }

  // MARK: - The end

  /// Creates an empty file in each staging folder.
  func mark(_ name: [UInt8]) {
    for staging in stagings {
      let flags = O_WRONLY | O_CREAT | O_NOFOLLOW
      _ = try? OpenFile(name, in: staging.folder.descriptor, flags, mode: 0o600)
    }
  }

  /// Syncs the folders of the files.
  func syncFolders() throws(SystemError) {
    for index in Set(entries.map(\.folder)) { try folders[index]?.folder.file.sync() }
  }

  /// Leaves the staging folders to the next run.
  func keep() {
    for staging in stagings { staging.isTemporary = false }
  }

  /// Removes the staging folders. The journals go first: without them, the run is over. A kill may
  /// leave some of the folders. For the others, mending could only look at the run's files, which
  /// other programs may have changed. Hence each folder is first marked as over.
  func clear() {
    if stagings.count > 1 { mark(Self.endMark) }
    for staging in stagings { staging.removeJournal() }
    keep()
    for staging in stagings { staging.clear() }
  }
}

// MARK: - Undo

/// Undoing a run, by the process that made it or by a later one.
extension TransactionFiles {
  /// The result of undoing a run.
  struct Undoing {
    /// The files that are the old ones again.
    var paths: [[UInt8]] = []
    /// The paths of old content of files that other programs have changed since.
    var aside: [[UInt8]] = []
    /// The paths of old content that could not be put back; it stays in the staging folder.
    var stuck: [[UInt8]] = []
    /// The last error that kept old content from being put back, or folders from being synced.
    var failure: SystemError?
  }

  /// Puts back all files that are not the old ones, the last one first. If this process is killed,
  /// another process can repeat the undo.
  func undo() -> Undoing {
    var undoing = Undoing()
    mark(Self.undoMark)
    for entry in entries.reversed() {
      guard let (staging, folder) = try? folders(of: entry) else { continue }
      var state = State.replaced(old: Self.name(entry.number))
      do throws(SystemError) {
        // An unreadable file would be taken for a missing one.
        _ = try folder.file.statusIfThere(of: entry.name)
        _ = try staging.folder.statusIfThere(of: Self.name(entry.number))
        state = self.state(of: entry)
        if state == .waiting || state == .over { continue }
        // Only an overwritten file may be in a folder without a staging folder of the run.
        if entry.folder != entry.staging && state != .overwriting && state != .overwritten {
          throw SystemError(code: EPERM)
        }
        if let path = try putBack(entry, state, from: staging, to: folder.file) {
          undoing.aside.append(path)
        } else {
          undoing.paths.append(path(of: entry))
        }
      } catch {
        undoing.failure = error
        undoing.stuck.append(PreservedFile.join(staging.folder.path, oldName(entry, state)))
      }
    }
    do {
      try syncFolders()
    } catch {
      undoing.failure = error
    }
    return undoing
  }

  /// The name of the old content in the staging folder, or else of the new content.
  private func oldName(_ entry: TransactionJournal.Entry, _ state: State) -> [UInt8] {
    switch state {
    case .replaced(let name): name
    case .overwriting, .overwritten: Self.name(entry.number, ".old")
    case .waiting, .created, .over: Self.name(entry.number)
    }
  }

  /// Puts a file back if no other program has changed it since; returns the path of old content
  /// that had to be set aside.
  private func putBack(
    _ entry: TransactionJournal.Entry, _ state: State, from staging: StagingFolder,
    to folder: borrowing OpenFile
  ) throws(SystemError) -> [UInt8]? {
    let name = Self.name(entry.number)
    switch state {
    case .waiting, .over: return nil
    case .replaced(let old) where old == name:
      if isNew(entry.name, in: folder, entry) {
        try staging.folder.exchange(name, with: entry.name, in: folder)
        if isNew(name, in: staging.folder, entry) { return nil }
        // Another program has replaced it in the meantime.
        try staging.folder.exchange(name, with: entry.name, in: folder)
      }
      return try setAside(name, of: entry, from: staging, to: folder)
    case .replaced(let old) where entry.isRemoval:
      do throws(SystemError) {
        try staging.folder.rename(old, to: entry.name, in: folder.descriptor, replacing: false)
        return nil
      } catch {
        // Another program has created a file of that name.
        if error.code != EEXIST { throw error }
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    case .replaced(let old):
      if isNew(entry.name, in: folder, entry) {
        try staging.folder.rename(old, to: entry.name, in: folder.descriptor, replacing: true)
        return nil
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    case .created:
      if isNew(entry.name, in: folder, entry) {
        try folder.rename(entry.name, to: name, in: staging.folder.descriptor, replacing: false)
        if !isNew(name, in: staging.folder, entry) {
          try staging.folder.rename(name, to: entry.name, in: folder.descriptor, replacing: false)
        }
      }
      return nil
    case .overwriting, .overwritten:
      let staged = Self.name(entry.number, state == .overwriting ? ".begun" : ".done")
      let old = Self.name(entry.number, ".old")
      // The staged file may be missing: a power cut came after an earlier undo of this run, while
      // its staging folder was being removed.
      let isStaged = staging.folder.has(staged)
      if try restore(entry, from: staging, isStaged ? staged : old, old, to: folder) {
        if isStaged { try staging.folder.rename(staged, to: name, replacing: true) }
        return nil
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    }
  }

  /// Whether a name belongs to the file that the run has staged, unchanged since.
  private func isNew(
    _ name: [UInt8], in folder: borrowing OpenFile, _ entry: TransactionJournal.Entry
  ) -> Bool {
    folder.status(of: name).map { TransactionJournal.Content(FileIdentity($0)) } == entry.new
  }

  /// Moves the old content to a name that identifies its file; ued looks for it when it reads the
  /// file.
  private func setAside(
    _ name: [UInt8], of entry: TransactionJournal.Entry, from staging: StagingFolder,
    to folder: borrowing OpenFile
  ) throws(SystemError) -> [UInt8] {
    let inode = folder.status(of: entry.name).map { UInt64($0.st_ino) } ?? entry.old
    for number in 1...99 {
      let newName = PreservedFile.name(inode: ino_t(inode), number)
      do throws(SystemError) {
        try staging.folder.rename(name, to: newName, in: folder.descriptor, replacing: false)
        return PreservedFile.join(folder.path, newName)
      } catch {
        if error.code == EEXIST { continue }
      }
      do throws(SystemError) {
        // The file's own folder takes no new names.
        let parent = staging.parent.file.descriptor
        try staging.folder.rename(name, to: newName, in: parent, replacing: false)
        return PreservedFile.join(staging.parent.file.path, newName)
      } catch {
        if error.code != EEXIST { throw error }
      }
    }
    throw SystemError(code: EEXIST)
  }

  // MARK: - Files overwritten in place

  /// Gives an overwritten file its old bytes back. Returns false if another program has written to
  /// it. An interrupted overwrite or a power cut leaves a mix of old and new bytes; anything else
  /// was written by another program.
  private func restore(
    _ entry: TransactionJournal.Entry, from staging: StagingFolder, _ staged: [UInt8],
    _ oldName: [UInt8],
    to folder: borrowing OpenFile
  ) throws(SystemError) -> Bool {
    let present = try folder.statusIfThere(of: entry.name)
    guard let present, present.isRegular else { return false }
    let flags = O_NOFOLLOW | O_NONBLOCK
    let file = try OpenFile(entry.name, in: folder.descriptor, O_RDWR | flags)
    let new = try OpenFile(staged, in: staging.folder.descriptor, O_RDONLY | flags)
    let old = try OpenFile(oldName, in: staging.folder.descriptor, O_RDONLY | flags)
    let status = try file.status()
    let (oldSize, newSize) = (Int(try old.status().st_size), Int(try new.status().st_size))
    guard UInt64(status.st_ino) == entry.old,
      (min(oldSize, newSize)...max(oldSize, newSize)).contains(Int(status.st_size)),
      try file.isMix(of: old, and: new)
    else { return false }
    try old.copy(oldSize, to: file)
    try file.truncate(to: oldSize)
    try file.sync()
    return true
  }
}

/// The plan of a run, in every staging folder before the first file is renamed, so that another
/// process can finish or undo a killed run.
struct TransactionJournal: Equatable, Sendable {
  /// A folder that has files or a staging folder of the run.
  struct Folder: Equatable, Sendable {
    /// Its absolute path when the run began.
    var path: [UInt8]
    var inode: UInt64
  }

  /// A file to replace, overwrite, create or remove.
  struct Entry: Equatable, Sendable {
    /// The folder whose staging folder has the new content, as an index into `folders`.
    var staging: Int
    /// The name of the new content there.
    var number: Int
    /// The folder of the file, as an index into `folders`.
    var folder: Int
    /// The name of the file; never of a symbolic link.
    var name: [UInt8]
    /// The inode number of the old file; 0 if it did not exist.
    var old: UInt64
    /// The inode number, size and time of the new content; all 0 for a removal.
    var new: Content

    /// Whether the file is removed.
    var isRemoval: Bool { new == Content() }
  }

  /// The numbers that show whether a file has changed since it was staged.
  struct Content: Equatable, Sendable {
    var inode: UInt64 = 0
    var byteCount = 0
    var modified = FileIdentity.Moment(seconds: 0, nanoseconds: 0)
  }

  var folders: [Folder] = []
  var entries: [Entry] = []
  /// Whether the user's key has sealed the journal read from the disk.
  private(set) var isSealed = false

  /// The name in a staging folder.
  static let name = Array("journal".utf8)

  private static let title = "ued-run 2"
  /// The largest size of a journal.
  static let sizeLimit = 1 << 28

  // MARK: - Bytes

  /// Lines of fields with spaces between them. The last line has a checksum of all lines before,
  /// and the user's seal.
  ///
  /// - Throws: The reason why it can't be sealed.
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

  /// Reads a journal; nil unless it is complete and valid.
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

  /// A name without spaces, newlines and NUL: these bytes and `%` become `%` and two digits.
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

extension TransactionJournal.Content {
  init(_ identity: FileIdentity) {
    self.init(inode: identity.inode, byteCount: identity.byteCount, modified: identity.modified)
  }
}
