"""Prints what a terminal shows after the bytes on standard input: screen.py COLUMNS ROWS.

The first line has row and column of the cursor, counted from 0; the others are the rows.
"""

import sys

import pyte

columns, rows = int(sys.argv[1]), int(sys.argv[2])
screen = pyte.Screen(columns, rows)
pyte.ByteStream(screen).feed(sys.stdin.buffer.read())
lines = [f"{screen.cursor.y} {screen.cursor.x}"]
for row in range(rows):
    # A wide character has an empty cell behind it, where pyte keeps its combining marks.
    cells = (screen.buffer[row][column].data for column in range(columns))
    lines.append("".join(cells).rstrip())
sys.stdout.buffer.write("\n".join(lines).encode())
