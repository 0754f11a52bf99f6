if isWanted("typing") {
  // The keystroke histories lie beside the project, or where the environment says.
  Typing.run(environment("TRACES") ?? "../shared/traces")
  Typing.groups()
}
if ["lookups", "edits", "transactions", "builder"].contains(where: isWanted) { LargeFile.run() }
