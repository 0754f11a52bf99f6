#!/usr/bin/python3
"""Takes back, and picks, every change of real histories with ued and with git.

Each file of a repository that has many versions is replayed in ued and in a new git repository, a
group and a commit for each version. Then every group is reverted in the last version, and picked
onto an older one, by both. The share without a conflict is printed for each, and how many of the
clean results are the same.

    Benchmarks/real-histories.py [--repository FOLDER] [--least VERSIONS] [--ued PROGRAM] [--show]
"""

import argparse
import base64
import json
import os
import random
import subprocess
import sys
import tempfile


def output(*command, folder=None):
    """The standard output of a command, whatever its status."""
    return subprocess.run(command, cwd=folder, capture_output=True).stdout


def versions(repository, path):
    """The texts of a file, the oldest first; no two in a row are equal."""
    log = ["log", "--reverse", "--first-parent", "--format=%H", "--", path]
    texts = []
    for commit in output("git", "-C", repository, *log).decode().split():
        shown = subprocess.run(
            ["git", "-C", repository, "show", f"{commit}:{path}"], capture_output=True)
        if shown.returncode == 0 and shown.stdout != (texts[-1] if texts else None):
            texts.append(shown.stdout)
    return texts


class Ued:
    """A session of ued on the versions of a file: version N is revision N."""

    def __init__(self, program, folder, texts):
        names = [os.path.join(folder, name) for name in ("old", "new")]
        edited = os.path.join(folder, "edited")
        with open(edited, "wb") as file:
            file.write(texts[0])
        self.process = subprocess.Popen(
            [program, "--json", "--history=off", edited], cwd=folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for old, new in zip(texts, texts[1:]):
            for name, text in zip(names, (old, new)):
                with open(name, "wb") as file:
                    file.write(text)
            difference = output("diff", "-U1", *names)
            with open(names[0] + ".diff", "wb") as file:
                file.write(difference)
            answer = self.ask(f"apply {names[0]}.diff")
            assert answer["ok"], answer
        self.last = len(texts) - 1

    def ask(self, command):
        """The answer to a command."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def result(self, start, command):
        """The text after a command at a revision, or None if it is refused."""
        if self.ask("p")["revision"] != start:
            assert self.ask(f"jump {start}")["ok"]
        answer = self.ask(command)
        if not answer["ok"] and answer["error"] != "nothing-to-do":
            return None
        lines = self.ask(",p")["output"]
        return b"".join(
            (line.encode() if isinstance(line, str) else base64.b64decode(line["base64"])) + b"\n"
            for line in lines)


class Git:
    """A repository with a commit for each version of a file."""

    def __init__(self, folder, texts):
        self.folder = os.path.join(folder, "repository")
        os.mkdir(self.folder)
        self.run("init", "-q")
        self.commits = []
        for text in texts:
            self.write(text)
            self.run("add", "f")
            self.run("commit", "-qm", "version")
            self.commits.append(self.run("rev-parse", "HEAD").stdout.decode().strip())

    def write(self, text):
        with open(os.path.join(self.folder, "f"), "wb") as file:
            file.write(text)

    def run(self, *arguments):
        settings = ["-c", "user.name=n", "-c", "user.email=n@localhost"]
        return subprocess.run(
            ["git", *settings, *arguments], cwd=self.folder, capture_output=True)

    def result(self, start, command, group):
        """The text after a command at a version, or None if there is a conflict."""
        self.run("reset", "-q", "--hard", self.commits[start])
        done = self.run(command, "-n", self.commits[group])
        with open(os.path.join(self.folder, "f"), "rb") as file:
            return file.read() if done.returncode == 0 else None


class Tally:
    """What became of all the groups."""

    def __init__(self):
        self.counts = dict.fromkeys(["all", "ued", "git", "both", "same"], 0)

    def add(self, ued, git):
        self.counts["all"] += 1
        self.counts["ued"] += ued is not None
        self.counts["git"] += git is not None
        self.counts["both"] += ued is not None and git is not None
        self.counts["same"] += ued is not None and ued == git

    def __str__(self):
        count = self.counts
        share = {name: f"{100 * count[name] / max(count['all'], 1):.1f} %" for name in count}
        return (
            f"{count['all']} changes; clean: ued {count['ued']} ({share['ued']}), "
            f"git {count['git']} ({share['git']}), both {count['both']}, "
            f"with the same text {count['same']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", default=".")
    parser.add_argument("--least", type=int, default=20)
    parser.add_argument("--ued", default=".build/release/ued")
    parser.add_argument("--show", action="store_true", help="show where the two differ")
    options = parser.parse_args()
    program = os.path.abspath(options.ued)
    names = output("git", "-C", options.repository, "log", "--format=", "--name-only")
    names = sorted(set(names.decode().splitlines()) - {""})
    tallies = {"revert": Tally(), "cherry-pick": Tally()}
    fileCount = 0
    for path in names:
        texts = versions(options.repository, path)
        plain = all(text.endswith(b"\n") and b"\0" not in text for text in texts)
        if len(texts) < options.least or not plain:
            continue
        fileCount += 1
        chance = random.Random(path)
        with tempfile.TemporaryDirectory() as folder:
            ued, git = Ued(program, folder, texts), Git(folder, texts)
            for group in range(1, len(texts)):
                older = chance.randrange(group)
                for start, word, command in (
                    (ued.last, "revert", "revert"), (older, "pick", "cherry-pick")):
                    ours = ued.result(start, f"{word} {group}")
                    theirs = git.result(start, command, group)
                    tallies[command].add(ours, theirs)
                    if options.show and (ours != theirs) and theirs is not None:
                        kind = "conflict" if ours is None else "other text"
                        print(f"{path}: {word} {group} at {start}: {kind}")
            ued.process.stdin.close()
            ued.process.wait()
    print(f"{fileCount} files with {options.least} versions or more")
    for command, tally in tallies.items():
        print(f"{command:12}{tally}")
    return 0 if fileCount else 1


if __name__ == "__main__":
    sys.exit(main())
