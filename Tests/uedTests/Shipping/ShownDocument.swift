import Differential

/// A page of the project, as far as tests read it.
struct ShownDocument {
  /// Its literal blocks, line by line.
  private(set) var blocks: [[String]] = []

  /// The sessions that it shows: blocks that begin with a prompt of the shell.
  var sessions: [[String]] { blocks.filter { $0.first?.hasPrefix("$ ") == true } }

  /// The scripts that its sessions write by `$ cat >NAME <<'.'`, by their names.
  var scripts: [String: String] {
    var scripts: [String: String] = [:]
    for session in sessions {
      var name: String?
      for line in session {
        if let match = line.firstMatch(of: #/^\$ cat >(\S+) <<'\.'$/#) {
          name = String(match.1)
          scripts[String(match.1)] = ""
        } else if line == "> ." {
          name = nil
        } else if let name, line.hasPrefix("> ") {
          scripts[name]? += line.dropFirst(2) + "\n"
        }
      }
    }
    return scripts
  }

  static var readme: ShownDocument { markdown("README.md") }

  static var guide: ShownDocument { markdown("docs/guide.md") }

  static var agents: ShownDocument { markdown("share/ued/agents.md") }

  static func markdown(_ path: String) -> ShownDocument {
    var document = ShownDocument()
    var isInside = false
    for line in lines(of: path) {
      if line.hasPrefix("    ") || line.isEmpty && isInside {
        if !isInside { document.blocks.append([]) }
        document.blocks[document.blocks.count - 1].append(String(line.dropFirst(4)))
        isInside = true
      } else {
        isInside = false
      }
    }
    return document
  }

  static var manual: ShownDocument {
    let escapes = [("\\e", "\\"), ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`")]
    var document = ShownDocument()
    var block: [String]?
    for line in lines(of: "man/ued.1") {
      if line.hasPrefix(".Bd -literal") {
        block = []
      } else if line == ".Ed" {
        if let block { document.blocks.append(block) }
        block = nil
      } else {
        block?.append(escapes.reduce(line) { $0.replacing($1.0, with: $1.1) })
      }
    }
    return document
  }

  /// The lines of a file of the package.
  static func lines(of path: String) -> [String] {
    let text = String(decoding: Disk.read(packageFolder + "/" + path) ?? [], as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }
}
