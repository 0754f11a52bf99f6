import Glibc

/// The user that ued runs as.
enum SystemUser {
  /// The effective user's number, which never changes.
  static let number = geteuid()
}
