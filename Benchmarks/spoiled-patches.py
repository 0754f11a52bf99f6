#!/usr/bin/python3
"""Applies spoiled patches of real commits with ued, with patch, and with git apply --recount.

Each of 48 commits is spoiled in each of 13 ways, as a language model or a mailer spoils it. A result is right if all
files are as the commit left them, and wrong if they are not although the status is 0. A result that is wrong only
because an added line was spoiled can be told by no tool, and is counted apart, after a plus.

    Benchmarks/spoiled-patches.py [--repository FOLDER] [--commits N] [--seed N] [--ued PROGRAM] [--show]
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

HEADER = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$", re.S)


def git(repository, *words):
    """The standard output of git."""
    return subprocess.run(
        ["git", "-C", repository, *words], capture_output=True, check=True).stdout


class Commit:
    """A commit that changes, makes or removes up to eight files."""

    def __init__(self, repository, name):
        self.name = name
        raw = git(repository, "diff-tree", "-r", "--no-commit-id", "--no-renames", name)
        rows = [row.split() for row in raw.decode().splitlines()]
        self.is_usable = 0 < len(rows) <= 8 and all(
            row[4] in "MAD" and {row[0][1:], row[1]} <= {"100644", "000000"} for row in rows)
        if not self.is_usable:
            return

        def texts(commit, absent):
            return {
                row[5]: git(repository, "show", f"{commit}:{row[5]}")
                for row in rows if row[4] != absent}
        self.old, self.new = texts(f"{name}~", "A"), texts(name, "D")

        def difference(*options):
            return git(
                repository, "diff", "--no-renames", *options, f"{name}~", name
            ).splitlines(keepends=True)
        self.usual = difference()
        self.short = difference("-U1")
        self.bare = difference("--no-prefix")
        self.is_usable = b"GIT binary" not in b"".join(self.usual) and len(self.usual) < 600


# Ways to spoil a patch. Each gets its lines, and returns others.

def headers(lines, change):
    """The lines with all headers of hunks changed."""
    return [change(HEADER.match(line)) if HEADER.match(line) else line for line in lines]


def spoiled(header, random, counts=False, starts=False):
    """A header with other numbers."""
    old, old_count, new, new_count = (int(group or 1) for group in header.groups()[:4])
    if counts:
        old_count, new_count = (
            max(0, count + random.choice([-3, -2, -1, 1, 2, 3])) for count in (old_count, new_count))
    if starts:
        shift = random.choice([-1, 1]) * random.randrange(1, 40)
        old, new = max(1, old + shift), max(1, new + shift)
    return b"@@ -%d,%d +%d,%d @@" % (old, old_count, new, new_count) + header.group(5)


def places(lines, marks):
    """The numbers of the lines of hunks with one of some marks, and something behind it."""
    found, in_hunk = [], False
    for number, line in enumerate(lines):
        if line.startswith(b"@@"):
            in_hunk = True
        elif line.startswith(b"diff "):
            in_hunk = False
        elif in_hunk and line[:1] in marks and line[1:].strip():
            found.append(number)
    return found


def inner_places(lines):
    """The numbers of the lines in hunks that are not the first behind a header."""
    return [
        number for number, line in enumerate(lines)
        if number and line[:1] in b" +-" and not lines[number - 1].startswith((b"@@", b"---", b"+++"))
        and not line.startswith((b"--- ", b"+++ "))]


def elided(lines, random):
    number = random.choice(places(lines, b" ") or [len(lines)])
    return lines[:number] + lines[number:number + 1] * random.choice([0, 2]) + lines[number + 1:]


def unmarked(lines, random):
    number = random.choice(places(lines, b" +") or [len(lines)])
    return lines[:number] + [line[1:] for line in lines[number:number + 1]] + lines[number + 1:]


def tabbed(lines, random):
    return [
        line[:1] + re.sub(rb"^(  )+", lambda blanks: b"\t" * (len(blanks[0]) // 2), line[1:])
        if line[:1] in b" +-" and not line.startswith((b"---", b"+++")) else line for line in lines]


def cut_at_line(lines, random):
    return lines[:random.choice(inner_places(lines))]


def cut_within_line(lines, random):
    number = random.choice([n for n in inner_places(lines) if len(lines[n]) > 3])
    return lines[:number] + [lines[number][:random.randrange(2, len(lines[number]) - 1)]]


def in_prose(lines, random):
    prose = [b"Here is the change:\n", b"\n"]
    made = []
    for line in lines:
        if line.startswith(b"diff ") and made:
            made += [b"\n", b"And the next file:\n", b"\n"]
        made.append(line)
    return prose + made + [b"\n", b"That is all. I have run the tests.\n"]


def in_fences(lines, random):
    lines = headers(lines, lambda header: spoiled(header, random, counts=True))
    return [b"```diff\n"] + lines + [b"```\n", b"Done.\n"]


KINDS = {
    "wrong counts": lambda commit, random: headers(
        commit.usual, lambda header: spoiled(header, random, counts=True)),
    "wrong numbers of lines": lambda commit, random: headers(
        commit.usual, lambda header: spoiled(header, random, starts=True)),
    "a bare @@": lambda commit, random: headers(commit.usual, lambda header: b"@@\n"),
    "context elided or doubled": lambda commit, random: elided(commit.usual, random),
    "a lost mark": lambda commit, random: unmarked(commit.usual, random),
    "fences, wrong counts": lambda commit, random: in_fences(commit.usual, random),
    "prose between": lambda commit, random: in_prose(commit.usual, random),
    "cut at a line": lambda commit, random: cut_at_line(commit.usual, random),
    "cut within a line": lambda commit, random: cut_within_line(commit.usual, random),
    "-U1, wrong counts and numbers": lambda commit, random: headers(
        commit.short, lambda header: spoiled(header, random, counts=True, starts=True)),
    "-U1, wrong numbers": lambda commit, random: headers(
        commit.short, lambda header: spoiled(header, random, starts=True)),
    "tabs for blanks": lambda commit, random: tabbed(commit.usual, random),
    "no prefixes": lambda commit, random: commit.bare,
}


def added(lines):
    """What a patch adds, in order."""
    return [line[1:] for line in lines if line.startswith(b"+") and not line.startswith(b"+++ ")]


def verdict(command, commit, patch):
    """What a command has made of a patch: right, refused or wrong."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in commit.old.items():
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(text)
        run = subprocess.run(
            command, cwd=folder, input=patch, capture_output=True, timeout=60,
            env=dict(os.environ, GIT_CEILING_DIRECTORIES=os.path.dirname(folder), HOME=folder))
        if run.returncode:
            return "refused", run.stderr.decode(errors="replace").strip()

        def text(path):
            try:
                with open(os.path.join(folder, path), "rb") as file:
                    return file.read()
            except FileNotFoundError:
                return None
        is_right = all(text(path) == commit.new.get(path) for path in {**commit.old, **commit.new})
        return "right" if is_right else "wrong", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", default=os.path.join(os.path.dirname(__file__), ".."))
    parser.add_argument("--commits", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ued", default="ued")
    parser.add_argument("--alone", action="store_true", help="only ued")
    parser.add_argument("--show", action="store_true", help="name the results that are not right")
    arguments = parser.parse_args()
    ued = arguments.ued if "/" not in arguments.ued else os.path.abspath(arguments.ued)
    commits = []
    for name in git(arguments.repository, "rev-list", "--no-merges", "HEAD").decode().split():
        if len(commits) == arguments.commits:
            break
        commit = Commit(arguments.repository, name)
        if commit.is_usable:
            commits.append(commit)
    tools = {
        "ued": [ued, "--atomic", "--apply=-"],
        "patch": ["patch", "-p1", "--batch", "--forward", "--quiet", "--reject-file=-"],
        "git apply --recount": ["git", "apply", "--recount", "-"],
    }
    if arguments.alone:
        tools = {"ued": tools["ued"]}
    head = " | ".join(f"{tool}: right | refused | wrong" for tool in tools)
    print(f"| {len(commits)} commits | {head} |")
    print("| --- |" + " ---: |" * 3 * len(tools))
    for kind, spoil in KINDS.items():
        cells = []
        for tool, command in tools.items():
            counts = dict.fromkeys(["right", "refused", "wrong", "spoiled"], 0)
            for index, commit in enumerate(commits):
                chance = random.Random(f"{arguments.seed} {kind} {index}")
                lines = spoil(commit, chance)
                command = [
                    word.replace("-p1", "-p0") if kind == "no prefixes" else word for word in command]
                if tool.startswith("git") and kind == "no prefixes":
                    command = command[:2] + ["-p0"] + command[2:]
                found, message = verdict(command, commit, b"".join(lines))
                is_whole = len(added(lines)) == len(added(commit.usual))
                if found == "wrong" and is_whole and added(lines) != added(commit.usual):
                    found = "spoiled"
                counts[found] += 1
                if arguments.show and tool == "ued" and found != "right":
                    print(f"{kind}, {commit.name[:8]}: {found}: {message}", file=sys.stderr)
            wrong = f"{counts['wrong']}" + (f" + {counts['spoiled']}" if counts["spoiled"] else "")
            cells += [str(counts["right"]), str(counts["refused"]), wrong]
        print(f"| {kind} | {' | '.join(cells)} |", flush=True)


main()
