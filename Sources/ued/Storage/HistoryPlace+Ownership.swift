import Glibc

/// Who could have written a history. What others can write is not read: its texts and notices would be theirs.
extension HistoryPlace {
  /// Opens the file of the database, which is empty or has been checked to be the user's alone, as its folder and
  /// its sidecar files.
  ///
  /// - Throws: `foreign` if it is not; otherwise why it can't be opened.
  func openDatabaseFile() throws(DatabaseError) -> OpenFile {
    try Self.checkFolder(folder)
    do throws(SystemError) {
      let file = try PrivateFolder.openFile(database, O_RDONLY)
      for suffix in Self.fileSuffixes.dropFirst() {
        guard let status = OpenFile.linkStatus(of: database + suffix) else { continue }
        if !status.isOwnFile { throw SystemError(code: EPERM) }
      }
      return file
    } catch {
      throw error.code == EPERM ? .foreign(database) : .cannotOpen
    }
  }

  /// Checks that the folder of histories is the user's alone.
  static func checkFolder(_ folder: [UInt8]) throws(DatabaseError) {
    do throws(SystemError) {
      try PrivateFolder.check(folder)
    } catch {
      throw error.code == EPERM ? .foreign(folder) : .cannotOpen
    }
  }

  /// How many damaged histories of a file can be set aside.
  static let mostSetAside = 99

  /// The path of a damaged history that was set aside.
  func setAsidePath(_ number: Int) -> [UInt8] { database + Array(".damaged-\(number)".utf8) }
}
