/// The files of a case: names, links and contents, without times and modes.
struct ModelDisk: Sendable {
  /// The number of the file behind each name.
  private(set) var files: [String: Int] = [:]
  /// The content of each file; one that is written in place keeps its number.
  private(set) var contents: [Int: String] = [:]
  /// The targets of the symbolic links.
  private(set) var links: [String: String] = [:]
  private(set) var folders: Set<String> = []
  /// The files whose content has been written since they were laid out.
  private(set) var written: Set<Int> = []

  /// The files before a run.
  init(_ files: StrictCase.Files) {
    let text = "one\ntwo\nthree\n"
    switch files {
    case .none, .missing: break
    case .one, .oneTwice, .several, .severalWithMissing, .severalWithFolder: create("f", text)
    case .empty: create("f", "")
    case .withoutLastNewline: create("f", String(text.dropLast()))
    case .symbolicLink:
      create("target", text)
      links["f"] = "target"
    case .hardLink:
      create("f", text)
      self.files["twin"] = self.files["f"]
    }
    if files == .several { create("g", "two\nand three\n") }
    if files == .severalWithFolder { folders = ["g"] }
    if files.names.contains("h") { create("h", "one\nmore\nof\nthem\n") }
    create("other", "other 1\nother 2\n")
    links["alias"] = "f"
    written = []
  }

  private mutating func create(_ name: String, _ text: String) {
    let number = contents.count
    files[name] = number
    contents[number] = text
    written.insert(number)
  }

  /// The name after following symbolic links. `alias` is one to `f`.
  func resolved(_ name: String) -> String { links[name].map { resolved($0) } ?? name }

  /// The content of a file; nil if there is none.
  func read(_ name: String) -> String? { files[resolved(name)].flatMap { contents[$0] } }

  /// Appends to a file in place, as a shell does; creates it if there is none.
  mutating func append(_ text: String, to name: String) {
    if let number = files[resolved(name)] {
      contents[number, default: ""] += text
      written.insert(number)
    } else {
      create(resolved(name), text)
    }
  }

  /// Replaces the content of a file in place, as a shell does; creates it if there is none.
  mutating func overwrite(_ name: String, _ text: String) {
    if let number = files[resolved(name)] { contents[number] = "" }
    append(text, to: name)
  }

  /// Removes a name.
  mutating func remove(_ name: String) {
    if links.removeValue(forKey: name) == nil { files[name] = nil }
  }

  /// Saves a file as ued does: in place if it has several links, and else as a new file.
  mutating func save(_ text: String, as name: String) {
    let name = resolved(name)
    if let number = files[name], files.values.count(where: { $0 == number }) > 1 {
      contents[number] = text
      written.insert(number)
    } else {
      create(name, text)
    }
  }
}
