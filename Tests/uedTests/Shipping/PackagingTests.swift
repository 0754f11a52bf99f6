import Differential
import Testing

@testable import ued

/// The packaged files other than the program.
@Suite struct PackagingTests {
  private let sandbox = Sandbox()

  private static func text(_ path: String) -> String {
    ShownDocument.lines(of: path).joined(separator: "\n")
  }

  @Test func `all packages have the version of the program`() {
    let version = UsageText.version
    #expect(Self.text("debian/changelog").hasPrefix("ued (\(version)) "))
    #expect(Self.text("packaging/homebrew/ued.rb").contains("/ued-\(version).tar.gz\""))
    #expect(Self.text("packaging/nix/default.nix").contains("version = \"\(version)\";"))
    let packed = sandbox.run("make -sn -C '\(packageFolder)' dist")
    #expect(String(decoding: packed, as: UTF8.self).hasSuffix("ls .build/ued-\(version).tar.gz\n"))
  }

  @Test
  func
    `both changelogs name the version of the program, and Debian's and the manuals have its date`()
    throws
  {
    let pattern = /## (.+), (....-..-..)/
    func newest(of page: String) throws -> (version: Substring, date: Substring) {
      // Changes since the release stand above it.
      let heading = ShownDocument.lines(of: page).first { $0.hasPrefix("## ") && $0 != "## Next" }
      let match = try #require(heading?.wholeMatch(of: pattern), "\(heading ?? page)")
      return (match.1, match.2)
    }
    let release = try newest(of: "CHANGELOG.md")
    #expect(release.version == UsageText.version)
    #expect(try newest(of: "Sources/TextBuffer/CHANGELOG.md") == release)
    let signature = try #require(
      ShownDocument.lines(of: "debian/changelog").first { $0.hasPrefix(" -- ") })
    let date = try #require(signature.split(separator: "  ").last)
    sandbox.run("test \"$(date -u -d '\(date)' +%F)\" = \(release.date)")
    for page in ["man/ued.1", "man/ued-json.5"] {
      let line = try #require(ShownDocument.lines(of: page).first { $0.hasPrefix(".Dd ") })
      sandbox.run("test \"$(date -u -d '\(line.dropFirst(4))' +%F)\" = \(release.date)")
    }
  }

  @Test func `Debian's package declares the packages that the Makefile installs for a build`() {
    // binutils is part of what every build has.
    sandbox.run(
      """
      cd '\(packageFolder)'; words() { tr -s ', ' '\\n' | LC_ALL=C sort; }
      sed -n 's/^Build-Depends: //p' debian/control | words >"$HOME/declared"; test -s "$HOME/declared"
      sed -n 's/^BUILD_PACKAGES := //p' Makefile | words | grep -vx binutils | cmp - "$HOME/declared"
      """)
  }

  // MARK: - The transcripts on an installed package

  @Test func `the test of the package passes`() {
    let answer = sandbox.run(
      "'\(packageFolder)/debian/tests/transcripts' options undo")
    #expect(String(decoding: answer, as: UTF8.self).hasSuffix(" transcripts, 0 of them differ\n"))
  }

  @Test func `the test of the package fails if one byte differs`() {
    sandbox.run(
      """
      mkdir -p debian Tests/uedTests/Transcripts/undo
      cp -r '\(packageFolder)/debian/tests' debian
      cd Tests/uedTests/Transcripts/undo
      cp '\(packageFolder)/Tests/uedTests/Transcripts/undo/toggles.'* .
      echo more >>toggles.out
      """)
    let answer = sandbox.run("debian/tests/transcripts", status: 1)
    let text = String(decoding: answer, as: UTF8.self)
    #expect(text.hasPrefix("differs: undo/toggles.ed, status "))
    #expect(text.contains("\n< more\n"))
    #expect(text.hasSuffix("\n1 transcripts, 1 of them differ\n"))
  }

  // MARK: - The tldr page

  /// The commands of the page, with the texts that the placeholders are to have.
  private static func examples(_ texts: [String: String]) -> [String] {
    ShownDocument.lines(of: "packaging/tldr/ued.md").filter { $0.hasPrefix("`") }.map { line in
      String(line.dropFirst().dropLast()).replacing(/{{(.*?)}}/) { texts[String($0.1)] ?? "?" }
    }
  }

  @Test func `each example of the tldr page works`() {
    let examples = Self.examples([
      "path/to/file": "one", "pattern": "o", "replacement": "0", "path/to/script.ed": "script",
      "path/to/file1 path/to/file2 ...": "one two", "command": "1d", "path/to/file.patch": "patch",
      "name": "n",
    ])
    #expect(examples.count == 8)
    sandbox["script"] = Array("1d\n".utf8)
    sandbox["patch"] = Array("--- a/two\n+++ b/two\n@@ -1 +1 @@\n-two\n+2\n".utf8)
    let answers: [(typed: String, printed: String, one: String, two: String)] = [
      (",s/o/0/\nwq\n", "8\n8\n", "0ne\ntw0\n", "two\n"), ("", "", "0ne\ntw0\n", "two\n"),
      ("", "--- one\n+++ one\n@@ -1,2 +1 @@\n-one\n two\n", "one\ntwo\n", "two\n"),
      ("", "", "two\n", ""), ("", "", "one\ntwo\n", "2\n"), ("", "", "two\n", "two\n"),
      ("", "", "one\ntwo\n", "two\n"), ("", "", "one\ntwo\n", "two\n"),
    ]
    for (example, answer) in zip(examples, answers) {
      sandbox["one"] = Array("one\ntwo\n".utf8)
      sandbox["two"] = Array("two\n".utf8)
      if example.hasPrefix("ued --log") || example.hasPrefix("ued --undo-run") {
        sandbox.run("\"$UED\" -i --history=on --run=n -e 1d one")
      }
      sandbox["typed"] = Array(answer.typed.utf8)
      let printed = sandbox.run("ued() { \"$UED\" \"$@\"; }; \(example) <typed")
      let text = String(decoding: printed, as: UTF8.self)
      if example == "ued --log" {
        #expect(text.contains("  n ") && text.contains("/one\n"), "\(text)")
      } else {
        #expect(text == answer.printed, "\(example)")
        #expect(sandbox["one"] == Array(answer.one.utf8), "\(example)")
        #expect(sandbox["two"] == Array(answer.two.utf8), "\(example)")
      }
    }
  }
}
