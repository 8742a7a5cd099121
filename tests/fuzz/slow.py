# SPDX-License-Identifier: BSD-2-Clause
"""slow.py DIR: makes inputs that earlier versions of bareprof took very long to read. They are too large for the
repository, so they are made here.

same-address: 60,000 functions that all claim the same address, and half a million calls to that address."""
import hashlib
import pathlib
import struct
import sys

RECORDS, SEEN = 60000, 2000


def u64(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *(n & (1 << 64) - 1 for n in numbers))


def same_address():
    size = 48
    reference = hashlib.md5(b"f").digest()[:8]
    out = [u64(0xFF6C70726F667281, 8 | 1 << 56, 0, RECORDS, 0, RECORDS, 0, 3, RECORDS * size, 0, 1)]
    for i in range(RECORDS):
        out.append(reference + u64(1 + i, RECORDS * size + 8 * i - size * i, 0x1000, 0))
        out.append(struct.pack("<IHH", 1, i < SEEN, 0))
    out.append(u64(7) * RECORDS + b"\1\0f" + bytes(5))
    block = struct.pack("<IIIIB7x", 24 + 16 * 255, 1, 0, 1, 255) + u64(0x1000, 1) * 255
    return b"".join(out) + block * SEEN


(pathlib.Path(sys.argv[1]) / "same-address").write_bytes(same_address())
