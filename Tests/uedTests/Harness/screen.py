"""Prints what a terminal shows after the bytes on standard input: screen.py COLUMNS ROWS [OFFSET WIDTH]...

With an OFFSET, the terminal gets another width after so many bytes.

The first line has row and column of the cursor, counted from 0; the others are the rows.
"""

import sys

import pyte

columns, rows = int(sys.argv[1]), int(sys.argv[2])
screen = pyte.Screen(columns, rows)
stream = pyte.ByteStream(screen)
written = sys.stdin.buffer.read()
done = 0
for argument in range(3, len(sys.argv), 2):
    offset, columns = int(sys.argv[argument]), int(sys.argv[argument + 1])
    stream.feed(written[done:offset])
    screen.resize(rows, columns)
    done = offset
stream.feed(written[done:])
lines = [f"{screen.cursor.y} {screen.cursor.x}"]
for row in range(rows):
    # A wide character has an empty cell behind it, where pyte keeps its combining marks.
    cells = (screen.buffer[row][column].data for column in range(columns))
    lines.append("".join(cells).rstrip())
sys.stdout.buffer.write("\n".join(lines).encode())
