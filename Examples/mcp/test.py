#!/usr/bin/env python3
"""Tests the MCP server with the client of the package `mcp`.

    test.py [--without-ued]

The variable UED has the path of ued. With --without-ued, every test must fail with /bin/false as ued.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from mcp import Client, StdioServerParameters

SERVER = str(Path(__file__).with_name("server.py"))
EDITOR = "str_replace_based_edit_tool"


class ServerTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.root = Path(home.name, "root")
        self.root.mkdir()
        self.environment = {"HOME": home.name, "UED": os.environ["UED"]}
        self.write("app.py", "def run():\n\treturn 1\n\n# end\n")

    def write(self, name, text):
        (self.root / name).write_text(text)

    def read(self, name):
        return (self.root / name).read_text()

    def client(self, *options):
        server = StdioServerParameters(command=sys.executable, args=[SERVER, f"--root={self.root}", *options],
                                       env=self.environment)
        return Client(server, read_timeout_seconds=60)

    async def call(self, client, tool, **arguments):
        result = await client.call_tool(tool, arguments)
        text = result.content[0].text
        self.assertFalse(result.is_error, text)
        return text

    async def refused(self, client, tool, **arguments):
        result = await client.call_tool(tool, arguments)
        text = result.content[0].text
        self.assertTrue(result.is_error, text)
        return json.loads(text)

    async def test_all_tools_from_start_to_undo(self):
        before = self.read("app.py")
        async with self.client("--run=work") as client:
            self.assertEqual(client.server_info.name, "ued")
            tools = (await client.list_tools()).tools
            self.assertEqual([tool.name for tool in tools], ["view", "replace", "insert", "apply", "undo", "log"])
            lines = (await self.call(client, "view", path="app.py")).split("\n")
            self.assertRegex(lines[0], "^1:[0-9a-f]{3}\tdef run\\(\\):$")
            end = lines[3].split("\t")[0]
            change = await self.call(client, "insert", path="app.py", after=end, text="# more\n")
            self.assertIn("+# more", change)
            await self.call(client, "replace", path="app.py", old="def run():", new="def go():")
            told = await self.call(client, "replace", path="app.py", old="  return 1", new="  return 2", mode="loose")
            self.assertIn('"indentation": 1', told)
            await self.call(client, "replace", path="app.py", old="mo", new="no mo", mode="text")
            await self.call(client, "replace", path="app.py", lines=3)
            self.assertEqual(self.read("app.py"), "def go():\n\treturn 2\n# end\n# no more\n")
            await self.call(client, "insert", path="made", after=0, text="new")
            patch = "--- a/app.py\n+++ b/app.py\n@@\n-# end\n+# END\n"
            patch += "--- /dev/null\n+++ b/sub/patched\n@@ -0,0 +1 @@\n+p\n"
            await self.call(client, "apply", patch=patch)
            self.assertEqual(self.read("app.py"), "def go():\n\treturn 2\n# END\n# no more\n")
            self.assertEqual(self.read("sub/patched") + self.read("made"), "p\nnew\n")
            runs = [json.loads(line) for line in (await self.call(client, "log")).split("\n")]
            self.assertEqual({run["name"] for run in runs}, {"work"})
            await self.call(client, "undo")
            self.assertEqual(self.read("app.py"), before)
            self.assertEqual([path.name for path in self.root.iterdir() if path.is_file()], ["app.py"])
            self.assertIn("taken_back_by", await self.call(client, "log"))
            self.assertEqual((await self.refused(client, "undo", run="none"))["error"], "no-such-run")

    async def test_errors_of_ued_reach_the_model(self):
        async with self.client() as client:
            self.write("outside", "")
            (self.root / "link").symlink_to("/etc/hostname")
            error = await self.refused(client, "replace", path="app.py", old="def run(:", new="")
            self.assertEqual((error["error"], error["hint"]["lines"][0]["number"]), ("block-not-found", 1))
            error = await self.refused(client, "replace", path="app.py", lines="1:000", new="x")
            self.assertEqual(error["error"], "line-differs")
            patch = "--- a/app.py\n+++ b/app.py\n@@\n-none\n+x\n"
            error = await self.refused(client, "apply", patch=patch)
            self.assertEqual((error["error"], error["files"][0]["path"]), ("hunk-rejected", "app.py"))
            self.assertEqual((await self.refused(client, "view", path="none"))["error"], "file-not-found")
            for path in ["../outside", "/etc/hostname", "link"]:
                self.assertEqual((await self.refused(client, "view", path=path))["error"], "outside-root")
            self.assertEqual((await self.refused(client, "view", path="!id"))["error"], "restricted")
            for arguments in [{}, {"path": 1}, {"path": "app.py", "old": 1}, {"path": "app.py", "lines": "1!id\n1"}]:
                self.assertEqual((await self.refused(client, "replace", **arguments))["error"], "invalid-argument")
        self.assertEqual(self.read("app.py"), "def run():\n\treturn 1\n\n# end\n")

    async def test_texts_are_never_commands(self):
        text = ".\nEND\n!touch hacked\nw hacked\n"
        async with self.client() as client:
            await self.call(client, "replace", path="app.py", old="# end\n", new=text)
            await self.call(client, "replace", path="app.py", old=text, new=text + text)
            self.assertEqual(self.read("app.py"), "def run():\n\treturn 1\n\n" + text + text)
        self.assertFalse((self.root / "hacked").exists())

    async def test_another_program_changes_the_file(self):
        async with self.client() as client:
            await self.call(client, "replace", path="app.py", old="# end", new="# END")
            self.write("app.py", "# first\n" + self.read("app.py"))
            error = await self.refused(client, "replace", path="app.py", old="# END", new="# lost")
            self.assertEqual(error["error"], "file-changed")
            self.assertIn("\t# first\n", await self.call(client, "view", path="app.py"))
            await self.call(client, "replace", path="app.py", lines=2, new="def go():")
            self.assertEqual(self.read("app.py"), "# first\ndef go():\n\treturn 1\n\n# END\n")
            await self.call(client, "undo")
            self.assertEqual(self.read("app.py"), "# first\ndef run():\n\treturn 1\n\n# end\n")
            (self.root / "app.py").unlink()
            self.assertEqual((await self.refused(client, "view", path="app.py"))["error"], "file-not-found")
            await self.call(client, "insert", path="app.py", after=0, text="again")
            self.assertEqual(self.read("app.py"), "again\n")

    async def test_few_files_are_held(self):
        def children(process):
            return Path(f"/proc/{process}/task/{process}/children").read_text().split()

        names = [f"file{number}" for number in range(12)]
        async with self.client() as client:
            for name in names * 2:
                self.write(name, "old\n")
                await self.call(client, "view", path=name)
                await self.call(client, "replace", path=name, old="old", new="new")
            held = [child for server in children(os.getpid()) for child in children(server)]
            self.assertEqual(len(held), 8)
        self.assertEqual({self.read(name) for name in names}, {"new\n"})

    async def test_text_editor(self):
        async with self.client("--text-editor") as client:
            self.assertEqual([tool.name for tool in (await client.list_tools()).tools], [EDITOR])

            async def edit(command, **arguments):
                await self.call(client, EDITOR, command=command, path="text", **arguments)
                return self.read("text")

            texts = [await edit("create", file_text="a\nb b\nc\nd\n")]
            texts.append(await edit("str_replace", old_str=" b\nc\n", new_str="B\n"))
            texts.append(await edit("str_replace", old_str="d\n"))
            texts.append(await edit("insert", insert_line=1, insert_text="i"))
            texts.append(await edit("create", file_text="other"))
            self.assertEqual(texts, ["a\nb b\nc\nd\n", "a\nbB\nd\n", "a\nbB\n", "a\ni\nbB\n", "other\n"])
            for text in reversed(texts[:-1]):
                self.assertEqual(await edit("undo_edit"), text)
            shown = await self.call(client, EDITOR, command="view", path="text", view_range=[2, -1])
            self.assertEqual(shown.split("\n")[:2], ["2\tb b", "3\tc"])
            self.assertEqual(await self.call(client, EDITOR, command="view", path="."), "app.py\ntext")
            error = await self.refused(client, EDITOR, command="str_replace", path="text", old_str="b", new_str="B")
            self.assertEqual(error["error"], "block-count")

    def test_malformed_requests(self):
        def run(*lines, **variables):
            return subprocess.run([sys.executable, SERVER], input="\n".join(lines), cwd=self.root, capture_output=True,
                                  text=True, timeout=60, env=self.environment | variables)

        def request(method, params):
            return json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})

        done = run("{", "[]", request("none", {}), request("tools/call", {"name": "none"}), request("tools/call", []),
                   '{"jsonrpc": "2.0", "method": "notifications/cancelled"}', request("ping", {}),
                   request("tools/call", {"name": "view", "arguments": {"path": "app.py", "first": 4}}))
        *answers, ping, view = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
        self.assertEqual([answer["error"]["code"] for answer in answers], [-32700, -32600, -32601, -32602, -32602])
        self.assertEqual(ping, {"jsonrpc": "2.0", "id": 7, "result": {}})
        self.assertIn("\t# end\n", view["result"]["content"][0]["text"])
        done = run(UED="/no/ued")
        self.assertEqual((done.returncode, done.stderr), (1, "no ued: install it, or set UED to its path\n"))


def main():
    if sys.argv[1:] != ["--without-ued"]:
        unittest.main()
    os.environ["UED"] = "/bin/false"
    result = unittest.TextTestRunner(stream=open(os.devnull, "w")).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(ServerTests))
    passed = result.testsRun - len({test.id() for test, _ in result.failures + result.errors})
    if passed:
        sys.exit(f"{passed} of {result.testsRun} tests pass without ued")


if __name__ == "__main__":
    main()
