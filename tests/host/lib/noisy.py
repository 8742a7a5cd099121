# SPDX-License-Identifier: BSD-2-Clause
"""noisy.py GUEST HERE SEED PERMILLE - acts as a bad line between a guest's socket GUEST and a program that connects to
the socket HERE. Of 1000 lines in either direction, PERMILLE are lost, cut or have a wrong character. Prints at the end
how many lines passed, and how many of them were hurt."""

import random
import select
import sys

from between import connect

guest_path, here, seed, permille = sys.argv[1:]
random.seed(int(seed))
host, guest = connect(guest_path, here)
held = {host: b"", guest: b""}
other = {host: guest, guest: host}
passed = hurt = 0


def damaged(line):
    """Returns @line, which ends with a newline, as it arrives."""
    global passed, hurt
    passed += 1
    if random.randrange(1000) >= int(permille):
        return line
    hurt += 1
    at = random.randrange(len(line))
    return random.choice([b"", line[:at], line[:at] + bytes([random.randrange(33, 127)]) + line[at + 1:]])


try:
    while True:
        # Text without a line end, such as a prompt, passes when nothing follows it for a moment.
        ready = select.select([host, guest], [], [], 0.02)[0]
        for end in ready or [host, guest]:
            piece = end.recv(65536) if ready else b""
            if ready and not piece:
                raise EOFError
            lines = (held[end] + piece).split(b"\n")
            held[end] = lines.pop()
            for line in lines:
                other[end].sendall(damaged(line + b"\n"))
            if not ready and held[end]:
                other[end].sendall(held[end])
                held[end] = b""
except (EOFError, OSError):
    print(passed, "lines,", hurt, "hurt")
