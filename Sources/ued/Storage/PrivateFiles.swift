import Glibc

/// Files that may hold secrets: their history is kept only with `--history`.
enum PrivateFiles {
  /// The kinds of private files.
  enum Kind: Equatable, Sendable { case device, temporary, secret }

  /// Folders with temporary files, on which `crontab`, `sudoedit`, `pass`, mail programs and others call
  /// an editor.
  static let folders = ["/tmp", "/var/tmp", "/dev", "/run", "/var/run", "/proc", "/sys"]
  /// Names of folders with secrets.
  static let secretFolders = [
    ".gnupg", ".ssh", ".password-store", ".aws", ".kube", ".docker",
  ]
  /// Names of files with secrets.
  static let names = [
    ".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc", ".htpasswd", ".env",
    "shadow", "gshadow", "passwd-", "shadow-", "gshadow-", "sudoers", "master.passwd",
  ]
  /// File name extensions of files with secrets.
  static let endings = [".gpg", ".pgp", ".asc", ".age", ".key", ".pem", ".p12", ".pfx", ".kdbx"]

  /// Whether the file with a canonical path is private.
  static func contain(_ path: [UInt8]) -> Bool { kind(of: path) != nil }

  /// Why the file with a canonical path is private; nil if it is not.
  static func kind(of path: [UInt8]) -> Kind? {
    let (parent, name) = FilePlace.split(path)
    var temporary = folders.map { Array($0.utf8) }
    if let named = ProcessArguments.environment("TMPDIR"), named.first == .slash, named.count > 1 {
      temporary.append(named)
      if let folder = try? OpenFile(named, O_RDONLY | O_DIRECTORY) {
        temporary.append(folder.path)
      }
    }
    let isTemporary = temporary.contains { folder in
      let folder = PreservedFile.join(folder, [])
      return folder.count > 1 && path.starts(with: folder)
    }
    if isTemporary { return .temporary }
    let isSecret =
      parent.split(separator: .slash)
      .contains { part in secretFolders.contains { part.elementsEqual($0.utf8) } }
      || names.contains { name.elementsEqual($0.utf8) }
      || name.starts(with: "id_".utf8)
      || endings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    return isSecret ? .secret : nil
  }
}
