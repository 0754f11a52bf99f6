import Glibc

/// The files of a run, and how far each has got, which the names in the staging folders tell:
///
///     N         the new content, or, once the file has been exchanged with it, the old file
///     N.old     the old file or a copy of it, where exchanging is not possible or the file is removed
///     N.begun   the new content, while it is written over the file
///     N.done    the same, when that is on the disk
///     N.EXT     the new content, while it is checked by a program that needs the extension of the file
///     undo      the run is being undone
///     over      the run is over, and its staging folders are being removed
///     journal   see ``RunJournal``
struct Run {
  /// A folder of the run.
  struct Folder {
    let folder: SharedFile
    /// Its path when the run began.
    let path: [UInt8]
    let number: FileIdentity.Number
    /// The staging folder in it, if it has one whose run is not over.
    var staging: StagingFolder?
  }

  /// How far a file has got.
  enum State: Equatable {
    /// It is the old one.
    case waiting
    /// The new content has its name; the old file has this name in the staging folder.
    case replaced(old: [UInt8])
    /// It did not exist, and does now.
    case created
    /// Its bytes are being overwritten, or have been.
    case overwriting, overwritten
    /// Its staging folder has nothing of it.
    case over
  }

  /// The folders; nil where one can't be found any more.
  var folders: [Folder?]
  /// The files.
  var entries: [RunJournal.Entry]

  static let undoMark = Array("undo".utf8)
  static let endMark = Array("over".utf8)
  /// Marks a staging folder that has what could not be put back, and no journal that says where it belongs.
  static let stuckMark = Array("stuck".utf8)

  /// A name in a staging folder.
  static func name(_ number: Int, _ ending: StaticString = "") -> [UInt8] {
    Array("\(number)\(ending)".utf8)
  }

  /// Whether a name in a staging folder is one of a run, and not one that others have made.
  static func isName(_ name: [UInt8]) -> Bool {
    if [undoMark, endMark, stuckMark, RunJournal.name].contains(name) { return true }
    let parts = name.split(separator: .dot, omittingEmptySubsequences: false)
    return parts.count <= 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isDigit)
      && (parts.count == 1 || isExtension(parts[1]))
  }

  /// Whether the end of a name in a staging folder tells how far a file has got.
  static func isState(_ bytes: ArraySlice<UInt8>) -> Bool {
    ["old", "begun", "done"].contains { bytes.elementsEqual($0.utf8) }
  }

  /// Whether the end of a name can be the end of one in a staging folder, too.
  static func isExtension(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0.isDigit || ($0 | 0x20).isLowercase }
  }

  /// The staging folders.
  var stagings: [StagingFolder] { folders.compactMap { $0?.staging } }

  /// The folders that were found, with their indices, in the order in which all runs lock them.
  var foldersInOrder: [(Int, Folder)] {
    folders.enumerated().compactMap { index, folder in folder.map { (index, $0) } }
      .sorted { $0.1.number < $1.1.number }
  }

  /// The staging folder of a file, and the folder of the file.
  ///
  /// - Throws: ENOENT if one of them is missing.
  func folders(
    of entry: RunJournal.Entry
  ) throws(SystemError) -> (staging: StagingFolder, folder: SharedFile) {
    guard let staging = folders[entry.staging]?.staging, let folder = folders[entry.folder]?.folder
    else { throw SystemError(code: ENOENT) }
    return (staging, folder)
  }

  /// How far a file has got.
  func state(of entry: RunJournal.Entry) -> State {
    guard let staging = folders[entry.staging]?.staging else { return .over }
    let name = Self.name(entry.number)
    if let present = staging.folder.status(of: name) {
      return UInt64(present.st_ino) == entry.new.inode ? .waiting : .replaced(old: name)
    }
    if staging.folder.has(Self.name(entry.number, ".begun")) { return .overwriting }
    if staging.folder.has(Self.name(entry.number, ".done")) { return .overwritten }
    let oldName = Self.name(entry.number, ".old")
    if let old = staging.folder.status(of: oldName) {
      // Of a file that was overwritten only the copy is there still: the run was over, and its journal was to go first.
      let isCopy = !entry.isRemoval && UInt64(old.st_ino) != entry.old
      return isCopy ? .overwritten : .replaced(old: oldName)
    }
    if entry.isRemoval { return .waiting }
    return entry.old == 0 ? .created : .over
  }

  /// What is to be done about a run that was killed.
  enum Remedy {
    /// All files are the new ones: the old ones can go.
    case finish
    /// Some file is the old one: the others are put back.
    case undo
    /// That can't be told, since staging folders are missing: nothing may go or be put back.
    case setAside
  }

  /// What is to be done about the run.
  ///
  /// A staging folder that is missing was removed when the run was over, or was set aside, or can't be found
  /// any more. The files of it tell, unless others have replaced them.
  var remedy: Remedy {
    if stagings.contains(where: { $0.folder.has(Self.undoMark) }) { return .undo }
    let states = entries.map { (entry: $0, state: state(of: $0)) }
    if stagings.contains(where: { $0.folder.has(Self.endMark) }) {
      // It may have been given up before the first file was replaced.
      return states.contains { $0.state == .waiting } ? .undo : .finish
    }
    if states.allSatisfy({ isNew($0.entry, $0.state) }) { return .finish }
    if states.allSatisfy({ $0.state == .waiting || $0.state == .over }) { return .undo }
    return states.allSatisfy { $0.state != .over || isOld($0.entry) } ? .undo : .setAside
  }

  /// Whether a file is the new one, and took the place of the old one of the run.
  private func isNew(_ entry: RunJournal.Entry, _ state: State) -> Bool {
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

  /// Whether a file without a staging folder is the old one, or there is none as there was none before.
  private func isOld(_ entry: RunJournal.Entry) -> Bool {
    guard folders[entry.folder] != nil else { return false }
    guard let present = present(entry) else { return entry.old == 0 }
    return present.inode == entry.old && !isOverwritten(present, entry)
  }

  /// The file that has the name of one of the run.
  private func present(_ entry: RunJournal.Entry) -> FileIdentity? {
    folders[entry.folder]?.folder.file.status(of: entry.name).map { FileIdentity($0) }
  }

  /// Whether a file looks like an old one over which the new content was written after that was staged.
  private func isOverwritten(_ file: FileIdentity, _ entry: RunJournal.Entry) -> Bool {
    let (time, staged) = (file.modified, entry.new.modified)
    return !entry.isRemoval && file.inode == entry.old && file.byteCount == entry.new.byteCount
      && (time.seconds, time.nanoseconds) >= (staged.seconds, staged.nanoseconds)
  }

  /// The path of a file.
  func path(of entry: RunJournal.Entry) -> [UInt8] {
    PreservedFile.join(folders[entry.folder]?.path ?? [], entry.name)
  }

  // MARK: - Copies

  /// Copies the old bytes of a file that is going to be overwritten.
  func copyOld(
    _ entry: RunJournal.Entry, _ path: [UInt8], _ beforeStep: () throws(SystemError) -> Void
  ) throws(TransactionError) {
    try TransactionError.attempt(.openOutput, path) { () throws(SystemError) in
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

  /// Makes an empty file in each staging folder.
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

  /// Removes the staging folders. Without their journals the run is over, so these go first.
  ///
  /// Of several, one may be left if this process is killed. By then others may have changed files of those that are gone,
  /// so that they no longer tell how far the run got; hence a mark in each.
  func clear() {
    if stagings.count > 1 { mark(Self.endMark) }
    for staging in stagings { staging.removeJournal() }
    keep()
    for staging in stagings { staging.clear() }
  }
}
