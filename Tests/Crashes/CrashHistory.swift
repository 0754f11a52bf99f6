/// The recorded history of each file and name: its versions, and the times of its syncs.
struct CrashHistory {
  /// A change of names or modes.
  enum NameChange {
    case set(String, node: Int)
    case remove(String)
    case rename(String, String)
    case exchange(String, String)
    case mode(node: Int, UInt32)
  }

  /// A version that the content of a file had, from a change on.
  struct Version {
    var change: Int
    var content: PagedContent
  }

  /// A sync of a file.
  struct Sync {
    var change: Int
    var modified: [Int]
  }

  let first: DiskImage
  /// The pages of all versions of all files.
  var store = PageStore()
  /// Content of files after all changes, and before.
  private(set) var contents: [Int: PagedContent] = [:]
  private(set) var firstContents: [Int: PagedContent] = [:]
  /// All nodes that there ever were.
  private(set) var nodes: [Int: DiskImage.Node]
  private(set) var nameChanges: [(change: Int, nameChange: NameChange)] = []
  private(set) var versions: [Int: [Version]] = [:]
  private(set) var syncs: [Int: [Sync]] = [:]
  /// By number of changes before a cut: how many name changes are durable.
  private(set) var durableNameChanges: [Int] = [0]
  /// The cuts to try, as change counts: none between two writes.
  private(set) var cuts: [Int] = []
  /// The mapped files; a record does not show writes to mappings.
  private(set) var mapped: Set<String> = []

  init(of changes: [DiskChange], from first: DiskImage) {
    self.first = first
    nodes = first.nodes
    var (current, live) = (first, [UInt64: Int]())
    for (number, node) in first.nodes {
      live[node.inode] = number
      contents[number] = store.content(of: node.content)
    }
    firstContents = contents
    var wasWrite = false
    for (index, change) in changes.enumerated() {
      let isWrite = ["write", "truncate", "allocate"].contains(change.call)
      if !isWrite || !wasWrite { cuts.append(index) }
      wasWrite = isWrite
      apply(change, index, &current, &live)
      if durableNameChanges.count == index + 1 {
        durableNameChanges.append(durableNameChanges[index])
      }
    }
    cuts.append(changes.count)
  }

  private mutating func apply(
    _ change: DiskChange, _ index: Int, _ current: inout DiskImage, _ live: inout [UInt64: Int]
  ) {
    func add(_ kind: DiskImage.Kind, _ path: String, _ content: [UInt8] = []) {
      let number = nodes.count
      nodes[number] = DiskImage.Node(
        kind: kind, mode: UInt32(change.offset), inode: change.inode, content: content)
      current.nodes[number] = nodes[number]
      live[change.inode] = number
      name(.set(path, node: number))
    }
    func name(_ nameChange: NameChange) {
      nameChanges.append((index, nameChange))
      Self.apply(nameChange, to: &current)
    }
    func write(_ edit: (inout PagedContent, inout PageStore) -> Void) {
      guard let node = live[change.inode] else { return }
      edit(&contents[node, default: PagedContent()], &store)
      versions[node, default: []].append(
        Version(change: index, content: contents[node] ?? PagedContent()))
    }
    switch change.call {
    case "create": add(.file, change.path)
    case "mkdir": add(.folder, change.path)
    case "symlink": add(.link, change.other, Array(change.path.utf8))
    case "link": live[change.inode].map { name(.set(change.other, node: $0)) }
    case "unlink", "rmdir": name(.remove(change.path))
    case "rename": name(.rename(change.path, change.other))
    case "exchange": name(.exchange(change.path, change.other))
    case "chmod": live[change.inode].map { name(.mode(node: $0, UInt32(change.offset))) }
    case "write": write { $1.write(change.data[...], at: change.offset, to: &$0) }
    case "truncate": write { $1.resize(&$0, to: change.length) }
    case "allocate":
      write { $1.resize(&$0, to: max($0.size, change.offset + change.length)) }
    case "sync", "syncfs":
      guard let node = live[change.inode] else { return }
      sync(node, index, [change.offset, change.length], change.path)
    case "map": mapped.insert(change.path)
    default: break
    }
  }

  /// A sync of a file makes its content, its creation and its mode durable. A sync of a folder
  /// makes the changes of its names durable. The journal keeps the order, so all changes of names before are
  /// durable too.
  private mutating func sync(_ node: Int, _ index: Int, _ modified: [Int], _ path: String) {
    syncs[node, default: []].append(Sync(change: index, modified: modified))
    let isFolder = nodes[node]?.kind == .folder
    func isIn(_ name: String) -> Bool {
      isFolder && name.hasPrefix(path + "/") && !name.dropFirst(path.utf8.count + 1).contains("/")
    }
    let last = nameChanges.lastIndex { _, nameChange in
      switch nameChange {
      case .set(let name, let other): other == node || isIn(name)
      case .remove(let name): isIn(name)
      case .rename(let old, let new), .exchange(let old, let new): isIn(old) || isIn(new)
      case .mode(let other, _): other == node
      }
    }
    durableNameChanges.append(max(durableNameChanges[index], last.map { $0 + 1 } ?? 0))
  }

  static func apply(_ nameChange: NameChange, to image: inout DiskImage) {
    func moved(_ path: String, _ old: String, _ new: String) -> String? {
      if path == old { return new }
      return path.hasPrefix(old + "/") ? new + path.dropFirst(old.count) : nil
    }
    switch nameChange {
    case .set(let path, let node): image.names[path] = node
    case .remove(let path): image.names[path] = nil
    case .rename(let old, let new):
      for (path, node) in image.names {
        guard let target = moved(path, old, new) else { continue }
        image.names[path] = nil
        image.names[target] = node
      }
    case .exchange(let old, let new):
      let names = image.names
      for (path, node) in names {
        if let target = moved(path, old, new) ?? moved(path, new, old) {
          image.names[target] = node
        }
      }
    case .mode(let node, let mode): image.nodes[node]?.mode = mode
    }
  }
}
