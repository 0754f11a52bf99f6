import Glibc
import TextBuffer
import UedLinux

/// The first half of a transaction: finds the places of its files, makes and fills staging folders.
struct FileStager {
  private(set) var run = TransactionFiles(folders: [], entries: [])
  private(set) var files: [FileTransaction.Target] = []
  /// For each write, its index in `files`; nil if it is written to a device or a pipe.
  private(set) var indices: [Int?] = []

  private let writes: [FileWrite]
  private let waitLimit: Double
  /// For tests: called before each step that changes the disk, and can fail it.
  private let beforeStep: () throws(SystemError) -> Void
  private var places: [Place?] = []
  /// For each folder, the index of the folder whose staging folder it uses.
  private var stagings: [Int] = []
  private var foldersOfPaths: [[UInt8]: Int] = [:]
  /// For each folder, the number of files in its staging folder.
  private var counts: [Int] = []
  /// The indices of the files to remove; nothing is staged for them.
  private var removed: Set<Int> = []
  /// Whether the process may keep all new files open, and locked, until the end.
  private var keepsFilesOpen = true

  private static let spareDescriptors = 64

  private struct Place {
    var folder: Int
    var name: [UInt8]
    var status: stat?
  }

  init(
    for writes: [FileWrite], waitingAtMost seconds: Double,
    beforeStep: @escaping () throws(SystemError) -> Void
  ) {
    self.writes = writes
    self.beforeStep = beforeStep
    waitLimit = seconds
  }

  /// Stages all files, and syncs them in one round.
  mutating func stageAll() throws(FileError) {
    var backups: [Place?] = []
    for write in writes {
      let place = try place(of: write.path, mayBeStream: write.isStream)
      places.append(place)
      var backup: Place?
      if place != nil, let path = write.backup { backup = try self.place(ofBackup: path) }
      backups.append(backup)
    }
    try checkDistinct(backups)
    try makeStagingFolders()
    let newCount = writes.reduce(0) { $0 + ($1.backup == nil ? 1 : 2) }
    let highest = run.stagings.map { $0.folder.descriptor }.max() ?? 0
    keepsFilesOpen = Int(highest) + newCount + Self.spareDescriptors <= OpenFile.descriptorLimit
    for (index, write) in writes.enumerated() {
      if Interrupts.isInterrupted { throw .notWritable(write.path, EINTR) }
      guard let place = places[index] else {
        indices.append(nil)
        continue
      }
      try stage(write, at: place, backup: backups[index])
    }
    for (index, file) in files.enumerated() where !removed.contains(index) {
      run.entries[index].new = try FileError.attempt(.closeOutput, file.path) {
        () throws(SystemError) in
        try beforeStep()
        let new: SharedFile
        if let open = file.new { new = open } else { new = try reopen(index) }
        try new.file.sync()
        return TransactionJournal.Content(FileIdentity(try new.file.status()))
      }
    }
  }

  /// Opens the new content of a file again.
  private func reopen(_ index: Int) throws(SystemError) -> SharedFile {
    let entry = run.entries[index]
    let staging = try run.folders(of: entry).staging.folder.descriptor
    // The permissions copied to it may allow writing only.
    do {
      return SharedFile(
        try OpenFile(TransactionFiles.name(entry.number), in: staging, O_RDONLY | O_NOFOLLOW))
    } catch  where error.code == EACCES {
      return SharedFile(
        try OpenFile(TransactionFiles.name(entry.number), in: staging, O_WRONLY | O_NOFOLLOW))
    }
  }

  // MARK: - Places

  /// Checks that no backup has the place of another file of the run, or of another backup.
  private func checkDistinct(_ backups: [Place?]) throws(FileError) {
    if writes.allSatisfy({ $0.backup == nil }) { return }
    var taken: Set<Name> = []
    for place in places {
      if let place { taken.insert(Name(folder: place.folder, name: place.name)) }
    }
    for (write, backup) in zip(writes, backups) {
      guard let backup, let path = write.backup else { continue }
      if !taken.insert(Name(folder: backup.folder, name: backup.name)).inserted {
        throw .notWritable(path, EEXIST)
      }
    }
  }

  private struct Name: Hashable {
    let folder: Int
    let name: [UInt8]
  }

  /// The place of a file; nil for a device, a pipe, or an open file reached through `/proc`.
  ///
  /// - Throws: `changed` if the file has become a device or pipe.
  private mutating func place(
    of path: [UInt8], mayBeStream: Bool
  ) throws(FileError) -> Place? {
    if mayBeStream && OpenFile.descriptor(namedBy: path) != nil { return nil }
    let (parent, name) = FilePlace.split(path)
    try checkLength(of: name, path)
    if let folder = foldersOfPaths[parent], !name.isEmpty,
      let handle = run.folders[folder]?.folder,
      (try? handle.file.linkTarget(name)) == .some(nil)
    {
      let status = handle.file.status(of: name)
      if try isStream(status, path, mayBeStream) { return nil }
      return Place(folder: folder, name: name, status: status)
    }
    let resolved = try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      try FilePlace(following: path)
    }
    let resolvedName = resolved.name
    let status = resolved.folder.status(of: resolvedName)
    if try isStream(status, path, mayBeStream) || resolved.isOpenElsewhere { return nil }
    let isDirect = resolvedName == name
    let folder = try add(resolved.takeFolder(), path)
    if isDirect { foldersOfPaths[parent] = folder }
    return Place(folder: folder, name: resolvedName, status: status)
  }

  /// The place of a backup; a symbolic link there is not followed.
  private mutating func place(ofBackup path: [UInt8]) throws(FileError) -> Place {
    let (parent, name) = FilePlace.split(path)
    try checkLength(of: name, path)
    let folder: Int
    if let known = foldersOfPaths[parent] {
      folder = known
    } else {
      let place = try FileError.attempt(.openOutput, path) { () throws(SystemError) in
        try FilePlace(replacing: path)
      }
      folder = try add(place.takeFolder(), path)
      foldersOfPaths[parent] = folder
    }
    let status = run.folders[folder]?.folder.file.status(of: name)
    try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      try DiskFiles.checkBackup(over: status)
    }
    return Place(folder: folder, name: name, status: status)
  }

  /// Checks that a name is not too long for a file. The journal could not be carried out.
  private func checkLength(of name: [UInt8], _ path: [UInt8]) throws(FileError) {
    if name.count > Int(NAME_MAX) { throw .notWritable(path, ENAMETOOLONG) }
  }

  private func isStream(
    _ status: stat?, _ path: [UInt8], _ mayBeStream: Bool
  ) throws(FileError) -> Bool {
    guard let status, !status.isRegular, !status.isFolder else { return false }
    if !mayBeStream { throw .changed(path: path) }
    return true
  }

  /// The index of a folder, which is added if it is new.
  private mutating func add(
    _ folder: consuming OpenFile, _ path: [UInt8]
  ) throws(FileError) -> Int {
    let shared = SharedFile(folder)
    let status = try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      try shared.file.status()
    }
    let number = FileIdentity(status).number
    if let known = run.folders.firstIndex(where: { $0?.number == number }) { return known }
    run.folders.append(
      TransactionFiles.Folder(folder: shared, path: shared.file.path, number: number))
    return run.folders.count - 1
  }

  // MARK: - Staging folders

  /// Creates the staging folders in lock order, so that two runs never wait for each other. After
  /// mending a killed run, releases the folders made so far, and begins again.
  private mutating func makeStagingFolders() throws(FileError) {
    while true {
      if try makeAll() { return }
      for index in run.folders.indices { run.folders[index]?.staging = nil }
    }
  }

  /// Creates all staging folders; false if a killed run had to be mended, which requires another
  /// attempt.
  private mutating func makeAll() throws(FileError) -> Bool {
    stagings = Array(run.folders.indices)
    var closed: [(index: Int, path: [UInt8])] = []
    for (index, folder) in run.foldersInOrder {
      do {
        guard let made = try make(in: folder.folder) else { return false }
        run.folders[index]?.staging = made
      } catch  where error.code == EACCES || error.code == EROFS {
        closed.append((index, folder.path))
      } catch {
        throw .notWritable(PreservedFile.join(folder.path, StagingFolder.name()), error.code)
      }
    }
    guard let path = closed.first?.path else { return true }
    // In a folder closed to new files, only existing files can be written, in place. Their content
    // is staged elsewhere.
    let shared = try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      try PrivateFolder.first(after: SystemError(code: EACCES)) {
        (folder) throws(SystemError) -> Int? in
        let number = FileIdentity(try folder.file.status()).number
        let known = run.folders.firstIndex { $0?.number == number && $0?.staging != nil }
        if let known { return known }
        guard let made = try make(in: folder) else { return nil }
        run.folders.append(
          TransactionFiles.Folder(
            folder: folder, path: folder.file.path, number: number, staging: made))
        return run.folders.count - 1
      }
    }
    guard let shared else { return false }
    if stagings.count < run.folders.count { stagings.append(shared) }
    for (index, _) in closed { stagings[index] = shared }
    return true
  }

  /// Creates a staging folder. If a killed run has left one there, mends that run instead, and
  /// returns nil.
  private func make(in folder: SharedFile) throws(SystemError) -> StagingFolder? {
    try beforeStep()
    if let made = try StagingFolder.make(in: folder, waitingAtMost: waitLimit) { return made }
    _ = try TransactionMender.mend(folder, waitingAtMost: waitLimit)
    return nil
  }

  // MARK: - Files

  /// Stages a file and its backup. The file may be new, to be removed, or to be overwritten in
  /// place.
  private mutating func stage(
    _ write: FileWrite, at place: Place, backup: Place?
  ) throws(FileError) {
    guard let folder = run.folders[place.folder]?.folder else { return }
    let path = write.path
    try check(write, place.status)
    guard let status = place.status else { return try addNew(write, at: place) }
    let old = try FileError.attempt(.openOutput, path) { () throws(SystemError) in
      try OpenFile(place.name, in: folder.file.descriptor, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    }
    if let backup, let backupPath = write.backup {
      try stageBackup(backupPath, at: backup, of: old, status, place, path)
    }
    indices.append(files.count)
    if write.otherChanges.isRemoved {
      return try addRemoval(of: FileIdentity(status), at: place, FileContent(write))
    }
    try addReplacement(write, of: old, status, at: place)
    files[files.count - 1].mayBeOverwritten = write.otherChanges.isEmpty
    if files[files.count - 1].isWrittenInPlace {
      try run.copyOld(run.entries[files.count - 1], path, beforeStep)
    }
  }

  /// Adds a file that does not exist yet.
  private mutating func addNew(
    _ write: FileWrite, at place: Place
  ) throws(FileError) {
    if stagings[place.folder] != place.folder { throw .notWritable(write.path, EACCES) }
    indices.append(files.count)
    try add(FileContent(write), at: place, old: nil) { (new) throws(SystemError) in
      try write.otherChanges.apply(to: new)
      return false
    }
  }

  /// Adds new content with the old file's attributes; if these can't be kept, the old file is
  /// overwritten in place.
  private mutating func addReplacement(
    _ write: FileWrite, of old: borrowing OpenFile, _ status: stat, at place: Place
  ) throws(FileError) {
    let identity = FileIdentity(status)
    let mustStayInPlace =
      status.st_nlink > 1 || InheritedFiles.contains(identity)
      || stagings[place.folder] != place.folder
    try add(FileContent(write), at: place, old: identity) { (new) throws(SystemError) in
      let mustStayInPlace =
        mustStayInPlace || (try? FileAttributes.copy(from: old, status, to: new)) == nil
      // A file overwritten in place keeps its mode, so its executable bits can't change.
      if mustStayInPlace && write.otherChanges.isExecutable != nil {
        throw SystemError(code: EPERM)
      }
      if !mustStayInPlace { try write.otherChanges.apply(to: new) }
      return mustStayInPlace
    }
  }

  /// Adds a file to remove.
  private mutating func addRemoval(
    of old: FileIdentity, at place: Place, _ content: FileContent
  ) throws(FileError) {
    let staging = stagings[place.folder]
    if staging != place.folder { throw .notWritable(content.path, EACCES) }
    removed.insert(files.count)
    run.entries.append(
      TransactionJournal.Entry(
        staging: staging, number: nextNumber(in: staging), folder: place.folder, name: place.name,
        old: old.inode, new: TransactionJournal.Content()))
    files.append(
      FileTransaction.Target(
        path: content.path, old: old, content: content, new: nil, isWrittenInPlace: false))
  }

  /// The number of the next file in a staging folder.
  private mutating func nextNumber(in staging: Int) -> Int {
    while counts.count <= staging { counts.append(0) }
    defer { counts[staging] += 1 }
    return counts[staging]
  }

  /// Checks that writing a file destroys no content unknown to the run.
  private func check(
    _ write: FileWrite, _ status: stat?
  ) throws(FileError) {
    guard let known = write.known else { return }
    if !known.isWhole { throw .changed(path: write.path, .readInPart) }
    let identity = status.map { FileIdentity($0) }
    if identity == known.identity { return }
    if status?.isRegular == true && known.identity != nil {
      let danger = DiskFiles().danger(ofWriting: write.path, over: known)
      guard let danger else { return }
      throw .changed(path: write.path, danger.danger)
    }
    throw .changed(path: write.path)
  }

  /// Stages a backup: a copy of the old file with its attributes. It replaces an older backup.
  private mutating func stageBackup(
    _ backupPath: [UInt8], at place: Place, of old: borrowing OpenFile, _ status: stat,
    _ oldPlace: Place, _ path: [UInt8]
  ) throws(FileError) {
    guard let oldFolder = run.folders[oldPlace.folder]?.folder else { return }
    if stagings[place.folder] != place.folder { throw .notWritable(backupPath, EACCES) }
    let source = try FileError.attempt(.openInput, path) { () throws(SystemError) in
      try OpenFile(oldPlace.name, in: oldFolder.file.descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }
    let content = FileContent(FileWrite(path: backupPath, text: PieceTable()))
    let identity = place.status.map { FileIdentity($0) }
    try add(content, at: place, old: identity, mode: 0o600) { (new) throws(SystemError) in
      // Without the attributes, only the user can read the backup.
      try? FileAttributes.copy(from: source, status, to: new)
      try source.copy(Int(status.st_size), to: new)
      return false
    }
  }

  /// Adds a file with its new content. `prepare` gets the empty new file, and returns whether the
  /// old one must be overwritten.
  private mutating func add(
    _ content: FileContent, at place: Place, old: FileIdentity?, mode: mode_t? = nil,
    _ prepare: (borrowing OpenFile) throws(SystemError) -> Bool
  ) throws(FileError) {
    let stagingIndex = stagings[place.folder]
    guard let staging = run.folders[stagingIndex]?.staging else { return }
    let number = nextNumber(in: stagingIndex)
    let beforeStep = beforeStep
    let new = try FileError.attempt(.openOutput, content.path) { () throws(SystemError) in
      try beforeStep()
      return try OpenFile(
        TransactionFiles.name(number), in: staging.folder.descriptor,
        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
        mode: mode ?? (old == nil ? FileWriter.newFileMode : 0o600))
    }
    let mustStayInPlace = try FileError.attempt(.openOutput, content.path) {
      () throws(SystemError) in
      try prepare(new)
    }
    try FileError.attempt(.writeOutput, content.path) { () throws(SystemError) in
      try beforeStep()
    }
    let oldMode = old == nil ? nil : try? new.status().st_mode
    try content.write(to: new.descriptor, isInterruptible: true)
    if let oldMode { FileAttributes.setSetID(of: oldMode, on: new) }
    let shared = SharedFile(new)
    shared.file.startSync()
    // The lock is free, as no other process knows the file. A file system without locks is fine.
    if keepsFilesOpen {
      var waiting = Waiting(atMost: 0)
      _ = try? FileLock.lock(shared.file, &waiting)
    }
    run.entries.append(
      TransactionJournal.Entry(
        staging: stagingIndex, number: number, folder: place.folder, name: place.name,
        old: old?.inode ?? 0, new: TransactionJournal.Content()))
    files.append(
      FileTransaction.Target(
        path: content.path, old: old, content: content, new: keepsFilesOpen ? shared : nil,
        isWrittenInPlace: mustStayInPlace))
  }
}

/// A staged file: new content under a temporary name, which a commit replaces by the final one.
///
/// Temporary names have the user's number and a counter; the lowest free one is taken. The process
/// that stages a file holds an advisory lock on it, which the kernel releases when the process
/// ends. A file without a lock is therefore stale: a killed process left it. The next process that
/// meets its name removes it; the folder is never searched.
///
/// SAFETY: `flock` gets descriptors that are open during the call.
@safe struct StagedFile: ~Copyable {
  /// The file, open for reading and writing.
  let file: OpenFile
  let folder: SharedFile
  /// Its status when it was created.
  let status: stat
  private(set) var name: [UInt8]
  /// Whether it survives this value.
  private var isCommitted = false

  private static let nameLimit = 100

  /// Creates an empty file; the umask applies to `mode`. If `removesStale`, also removes stale
  /// files under later names.
  init(in folder: SharedFile, mode: mode_t, removesStale: Bool = true) throws(SystemError) {
    for number in 0..<Self.nameLimit {
      let name = Self.name(number)
      repeat {
        do throws(SystemError) {
          let flags = O_RDWR | O_CREAT | O_EXCL
          let file = try OpenFile(name, in: folder.file.descriptor, flags, mode: mode)
          // Until the file is locked, another process may take it for a stale one and remove it.
          if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { break }
          guard let status = try? file.status() else {
            folder.file.remove(name)
            throw .last
          }
          guard folder.file.holds(status, as: name) else { continue }
          if removesStale { Self.removeStale(in: folder.file, from: number + 1) }
          self.file = file
          self.status = status
          self.name = name
          self.folder = folder
          return
        } catch  where error.code == EEXIST {
          // The name is taken by a staging process or by a stale file.
        }
      } while Self.removeStale(name, in: folder.file) != .isInUse
    }
    throw SystemError(code: EEXIST)
  }

  deinit {
    if !isCommitted { folder.file.remove(name) }
  }

  /// Renames the file to its final name, under which it survives this value.
  mutating func commit(as newName: [UInt8], replacing: Bool) throws(SystemError) {
    try folder.file.rename(name, to: newName, replacing: replacing)
    name = newName
    isCommitted = true
  }

  /// Exchanges the file with the one that has its final name, which is then removed with this
  /// value; or exchanges both again.
  func exchange(with finalName: [UInt8], _ old: borrowing OpenFile) throws(SystemError) {
    // Without a lock, another process would take the old file for a stale one.
    _ = flock(old.descriptor, LOCK_EX | LOCK_NB)
    try folder.file.exchange(name, with: finalName, in: folder.file)
  }

  /// Syncs the file, renames it to its final name, and syncs the folder.
  mutating func commitSynced(
    as newName: [UInt8], replacing: Bool = true
  ) throws(SystemError) {
    try file.sync()
    try commit(as: newName, replacing: replacing)
    try folder.file.sync()
  }

  /// Removes the file even though it has been committed.
  consuming func remove() { isCommitted = false }

  private static func name(_ number: Int) -> [UInt8] {
    Array(".ued-\(SystemUser.number)-\(number)".utf8)
  }

  private enum Removal { case isAbsent, isInUse, isDone }

  /// Removes stale files, up to the first free name.
  static func removeStale(in folder: borrowing OpenFile, from first: Int = 0) {
    for number in first..<max(first, nameLimit) {
      if removeStale(name(number), in: folder) == .isAbsent { return }
    }
  }

  /// Removes a file unless a process has locked it, or it is not one of this user's staged files.
  private static func removeStale(
    _ name: [UInt8], in folder: borrowing OpenFile
  ) -> Removal {
    do throws(SystemError) {
      let file = try open(name, in: folder)
      let status = try file.status()
      let isOurs = status.st_uid == SystemUser.number || SystemUser.number == 0
      guard isOurs, status.isRegular, status.st_nlink == 1,
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0, folder.holds(file, as: name)
      else { return .isInUse }
      return folder.remove(name) ? .isDone : .isInUse
    } catch {
      return error.code == ENOENT ? .isAbsent : .isInUse
    }
  }

  /// Opens a staged file; the permissions copied to it may allow writing only.
  private static func open(
    _ name: [UInt8], in folder: borrowing OpenFile
  ) throws(SystemError) -> OpenFile {
    let flags = O_NOFOLLOW | O_NONBLOCK
    do {
      return try OpenFile(name, in: folder.descriptor, O_RDONLY | flags)
    } catch  where error.code == EACCES {
      return try OpenFile(name, in: folder.descriptor, O_WRONLY | flags)
    }
  }
}
