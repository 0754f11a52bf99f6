if isWanted("typing") {
  Typing.run("/work/shared/traces")
  Typing.groups()
}
if ["lookups", "edits", "transactions", "builder"].contains(where: isWanted) { LargeFile.run() }
