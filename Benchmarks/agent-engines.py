#!/usr/bin/python3
"""The edit engines that agent-edits.py compares: a model's call, and the edit that an engine makes.

A call is made from a case, the dictionary that `Case.form` in agent-edits.py returns. Its parts:

    path, before, now   the path, and the file when the model read it and when it makes the call
    rows                the lines that the model quotes, each after ' ', '-' or '+' as in a diff
    at, gone, new       the edit: its line index, the count of removed lines, and the new lines
    first               the index of the first line in `rows`
    view, count         the first and last line that the model has read; the line count of the file
    shift, miscount     the model's errors in line numbers and in line counts
    blanks              the range of lines in which blanks at line ends do not matter
    right               the correct results

Peers are Python packages. Each runs in a process of its own: the Python of its virtual environment
runs this file with the name of the peer as argument.
"""

import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


# Calls: the text that a model writes.

def side(rows, mark):
    """The old lines of the rows for the mark '-', the new ones for '+'; context is in both."""
    return "\n".join(row[1:] for row in rows if row[0] in " " + mark)


def diff(case, header=None):
    """The rows as a unified diff, or below another header."""
    start = max(1, case["first"] + 1 + case["shift"])
    old, new = (max(1, side(case["rows"], mark).count("\n") + 1 + case["miscount"]) for mark in "-+")
    header = header or f"--- a/{case['path']}\n+++ b/{case['path']}\n@@ -{start},{old} +{start},{new} @@\n"
    return header + "".join(row + "\n" for row in case["rows"])


def begin_patch(case):
    return diff(case, f"*** Begin Patch\n*** Update File: {case['path']}\n@@\n") + "*** End Patch\n"


def search_block(case):
    old, new = (side(case["rows"], mark) for mark in "-+")
    return f"{case['path']}\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


def bare_diff(case):
    """A diff without numbers, as aider asks for it."""
    return "```diff\n" + diff(case, f"--- {case['path']}\n+++ {case['path']}\n@@ ... @@\n") + "```\n"


def strings(case):
    """The arguments of a `str_replace` tool."""
    return {"path": case["path"], "old": side(case["rows"], "-"), "new": side(case["rows"], "+")}


def free(word, lines):
    """An end mark for a here-document: the word, or a longer one if a line is equal to it."""
    return word if word not in lines else free(word + "_", lines)


def replacing(verb):
    """Makes scripts of ued's `replace`."""
    def script(case):
        old, new = (side(case["rows"], mark) for mark in "-+")
        a, b = (free(word, (old + "\n" + new).split("\n")) for word in ("OLD", "NEW"))
        return f"{verb} <<{a} <<{b}\n{old}\n{a}\n{new}\n{b}\n"
    return script


def number(case, line):
    """The number that the model writes for a line: wrong by `shift`, but inside the file."""
    return min(max(1, line + case["shift"]), case["count"])


def target(case, hashes, anchor):
    """The verb for the change, and the anchors of its first and last line."""
    verb = "d" if not case["new"] else "c" if case["gone"] else "a" if case["at"] else "i"
    lines = (case["at"] + 1, case["at"] + case["gone"]) if case["gone"] else [max(1, case["at"])] * 2
    return verb, [anchor(number(case, line), hashes[line - 1]) for line in lines]


def anchored(ued, expects):
    """Makes scripts with anchors. If `expects`, `expect` first checks the hash of lines read."""
    def script(case):
        view = "{},{}".format(*case["view"])
        shown = subprocess.run([ued, "-s", "-e", ",anchors", "-e", view + "anchors", case["path"]],
                               capture_output=True, check=True).stdout.decode("latin-1")
        verb, places = target(case, re.findall(r"^\d+:(\w+)\t", shown, re.M), "{}:{}".format)
        mark = free("END", case["new"])
        text = "\n" if verb == "d" else f" <<{mark}\n" + "\n".join([*case["new"], mark, ""])
        view = "{},{}".format(*(number(case, line) for line in case["view"]))
        check = f"{view}expect {shown.split()[-1]}\n" if expects else ""
        return check + ",".join(sorted(set(places), key=places.index)) + verb + text
    return script


# Engines: `call` makes the arguments of a call, while the file is as the model read it. `run` makes
# the edit; it returns or raises the message of a refusal, and returns None after a success.

class Program:
    """A program called by a shell command with a here-document."""

    def __init__(self, form, script, *words):
        self.form, self.script, self.words = form, script, words

    def call(self, case):
        script = self.script(case)
        words = [os.path.basename(self.words[0]), *self.words[1:]]
        mark = free("EOF", script.split("\n"))
        return {"command": f"{' '.join(words).replace('FILE', case['path'])} <<'{mark}'\n{script}{mark}\n"}

    def run(self, call, path):
        script = call["command"].split("\n", 1)[1].rsplit("\n", 2)[0] + "\n"
        words = [path if word == "FILE" else word for word in self.words]
        done = subprocess.run(words, input=script.encode(), capture_output=True, timeout=60)
        message = (done.stderr or done.stdout).decode(errors="replace").strip()
        return message or f"status {done.returncode}" if done.returncode else None


def own_engines(ued):
    """The engines other than peers: ued with each form of edit, and programs that apply a diff."""
    script, apply = (ued, "-i", "FILE"), (ued, "--atomic", "--apply=-")
    return {
        "ued `replace`": Program("strings", replacing("replace"), *script),
        "ued `replace loose`": Program("strings", replacing("replace loose"), *script),
        "ued `replace text`": Program("strings", replacing("replace text"), *script),
        "ued anchors": Program("anchors", anchored(ued, False), *script),
        "ued anchors, `expect`": Program("anchors", anchored(ued, True), *script),
        "ued `--apply`, diff": Program("diff", diff, *apply),
        "ued `--apply`, `*** Begin Patch`": Program("patch", begin_patch, *apply),
        "ued `--apply`, SEARCH": Program("blocks", search_block, *apply),
        "patch": Program("diff", diff, *"patch -p1 --batch --forward --reject-file=- --no-backup-if-mismatch".split()),
        "git apply --recount": Program("diff", diff, "git", "apply", "--recount", "-")}


class Peer:
    """A Python package, called in its own process."""

    def __init__(self, form, call, edit):
        self.form, self.call, self.edit = form, call, edit

    def run(self, call, path):
        self.edit(call, path)


def openhands():
    from openhands_aci.editor import OHEditor
    editor = OHEditor()
    return Peer("strings", strings, lambda call, path: editor(
        command="str_replace", path=os.path.abspath(path), old_str=call["old"], new_str=call["new"]))


def patch_tool():
    from patch_tool import apply_edits
    return Peer("strings", strings, lambda call, path: apply_edits(path, [(call["old"], call["new"])]))


def codex():
    from codex_apply_patch import apply_patch
    return Peer("patch", lambda case: {"patch": begin_patch(case)}, lambda call, path: apply_patch(call["patch"]))


def apply_patch_py():
    import asyncio
    from apply_patch_py import apply_patch
    return Peer("patch", lambda case: {"patch": begin_patch(case)},
                lambda call, path: asyncio.run(apply_patch(call["patch"])))


def aider(form, coder, text):
    """A coder of aider without a model: it parses an answer, and reads and writes the file."""
    from aider.io import InputOutput
    coder = object.__new__(coder)
    coder.__dict__.update(io=InputOutput(pretty=False, yes=True, fancy_input=False), root=".", shell_commands=[])

    def edit(call, path):
        coder.__dict__.update(abs_root_path_cache={}, abs_fnames={os.path.abspath(path)})
        coder.partial_response_content = call["answer"]
        coder.apply_edits(coder.get_edits())
    return Peer(form, lambda case: {"answer": text(case)}, edit)


def aider_blocks():
    from aider.coders.editblock_coder import EditBlockCoder
    return aider("blocks", EditBlockCoder, search_block)


def aider_udiff():
    from aider.coders.udiff_coder import UnifiedDiffCoder
    return aider("patch", UnifiedDiffCoder, bare_diff)


def hash_edit():
    from hash_edit import HashEditHarness

    def call(case):
        read = HashEditHarness(".").read(case["path"])
        hashes = [line.split("|")[0].split(":")[1] for line in read["lines"]]
        verb, ((first, start), (last, end)) = target(case, hashes, lambda *pair: pair)
        operation = {"op": {"c": "replace", "d": "delete", "a": "insert_after", "i": "insert_before"}[verb]}
        operation.update(line=first, hash=start, **({"end_line": last, "end_hash": end} if verb in "cd" else {}))
        operation.update({"lines": case["new"]} if verb != "d" else {})
        return {"path": case["path"], "ops": operation, "expected_version": read["version"]}
    return Peer("anchors", call, lambda call, path: HashEditHarness(".").edit(
        path, call["ops"], expected_version=call["expected_version"]))


def exhash():
    from exhash import file_exhash, lnhashview_file

    def call(case):
        hashes = [row.split("|")[1] for row in lnhashview_file(case["path"])]
        verb, places = target(case, hashes, "{}|{}|".format)
        text = [] if verb == "d" else ["\n".join(case["new"])]
        return {"path": case["path"], "cmd": [",".join(sorted(set(places), key=places.index)), verb, *text]}
    return Peer("anchors", call, lambda call, path: file_exhash(path, tuple(call["cmd"])))


PEERS = {
    "openhands-aci": ("openhands-aci==0.3.3", openhands),
    "llm-patch-tool": ("llm-patch-tool==0.2.0", patch_tool),
    "aider-blocks": ("aider-chat==0.86.2", aider_blocks),
    "aider-udiff": ("aider-chat==0.86.2", aider_udiff),
    "codex-apply-patch": ("codex-apply-patch==0.4.0", codex),
    "apply-patch-py": ("apply-patch-py==0.4.1", apply_patch_py),
    "hash-edit": ("hash-edit==0.1.0", hash_edit),
    "exhash": ("exhash==0.4.21", exhash)}


class Worker:
    """A peer in its own process, run by the Python of its virtual environment."""

    def __init__(self, python, name):
        self.process = subprocess.Popen([python, os.path.abspath(__file__), name], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.form = self.process.stdout.readline().strip() or sys.exit(f"agent-edits: {name} does not start")

    def trial(self, case):
        """The trial of a case in the other process."""
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or sys.exit("agent-edits: a peer has ended early"))


def work(name):
    """Answers cases on standard input, one on a line; what the peer prints is dropped."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    engine = PEERS[name][1]()
    print(engine.form, file=answers)
    for line in sys.stdin:
        print(json.dumps(trial(engine, json.loads(line))), file=answers)


def trial(engine, case):
    """Makes the edit of a case in the current folder.

    Returns the verdict, the byte count of the call, the message of the refusal, the seconds, and
    the call. The docstring of agent-edits.py defines the verdicts.
    """
    if isinstance(engine, Worker):
        return engine.trial(case)
    os.makedirs(os.path.dirname(case["path"]) or ".", exist_ok=True)

    def write(whole):
        with open(case["path"], "wb") as file:
            file.write(whole.encode("latin-1"))
    write(case["before"])
    call, seconds = {}, 0
    try:
        call = engine.call(case)
        write(case["now"])
        start = time.perf_counter()
        refusal = engine.run(call, case["path"])
        seconds = time.perf_counter() - start
    except Exception as error:
        refusal = str(error) or type(error).__name__
        if not call:  # the peer could not even read the file
            write(case["now"])
    with open(case["path"], "rb") as file:
        result = file.read().decode("latin-1")

    def tidy(whole):
        """The lines, without blanks at line ends in the range where they do not matter."""
        lines, (first, last) = whole.split("\n"), case["blanks"]
        return lines[:first] + [line.rstrip(" ") for line in lines[first:last]] + lines[last:]
    is_refused = refusal and result == case["now"]
    is_right = tidy(result) in map(tidy, case["right"])
    verdict = "right" if is_right else "refused" if is_refused else "wrong"
    if verdict == "wrong" and result == case["now"]:
        verdict = "silent"
    return verdict, len(json.dumps(call, ensure_ascii=False).encode()), refusal, seconds, call


def environment(package, pythons):
    """The Python of a peer's environment, which is made if necessary; None with a message if that fails."""
    folder = os.path.join(HERE, "..", ".build", "agent-edits", package.replace("==", "-"))
    python, mark, reason = os.path.join(folder, "bin", "python"), os.path.join(folder, "installed"), "no Python"
    if os.path.exists(mark):
        return python
    for version in pythons:
        for command in ([version, "-m", "venv", "--clear", folder],
                        [python, "-m", "pip", "-q", "--disable-pip-version-check", "install", package]):
            try:
                done = subprocess.run(command, capture_output=True, text=True)
            except OSError as error:
                done = subprocess.CompletedProcess(command, 1, "", str(error))
            if done.returncode:
                reason = f"{reason}; {version}: {(done.stderr or done.stdout).strip().splitlines()[-1]}"
                break
        else:
            open(mark, "w").close()
            return python
    print(f"agent-edits: {package} can't be installed, and is left out: {reason}", file=sys.stderr)
    return None


if __name__ == "__main__":
    work(sys.argv[1])
