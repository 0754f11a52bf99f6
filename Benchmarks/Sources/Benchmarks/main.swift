// Subjects are named on the command line; without any, all that is quick is run.
if isNamed("processes") { Processes.run(isQuick: false) }
if isNamed("quick") { Processes.run(isQuick: true) }
if isWanted("typing") {
  // The keystroke histories of the tests, or those where the environment says.
  Typing.run(environment("TRACES") ?? "Tests/TextBufferTests/Fixtures")
  Typing.groups()
}
if ["lookups", "edits", "transactions", "builder"].contains(where: isWanted) { LargeFile.run() }
if isWanted("growth") { Growth.run(isQuick: false) }
if isNamed("quick") { Growth.run(isQuick: true) }
