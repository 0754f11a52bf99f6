let subjects = CommandLine.arguments.dropFirst()
func isWanted(_ subject: String) -> Bool { subjects.isEmpty || subjects.contains(subject) }

if isWanted("large") { LargeFile.run() }
