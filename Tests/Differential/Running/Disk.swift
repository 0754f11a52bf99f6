import Glibc

/// The few things that the harness does with files, without Foundation.
package enum Disk {
  package static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
  }

  /// The folder of the running program.
  package static let programFolder: String = {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  }()

  @discardableResult
  package static func write(_ path: String, _ bytes: [UInt8]) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return false }
    defer { close(file) }
    return bytes.isEmpty || Glibc.write(file, bytes, bytes.count) == bytes.count
  }

  /// The names in a folder, sorted; empty if it does not exist.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes the contents of a folder, and the folder itself unless `keepingFolder`.
  package static func remove(contentsOf folder: String, keepingFolder: Bool = false) {
    for name in names(in: folder) {
      let path = folder + "/" + name
      if unlink(path) != 0 { remove(contentsOf: path) }
    }
    if !keepingFolder { rmdir(folder) }
  }

  /// A new empty folder, in memory where the system has such a place. `make mutants` names another one.
  package static func temporaryFolder() -> String {
    let own = getenv("UED_MUTANT_FOLDER").map { String(cString: $0) }
    for place in [own, "/dev/shm", "/tmp"].compactMap(\.self) {
      var template = Array("\(place)/ued-test.XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    fatalError("no temporary folder")
  }
}

/// A folder that exists as long as this object.
open class TemporaryFolder {
  /// Where it is.
  public let path = Disk.temporaryFolder()

  /// Makes an empty folder.
  public init() {}

  deinit {
    Disk.remove(contentsOf: path)
  }

  /// The text of a file in the folder; nil if it does not exist.
  public func text(_ name: String) -> String? {
    self[name].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file in the folder; nil if it does not exist.
  public subscript(name: String) -> [UInt8]? {
    get { Disk.read(path + "/" + name) }
    set { if let newValue { Disk.write(path + "/" + name, newValue) } }
  }
}
