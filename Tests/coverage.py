#!/usr/bin/env python3
"""Shows what the tests run: a table of folders, and each region of the sources that no test has run.

    coverage.py --llvm-cov PROGRAM --profile DATA BINARY…

The regions are those of LLVM: parts of the code that run together. A region of code that Swift generates, or that
lies in a closure that the compiler has copied, counts once: as run if one copy was run.
"""
import argparse, collections, json, os, subprocess, sys


def regions(options):
    """Maps each file to its regions: (line, column, last line, last column) to the number of runs."""
    command = [options.llvm_cov, "export", f"--instr-profile={options.profile}", options.binaries[0]]
    command += [word for binary in options.binaries[1:] for word in ("--object", binary)]
    data = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["data"][0]
    found = collections.defaultdict(lambda: collections.defaultdict(int))
    for function in data["functions"]:
        for region in function["regions"]:
            *place, count, file, _, kind = region
            path = os.path.relpath(function["filenames"][file])
            if kind == 0 and path.startswith("Sources/"):
                place = tuple(place)
                found[path][place] = max(found[path][place], count)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm-cov", default="llvm-cov")
    parser.add_argument("--profile", required=True)
    parser.add_argument("binaries", nargs="+")
    options = parser.parse_args()
    folders = collections.defaultdict(lambda: [0, 0])
    found = regions(options)
    for path in sorted(found):
        missed = sorted(place for place, count in found[path].items() if count == 0)
        folder = folders[os.path.dirname(path)]
        folder[0] += len(found[path])
        folder[1] += len(missed)
        lines = open(path, encoding="utf-8").read().split("\n")
        for first, column, last, _ in missed:
            print(f"{path}:{first}-{last}: {lines[first - 1][column - 1:].strip()[:60]}")
    print(f"\n{'folder':<40} {'regions':>8} {'missed':>8} {'covered':>8}")
    total = [sum(counts) for counts in zip(*folders.values())]
    for name, (count, missed) in [*sorted(folders.items()), ("all", total)]:
        print(f"{name:<40} {count:>8} {missed:>8} {100 * (count - missed) / count:>7.1f}%")


if __name__ == "__main__":
    sys.exit(main())
