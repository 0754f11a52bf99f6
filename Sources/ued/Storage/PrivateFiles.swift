import Glibc

/// Files whose content should not linger anywhere else: their history is kept only when asked for.
enum PrivateFiles {
  /// Folders with files that are not to stay: editors are called there by `crontab`, `sudoedit`,
  /// `pass`, mail programs and others.
  static let folders = ["/tmp", "/var/tmp", "/dev", "/run", "/var/run", "/proc", "/sys"]
  /// Names of folders with secrets, anywhere.
  static let secretFolders = [
    ".gnupg", ".ssh", ".password-store", ".aws", ".kube", ".docker",
  ]
  /// Names of files with secrets, anywhere.
  static let names = [
    ".netrc", ".pgpass", ".my.cnf", ".git-credentials", ".npmrc", ".pypirc", ".htpasswd", ".env",
    "shadow", "gshadow", "passwd-", "shadow-", "gshadow-", "sudoers", "master.passwd",
  ]
  /// How names of files with secrets end.
  static let endings = [".gpg", ".pgp", ".asc", ".age", ".key", ".pem", ".p12", ".pfx", ".kdbx"]

  /// Whether a file, told by its canonical path, is one of these.
  static func contain(_ path: [UInt8]) -> Bool {
    let parts = path.split(separator: .slash)
    guard let name = parts.last else { return true }
    var temporary = folders.map { Array($0.utf8) }
    if let named = ProcessArguments.environment("TMPDIR"), named.first == .slash, named.count > 1 {
      temporary.append(named)
      if let folder = try? OpenFile(named, O_RDONLY | O_DIRECTORY) {
        temporary.append(folder.path)
      }
    }
    return temporary.contains { folder in
      let folder = folder.last == .slash ? folder : folder + [.slash]
      return folder.count > 1 && path.starts(with: folder)
    }
      || parts.dropLast().contains { part in
        secretFolders.contains { part.elementsEqual($0.utf8) }
      }
      || names.contains { name.elementsEqual($0.utf8) }
      || name.starts(with: "id_".utf8)
      || endings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }
}
