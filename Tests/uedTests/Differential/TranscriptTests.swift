import Differential
import Testing

@Suite struct TranscriptTests {
  static let paths = Transcript.all(in: packageFolder + "/Tests/uedTests/Transcripts")

  @Test(arguments: paths)
  func `a transcript is played as written`(_ path: String) {
    let transcript = Transcript(path: path)
    let result = CaseRunner().run(transcript.test, .underTest)
    let output = Transcript.withoutTimes(result.output)
    #expect(Escapes.encode(output) == Escapes.encode(transcript.output))
    #expect(Escapes.encode(result.errors) == Escapes.encode(transcript.errors))
    #expect(result.text.map(Escapes.encode) == transcript.text.map(Escapes.encode))
    #expect(result.ending == .exited(transcript.status))
  }

  @Test func `there are transcripts`() {
    #expect(!Self.paths.isEmpty)
  }
}
