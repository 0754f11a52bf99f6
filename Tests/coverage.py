#!/usr/bin/env python3
"""Shows what the tests run: a table of folders, and each region of the sources that no test has run.

    coverage.py --llvm-cov PROGRAM --profile DATA BINARY…

The regions are those of LLVM: parts of the code that run together. A region of code that Swift generates, or that
lies in a closure that the compiler has copied, counts once: as run if one copy was run.
"""
import argparse, collections, json, os, re, subprocess, sys


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


def can_run(lines, place):
    """Whether a test can run a region at all and still report it."""
    first, column, last, end = place
    text = lines[first - 1][column - 1:end - 1] if first == last else ""
    # The range in `array[...]` is a closure that nothing calls.
    if text == "...":
        return False
    # The message of a trap is computed when the process ends.
    return not (text.startswith('"') and re.search(r"\b(precondition|preconditionFailure|fatalError)\(", lines[first - 1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm-cov", default="llvm-cov")
    parser.add_argument("--profile", required=True)
    parser.add_argument("binaries", nargs="+")
    options = parser.parse_args()
    folders = collections.defaultdict(lambda: [0, 0])
    found = regions(options)
    for path in sorted(found):
        lines = open(path, encoding="utf-8").read().split("\n")
        places = [place for place in found[path] if can_run(lines, place)]
        missed = sorted(place for place in places if found[path][place] == 0)
        folder = folders[os.path.dirname(path)]
        folder[0] += len(places)
        folder[1] += len(missed)
        for first, column, last, _ in missed:
            print(f"{path}:{first}-{last}: {lines[first - 1][column - 1:].strip()[:60]}")
    print(f"\n{'folder':<40} {'regions':>8} {'missed':>8} {'covered':>8}")
    total = [sum(counts) for counts in zip(*folders.values())]
    for name, (count, missed) in [*sorted(folders.items()), ("all", total)]:
        print(f"{name:<40} {count:>8} {missed:>8} {100 * (count - missed) / count:>7.1f}%")


if __name__ == "__main__":
    sys.exit(main())
