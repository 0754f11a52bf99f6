/// What a file has to be until a strict run replaces it, and what of it is open already.
struct ExpectedFile {
  let identity: FileIdentity
  /// The file, open for writing, since it is locked.
  var locked: SharedFile?
  /// The folder of the file before, if that had the same path up to its last slash.
  var folder: SharedFile?
}
