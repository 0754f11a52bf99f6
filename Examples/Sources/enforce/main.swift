// enforce [--check | --diff] [--run=NAME] RULES FILE...
//
// Makes rules hold in configuration files, in all of them or in none. A file in which they hold is not
// touched; `--check` and `--diff` touch none. A line of RULES is one of these:
//
//     set Port 22                  the only line that begins with "Port " is this one; one that is
//     set keep = 7                 missing is appended. So with a key before "="
//     after /^Port/ Listen ::1     this line is there once; one that is missing comes after the last
//                                  line that matches
//     absent /^Root/               no line matches
//     block hosts                  the lines up to "end" are between "# BEGIN hosts" and "# END hosts"
//     10.0.0.7 web
//     end
//
// or empty, or begins with "#". Regular expressions are those of ued, with a slash written as "\/".
//
// Each rule that changes a file is a group of its history, which `ued --history -i -e 'revert ID' FILE`
// takes back by itself; `ued --undo-run=NAME` takes back all of them in all files. The exit status is that
// of ued: 0 the rules hold, 1 and 2 they can't be made to, 3 another program has changed a file, 4 with
// `--check` they don't hold.

import Foundation

// An ued that ends before it has read all must not end this program, too.
signal(SIGPIPE, SIG_IGN)

var run = "enforce"
var purpose = Enforcer.Purpose.write
var names = Array(CommandLine.arguments.dropFirst())
while let option = names.first, option.hasPrefix("--") {
  if option.hasPrefix("--run=") {
    run = String(option.dropFirst("--run=".count))
  } else if let other = Enforcer.Purpose(rawValue: option) {
    purpose = other
  } else {
    names = []
    break
  }
  names.removeFirst()
}
guard names.count > 1 else {
  print("usage: enforce [--check | --diff] [--run=NAME] RULES FILE...")
  exit(1)
}
guard let text = try? String(contentsOfFile: names[0], encoding: .utf8) else {
  print("\(names[0]): can't be read")
  exit(1)
}
do {
  let rules = try Rule.rules(text)
  let enforcer = Enforcer(
    rules: rules, files: Array(names.dropFirst()), run: run, purpose: purpose)
  let (report, status) = try enforcer.enforce()
  for line in report { print(line) }
  exit(status)
} catch let fault as Rule.Fault {
  print("\(names[0]):\(fault.line): \(fault.message)")
  exit(1)
} catch {
  print("enforce: \(error.localizedDescription)")
  exit(1)
}
