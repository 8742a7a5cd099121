# SPDX-License-Identifier: BSD-2-Clause
"""pie.py PROGRAM COPY - runs a program that stops itself, and copies its memory while it is stopped.

COPY gets the memory from the program's first address on. The program then runs on to its end. Prints the first address.
"""
import os
import re
import signal
import sys


def main(program, out):
    path = os.path.realpath(program)
    child = os.spawnv(os.P_NOWAIT, path, [path])
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(f"{program} did not stop")
    with open(f"/proc/{child}/maps", encoding="utf-8") as maps:
        rows = [re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ +(.*)", line) for line in maps]
    parts = [(int(row[1], 16), int(row[2], 16)) for row in rows if row and row[4] == path]
    first = min(part[0] for part in parts)
    with open(f"/proc/{child}/mem", "rb") as memory, open(out, "wb") as file:
        for start, end in parts:
            memory.seek(start)
            file.seek(start - first)
            file.write(memory.read(end - start))
    os.kill(child, signal.SIGCONT)
    os.waitpid(child, 0)
    print(hex(first))


main(*sys.argv[1:])
