import Differential
import Testing

@testable import ued

/// The files that `make install` installs.
@Suite struct InstallTests {
  private let sandbox = Sandbox()

  @Test func `everything is installed, and removed again`() {
    // The program under test takes the role of the release.
    let make =
      "make -s -C '\(packageFolder)' RELEASE=\"$UED\" PREFIX=/usr DESTDIR=\"$PWD/a place\""
    sandbox.run("\(make) install")
    let files = String(decoding: sandbox.run("cd 'a place'; find . -type f | sort"), as: UTF8.self)
    #expect(
      files == """
        ./usr/bin/ued
        ./usr/share/bash-completion/completions/ued
        ./usr/share/fish/vendor_completions.d/ued.fish
        ./usr/share/man/man1/ued.1
        ./usr/share/man/man5/ued-json.5
        ./usr/share/ued/agents.md
        ./usr/share/ued/answer.schema.json
        ./usr/share/zsh/site-functions/_ued

        """)
    // A release made by `make build` shows the commit after the version.
    let commit = #"( \([0-9a-f]{9}(-dirty)?\))?"#
    let version = UsageText.version.replacing(".", with: #"\."#)
    sandbox.run("'a place/usr/bin/ued' -V | grep -Eqx 'ued \(version)\(commit)'")
    sandbox.run("\(make) uninstall; test -z \"$(find 'a place' -type f)\"")
  }
}
