#!/usr/bin/env python3
"""An agent's edits of one file, through a ued that is held open.

    session.py [--run=NAME] FILE <EDITS

prints the numbered lines of FILE, reads edits, one JSON object a line, and answers each with a
line of JSON. At the end of the input all of them are saved, or none if one was refused. Line
numbers are always those that were printed, whatever has been edited since:

    {"replace": "old\n", "with": "new\n"}    also with "count": 2 or "all", and "lines": [3, 9]
    {"lines": [3, 5], "with": "new\n"}       "" deletes the lines
    {"after": 7, "insert": "new\n"}          0 is before the first line
    {"lines": [3, 4], "expect": "old\n"}     refused if the lines are others

Exit status: 0 saved, 1 refused, 3 another program keeps changing the file. `ued --undo-run=NAME`
takes all of it back, in every file that was edited under this name.
"""

import argparse
import base64
import contextlib
import json
import subprocess
import sys


class Refused(Exception):
    """An error; `answer` is what ued says about it."""

    def __init__(self, answer):
        super().__init__(answer["message"])
        self.answer = answer


class Session(contextlib.AbstractContextManager):
    """A file that ued holds open; `lines` are its lines as first read, "NUMBER<tab>TEXT"."""

    def __init__(self, path, run="agent", program="ued"):
        # With a history, lines are found by `N@ID` even after another program has changed the file.
        self._ued = subprocess.Popen(
            [program, "--json", "--history", f"--run={run}", "--", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._edits = []
        start = self.ask("=")
        self._revision = start["revision"]
        self.lines = [text(line) for line in self.ask(",n")["output"]] if start["lines"] else []

    def __exit__(self, *error):
        self.close()

    def ask(self, command, *blocks):
        """Runs a command with the blocks of lines that belong to it, and returns its answer."""
        ends = [unused_word(lines) for lines in blocks]
        script = [" ".join([command, *("<<" + end for end in ends)])]
        for lines, end in zip(blocks, ends):
            script += [*lines, end]
        try:
            self._ued.stdin.write("".join(line + "\n" for line in script).encode(**LOSSLESS))
            self._ued.stdin.flush()
        except BrokenPipeError:
            pass  # The last answer tells why ued has ended.
        answer = json.loads(self._ued.stdout.readline())
        if "end" in answer:
            self._ued.communicate()
        if "error" in answer:
            raise Refused(answer)
        return answer

    def edit(self, edit):
        """Makes an edit as described above, and returns the answer; if refused, changes nothing."""
        answer = self._make(edit)
        self._edits.append(edit)
        return answer

    def save(self):
        """Writes the file; one that was changed meanwhile is read and edited again, once."""
        try:
            return self.ask("w")
        except Refused as refusal:
            if refusal.answer["error"] != "file-changed":
                raise
        self.ask("E")
        for edit in self._edits:
            self._make(edit)
        return self.ask("w")

    def close(self):
        """Ends ued, without what has not been saved, and returns its last answer."""
        if not self._ued.stdin.closed:
            output, _ = self._ued.communicate(b"jump saved\nQ\n")
            return json.loads(output.splitlines()[-1])

    def _make(self, edit):
        match edit:
            case {"replace": old, "with": new}:
                count = edit.get("count", 1)
                command = f"replace {count if count == 'all' else int(count)}"
                return self._replace(self._range(edit) + command, block(old), block(new))
            case {"lines": _, "with": new}:
                command = self._range(edit) + ("c" if new else "d")
                return self.ask(command, *([block(new)] if new else []))
            case {"after": line, "insert": new}:
                return self.ask(self._address(line) + "a", block(new))
            case {"lines": _, "expect": lines}:
                return self.ask(self._range(edit) + "expect", block(lines))
        raise ValueError(f"not an edit: {edit}")

    def _replace(self, command, old, new):
        """Replaces a block; where only its blanks are wrong, the lines that ued names instead."""
        try:
            return self.ask(command, old, new)
        except Refused as refusal:
            hint = refusal.answer.get("hint", {"lines": []})
            found = [text(line["text"]) for line in hint["lines"]]
            adapted = adapt(new, old, found)
            if refusal.answer["error"] != "block-not-found" or adapted is None:
                raise
        return self.ask(command, found, adapted) | {"adapted": adapted}

    def _range(self, edit):
        if "lines" not in edit:
            return ""
        first, last = edit["lines"]
        return f"{self._address(first)},{self._address(last)}"

    def _address(self, line):
        return f"{int(line)}@{self._revision}" if line else "0"


LOSSLESS = {"encoding": "utf-8", "errors": "surrogateescape"}


def text(value):
    """A text of an answer; bytes that are not UTF-8 survive in it."""
    return value if isinstance(value, str) else base64.b64decode(value["base64"]).decode(**LOSSLESS)


def block(lines):
    """The lines of a text, whose last newline may be missing."""
    return str.removesuffix(lines, "\n").split("\n") if lines else []


def unused_word(lines):
    """A word to end a here-document with that is none of its lines."""
    word = "END"
    while word in lines:
        word += "_"
    return word


def adapt(new, old, found):
    """New lines, laid out as `found` instead of `old`; None if these differ in more than blanks."""
    if not found or [line.split() for line in old] != [line.split() for line in found]:
        return None
    known = dict(zip(old, found))
    indents = {(indent(line), indent(known[line])) for line in old if line.strip()}
    by_old = dict(indents)
    end = "\r" if found[0].endswith("\r") else ""
    unknown = any(line.strip() and indent(line) not in by_old for line in new)
    if unknown or len(by_old) < len(indents):
        return None
    return [known.get(line, by_old.get(indent(line), "") + line.strip() + end) for line in new]


def indent(line):
    return line[:len(line) - len(line.lstrip())]


def say(**answer):
    print(json.dumps(answer), flush=True)


def main():
    parser = argparse.ArgumentParser(description="Make edits of JSON lines in a file, all or none.")
    parser.add_argument("--run", default="agent", help="the name to take the edits back by")
    parser.add_argument("file")
    arguments = parser.parse_args()
    status = 0
    try:
        with Session(arguments.file, arguments.run) as session:
            say(lines=session.lines)
            for line in sys.stdin:
                try:
                    say(**session.edit(json.loads(line)))
                except (Refused, TypeError, ValueError) as error:
                    say(**getattr(error, "answer", {"ok": False, "message": str(error)}))
                    status = 1
            if status == 0:
                session.save()
            say(saved=status == 0)
    except Refused as refusal:
        say(saved=False, **refusal.answer)
        status = 3 if refusal.answer["error"] == "file-changed" else 1
    except FileNotFoundError:
        sys.exit("session.py: there is no ued in PATH")
    sys.exit(status)


if __name__ == "__main__":
    main()
