#!/usr/bin/env python3
"""Writes the options into the completions of bash, zsh and fish.

    ued --help | completions/generate.py

Each file has the options between two marked lines. An option of `--help` needs nothing here, unless its
argument can be completed.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent
FILES = {"apply", "file"}
REPEATED = {"expect", "expression", "file"}
FUNCTIONS = {"expression": "_ued_expressions", "undo-run": "_ued_runs"}
VALUES = {"expect": ["sha256:"], "history": ["on", "off", "require"]}
# Each excludes the others.
TASKS = ["log", "record", "search", "undo-run"]


class Option:
    def __init__(self, names, text):
        self.words = re.findall(r"--([a-z-]+)", names)
        self.letter = re.match(r"-(\w)", names)
        self.letter = self.letter and self.letter[1]
        argument = re.search(r"(\[?)=(.+?)\]?$", names)
        self.argument = argument and argument[2].lower()
        self.is_optional = bool(argument and argument[1])
        self.word, self.text = self.words[0], text


def options(text):
    """The options in the output of --help, by their first words."""
    text = re.sub(r"\n {20,}", "  ", text)
    for line in re.findall(r"^  +(-.*)$", text, re.M):
        yield Option(*re.split(r" {2,}", line, maxsplit=1))


def bash(all_options):
    for option in all_options:
        ending = "" if option.is_optional or not option.argument else "="
        letter = f"-{option.letter} " if option.letter else ""
        suffix = "sha256:" if option.word == "expect" else ""
        yield "  " + letter + " ".join(f"--{word}{ending}{suffix}" for word in option.words)


def zsh(all_options):
    for option in all_options:
        names = [f"-{option.letter}"] if option.letter else []
        names += [f"--{word}" for word in option.words]
        others = [f"--{task}" for task in TASKS if task != option.word]
        excluded = names if len(names) > 1 else others if option.word in TASKS else []
        if option.word in ("help", "version"):
            excluded = ["-", "*"]
        mark, value = "", ""
        if option.argument:
            mark = "-" if option.is_optional else "+"
            action = "_files" if option.word in FILES else FUNCTIONS.get(option.word, " ")
            if option.word in VALUES:
                action = "(" + " ".join(VALUES[option.word]).replace(":", "\\:") + ")"
            message = option.argument.split(":")[0].replace("|", " ")
            value = ("::" if option.is_optional else ":") + f"{message}:{action}"
        forms = [
            name + ("=" if mark else "") + ("-" if mark == "-" else "") if name[1] == "-" else name + mark
            for name in names
        ]
        lead = "*" if option.word in REPEATED else f"({' '.join(excluded)})" if excluded else ""
        spec = f"[{option.text}]{value}".replace("'", "'\\''")
        form = f"'{{{','.join(forms)}}}'" if len(forms) > 1 else forms[0]
        yield f"  '{lead}{form}{spec}'".replace("''{", "{")


def fish(all_options):
    for option in all_options:
        text = option.text.replace("'", "\\'")
        for word in option.words:
            letter = f" -s {option.letter}" if option.letter and word == option.word else ""
            action = ""
            if option.word in FILES:
                action = " -r -F"
            elif option.argument and not option.is_optional:
                values = VALUES.get(word) or ["(_" + FUNCTIONS[word] + ")"] if word in FUNCTIONS | VALUES else []
                action = " -x" + "".join(f" -a '{value}'" for value in values)
            yield f"complete -c ued{letter} -l {word}{action} -d '{text}'"
            if option.is_optional:
                for value in VALUES.get(word, []):
                    yield f"complete -c ued -l {word}={value} -d '{text}'"


def main():
    found = list(options(sys.stdin.read()))
    if len(found) < 12:
        sys.exit("generate.py: no options; pipe 'ued --help' into it")
    for name, make in ("ued.bash", bash), ("_ued", zsh), ("ued.fish", fish):
        path = FOLDER / name
        lines = "\n".join(make(found))
        text, count = re.subn(
            r"(# Options, by 'make completions':\n).*(\n *# End of options\.)",
            lambda match: match[1] + lines + match[2], path.read_text(), flags=re.S)
        if count != 1:
            sys.exit(f"generate.py: {name} has no marks")
        path.write_text(text)


main()
