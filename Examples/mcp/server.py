#!/usr/bin/python3
"""An MCP server that edits files for an agent, with held `ued --json` sessions.

One ued holds each file open. Every edit is saved at once, with history, under the name of the run. Files outside the
root folder are refused. With --text-editor, the only tool has the commands of well-known text editor tools.
"""
import argparse
import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys

HELD = 8  # Sessions held open; one more closes the least recently used.
SHOWN = 2000  # The last line of a view, by default.
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]  # Of the protocol.
END = f"END-{os.urandom(8).hex()}"  # Ends the lines of a command. No text can contain it by chance or on purpose.
ERROR_FIELDS = ["error", "message", "hint", "files"]  # Of an answer of ued, for the model.
NO_ANSWER = '{"end": true, "error": "ued-ended", "message": "ued ended without an answer"}'
LINE = r"([0-9]+(:[0-9a-f]{3})?|\$)"
TYPES = {str: {"type": "string"}, int: {"type": "integer"}, int | str: {"type": ["integer", "string"]},
         list: {"type": "array", "items": {"type": "integer"}}}


class Refused(Exception):
    """An error for the model: a failed answer of ued, or one like it."""


class Editor:
    """The files below a root folder. Each public method is a tool, and returns text for the model."""

    def __init__(self, root, run, program):
        self._root, self._name, self._program = os.path.realpath(root), run, program
        self._history = ["--history=require", f"--run={run}"]
        self._held = {}  # A ued by the path of its file, the least recently used first.
        self._edits = {}  # The revisions that undo_edit can undo, by path.

    def view(self, path: str, first: int = 1, last: int = SHOWN):
        """Show lines after anchors such as 12:3fa, the number and the hash of a line."""
        return self._show(path, "anchors", first, last)

    def replace(self, path: str, old: str = "", new: str = "", mode: str = "exact", count: int | str = 1,
                lines: int | str = ""):
        """Replace `old`, which must occur exactly once, or `count` times (a number or "all"). Without `old`, replace
        `lines`: an anchor or a line number, or two with a comma. With both, search only these lines. An edit fails if
        the line of an anchor has changed. Mode "exact" compares whole lines; "loose" ignores indentation, trailing
        blanks and typographic quotes; "text" also finds parts of lines."""
        lines = matched(f"({LINE}(,{LINE})?)?", lines)
        if lines and not old:
            return self._edit(path, lines + "c", block(new))
        mode, count = matched("exact|loose|text", mode), matched("all|[0-9]+", count)
        command = f"{lines}replace {mode if mode != 'exact' else ''} {count if count != '1' else ''}"
        return self._edit(path, command, block(old), block(new))

    def insert(self, path: str, after: int | str, text: str):
        """Insert lines after a line number or an anchor. 0 is the beginning, also of a new file; $ is the end."""
        return self._edit(path, matched(LINE, after) + "a", block(text), create=str(after) == "0")

    def apply(self, patch: str):
        """Apply a unified diff, "*** Begin Patch" or SEARCH and REPLACE blocks to all files named, or to none."""
        return json.dumps(self._run("--atomic", *self._history, "--apply=-", text=patch)[-1]["files"])

    def undo(self, run: str = ""):
        """Undo a run in all of its files or in none, and keep later changes. A run is a name or an identity from log;
        without it, undo all edits of this server."""
        run = run or self._name
        files = {text_of(file) for entry in self._run("--log")[:-1] if run in (entry["name"], entry["run"])
                 for file in entry["files"]}
        if not files:
            raise Refused({"error": "no-such-run", "message": f"no run {run!r}; log lists them"})
        return json.dumps(self._run(f"--undo-run={run}", "--", *map(self._resolve, files))[-1]["files"])

    def log(self):
        """List the runs that changed files here, newest first."""
        return "\n".join(json.dumps(run) for run in self._run("--log")[:-1] if any(
            os.path.commonpath([self._root, text_of(file)]) == self._root for file in run["files"]))

    def str_replace_based_edit_tool(self, command: str, path: str, view_range: list = (1, SHOWN), file_text: str = "",
                                    old_str: str = "", new_str: str = "", insert_line: int = -1, insert_text: str = ""):
        """Edit a file. view shows a file or lists a folder; create writes a file; str_replace replaces text that
        occurs exactly once; insert adds lines after a line; undo_edit undoes the last edit of the file."""
        path = self._resolve(path)
        match command:
            case "view" if os.path.isdir(path):
                return "\n".join(sorted(os.listdir(path)))
            case "view":
                return self._show(path, "n", view_range[0], view_range[1] if view_range[1] != -1 else sys.maxsize)
            case "create":
                return self._edit(path, ",c" if self._ask(path, "=", create=True)["lines"] else "0a", block(file_text))
            case "str_replace":
                if old_str.endswith("\n") and (not new_str or new_str.endswith("\n")):
                    try:  # Only whole lines include the newline at the end of the file.
                        return self._edit(path, "replace", block(old_str), block(new_str))
                    except Refused as refusal:
                        if refusal.args[0]["error"] != "block-not-found":
                            raise
                return self._edit(path, "replace text", old_str.split("\n"), new_str.split("\n"))
            case "insert":
                return self._edit(path, matched(LINE, insert_line) + "a", block(insert_text or new_str))
            case "undo_edit" if self._edits.get(path):
                change = self._edit(path, f"revert {self._edits[path][-1]}")
                del self._edits[path][-2:]  # The edit and its revert.
                return change
        raise Refused({"error": "invalid-command", "message": f"nothing to undo, or no command {command!r}"})

    def _resolve(self, path):
        real = os.path.realpath(os.path.join(self._root, path))
        if os.path.commonpath([self._root, real]) != self._root:
            raise Refused({"error": "outside-root", "message": f"{path} is outside {self._root}"})
        return real

    def _ask(self, path, command, *blocks, create=False):
        """Runs a command with its blocks of lines, and returns the answer. The option -r forbids shell commands."""
        path = self._resolve(path)
        if path not in self._held:
            folder, name = os.path.split(path)
            options = [*self._history, *["--create"] * create, "--", name]
            self._held[path] = subprocess.Popen([self._program, "--json", "-r", *options], cwd=folder, encoding="utf-8",
                                                stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._held[path] = ued = self._held.pop(path)
        if len(self._held) > HELD:
            self._close(next(iter(self._held)))
        script = [command + f" <<{END}" * len(blocks), *(line for lines in blocks for line in [*lines, END])]
        with contextlib.suppress(BrokenPipeError):  # The last answer says why ued has ended.
            print("\n".join(script), file=ued.stdin, flush=True)
        answer = json.loads(ued.stdout.readline() or NO_ANSWER)
        if "end" in answer or command == "E" and "error" in answer:
            self._close(path)
        if "error" in answer:
            raise Refused(answer)
        return answer

    def _show(self, path, command, first, last):
        lines = self._ask(path, "E")["lines"]  # Reads the file again.
        if not lines:
            return "the file is empty"
        shown = self._ask(path, f"{first:d},{min(last, lines):d}{command}")["output"]
        return "\n".join([*map(text_of, shown), f"(lines of the file: {lines})"])

    def _edit(self, path, command, *blocks, create=False):
        """Makes an edit and saves it, or changes nothing. Returns the difference."""
        before = self._ask(path, "=", create=create)["revision"]
        edit = self._ask(path, command, *blocks)
        try:
            revision = self._ask(path, "w")["revision"]
        except Refused:
            self._ask(path, f"jump {before}")
            raise
        if revision == before:
            return "nothing changed"
        self._edits.setdefault(self._resolve(path), []).append(revision)
        told = [json.dumps({key: edit[key]}) for key in ("overlooked", "notices") if key in edit]
        return "\n".join([*map(text_of, self._ask(path, f"diff {revision}")["output"]), *told])

    def _run(self, *options, text=""):
        """Runs ued once, and returns its answers. Closes the sessions of changed files, which have the old texts."""
        done = subprocess.run([self._program, "--json", *options], cwd=self._root, input=text, encoding="utf-8",
                              stdout=subprocess.PIPE)
        answers = [json.loads(line) for line in (done.stdout or NO_ANSWER).strip().split("\n")]
        if "error" in answers[-1]:
            raise Refused(answers[-1])
        for file in answers[-1]["files"]:
            self._close(self._resolve(text_of(file["path"])))
        return answers

    def _close(self, path):
        if path in self._held:
            self._held.pop(path).communicate()


def matched(pattern, value):
    if not re.fullmatch(pattern, str(value)):
        raise Refused({"error": "invalid-argument", "message": f"{value!r} is not allowed here"})
    return str(value)


def block(text):
    """The lines of a text, whose last newline may be missing."""
    return text.removesuffix("\n").split("\n") if text else []


def text_of(value):
    """A string of ued, perhaps with bytes that are not UTF-8."""
    return value if isinstance(value, str) else os.fsdecode(base64.b64decode(value["base64"]))


def described(tool):
    return {"name": tool.__name__, "description": " ".join(tool.__doc__.split()), "inputSchema": {
        "type": "object", "properties": {name: TYPES[kind] for name, kind in tool.__annotations__.items()},
        "required": list(tool.__annotations__)[:tool.__code__.co_argcount - 1 - len(tool.__defaults__ or ())]}}


def call(tool, arguments):
    """The result of a tool, also for wrong arguments. A byte that is not UTF-8 appears as \\udcff, for example."""
    try:
        text, failed = tool(**arguments), False
    except Refused as refusal:
        text, failed = json.dumps({key: value for key, value in refusal.args[0].items() if key in ERROR_FIELDS}), True
    except (AttributeError, OSError, TypeError, ValueError) as error:
        text, failed = json.dumps({"error": "invalid-argument", "message": str(error)}), True
    return {"content": [{"type": "text", "text": text.encode(errors="backslashreplace").decode()}], "isError": failed}


def respond(tools, method, params):
    """The members of the response to a request."""
    match method, params:
        case "initialize", {"protocolVersion": version}:
            return {"result": {"protocolVersion": version if version in VERSIONS else VERSIONS[-1],
                               "capabilities": {"tools": {}}, "serverInfo": {"name": "ued", "version": "1"}}}
        case "ping", _:
            return {"result": {}}
        case "tools/list", _:
            return {"result": {"tools": [described(tool) for tool in tools.values()]}}
        case "tools/call", {"name": str(name), **rest} if name in tools and isinstance(rest.get("arguments", {}), dict):
            return {"result": call(tools[name], rest.get("arguments", {}))}
        case ("tools/call" | "initialize"), _:
            return {"error": {"code": -32602, "message": "no such tool, or wrong parameters"}}
    return {"error": {"code": -32601, "message": f"no method {method}"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=".", help="the folder of all files; by default the current one")
    parser.add_argument("--run", default=f"mcp-{os.urandom(4).hex()}", help="a name for undo")
    parser.add_argument("--text-editor", action="store_true", help="offer one tool, with the usual commands")
    options = parser.parse_args()
    program = shutil.which(os.environ.get("UED", "ued")) or sys.exit("no ued: install it, or set UED to its path")
    editor = Editor(options.root, options.run, os.path.abspath(program))
    tools = [editor.view, editor.replace, editor.insert, editor.apply, editor.undo, editor.log]
    tools = {tool.__name__: tool for tool in ([editor.str_replace_based_edit_tool] if options.text_editor else tools)}
    for line in sys.stdin.buffer:
        identity = None
        try:
            match json.loads(line):
                case {"jsonrpc": "2.0", "method": str(method), "id": int() | str() as identity, **rest}:
                    response = respond(tools, method, rest.get("params", {}))
                case {"jsonrpc": "2.0", "method": str()}:
                    continue  # A notification.
                case _:
                    response = {"error": {"code": -32600, "message": "not a request"}}
        except (RecursionError, ValueError) as error:
            response = {"error": {"code": -32700, "message": str(error)}}
        print(json.dumps({"jsonrpc": "2.0", "id": identity} | response), flush=True)


if __name__ == "__main__":
    main()
