import Glibc

/// Histories of texts without a name. They belong to the working folder, whose path with a slash behind
/// it is in the place of the file's.
extension HistoryPlace {
  /// How many texts without a name can have their histories kept in a folder.
  static let unnamedLimit = 16

  /// The places for the working folder.
  ///
  /// - Parameter isAskedFor: Whether the user has asked for it, which includes private folders.
  /// - Returns: All of them; none if no history is kept there.
  static func unnamed(isAskedFor: Bool) -> [HistoryPlace] {
    guard let working = try? OpenFile([.dot], O_RDONLY | O_DIRECTORY),
      let state = PrivateFolder.state
    else { return [] }
    let folder = PreservedFile.join(working.path, [])
    if !isAskedFor && PrivateFiles.contain(folder + Array("text".utf8)) { return [] }
    let hash = ContentHash(of: folder).hexadecimal
    return (1...unnamedLimit).map {
      HistoryPlace(file: folder, folder: state, name: Array("\(hash)-\($0).history".utf8))
    }
  }

  /// Whether it is that of a text without a name.
  var isUnnamed: Bool { file.last == .slash }
}
