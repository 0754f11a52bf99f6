import Differential
import Glibc

/// A folder and its contents: files by number, and their names.
package struct DiskImage: Hashable, Sendable {
  package enum Kind: Sendable { case file, folder, link }

  /// A file, a folder, or a symbolic link with its target as content.
  package struct Node: Hashable, Sendable {
    package var kind: Kind
    package var mode: UInt32
    /// The inode number that programs see, whatever the real one is.
    package var inode: UInt64
    package var content: [UInt8] = []
    /// The time of the last change, in seconds and nanoseconds; empty if unknown.
    package var modified: [Int] = []
  }

  /// The path of the folder.
  package let root: String
  package var nodes: [Int: Node] = [:]
  package var names: [String: Int] = [:]

  /// Reads a folder.
  package init(of root: String) {
    self.root = root
    var numbers: [UInt64: Int] = [:]
    func add(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return }
      let kind: Kind =
        switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .file
        }
      let inode = UInt64(status.st_ino)
      let number = numbers[inode] ?? nodes.count
      numbers[inode] = number
      names[path] = number
      if nodes[number] == nil {
        var node = Node(kind: kind, mode: status.st_mode & 0o7777, inode: inode)
        if kind == .file { node.content = Disk.read(path) ?? [] }
        if kind == .link { node.content = Self.target(of: path) }
        node.modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        nodes[number] = node
      }
      if kind == .folder { for name in Disk.names(in: path) { add(path + "/" + name) } }
    }
    add(root)
  }

  private static func target(of path: String) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    return buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }
  }

  /// The content of a file; nil if the name does not exist.
  package subscript(name: String) -> [UInt8]? {
    names[root + "/" + name].flatMap { nodes[$0]?.content }
  }

  /// The nodes by name, without those that have no name. If it is equal for two images, no program
  /// can distinguish them.
  package var visible: [String: Node] { names.compactMapValues { nodes[$0] } }

  /// Makes the folder equal to the image.
  ///
  /// - Returns: A line for each node: its real inode number, and the number that programs must see.
  package func write() -> String {
    Disk.remove(contentsOf: root, keepingFolder: true)
    var made: [Int: String] = [:]
    var pairs = ""
    for path in names.keys.sorted() {
      guard let number = names[path], let node = nodes[number] else { continue }
      if let first = made[number] {
        link(first, path)
        continue
      }
      made[number] = path
      switch node.kind {
      case .folder:
        mkdir(path, 0o700)
        chmod(path, node.mode)
      case .link: symlink(String(decoding: node.content, as: UTF8.self), path)
      case .file:
        Disk.write(path, node.content)
        chmod(path, node.mode)
        if node.modified.count == 2 {
          let time = timespec(tv_sec: node.modified[0], tv_nsec: node.modified[1])
          let times = [time, time]
          utimensat(AT_FDCWD, path, times, 0)
        }
      }
      var status = stat()
      if lstat(path, &status) == 0 { pairs += "\(status.st_ino) \(node.inode)\n" }
    }
    return pairs
  }
}
