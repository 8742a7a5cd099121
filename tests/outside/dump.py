# SPDX-License-Identifier: BSD-2-Clause
"""dump.py SOCKET.qmp FILE [FORMAT] - lets QEMU write the guest's memory as an ELF core, or as FORMAT, such as kdump-zlib."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "images", "matrix"))
from witness import Qmp

kind = {"format": sys.argv[3]} if len(sys.argv) > 3 else {}
Qmp(sys.argv[1]).ask("dump-guest-memory", paging=False, protocol="file:" + os.path.abspath(sys.argv[2]), **kind)
