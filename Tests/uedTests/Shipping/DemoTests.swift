import Differential
import Glibc
import Testing

/// The recording of a session that README shows.
@Suite struct DemoTests {
  private let sandbox = Sandbox()

  /// The folder of the recording program.
  private static let folder =
    #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    + "/Examples/demo"

  @Test func `the session of README can be recorded again`() {
    sandbox.run("/usr/bin/python3 \(Self.folder)/record.py \"$UED\" .")
    let cast = String(decoding: sandbox["ued.cast"] ?? [], as: UTF8.self)
    #expect(cast.hasPrefix("{\"version\": 2"))
    #expect(cast.contains("reverted: Substitute /Call/Visit/ on line 2"))
    let picture = String(decoding: sandbox["ued.svg"] ?? [], as: UTF8.self)
    #expect(picture.hasPrefix("<svg") && picture.contains("Fix the bike"))
  }
}
