# SPDX-License-Identifier: BSD-2-Clause
"""outside_core.py CORE - puts the program headers of a core of QEMU directly behind the ELF header.

makedumpfile 1.7.2 looks for them only there. QEMU 7.2 puts two section headers in between, which nobody needs.
"""
import struct
import sys

with open(sys.argv[1], "r+b") as file:
    header = bytearray(file.read(64))
    start, count = struct.unpack_from("<Q", header, 32)[0], struct.unpack_from("<H", header, 56)[0]
    file.seek(start)
    table = file.read(56 * count)
    struct.pack_into("<QQ", header, 32, 64, 0)
    struct.pack_into("<HHH", header, 58, 0, 0, 0)
    file.seek(0)
    file.write(header + table)
