/// One run of an editor: the file `f`, the command line, the environment and the script.
///
/// Beside `f` the directory always holds the files of ``Fixture``.
package struct Case: Sendable, Equatable {
  /// What standard input is: ed asks whether it is a regular file.
  package enum StandardInput: String, Sendable, CaseIterable {
    case pipe, file, null
  }

  /// The bytes of `f`, or nil where there is no such file.
  package var text: [UInt8]?
  package var arguments: [String]
  /// `NAME=value`, beside the few that every run gets.
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

/// The files that lie beside `f` in every run.
package enum Fixture {
  /// What `f` is unless a case says otherwise.
  package static let text = "one\ntwo\nthree\nfour\nfive\n"

  package static let files: [(name: String, bytes: [UInt8])] = [
    ("g", Array("alpha\nbeta\n".utf8)),
    ("nonl", Array("abc\nxyz".utf8)),
    ("bin", Array("ab\0cd\nxyz".utf8)),
    ("u8", Array("café\nÉté\n日本語\n".utf8)),
    ("empty", []),
    ("crlf", Array("one\r\ntwo\r\r\nthree\r".utf8)),
  ]

  /// The one folder beside them.
  package static let folder = "dir"
}
