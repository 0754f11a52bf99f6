// The command line names subjects; without any, all quick ones are run.
if isNamed("processes") { Processes.run(isQuick: false) }
if isNamed("quick") { Processes.run(isQuick: true) }
if isNamed("peers") { Peers.run(lines: 1_060_000) }
if isWanted("typing") {
  // The traces of the tests, or those in the folder `TRACES`.
  Typing.run(environment("TRACES") ?? "Tests/TextBufferTests/Fixtures")
  Typing.groups()
}
if ["lookups", "edits", "transactions", "builder"].contains(where: isWanted) { LargeFile.run() }
if isWanted("search") { Search.run() }
if isWanted("library") { Library.run() }
if isWanted("growth") { Growth.run(isQuick: false) }
if isNamed("huge") { Huge.run() }
if isNamed("quick") { Growth.run(isQuick: true) }
