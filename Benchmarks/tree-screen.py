#!/usr/bin/python3
"""Times `tree` at a pseudo-terminal of 80 columns and 24 rows, from Enter to its last row: tree-screen.py UED FILE

Prints the least and the median of 21 runs, in milliseconds. FILE has a history.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

RUNS = 21


def read_until(terminal, pattern):
    shown = b""
    while not re.search(pattern, shown, re.DOTALL):
        if not select.select([terminal], [], [], 60)[0]:
            raise SystemExit(f"tree-screen.py: waited for {pattern}, saw {shown[-500:]}")
        shown += os.read(terminal, 65536)


def main():
    ued, file = os.path.abspath(sys.argv[1]), sys.argv[2]
    child, terminal = pty.fork()
    if child == 0:
        settings = dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8", UED_HISTORY="on")
        os.execve(ued, ["ued", file], settings)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    read_until(terminal, rb"[0-9]+\*?: $")
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        os.write(terminal, b"tree\r")
        read_until(terminal, rb"1049h.*\? keys")
        times.append((time.perf_counter() - start) * 1000)
        os.write(terminal, b"q")
        read_until(terminal, rb"1049l.*[0-9]+\*?: $")
    os.write(terminal, b"Q\r")
    os.waitpid(child, 0)
    times.sort()
    print(f"tree: least {times[0]:.1f} ms, median {times[RUNS // 2]:.1f} ms")


main()
