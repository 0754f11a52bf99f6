#!/usr/bin/python3
"""Records a session of ued at a real pseudo-terminal: record.py UED FOLDER

Writes FOLDER/ued.cast, a recording in asciinema's format, version 2, and FOLDER/ued.svg, a picture of the screen at the
moment that the script names. Everything shown is what ued prints; only the pauses are the script's, so that
the recording does not depend on the speed of the machine.
"""

import codecs
import fcntl
import html
import json
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios

import pyte

COLUMNS, ROWS = 100, 14
PER_KEY = 0.06
QUIET = 0.15

NOTES = "Buy bread\nCall Ann\nFix the bike\nWrite to Bob\nWater the plants\n"

# What the screen must show, what is typed then, the pause after it; PICTURE takes the picture.
PICTURE = object()
DOWN, UP = "\x1b[B", "\x1b[A"
DIALOGUE = [
    ("5: ", ",n\r", 1.5),
    ("5: ", "/Ann/s/Call/Visit/\r", 1.5),
    ("2*: ", "/bike/d\r", 1.5),
    ("3*: ", "undo\r", 2.0),
    ("*: ", "a\r", 0.8),
    ("> ", "Bake a cake\r", 0.5),
    ("> ", ".\r", 1.0),
    ("*: ", "name party\r", 1.0),
    ("*: ", "tree\r", 2.5),
    ("party", DOWN, 2.0),
    ("Delete line 3", PICTURE, 0),
    ("Delete line 3", "p", 2.5),
    ("Pick", DOWN, 0.5),
    ("party", DOWN, 0.5),
    ("Delete line 3", DOWN, 1.0),
    ("Substitute", "r", 2.5),
    ("Revert", "q", 1.5),
    ("*: ", ",n\r", 2.0),
    ("*: ", "w\r", 1.2),
    (": ", "q\r", 1.0),
]


class Session:
    """ued at a pseudo-terminal, its screen, and the events so far."""

    def __init__(self, ued, folder):
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.Stream(self.screen)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.events = []
        self.time = 0.0
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            settings = {"PATH": "/usr/bin:/bin", "HOME": folder, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                        "UED_HISTORY": "on", "PS1": "$ "}
            os.execve(ued, ["ued", "notes"], settings)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def show(self, text):
        self.events.append([round(self.time, 3), "o", text])
        self.stream.feed(text)

    def read(self, seconds):
        """Shows what is printed within a time; False when ued has ended."""
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.show(self.decoder.decode(data))
        return True

    def wait_for(self, text):
        for _ in range(100):
            row = self.screen.display[self.screen.cursor.y].rstrip()
            if text.rstrip() in row:
                return
            self.read(QUIET)
        raise SystemExit(f"record.py: waited for '{text}', the screen shows:\n" + "\n".join(self.screen.display))

    def type(self, keys, pause):
        for key in re.findall("\x1b\\[.|.|\r", keys):
            self.time += PER_KEY
            os.write(self.terminal, key.encode())
            self.read(0.02)
        self.read(QUIET)
        self.time += pause


# The colours of the picture, by pyte's names.
COLOURS = {
    "default": "#d8dee9", "black": "#3b4252", "red": "#e06c75", "green": "#98c379", "brown": "#e5c07b",
    "yellow": "#e5c07b", "blue": "#61afef", "magenta": "#c678dd", "cyan": "#56b6c2", "white": "#ffffff",
}
CELL, LINE, MARGIN = 8.4, 18, 14


def picture(screen):
    """The screen as SVG."""
    rows = [y for y in range(ROWS) if screen.display[y].strip()]
    height = (max(rows) + 1) * LINE + 2 * MARGIN
    width = COLUMNS * CELL + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        "<title>A session of ued at a terminal</title>",
        '<rect width="100%" height="100%" rx="6" fill="#2e3440"/>',
    ]
    for y in range(max(rows) + 1):
        runs = []
        for x in range(COLUMNS):
            cell = screen.buffer[y][x]
            style = (COLOURS.get(cell.fg, COLOURS["default"]), cell.bold)
            if runs and runs[-1][0] == style:
                runs[-1][2] += cell.data
            else:
                runs.append([style, x, cell.data])
        for (colour, bold), x, text in runs:
            if not text.strip():
                continue
            start = x + len(text) - len(text.lstrip())
            weight = ' font-weight="bold"' if bold else ""
            lines.append(
                f'<text xml:space="preserve" x="{MARGIN + start * CELL:.1f}" y="{MARGIN + y * LINE + 13}" '
                f'textLength="{len(text.strip()) * CELL:.1f}" fill="{colour}"{weight}>'
                f"{html.escape(text.strip())}</text>")
    return "\n".join(lines + ["</svg>"]) + "\n"


def main():
    ued, output = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(dir=os.path.expanduser("~")) as folder:
        with open(os.path.join(folder, "notes"), "w") as notes:
            notes.write(NOTES)
        session = Session(ued, folder)
        session.show("$ ")
        for key in "ued notes":
            session.time += PER_KEY
            session.show(key)
        session.time += 0.5
        session.show("\r\n")
        image = None
        for text, keys, pause in DIALOGUE:
            session.wait_for(text)
            if keys is PICTURE:
                image = picture(session.screen)
            else:
                session.type(keys, pause)
        while session.read(QUIET):
            pass
    header = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "ued", "env": {"TERM": "xterm-256color"}}
    with open(os.path.join(output, "ued.cast"), "w") as cast:
        for line in [header] + session.events:
            cast.write(json.dumps(line, ensure_ascii=False) + "\n")
    with open(os.path.join(output, "ued.svg"), "w") as svg:
        svg.write(image)


main()
