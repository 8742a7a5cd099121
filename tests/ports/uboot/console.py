# SPDX-License-Identifier: BSD-2-Clause
"""console.py - types commands into the console of a U-Boot in QEMU, and prints the console.

    console.py MONITOR FILE COMMAND... -- QEMU...

MONITOR is the path of QEMU's monitor, a socket. Each command is typed at a prompt. If U-Boot prints "N bytes at
ADDRESS", the N bytes of memory are saved to FILE."""

import os
import re
import select
import socket
import subprocess
import sys
import time

SECONDS = 300  # a boot with a trace takes at most half of that


def save(monitor, size, address, path):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(monitor)
        line.settimeout(30)
        seen, typed = b"", False
        while seen.count(b"(qemu)") < 2:
            if seen.endswith(b"(qemu) ") and not typed:
                line.sendall(b'pmemsave 0x%s %s "%s"\n' % (address, size, path.encode()))
                typed = True
            seen += line.recv(4096)


def main():
    monitor, path = sys.argv[1:3]
    at = sys.argv.index("--")
    commands = sys.argv[3:at]
    qemu = subprocess.Popen(sys.argv[at + 1 :], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    end = time.monotonic() + SECONDS
    seen = b""
    while time.monotonic() < end:
        if not select.select([qemu.stdout], [], [], 1)[0]:
            continue
        got = os.read(qemu.stdout.fileno(), 65536)
        if not got:
            return qemu.wait()
        sys.stdout.buffer.write(got)
        sys.stdout.flush()
        seen += got
        written = re.search(rb"(\d+) bytes at 0x([0-9a-f]+)\r?\n", seen)
        if written:
            save(monitor, written[1], written[2], path)
            seen = seen[written.end() :]
        if b"Hit any key" in seen:
            qemu.stdin.write(b" ")
            qemu.stdin.flush()
            seen = b""
        elif re.search(rb"(^|\n)=> $", seen):
            # Without a command, the next words end the boot.
            qemu.stdin.write((commands.pop(0) if commands else "poweroff").encode() + b"\n")
            qemu.stdin.flush()
            seen = b""
    qemu.kill()
    print("\nconsole.py: U-Boot did not end in time")
    return 1


sys.exit(main())
