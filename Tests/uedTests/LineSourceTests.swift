import Differential
import Glibc
import Testing

@testable import ued

/// Lines from real files, pipes and sockets, shared with real children.
@Suite struct LineSourceTests {
  /// The lines until the end, and how it ended.
  private func rest<Source: LineSource & ~Copyable>(of source: inout Source) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    while source.next(into: &line, for: .text) == .line {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    #expect(line.isEmpty)
    #expect(source.lineNumber >= lines.count)
    return lines
  }

  private func next<Source: LineSource & ~Copyable>(of source: inout Source) -> String? {
    var line: [UInt8] = []
    guard source.next(into: &line, for: .command(prompt: [])) == .line else { return nil }
    return String(decoding: line, as: UTF8.self)
  }

  @Test(arguments: Channel.allCases)
  func `whole lines come, and an unterminated last one does not`(_ channel: Channel) {
    let reader = channel.reader(of: "one\n\n  thr\0ee\r\nétc\u{1}\nlost")
    var lines = DescriptorLines(descriptor: reader)
    #expect(rest(of: &lines) == ["one", "", "  thr\0ee\r", "étc\u{1}"])
    // The dropped line counts, as in ed.
    #expect(lines.lineNumber == 5)
    #expect(next(of: &lines) == nil)
    close(reader)
  }

  @Test(arguments: Channel.allCases)
  func `empty input is the end`(_ channel: Channel) {
    let reader = channel.reader(of: "")
    var lines = DescriptorLines(descriptor: reader)
    #expect(next(of: &lines) == nil)
    lines.surrenderUnread()
    #expect(lines.lineNumber == 0)
    close(reader)
  }

  @Test(arguments: Channel.allCases)
  func `a child takes lines from the middle, and the next program the rest`(_ channel: Channel) {
    let reader = channel.reader(of: "1\n2\n3\nfour\nfive\nsix\nseven\n")
    var lines = DescriptorLines(descriptor: reader)
    #expect(next(of: &lines) == "1")
    #expect(next(of: &lines) == "2")
    lines.surrenderUnread()
    #expect(shell("read a; read b; echo $b-$a", standardInput: reader) == "four-3\n")
    #expect(next(of: &lines) == "five")
    lines.surrenderUnread()
    lines.surrenderUnread()
    #expect(next(of: &lines) == "six")
    lines.surrenderUnread()
    #expect(shell("cat", standardInput: reader) == "seven\n")
    #expect(next(of: &lines) == nil)
    #expect(lines.lineNumber == 4)
    close(reader)
  }

  @Test(arguments: Channel.allCases)
  func `lines longer than a block, and blocks of many lines, come whole`(_ channel: Channel) {
    let long = String(repeating: "long ", count: 60_000)
    let short = (1...30_000).map { "line \($0)" }
    let reader = channel.reader(of: ([long] + short + [long]).map { $0 + "\n" }.joined() + "tail")
    var lines = DescriptorLines(descriptor: reader)
    #expect(next(of: &lines) == long)
    #expect(next(of: &lines) == "line 1")
    lines.surrenderUnread()
    #expect(rest(of: &lines) == short.dropFirst() + [long])
    close(reader)
  }

  @Test(arguments: [Channel.pipe, .socket])
  func `a line is there as soon as it is complete`(_ channel: Channel) {
    let (reader, writer) = channel.open()
    var lines = DescriptorLines(descriptor: reader)
    for text in ["one\n", "two\nthr", "ee\n"] {
      put(text, to: writer)
      #expect(
        next(of: &lines)
          == text.split(separator: "\n").first.map { $0 == "ee" ? "three" : String($0) })
    }
    close(writer)
    #expect(next(of: &lines) == nil)
    close(reader)
  }

  @Test func `a descriptor reports its kind`() {
    for (channel, kind) in [
      (Channel.pipe, InputKind.other), (.file, .regularFile), (.socket, .other),
    ] {
      let reader = channel.reader(of: "")
      #expect(DescriptorLines(descriptor: reader).kind == kind)
      close(reader)
    }
    let null = open("/dev/null", O_RDONLY)
    var lines = DescriptorLines(descriptor: null)
    #expect(lines.kind == .other)
    #expect(next(of: &lines) == nil)
    close(null)
  }

  @Test func `a closed descriptor is the end`() {
    let reader = Channel.pipe.reader(of: "x\n")
    close(reader)
    var lines = DescriptorLines(descriptor: 999)
    #expect(next(of: &lines) == nil)
  }

  @Test func `a released pipe leaves no descriptor open`() async {
    await #expect(processExitsWith: .success) {
      let reader = Channel.pipe.reader(of: "a\nb\n")
      // Other descriptors may come and go while this runs; pipes do not.
      func pipeCount() -> Int {
        (0..<1024).count { descriptor in
          var status = stat()
          return fstat(Int32(descriptor), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        }
      }
      let before = pipeCount()
      do {
        var lines = DescriptorLines(descriptor: reader)
        var line: [UInt8] = []
        #expect(lines.next(into: &line, for: .text) == .line)
      }
      #expect(pipeCount() == before)
    }
  }

  @Test func `an interrupt wakes up a source that waits, and the half line is dropped`() async {
    await #expect(processExitsWith: .success) {
      onFirstThread {
        Interrupts.install()
        let (reader, writer) = Channel.pipe.open()
        put("half", to: writer)
        let waiting = ProcessState.ofThisThread
        let thread = startThread {
          while !waiting.isWaiting() { sched_yield() }
          kill(getpid(), SIGINT)
        }
        var lines = DescriptorLines(descriptor: reader)
        var line: [UInt8] = []
        #expect(lines.next(into: &line, for: .text) == .interrupted)
        #expect(line.isEmpty && !Interrupts.isInterrupted)
        pthread_join(thread, nil)
        put("whole\n", to: writer)
        #expect(lines.next(into: &line, for: .text) == .line)
        #expect(line == Array("whole".utf8))
        kill(getpid(), SIGTERM)
        #expect(lines.next(into: &line, for: .text) == .interrupted)
        #expect(Interrupts.takeHangUp() == SIGTERM)
      }
    }
  }

  @Test func `a script in memory gives its lines`() {
    var lines = ScriptLines(Array("1\n\n3\nlost".utf8))
    #expect(rest(of: &lines) == ["1", "", "3"])
    #expect(lines.lineNumber == 3)
    #expect(lines.kind == .other)
  }
}
