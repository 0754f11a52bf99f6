#!/usr/bin/python3
"""Makes the edits of real commits as language models make them, with ued and with other edit engines.

Each edit is one hunk of a commit: the file before it, and a call that should change it. Each edit is made without an
error, and with some of the errors in KINDS: in the quoted text, in the line numbers, in the file, or by another writer
between the reading and the call. A result is right if the file is as the commit left it, with the change of the other
writer, refused if it is unchanged and the engine reports an error, silent if it is unchanged without an error, and
otherwise wrong. If the call can't say the place, or a line to be replaced has changed, only a refusal is correct.

    Benchmarks/agent-edits.py [--edits N] [--every N] [--seed N] [--ued PROGRAM] [--peers NAME,...]
                              [--pythons PROGRAM,...] [--show] [REPOSITORY]

Each peer is installed from PyPI in a virtual environment below .build/agent-edits. A missing peer is reported.
"""

import argparse
import hashlib
import importlib.machinery
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
engines = importlib.machinery.SourceFileLoader("engines", os.path.join(HERE, "agent-engines.py")).load_module()


def git(repository, *words):
    """The standard output of git."""
    done = subprocess.run(["git", "-C", repository, *words], capture_output=True)
    if done.returncode:
        sys.exit(f"agent-edits: git {words[0]} in {repository}: {done.stderr.decode().strip()}")
    return done.stdout


def edits(repository, count, seed):
    """Hunks of commits in random order, at most three of a commit: path, old lines, index, old count, new lines."""
    commits = git(repository, "rev-list", "--no-merges", "--min-parents=1", "HEAD").decode().split()
    # The order of two commits remains when the repository gets new ones.
    commits.sort(key=lambda commit: hashlib.sha256(f"{seed} {commit}".encode()).digest())
    found = []
    for commit in commits:
        hunks, blob, path = [], None, None
        options = ["--format=", "-U0", "--no-renames", "--diff-filter=M", "--full-index", "--no-ext-diff"]
        for line in git(repository, "show", *options, commit).decode("utf-8", "surrogateescape").split("\n"):
            header = re.match(r"@@ -(\d+)(?:,(\d+))? \+", line)
            if line.startswith("index "):
                blob = line[6:].split(".")[0]
            elif line.startswith("+++ b/"):
                path = line[6:] if re.fullmatch(r"[\w./+-]+", line[6:], re.A) else None
            elif header:
                at, gone = int(header[1]), int(header[2] or 1)
                hunks.append((path, blob, at - 1 if gone else at, gone, []))
            elif hunks and line.startswith("+"):
                hunks[-1][4].append(line[1:])
        random.Random(f"{seed} {commit}").shuffle(hunks)
        for path, blob, at, gone, new in hunks[:3]:
            if path and gone + len(new) <= 40:
                old = git(repository, "cat-file", "blob", blob).decode("utf-8", "surrogateescape")
                lines = old.split("\n")
                is_text = not lines.pop() and not re.search("[\0\r\f\v\ud800-\udfff]", old)
                if is_text and len(lines) > 20 and len(old) < 300_000:
                    found.append((path, lines, at, gone, new))
        if len(found) >= count:
            break
    return found[:count]


class Case:
    """A call: the lines that the model has read and quotes, the file at the call, and the right results."""

    def __init__(self, path, lines, at, gone, new):
        self.path, self.read, self.at, self.gone, self.new = path, lines, at, gone, new
        self.quoted, self.now, self.right = lines, lines, [self.made(lines)]
        self.spoil, self.finish, self.context, self.shift, self.miscount, self.blanks = None, str, None, 0, 0, [0, 0]

    def made(self, lines, shift=0):
        """The given lines after the edit."""
        return lines[:self.at + shift] + self.new + lines[self.at + shift + self.gone:]

    def around(self, context):
        """The indexes of the first line and behind the last line with some context."""
        return max(0, self.at - context), min(len(self.quoted), self.at + self.gone + context)

    def outside(self):
        """The indexes of the lines that no call quotes."""
        first, last = self.around(4)
        return [*range(first), *range(last, len(self.read))]

    def rows(self, context):
        """The quoted lines after ' ', '-' or '+'."""
        (first, last), end = self.around(context), self.at + self.gone
        parts = self.quoted[first:self.at], self.quoted[self.at:end], self.new, self.quoted[end:last]
        return [mark + line for mark, lines in zip(" -+ ", parts) for line in lines]

    def unique_context(self):
        """The number of lines that a careful model quotes around the change."""
        for context in range(1, len(self.quoted)):
            if "\n".join(self.quoted).count("\n".join(self.quoted[slice(*self.around(context))])) == 1:
                return context
        return len(self.quoted)

    def form(self, form, kind):
        """The case as JSON for engines of a form; None if the error can't occur there."""
        context = 3 if form in ("diff", "patch") else self.context or self.unique_context()
        rows = self.rows(context)
        spoiled = self.spoil(rows) if self.spoil else rows
        # No engine can notice an error if the quoted lines are still lines of the file.
        is_exact = self.spoil and f"\n{engines.side(spoiled, '-')}\n" in "\n".join(["", *self.quoted, ""])
        if form not in KINDS[kind][1] or is_exact:
            return None

        def file(lines):
            whole = self.finish("".join(line + "\n" for line in lines))
            return whole.encode("utf-8", "surrogateescape").decode("latin-1")
        is_unknowable = kind == "quoted lines stand twice" and form not in ("diff", "anchors")
        first, last = self.around(3)
        return {
            "path": self.path, "before": file(self.read), "now": file(self.now), "rows": spoiled,
            "right": [] if is_unknowable else [file(lines) for lines in self.right], "at": self.at, "gone": self.gone,
            "new": self.new, "first": self.around(context)[0], "view": [first + 1, last], "count": len(self.read),
            "shift": self.shift, "miscount": self.miscount, "blanks": self.blanks}


# Errors in the quoted rows: functions from rows to rows. Unchanged rows mean that they have no room for the error.

def another(line, chance):
    """The line with one word changed, or the line itself."""
    words = list(re.finditer(r"[A-Za-z]{3,}", line))
    word = chance.choice(words) if words else None
    return line[:word.start()] + word[0][1:] + word[0][0].upper() + "x" + line[word.end():] if word else line


def dedented(rows, chance):
    width = min((len(row) - len(row[1:].lstrip(" \t")) - 1 for row in rows if row[1:].strip()), default=0)
    return [row[:1] + row[1 + width:] for row in rows]


def tabbed(rows, chance):
    return [re.sub(r"^(.)((?:    )+)", lambda match: match[1] + "\t" * (len(match[2]) // 4), row) for row in rows]


def typographic(rows, chance):
    table = str.maketrans({"'": "\u2019", "-": "\u2013"})
    return [row if row[0] == "+" else row[0] + re.sub('"([^"]*)"', "\u201c\\1\u201d", row[1:]).translate(table)
            for row in rows]


def omitted(rows, chance):
    inner = [index for index, row in enumerate(rows[:-1]) if index and row[0] != "+" and row[1:].strip()]
    rows = list(rows)
    if inner:
        del rows[chance.choice(inner)]
    return rows


def elided(rows, chance):
    return rows[:1] + [" ..."] + rows[2:] if [row[0] for row in rows[:3]] == [" "] * 3 else rows


def misquoted(rows, chance):
    index = chance.choice([index for index, row in enumerate(rows) if row[0] == " "])
    return rows[:index] + [" " + another(rows[index][1:], chance)] + rows[index + 1:]


def leaked(rows, chance):
    old, new = ([index for index, row in enumerate(rows) if row[0] == mark] for mark in "-+")
    a, b = chance.choice(list(zip(old, new)) or [(0, 0)])
    return rows[:a] + [rows[a][0] + rows[b][1:]] + rows[a + 1:]


def escaped(rows, chance):
    return [mark + engines.side(rows, mark).replace("\n", r"\n") for mark in "-+"]


def quoting(change, context=None):
    """A kind of error in the quoted rows."""
    def spoil(case, chance):
        seed = chance.random()
        case.context, case.spoil = context, lambda rows: change(rows, random.Random(seed))
    return spoil


# Errors elsewhere: in numbers, in the file, by another writer. Each returns False if the edit has no room for it.

def numbers(case, chance):
    case.shift, case.miscount = chance.choice([-1, 1]) * chance.randint(1, 9), chance.choice([-2, -1, 1, 2])


def twice(case, chance):
    first, last = case.around(3)
    place = chance.choice([*range(first + 1), *range(last, len(case.read) + 1)])
    lines = case.read[:place] + case.read[first:last] + case.read[place:]
    case.__init__(case.path, lines, case.at + (last - first if place <= first else 0), case.gone, case.new)
    case.context = 3


def trailing(case, chance):
    first, last = case.around(1)
    blanks = [line and line + "  " for line in case.read[first:last]]
    case.read = case.now = case.read[:first] + blanks + case.read[last:]
    case.right = [case.made(case.now)]
    # The new lines and the two around may keep their blanks or not.
    case.blanks = [first, last - case.gone + len(case.new)]


def finished(change):
    """A kind that changes the whole text of the file."""
    def spoil(case, chance):
        case.finish = change
    return spoil


def latin_1(case, chance):
    place = chance.choice(case.outside() or [None])
    if place is None:
        return False
    lines = case.read[:place] + [case.read[place] + " \udce9"] + case.read[place + 1:]
    case.__init__(case.path, lines, case.at, case.gone, case.new)


def inserted(case, chance, block):
    """Inserts lines above the quoted ones, but not next to them: another copy there would satisfy every check."""
    place = chance.randrange(max(1, case.around(3)[0]))
    case.now = case.read[:place] + block + case.read[place:]
    case.right = [case.made(case.now, len(block))]
    return case.around(3)[0] > 0


def shifted(case, chance):
    return inserted(case, chance, [f"# from another writer: {number}" for number in range(chance.randint(1, 4))])


def look_alike(case, chance):
    return inserted(case, chance, case.read[slice(*case.around(3))])


def elsewhere(case, chance):
    place = chance.choice(case.outside() or [None])
    if place is None:
        return False
    case.now = case.read[:place] + [case.read[place] + " # changed"] + case.read[place + 1:]
    case.right = [case.made(case.now)]


def drifted(case, chance):
    place = case.at + chance.randrange(max(1, case.gone))
    changed = [another(line, chance) for line in case.read[place:place + 1]]
    case.now = case.read[:place] + changed + case.read[place + 1:]
    case.right = []
    return case.gone > 0 and case.now != case.read


def replayed(case, chance):
    case.now, = case.right


QUOTES, ALL = ("strings", "blocks", "diff", "patch"), ("strings", "blocks", "diff", "patch", "anchors")
KINDS = {  # and the forms of calls in which the error can occur
    "no error": (lambda case, chance: None, ALL),
    "indentation dropped": (quoting(dedented), QUOTES),
    "tabs for blanks": (quoting(tabbed), QUOTES),
    "typographic quotes and dashes": (quoting(typographic), QUOTES),
    "a line left out": (quoting(omitted), QUOTES),
    "lines elided by `...`": (quoting(elided, 3), QUOTES),
    "a context line misquoted": (quoting(misquoted), QUOTES),
    "an old line quoted in its new form": (quoting(leaked), QUOTES),
    r"`\n` as two characters": (quoting(escaped), QUOTES[:2]),
    "wrong line numbers": (numbers, ("diff", "anchors")),
    "quoted lines stand twice": (twice, ALL),
    "blanks at line ends in the file": (trailing, ALL),
    "CR-LF in the file": (finished(lambda whole: whole.replace("\n", "\r\n")), ALL),
    "no newline at the end of the file": (finished(lambda whole: whole[:-1]), ALL),
    "a byte that is not UTF-8": (latin_1, ALL),
    "other writer: lines inserted above": (shifted, ALL),
    "other writer: a line changed elsewhere": (elsewhere, ALL),
    "other writer: the same lines inserted above": (look_alike, ALL),
    "other writer: a line to be replaced changed": (drifted, ALL),
    "the same call again": (replayed, ALL),
}


def table(head, rows):
    print("\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n")


def report(names, results):
    """Prints the sums of each engine, and then the kinds of errors."""
    def counts(made, *verdicts):
        return [sum(row[0] in verdict for row in made) for verdict in verdicts]

    def cell(name, kind):
        made = results.get((name, kind))
        return "/".join(map(str, counts(made, ["right"], ["refused"], ["wrong", "silent"]))) if made else ""

    rows = []
    for name in names:
        clean = results[name, "no error"]
        made = [row for kind in list(KINDS)[1:] for row in results.get((name, kind), [])] or clean
        sums = counts(made, ["right"], ["refused"], ["wrong"], ["silent"])
        refusals = [len(row[2]) for row in made if row[0] == "refused"] or [0]
        rows.append([
            name, f"{counts(clean, ['right'])[0]}/{len(clean)}", len(made),
            *(f"{100 * count / len(made):.1f}" for count in sums),
            round(statistics.median(row[1] for row in clean)), round(statistics.median(refusals)),
            f"{1000 * statistics.median(row[3] for row in clean):.1f}"])
    table(["engine", "right without an error", "calls with an error", "right, %", "refused, %", "wrong, %", "silent, %",
           "bytes of a call", "bytes of a refusal", "ms"], rows)
    own = [name for name in names if name.startswith("ued ")]
    for group in own, [name for name in names if name not in own]:
        rows = [[kind, *(cell(name, kind) for name in group)] for kind in KINDS]
        table(["right/refused/wrong or silent", *group], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", nargs="?", default=os.path.join(HERE, ".."), help="also a bare one")
    parser.add_argument("--edits", type=int, default=500)
    parser.add_argument("--every", type=int, default=4, help="make each error in every Nth edit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ued", default=os.path.join(HERE, "..", ".build", "release", "ued"))
    parser.add_argument("--peers", default=",".join(engines.PEERS), help="names joined by commas; empty for none")
    parser.add_argument("--pythons", default="python3.13,python3.12," + sys.executable, help="for the environments")
    parser.add_argument("--show", action="store_true", help="print the calls of ued with wrong results")
    options = parser.parse_args()
    for program in options.ued, "git", "patch":
        if not shutil.which(program):
            sys.exit(f"agent-edits: {program} can't be run; 'make' builds ued, and --ued names another one")
    running, pythons = engines.own_engines(os.path.abspath(shutil.which(options.ued))), {}
    for name in filter(None, options.peers.split(",")):
        if name not in engines.PEERS:
            sys.exit(f"agent-edits: no peer is called {name}; the peers are {', '.join(engines.PEERS)}")
        python = engines.environment(engines.PEERS[name][0], options.pythons.split(","))
        if python:
            pythons[name] = os.path.abspath(python)
    found = edits(options.repository, options.edits, options.seed)
    if not found:
        sys.exit(f"agent-edits: the commits of {options.repository} have no usable edit")
    results = {}
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        os.environ.update(HOME=folder, GIT_CEILING_DIRECTORIES=folder)
        os.chdir(folder)
        running.update((name, engines.Worker(python, name)) for name, python in pythons.items())
        for index, edit in enumerate(found):
            for position, (kind, (spoil, _)) in enumerate(KINDS.items()):
                case = Case(*edit)
                if position and (index + position) % options.every or (
                        spoil(case, random.Random(f"{options.seed} {kind} {index}")) is False):
                    continue
                for name in random.Random(index).sample(list(running), len(running)):
                    call = case.form(running[name].form, kind)
                    if call:
                        made = engines.trial(running[name], call)
                        results.setdefault((name, kind), []).append(made)
                        if options.show and name.startswith("ued ") and made[0] == "wrong":
                            print(f"{kind}, {name}, edit {index}:\n{made[4]['command']}", file=sys.stderr)
    report(list(running), results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
