# SPDX-License-Identifier: BSD-2-Clause
"""tiny_kdump.py FILE [flat|paper] - makes a kernel dump that has three pages. A flattened one is smaller than a block.

With "paper", the flattened dump has one more piece, of 64 GiB that are a hole in the file."""
import struct
import sys

BLOCK = 4096
PRESENT = (0, 2, 3)


def dump(bitmaps):
    head = b"KDUMP   " + struct.pack("<i", 6) + b"\0" * 390 + b"\0" * 6 + b"\0" * 16
    head += struct.pack("<iiiIIIIIIi", 0, BLOCK, 1, bitmaps, 0x8000 if bitmaps == 1 else 8, 0, 0, 0, 0, 0)
    note = struct.pack("<III12s8s", 11, 6, 0, b"VMCOREINFO\0\0", b"KEY=1\n\0\0")
    sub = struct.pack("<QiiQQQQQQQQQQQ", 0, 31, 0, 0, 0, 0, 0, BLOCK + 256, len(note), 0, 0, 0, 8, 8)
    sub = sub.ljust(256, b"\0") + note
    bits = bytes([sum(1 << page for page in PRESENT)])
    pages = [bytes(64)] + [bytes([page]) * 64 for page in PRESENT[1:]]
    start = (2 + bitmaps) * BLOCK + 24 * len(PRESENT)
    table = b"".join(struct.pack("<QIIQ", start + 64 * i, 64, 1, 0) for i in range(len(pages)))
    parts = (head, sub, b"\xff", bits) if bitmaps == 2 else (head, sub, bits)
    return b"".join(part.ljust(BLOCK, b"\0") for part in parts) + table + b"".join(pages)


def flat(data):
    """Returns the flattened dump, whose pieces leave out most zeros."""
    out = b"makedumpfile\0\0\0\0" + struct.pack(">qq", 1, 1)
    out = out.ljust(BLOCK, b"\0")
    for offset in range(0, len(data), 128):
        part = data[offset : offset + 128]
        if any(part):
            out += struct.pack(">qq", offset, len(part)) + part
    return out + struct.pack(">qq", -1, -1)


is_flat = sys.argv[2:] != []
content = dump(2 if is_flat else 1)
with open(sys.argv[1], "wb") as file:
    if is_flat:
        content = flat(content)
    if sys.argv[2:] == ["paper"]:
        file.write(content[:-16] + struct.pack(">qq", 1 << 20, 1 << 36))
        file.seek(1 << 36, 1)
        content = content[-16:]
    file.write(content)
