import Glibc
import TextBuffer

/// The file being edited: its name, its last known state on disk, and the pending writes.
struct EditedFile {
  /// The default file name; empty without one.
  var name: [UInt8] = []
  /// Whether the text got its name from a failed command; its history then has no name.
  var nameIsUntried = false
  /// The name of the text's history; empty if it has none.
  var historyName: [UInt8] { nameIsUntried ? [] : name }
  /// The last shell command, with `%` and `!` expanded.
  var lastShellCommand: [UInt8]?
  /// The last known state of the file, as read or written under the default name.
  var known: KnownFile? { didSet { merge = nil } }
  struct Merge {
    /// The revision that the merge made.
    var revision: Int
    /// The known state before the merge.
    var known: KnownFile
    /// The last newline before the merge.
    var lastNewline: LastNewline
  }

  /// The merge that made the state known; nil if a read or write did.
  private(set) var merge: Merge?
  /// The files of the command line still to be opened.
  var later: [[UInt8]] = []
  /// The last written file, under any name.
  private var lastWritten: FileIdentity?
  /// The files that the run has read whole or written, as it left them.
  private var seen = SeenFiles()
  /// The files whose last write by a strict run failed; reads may show content not on the disk.
  private var unsure: Set<[UInt8]> = []
  /// The writes that wait until the script ends.
  var pending = PendingWrites()
  /// The writes that a dry run has shown. Later reads of the run see files as if these writes had
  /// been made.
  var previewed = PendingWrites()
  let disk: DiskFiles

  init(disk: DiskFiles) { self.disk = disk }

  /// Forgets the file, but not the pending and previewed writes, nor the files seen by the run.
  mutating func startOver() {
    let (pending, previewed, seen, unsure) = (pending, previewed, seen, unsure)
    self = EditedFile(disk: disk)
    (self.pending, self.previewed, self.seen, self.unsure) = (pending, previewed, seen, unsure)
  }

  // MARK: - Reading

  /// Reads a file as it will be after the pending and the previewed writes; throws if it can't be
  /// opened.
  mutating func read(
    _ path: [UInt8], strippingCR: Bool, isBinary: Bool, isInIntactFolder: Bool = false,
    from opened: (file: SharedFile, status: stat)? = nil
  ) throws(FileError) -> LoadedText {
    if let text = pending.text(of: path) {
      return LoadedText(text: text, hasNUL: isBinary, failure: nil)
    }
    do throws(FileError) {
      var loaded = try disk.read(
        path, strippingCR: strippingCR, isInIntactFolder: isInIntactFolder && path == name,
        from: opened)
      if loaded.failure == nil { noteSeen(loaded.identity) }
      if let text = previewed.text(of: path) {
        let stripped = strippingCR ? text.withoutCRLF : nil
        (loaded.text, loaded.original) = (stripped ?? text, stripped.map { _ in text })
      }
      if path == name, loaded.identity != nil { known = KnownFile(path: path, loaded) }
      return loaded
    } catch {
      // A file that appears at this path later is not ours.
      if path == name {
        known = KnownFile(
          path: path, isWhole: error.code == ENOENT,
          isClosed: error.attempt == .openInput && error.code == EACCES)
      }
      if error.code == ENOENT, let text = previewed.text(of: path) {
        return LoadedText(text: text, hasNUL: isBinary, failure: nil)
      }
      throw error
    }
  }

  /// Whether a file is read as a pending or previewed write will leave it.
  func isAhead(of path: [UInt8]) -> Bool {
    pending.text(of: path) != nil || previewed.text(of: path) != nil
  }

  /// The known state of a file under one of its names; nil if it was not read.
  func known(as path: [UInt8]) -> KnownFile? {
    known.flatMap { $0.path == path || isOtherNameOfKnown(path) ? $0 : nil }
  }

  /// Notes that a revision includes all of the present state of the file.
  mutating func didMerge(_ present: KnownFile, into revision: Int, lastNewline: LastNewline) {
    var merge = merge
    if merge == nil, let known {
      merge = Merge(revision: revision, known: known, lastNewline: lastNewline)
    }
    merge?.revision = revision
    known = present
    self.merge = merge
  }

  /// Forgets the merged state once the text no longer includes it.
  mutating func forgetMerge() {
    if let merge { known = merge.known }
  }

  /// Keeps the merged state for good: the revision of the merge has left the history.
  mutating func keepMerge() { merge = nil }

  // MARK: - Writing

  /// Adds a pending write.
  ///
  /// - Throws: `fileNotRead` if the write would destroy content that the run has never seen; `file`
  ///   if the content to append to can't be read.
  mutating func postpone(
    _ text: PieceTable, to path: [UInt8], appending: Bool, makesAgain: Bool = false
  ) throws(EditorError) {
    // The edited file is replaced even if its name is a descriptor: a write to the descriptor
    // would not truncate it.
    let isDescriptor = OpenFile.descriptor(namedBy: path) != nil && path != name
    var known = isDescriptor ? nil : known(as: path)
    if known == nil && !isDescriptor && !appending && !pending.contains(path) {
      known = try present(path)
    }
    var (text, appending) = (text, appending)
    if appending, !pending.contains(path), var whole = previewed.text(of: path) {
      whole.insert(text, at: ByteOffset(whole.byteCount))
      (text, appending) = (whole, false)
    }
    do throws(FileError) {
      // The old mode is lost, so a re-created file is private.
      let isMadeAgain = makesAgain && known.map { $0.identity == nil } ?? false
      try pending.add(
        text, to: path, appending: appending, known: known, disk: disk,
        otherChanges: NonTextChanges(isPrivate: isMadeAgain))
    } catch {
      throw .file(error)
    }
  }

  /// The state that a file must keep until it is replaced; nil for a device or a pipe.
  ///
  /// - Throws: `fileNotRead` if it has content that the run has never seen.
  private func present(_ path: [UInt8]) throws(EditorError) -> KnownFile? {
    guard let status = OpenFile.status(of: path) else { return KnownFile(path: path) }
    guard status.isRegular else { return nil }
    let identity = FileIdentity(status)
    if status.st_size == 0 {
      return KnownFile(path: path, identity: identity, texts: [PieceTable()])
    }
    guard let seen = seen.file(identity.number) else { throw .fileNotRead }
    return KnownFile(path: path, identity: identity.hasContent(of: seen) ? identity : seen)
  }

  /// Whether a path leads to the edited file, under its own name or another one.
  func isEdited(_ path: [UInt8]) -> Bool {
    if path == name { return true }
    guard let identity = known?.identity, let status = OpenFile.status(of: path) else {
      return false
    }
    return identity.isSameFile(as: FileIdentity(status))
  }

  /// Notes that the run has read or written all of a file.
  mutating func noteSeen(_ identity: FileIdentity?) {
    if let identity { seen.add(identity) }
  }

  /// The unread content that a write to a file would destroy; nil without such content. `new` is the
  /// whole new content, if known.
  func danger(ofWriting path: [UInt8], _ new: PieceTable? = nil) -> KnownFile.Danger? {
    known.flatMap { disk.danger(ofWriting: path, new, over: $0)?.danger }
  }

  /// Reads text that another program has written to a file; throws unless it can be read whole, in
  /// at most `limit` bytes, the size limit of a history. `strippingCR` drops carriage returns at
  /// line ends.
  func readOthersText(
    _ path: [UInt8], strippingCR: Bool, limit: Int
  ) throws(FileError) -> LoadedText {
    if let status = OpenFile.status(of: path), Int(status.st_size) > limit {
      throw FileError(attempt: .readInput, path: path, code: EFBIG)
    }
    let loaded = try disk.read(path, strippingCR: strippingCR)
    if let failure = loaded.failure { throw failure }
    return loaded
  }

  /// Like ``danger(ofWriting:)``, but also covers a file never read, or now a pipe or device.
  /// Returns the present file, too.
  func dangerForPerson(
    ofWriting path: [UInt8], _ new: PieceTable?
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    known.flatMap { disk.danger(ofWriting: path, new, over: $0) } ?? neverRead(path)
      ?? replaced(path)
  }

  /// The danger of writing to a file that was read, but has become a pipe or device, whose content
  /// can't be compared; nil otherwise.
  private func replaced(
    _ path: [UInt8]
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    guard let known, known.path == path, known.identity != nil,
      let status = OpenFile.status(of: path), !status.isRegular && !status.isFolder
    else { return nil }
    return (.neverRead, FileIdentity(status))
  }

  /// The danger of writing to a file with content that ued has neither read nor written; nil
  /// otherwise.
  private func neverRead(
    _ path: [UInt8]
  ) -> (danger: KnownFile.Danger, present: FileIdentity)? {
    guard let status = OpenFile.status(of: path), status.isRegular, status.st_size > 0,
      known(as: path) == nil
    else { return nil }
    let present = FileIdentity(status)
    if present == lastWritten || known?.identity?.isSameFile(as: present) == true { return nil }
    return (.neverRead, present)
  }

  mutating func save(
    _ text: PieceTable, to path: [UInt8], appending: Bool
  ) throws(FileError) {
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    let isOtherName = isOtherNameOfKnown(path)
    let isKnown = appending ? isUnchanged(path) : path == name || path == known?.path
    // A write through another name of the known file (a link) must not look like an outside change.
    do throws(FileError) {
      let identity = try disk.write(text, all, to: path, appending: appending)
      lastWritten = identity
      let isOtherName = isOtherName || isNowKnown(identity)
      guard isKnown || isOtherName else { return }
      let knownName = isOtherName ? known?.path ?? path : path
      let texts = appending ? textsAfterAppending(text) : [text]
      known = identity.map { KnownFile(path: knownName, identity: $0, texts: texts) }
    } catch {
      // A failed write may still have written the text.
      if isKnown { known?.texts.append(text) }
      throw error
    }
  }

  /// The possible contents of the known file after text was appended to it.
  private func textsAfterAppending(_ text: PieceTable) -> [PieceTable] {
    guard let known, known.identity != nil else { return [text] }
    return known.texts.map { old in
      var new = old
      new.insert(text, at: ByteOffset(old.byteCount))
      return new
    }
  }

  /// Whether the readable content of a file may differ from the disk: after a failed sync, the
  /// system takes unwritten pages for written.
  func isUnsure(of path: [UInt8]) -> Bool { unsure.contains(path) }

  /// Records that a strict run has written a file; `identity` is nil if no file has the text, as
  /// after a write to a pipe.
  mutating func didMake(_ path: [UInt8], as identity: FileIdentity?) {
    unsure.remove(path)
    noteSeen(identity)
    if let identity { lastWritten = identity }
  }

  /// Syncs a file that already has its new text, unless it is the last written one.
  func sync(_ path: [UInt8], _ status: stat?) throws(FileError) {
    if status.map({ FileIdentity($0) }) != lastWritten { try disk.sync(path) }
  }

  /// Records that a strict run failed to write a file, which may have the new text anyway.
  mutating func didFail(_ text: PieceTable, to path: [UInt8]) {
    unsure.insert(path)
    if known(as: path) != nil || path == known?.path { known?.texts.append(text) }
  }

  /// Records the new state of a file written by a strict run, if it is the default or known one.
  mutating func didWrite(_ text: PieceTable, to path: [UInt8], as identity: FileIdentity?) {
    guard let identity else { return }
    var knownPath = path
    if let known, known.path != path,
      OpenFile.status(of: known.path).map({ FileIdentity($0) }) == identity
    {
      knownPath = known.path
    } else if path != name && path != known?.path {
      return
    }
    known = KnownFile(path: knownPath, identity: identity, texts: [text])
  }

  /// Whether a path is another name of the known file, and the file is unchanged on disk.
  private func isOtherNameOfKnown(_ path: [UInt8]) -> Bool {
    guard let known, known.path != path, let identity = known.identity,
      let status = OpenFile.status(of: path)
    else { return false }
    return identity == FileIdentity(status)
  }

  /// Whether a file that has just been written is the known file, which did not exist before.
  private func isNowKnown(_ identity: FileIdentity?) -> Bool {
    guard let known, known.isWhole, known.identity == nil, let identity,
      let status = OpenFile.status(of: known.path)
    else { return false }
    return identity == FileIdentity(status)
  }

  /// Whether a file is known and unchanged on disk.
  private func isUnchanged(_ path: [UInt8]) -> Bool {
    known?.path == path && danger(ofWriting: path) == nil
  }
}

/// Files, each as last seen. Most runs see one file. Only a second one creates the dictionary,
/// since that would take a tenth of the startup time.
struct SeenFiles {
  private var last: FileIdentity?
  private var earlier: [FileIdentity.Number: FileIdentity] = [:]

  mutating func add(_ file: FileIdentity) {
    if let last, last.number != file.number { earlier[last.number] = last }
    last = file
  }

  /// The file with a number; nil if it was never seen.
  func file(_ number: FileIdentity.Number) -> FileIdentity? {
    if let last, last.number == number { return last }
    return earlier[number]
  }
}

/// A file that a run has opened or written, for its last answer.
struct TouchedFile: Sendable {
  var path: [UInt8]
  /// Its content before the run; nil if it did not exist, or could not be read.
  var before: PieceTable?
  /// Its present content or, in a run that writes nothing, the content that it would have.
  var after: PieceTable?
  var isWritten = false
  /// The last revision of its text.
  var revision = 0
  /// The revision of its text as opened, or as last written; a failed run leaves the text there.
  fileprivate var keptRevision = 0

  init(path: [UInt8], content: PieceTable? = nil, revision: Int = 0) {
    (self.path, before, after) = (path, content, content)
    (self.revision, keptRevision) = (revision, revision)
  }
}

/// The files that a run has touched, each with its first content, in the order of first use.
struct FileLedger: Sendable {
  /// Whether the ledger records files; otherwise it stays empty.
  let isKept: Bool
  private(set) var files: [TouchedFile] = []
  private var indices: [[UInt8]: Int] = [:]

  init(isKept: Bool) { self.isKept = isKept }

  func contains(_ path: [UInt8]) -> Bool { indices[path] != nil }

  /// Adds a file with its content, unless the ledger has it already. The content is nil if the file
  /// does not exist.
  mutating func add(_ path: [UInt8], _ content: PieceTable?, revision: Int = 0) {
    guard isKept, indices[path] == nil else { return }
    indices[path] = files.count
    files.append(TouchedFile(path: path, content: content, revision: revision))
  }

  /// Records the content of a file: its present one, or the one that a dry run would write. Nil if
  /// the file does not exist.
  mutating func update(_ path: [UInt8], to text: PieceTable?, isWritten: Bool) {
    guard let index = indices[path] else { return }
    files[index].after = text
    if isWritten { files[index].isWritten = true }
  }

  mutating func update(_ path: [UInt8], revision: Int) {
    if let index = indices[path] { files[index].revision = revision }
  }

  /// Notes that the revisions so far are those of the written files.
  mutating func keepRevisions() {
    for index in files.indices { files[index].keptRevision = files[index].revision }
  }

  /// Drops the revisions that a failed run has made, but not written.
  mutating func dropRevisions() {
    for index in files.indices { files[index].revision = files[index].keptRevision }
  }

  mutating func clear() { self = FileLedger(isKept: isKept) }
}
