# SPDX-License-Identifier: BSD-2-Clause
"""relay.py GUEST HERE lose|cut - a bad line between a guest's socket and a program that connects
to HERE: the line loses a character of the guest's second block (lose), or the connection ends there (cut)."""

import os
import select
import socket
import sys

guest_path, here, how = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(here + ".new")
listener.listen(1)
os.rename(here + ".new", here)
host = listener.accept()[0]
guest = socket.socket(socket.AF_UNIX)
guest.connect(guest_path)

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
        # The offset of the tenth character after the marker of the second block, if that character is in these bytes.
        at = starts[1] + 14 - before if len(starts) > 1 else len(piece)
        if 0 <= at < len(piece):
            host.sendall(piece[:at])
            if how == "cut":
                break
            piece = piece[at + 1:]
        host.sendall(piece)
