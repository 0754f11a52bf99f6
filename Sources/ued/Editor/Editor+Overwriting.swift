import TextBuffer

/// What a write would destroy: content that was never read, most of the text's own file, and the backups of the run.
extension Editor {
  /// Throws if a person's write would destroy something, unless the last command was the same and was refused for
  /// that.
  func refuseOnce(
    writing lines: LineRange, to path: [UInt8], appending: Bool, isOwn: Bool
  ) throws(EditorError) {
    let danger = appending ? nil : file.dangerForPerson(ofWriting: path)
    let present = danger?.present ?? OpenFile.status(of: path).map { FileIdentity($0) }
    let reason: RefusedWrite.Reason
    if let danger {
      reason = .unseen(danger.danger)
    } else if isOwn, !appending, lines.count < text.lastLine.value, present?.byteCount ?? 0 > 0 {
      reason = .isPart
    } else if isOwn, let line = text.firstConflict {
      reason = .hasConflicts(line)
    } else {
      return
    }
    let refused = EditorError.writeRefused(
      RefusedWrite(
        reason: reason, path: path, lines: lines, isAppended: appending, file: present))
    if refusal != refused { throw refused }
  }

  /// Keeps what another program has written to a file, which is about to be overwritten, as a revision.
  ///
  /// - Returns: What a script is to be warned of, and the revision if there is one.
  /// - Throws: If a script would overwrite a file whose reading has failed.
  mutating func keepOverwritten(
    _ path: [UInt8]
  ) throws(EditorError) -> (danger: KnownFile.Danger, revision: Int?)? {
    guard let danger = file.danger(ofWriting: path) else { return nil }
    if danger != .changedOutside {
      if options.isFriendly || file.known?.isClosed == true { return (danger, nil) }
      console.say(.warning(.notOverwritten(path, danger)))
      throw .fileUnseen(danger)
    }
    guard keeper.isStored || options.isFriendly else { return (danger, nil) }
    do throws(FileError) {
      let other = try file.readOthersText(
        path, strippingCR: options.stripTrailingCR, limit: HistoryPlace.largestText)
      return (danger, keeper.keepOthersText(other, in: &text, of: file.historyName))
    } catch {
      console.say(.warning(.othersTextNotKept(error)))
      return (danger, nil)
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
