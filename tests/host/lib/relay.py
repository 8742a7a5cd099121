# SPDX-License-Identifier: BSD-2-Clause
"""relay.py GUEST HERE lose|cut - acts as a bad connection between a guest's socket GUEST and a program that connects
to the socket HERE. With `lose`, the connection loses a character of the guest's second block. With `cut`, the
connection ends at that character."""

import select
import sys

from between import connect

guest_path, here, how = sys.argv[1:]
host, guest = connect(guest_path, here)

said = b""
while True:
    ready = select.select([host, guest], [], [])[0]
    if host in ready:
        typed = host.recv(4096)
        if not typed:
            break
        guest.sendall(typed)
    if guest in ready:
        piece = guest.recv(4096)
        if not piece:
            break
        before = len(said)
        said += piece
        starts = [i for i in range(len(said)) if said.startswith(b"@bp:", i)]
        # `at` is the offset of the tenth character after the marker of the second block, if that character is in this
        # piece of data.
        at = starts[1] + 14 - before if len(starts) > 1 else len(piece)
        if 0 <= at < len(piece):
            host.sendall(piece[:at])
            if how == "cut":
                break
            piece = piece[at + 1:]
        host.sendall(piece)
