# SPDX-License-Identifier: BSD-2-Clause
"""watch_target.py GUEST HERE LOG POKE... - stands between a guest's console, the socket GUEST, and a program that connects to
the socket HERE. Each time the program types a command that makes the guest dump, the next POKE is typed before it, so that new
code runs; after the last one, nothing more. LOG gets all that the program was sent. These pokes are not typed, but do harm:

 lose      the next dump loses its third block
 silence   the next command is not passed on, so that no dump comes
 end       the connection ends
"""
import re
import select
import sys

from between import connect

guest_path, here, log_path, *pokes = sys.argv[1:]
host, guest = connect(guest_path, here)
lose = False
held = b""

with open(log_path, "wb") as log:
    while True:
        ready = select.select([host, guest], [], [])[0]
        if host in ready:
            typed = host.recv(4096)
            if not typed:
                break
            poke = pokes.pop(0) if pokes else ""
            if poke == "end":
                break
            lose = poke == "lose"
            if poke not in ("lose", "silence", ""):
                typed = poke.encode() + b"\n" + typed
            if poke != "silence":
                guest.sendall(typed)
        if guest in ready:
            piece = guest.recv(65536)
            if not piece:
                break
            held += piece
            if lose:
                # Only whole lines can lose a block.
                at = held.rfind(b"\n") + 1
                lines = held[:at].splitlines(keepends=True)
                blocks = [i for i, line in enumerate(lines) if b"@bp:" in line]
                if len(blocks) < 5:
                    continue
                del lines[blocks[2]]
                held = b"".join(lines) + held[at:]
                lose = False
            log.write(held)
            host.sendall(held)
            held = b""
