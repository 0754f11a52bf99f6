if CommandLine.arguments.dropFirst().first == "programs" {
  // Nothing else runs in this process, which has to stay small.
  ProgramTable.run(
    ued: environment("UED") ?? "../.build/release/ued", isQuick: environment("QUICK") != nil,
    wanted: CommandLine.arguments.dropFirst(2).first ?? "")
} else {
  if isWanted("typing") {
    // The keystroke histories lie beside the project, or where the environment says.
    Typing.run(environment("TRACES") ?? "../shared/traces")
    Typing.groups()
  }
  if ["lookups", "edits", "transactions", "builder"].contains(where: isWanted) { LargeFile.run() }
}
