/// One run of an editor: the file `f`, the command line, the environment and the script.
///
/// Besides `f`, the directory always holds the files of ``Fixture``.
package struct Case: Sendable, Equatable {
  /// The kind of standard input: ed asks whether it is a regular file.
  package enum StandardInput: String, Sendable, CaseIterable {
    case pipe, file, null
    /// A pipe that gets a few bytes at a time, while the output is read as slowly.
    case slow
  }

  /// The bytes of `f`; nil if the file does not exist.
  package var text: [UInt8]?
  package var arguments: [String]
  /// Additional variables, as `NAME=value`.
  package var environment: [String]
  package var standardInput: StandardInput
  package var script: [UInt8]

  package init(
    text: [UInt8]? = Array(Fixture.text.utf8), arguments: [String] = ["-s", "f"],
    environment: [String] = ["LC_ALL=C"], standardInput: StandardInput = .pipe, script: [UInt8]
  ) {
    self.text = text
    self.arguments = arguments
    self.environment = environment
    self.standardInput = standardInput
    self.script = script
  }
}

extension Case {
  /// The lines of the script, without their newlines.
  package var scriptLines: [[UInt8]] {
    get { script.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) } }
    set { script = Array(newValue.joined(separator: [0x0A])) }
  }

  /// The number of bytes at the start of a line that could be the addresses of a command.
  static func addressByteCount(_ line: [UInt8]) -> Int {
    var index = 0
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "'"): index += 2
      case UInt8(ascii: "/"), UInt8(ascii: "?"):
        let delimiter = line[index]
        index += 1
        while index < line.count, line[index] != delimiter { index += line[index] == 0x5C ? 2 : 1 }
        index += 1
      case let byte where "0123456789.$,;+-% \t".utf8.contains(byte): index += 1
      default: return index
      }
    }
    return line.count
  }

  /// Whether a line, taken for a command, is a `!` with an address: a filter in ued, an error in ed.
  static func isFilter(_ line: [UInt8]) -> Bool {
    let count = addressByteCount(line)
    return count < line.count && line[count] == UInt8(ascii: "!")
      && line[..<count].contains { $0 != 0x20 && $0 != 0x09 }
  }

  /// Replaces the `!` of each line that may be a filter by `Y`, an unknown command.
  mutating func removeFilters() {
    var lines = scriptLines
    for index in lines.indices where Self.isFilter(lines[index]) {
      lines[index][Self.addressByteCount(lines[index])] = UInt8(ascii: "Y")
    }
    scriptLines = lines
  }
}

/// The files that are in the folder of `f` in every run.
package enum Fixture {
  /// The content of `f` by default.
  package static let text = "one\ntwo\nthree\nfour\nfive\n"

  package static let files: [(name: String, bytes: [UInt8])] = [
    ("g", Array("alpha\nbeta\n".utf8)), ("nonl", Array("abc\nxyz".utf8)),
    ("bin", Array("ab\0cd\nxyz".utf8)), ("u8", Array("café\nÉté\n日本語\n".utf8)), ("empty", []),
    ("crlf", Array("one\r\ntwo\r\r\nthree\r".utf8)),
  ]

  /// The only folder there.
  package static let folder = "dir"
}

extension Case {
  /// Whether the result may depend on who runs first: the script has a job or a pipeline of the shell, or reads a pipe
  /// from which others read, too.
  var dependsOnChance: Bool {
    let script = String(decoding: script, as: UTF8.self)
    return script.contains("!") && script.contains { $0 == "&" || $0 == "|" }
      || script.contains("/dev/std") || script.contains("fd/")
  }
}
