import Differential

/// The states that a power cut may leave, by POSIX and by ext4's defaults.
///
/// A cut may come after each change. Each unsynced page may be on the disk or not, in any version
/// since the last sync. A file may have its new size without its new bytes, which are then zero.
/// Unsynced changes of names reach the disk in order, as through a journal: the disk has all of
/// them up to some point. In strict mode, up to four may be there in any combination.
package struct CrashStates {
  /// A state and the number of changes before the cut.
  package struct State {
    package var image: DiskImage
    package var cut: Int
  }

  private var history: CrashHistory
  private let limit: Int
  private let isStrict: Bool
  private var random: SeededGenerator
  /// The states in the order of discovery, and the last cut that leaves each.
  private var (outlines, cuts): ([Outline], [Outline: Int]) = ([], [:])

  private static let sectorSize = 512

  /// All that a program could see of a state.
  private struct Outline: Hashable {
    var names: [String: Int]
    var modes: [Int: UInt32]
    var contents: [Int: PagedContent]
    var times: [Int: [Int]]
  }

  /// A file with content that may not have reached the disk.
  private struct Pending {
    var node: Int
    /// The content that is surely on the disk, and each later one.
    var versions: [PagedContent]
    /// The pages that differ between versions.
    var pages: [Int]
    /// All contents that a power cut may leave.
    var contents: [PagedContent] = []
  }

  /// - Parameters:
  ///   - changes: The recorded changes of the disk.
  ///   - first: The disk before these changes.
  ///   - limit: If the file contents have at most this many combinations, all become states.
  ///     Otherwise only some do: random ones, and those in which all files but one have their
  ///     oldest content, or all but one their newest.
  ///   - isStrict: Whether unsynced changes of names may reach the disk in any order.
  ///   - seed: The seed of the random choices.
  package init(
    of changes: [DiskChange], from first: DiskImage, limit: Int = 64, strict isStrict: Bool,
    seed: UInt64
  ) {
    history = CrashHistory(of: changes, from: first)
    self.limit = limit
    self.isStrict = isStrict
    random = SeededGenerator(seed: seed)
  }

  /// Finds all states. A state that several cuts leave counts once, with the last of these cuts.
  /// Makes the image of a state only on access: there may be hundreds of thousands.
  package mutating func findAll() {
    for cut in history.cuts { addStates(at: cut) }
  }

  /// The number of states that were found.
  package var count: Int { outlines.count }

  /// A state by its number, counted from 0.
  package subscript(index: Int) -> State {
    State(image: image(of: outlines[index]), cut: cuts[outlines[index]] ?? 0)
  }

  /// A random state that a cut after all changes may leave.
  package mutating func finalState() -> State {
    (outlines, cuts) = ([], [:])
    let cut = history.cuts[history.cuts.count - 1]
    addStates(at: cut)
    return State(image: image(of: random.pick(outlines)), cut: cut)
  }

  /// Random states, and the last one.
  package mutating func sample(_ count: Int) -> [State] {
    var states: [State] = []
    for index in 0...count {
      let cut = index == count ? history.cuts[history.cuts.count - 1] : random.pick(history.cuts)
      (outlines, cuts) = ([], [:])
      addStates(at: cut)
      states.append(
        State(
          image: image(of: index == count ? outlines[outlines.count - 1] : random.pick(outlines)),
          cut: cut))
    }
    return states
  }

  private func image(of outline: Outline) -> DiskImage {
    var image = history.first
    image.names = outline.names
    image.nodes = [:]
    for node in outline.names.values {
      var new = history.nodes[node]
      if let mode = outline.modes[node] { new?.mode = mode }
      if let content = outline.contents[node] { new?.content = history.store.bytes(of: content) }
      if let time = outline.times[node] { new?.modified = time }
      image.nodes[node] = new
    }
    return image
  }

  private mutating func addStates(at cut: Int) {
    let done = history.nameChanges.prefix { $0.change < cut }.map(\.nameChange)
    let durable = min(history.durableNameChanges[cut], done.count)
    var base = Outline(names: [:], modes: [:], contents: [:], times: [:])
    var pending = settle(&base, cut)
    for index in pending.indices { pending[index].contents = contents(of: pending[index]) }
    for image in images(done, durable) {
      base.names = image.names
      base.modes = image.nodes.mapValues(\.mode)
      let reachable = Set(image.names.values)
      combine(pending.filter { reachable.contains($0.node) }, base, reachable, cut)
    }
  }

  /// Gives each file the content surely on the disk.
  ///
  /// - Returns: The files that may also have newer content.
  private func settle(_ outline: inout Outline, _ cut: Int) -> [Pending] {
    var pending: [Pending] = []
    for (node, all) in history.versions {
      let sync = history.syncs[node]?.last { $0.change < cut }
      let synced = sync?.change ?? -1
      let before = all.last { $0.change < synced }?.content
      let old = before ?? history.firstContents[node] ?? PagedContent()
      outline.contents[node] = old
      if let sync { outline.times[node] = sync.modified }
      let later = all.filter { $0.change > synced && $0.change < cut }.map(\.content)
      if later.isEmpty { continue }
      let versions = [old] + later
      let count = versions.reduce(0) { max($0, $1.pages.count) }
      let pages = (0..<count).filter { page in
        later.contains { $0.page(page) != old.page(page) }
      }
      pending.append(Pending(node: node, versions: versions, pages: pages))
    }
    return pending.sorted { $0.node < $1.node }
  }

  /// The contents of a file that a power cut may leave.
  private mutating func contents(of file: Pending) -> [PagedContent] {
    let last = file.versions.count - 1
    let (old, new) = (file.versions[0], file.versions[last])
    var contents = file.versions
    func add(_ size: Int, _ version: (Int) -> PagedContent) {
      var content = old
      for page in file.pages { content.set(page, to: version(page).page(page)) }
      content.size = size
      contents.append(content)
    }
    // The new size with the old bytes; the new size with the bytes of the shortest version, as
    // after a truncation; and the old size with the new bytes.
    let shortest = file.versions.min { $0.size < $1.size } ?? old
    add(new.size) { _ in old }
    add(new.size) { _ in shortest }
    add(old.size) { _ in new }
    for (index, page) in file.pages.enumerated() {
      let end = max(old.size, min(new.size, (page + 1) * PagedContent.pageSize))
      add(new.size) { $0 == page ? old : new }
      add(end) { $0 == page ? new : old }
      var torn = new
      let split = (1 + random.below(PagedContent.pageSize / Self.sectorSize - 1)) * Self.sectorSize
      torn.set(page, to: history.store.torn(new.page(page), old.page(page), at: split))
      contents.append(torn)
      if file.pages.count > 12 { continue }
      for other in file.pages[..<index] {
        add(new.size) { $0 == page || $0 == other ? old : new }
        add(new.size) { $0 == page || $0 == other ? new : old }
      }
    }
    for _ in 0..<(file.pages.count > 1 ? 8 : 0) {
      let size = file.versions[random.below(last + 1)].size
      var choices: [Int: Int] = [:]
      for page in file.pages { choices[page] = random.below(last + 1) }
      add(size) { file.versions[choices[$0] ?? 0] }
    }
    var seen: Set<PagedContent> = []
    return contents.filter { seen.insert($0).inserted }
  }

  /// The images with the names that a power cut may leave.
  private func images(_ done: [CrashHistory.NameChange], _ durable: Int) -> [DiskImage] {
    var image = history.first
    image.nodes = history.nodes
    for nameChange in done[..<durable] { CrashHistory.apply(nameChange, to: &image) }
    var images = [image]
    for nameChange in done[durable...] {
      CrashHistory.apply(nameChange, to: &image)
      images.append(image)
    }
    let open = done[durable...]
    if !isStrict || !(2...4).contains(open.count) { return images }
    for chosen in 1..<(1 << open.count) {
      image = images[0]
      for (index, nameChange) in open.enumerated() where chosen >> index & 1 == 1 {
        CrashHistory.apply(nameChange, to: &image)
      }
      images.append(image)
    }
    return images
  }

  /// Adds states that combine the possible contents of several files.
  private mutating func combine(
    _ pending: [Pending], _ base: Outline, _ reachable: Set<Int>, _ cut: Int
  ) {
    var base = base
    base.modes = base.modes.filter { reachable.contains($0.key) }
    base.contents = base.contents.filter { reachable.contains($0.key) }
    base.times = base.times.filter { reachable.contains($0.key) }
    func add(_ choice: (Int) -> Int) {
      var outline = base
      for (index, file) in pending.enumerated() {
        outline.contents[file.node] = file.contents[choice(index)]
        if choice(index) > 0 { outline.times[file.node] = nil }
      }
      if cuts.updateValue(cut, forKey: outline) == nil { outlines.append(outline) }
    }
    let counts = pending.map(\.contents.count)
    let product = counts.reduce(1) { $0 > limit ? $0 : $0 * $1 }
    if product <= limit {
      for number in 0..<product {
        var (rest, choices) = (number, [Int]())
        for count in counts {
          choices.append(rest % count)
          rest /= count
        }
        add { choices[$0] }
      }
      return
    }
    let newest = pending.map { $0.contents.lastIndex(of: $0.versions[$0.versions.count - 1]) ?? 0 }
    for (index, count) in counts.enumerated() {
      for choice in 0..<count {
        add { $0 == index ? choice : newest[$0] }
        add { $0 == index ? choice : 0 }
      }
    }
    for _ in 0..<limit / 4 {
      let choices = counts.map { random.below($0) }
      add { choices[$0] }
    }
  }
}
