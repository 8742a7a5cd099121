# SPDX-License-Identifier: BSD-2-Clause
"""between.py - for scripts that stand between a guest's socket and a program."""

import os
import socket


def connect(guest_path, here):
    """Listens at the socket HERE. When the program has connected, connects to the guest. Returns both connections."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(here + ".new")
    listener.listen(1)
    # The program may look for HERE at any time, so HERE exists only when it listens.
    os.rename(here + ".new", here)
    host = listener.accept()[0]
    guest = socket.socket(socket.AF_UNIX)
    guest.connect(guest_path)
    return host, guest
