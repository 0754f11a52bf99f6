import TextBuffer

/// What a write would destroy: content that was never read, and the backups of the run.
extension Editor {
  /// Checks whether a write would destroy content that was never read. A person's command is refused
  /// once, a script is warned after the write, and refused where reading has failed. What somebody else has written
  /// becomes a revision first.
  ///
  /// - Returns: What a script is to be warned of.
  mutating func checkDanger(
    ofWriting path: [UInt8]
  ) throws(EditorError) -> KnownFile.Danger? {
    guard options.isFriendly else { return try scriptDanger(ofWriting: path) }
    if let danger = file.unacknowledgedDanger(ofWriting: path, with: text.buffer) {
      throw .fileUnseen(danger)
    }
    if keeper.isStored, let danger = file.danger(ofWriting: path) { keep(danger, in: path) }
    return nil
  }

  private mutating func scriptDanger(
    ofWriting path: [UInt8]
  ) throws(EditorError) -> KnownFile.Danger? {
    guard let danger = file.danger(ofWriting: path) else { return nil }
    if danger == .readInPart, file.known?.isClosed == false {
      console.say(.warning(.notOverwritten(path)))
      throw .fileUnseen(danger)
    }
    keep(danger, in: path)
    return danger
  }

  /// Makes what somebody else has written to a file a revision, if a history is kept.
  private mutating func keep(_ danger: KnownFile.Danger, in path: [UInt8]) {
    guard danger == .changedOutside, keeper.isStored else { return }
    do throws(FileError) {
      let other = try file.readOthersText(
        path, strippingCR: options.stripTrailingCR, limit: HistoryPlace.largestText)
      keeper.keepOthersText(other, in: &text, of: file.historyName)
    } catch {
      console.say(.warning(.othersTextNotKept(error)))
    }
  }

  /// Whether -i makes the backup of one of the run's files under a name.
  func isBackup(_ name: [UInt8]) -> Bool {
    guard let suffix = options.inPlaceSuffix, !suffix.isEmpty else { return false }
    func direct(_ path: [UInt8]) -> ArraySlice<UInt8> {
      path.starts(with: "./".utf8) ? path.dropFirst(2) : path[...]
    }
    return options.fileNames.contains { direct($0 + suffix) == direct(name) }
  }

  /// Throws if a write would destroy what another program has written since the file was read, or bring
  /// back what it has removed.
  func checkDangers(_ writes: [ChangingWrite]) throws(CommitError) {
    for (write, status) in writes where !write.isStream {
      guard let known = write.known else { continue }
      let isGone = known.identity != nil && status == nil
      let danger =
        isGone || status?.isRegular == false
        ? .changedOutside
        : file.disk.danger(ofWriting: write.path, status, over: known)?.danger
      if let danger { throw CommitError(path: write.path, error: .fileUnseen(danger)) }
    }
  }
}
