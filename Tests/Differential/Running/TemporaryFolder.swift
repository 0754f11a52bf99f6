/// A folder that is there as long as this object.
open class TemporaryFolder {
  /// Where it is.
  public let path = Disk.temporaryFolder()

  /// Makes an empty folder.
  public init() {}

  deinit {
    Disk.remove(contentsOf: path)
  }

  /// The bytes of a file of the folder, nil where there is no such file.
  public subscript(name: String) -> [UInt8]? {
    get { Disk.read(path + "/" + name) }
    set { if let newValue { Disk.write(path + "/" + name, newValue) } }
  }
}
