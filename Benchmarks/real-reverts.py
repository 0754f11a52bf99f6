#!/usr/bin/python3
"""Takes back what people have taken back, with ued and with git, and compares with what they wrote.

Finds the commits of a repository that say "This reverts commit …". For each file of such a commit, the versions
since the reverted commit are replayed in ued, a group for each; then `revert` takes back the first group, and
`git merge-file` merges the same three texts. Printed are: how often each is without a conflict, how often the
result is the text that the person has committed, and how often both are clean but differ.

    Benchmarks/real-reverts.py [--ued PROGRAM] [--versions MOST] [--show] REPOSITORY…
"""

import argparse
import importlib.machinery
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
histories = importlib.machinery.SourceFileLoader(
    "histories", os.path.join(HERE, "real-histories.py")).load_module()


def git(repository, *arguments):
    """The standard output of git, or None if it fails."""
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def reverts(repository):
    """The commits that revert another one: pairs of the reverting and the reverted commit."""
    log = git(repository, "log", "-z", "--no-merges", "--grep=This reverts commit", "--format=%H%n%B")
    for entry in (log or b"").decode(errors="replace").split("\0"):
        commit, _, message = entry.strip().partition("\n")
        names = set(re.findall(r"This reverts commit\s+([0-9a-f]{7,40})", message))
        # One that reverts several commits has no single text to compare with.
        if len(names) != 1:
            continue
        reverted = git(repository, "rev-parse", "--verify", "-q", names.pop() + "^{commit}")
        if reverted:
            yield commit, reverted.decode().strip()


def texts(repository, commit, reverted, path, most):
    """The versions of a file: before the reverted commit, after it, after each later one; then the person's text."""
    log = git(repository, "log", "--reverse", "--first-parent", "--format=%H",
              f"{reverted}..{commit}^", "--", path)
    between = (log or b"").decode().split()
    if len(between) > most:
        return None
    found = [git(repository, "show", f"{at}:{path}")
             for at in [reverted + "^", reverted, *between, commit + "^", commit]]
    if any(text is None or not text.endswith(b"\n") or b"\0" in text for text in found):
        return None
    *versions, person = found
    # Commits of other branches may have changed the file as well.
    versions = [versions[0]] + [new for old, new in zip(versions, versions[1:]) if new != old]
    return (versions, person) if len(versions) > 1 and found[0] != found[1] else None


def merged(folder, versions):
    """The reverted text as git merges it; None if there is a conflict."""
    names = [os.path.join(folder, name) for name in ("now", "after", "before")]
    for name, text in zip(names, (versions[-1], versions[1], versions[0])):
        with open(name, "wb") as file:
            file.write(text)
    done = subprocess.run(["git", "merge-file", "-p", "-q", *names], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--ued", default=".build/release/ued")
    parser.add_argument("--versions", type=int, default=400)
    parser.add_argument("--show", action="store_true", help="show where the two differ")
    options = parser.parse_args()
    program = os.path.abspath(options.ued)
    total = dict.fromkeys(
        ["files", "ued", "git", "both", "differ", "as person: ued", "git as person", "only ued", "of these as person"], 0)
    for repository in options.repositories:
        for commit, reverted in reverts(repository):
            paths = git(repository, "diff-tree", "--no-commit-id", "--name-only", "-r", reverted)
            for path in sorted(set((paths or b"").decode(errors="replace").split("\n")) - {""}):
                found = texts(repository, commit, reverted, path, options.versions)
                if not found:
                    continue
                versions, person = found
                with tempfile.TemporaryDirectory() as folder:
                    theirs = merged(folder, versions)
                    session = histories.Ued(program, folder, versions)
                    ours = session.result(session.last, "revert 1")
                    session.process.stdin.close()
                    session.process.wait()
                total["files"] += 1
                total["ued"] += ours is not None
                total["git"] += theirs is not None
                total["both"] += ours is not None and theirs is not None
                total["differ"] += None not in (ours, theirs) and ours != theirs
                total["as person: ued"] += ours == person
                total["git as person"] += theirs == person
                total["only ued"] += ours is not None and theirs is None
                total["of these as person"] += theirs is None and ours == person
                if options.show and ours != theirs:
                    kind = {(True, False): "only git", (False, True): "only ued"}.get(
                        (ours is None, theirs is None), "other text")
                    print(f"{commit[:10]} {reverted[:10]} {path}: {kind}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in total.items()))
    return 1 if total["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
