/// Why a database could not do what it was asked to.
struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's result code, without its extension.
  var code: Int32
  /// What SQLite says about it.
  var message: String
}
