# SPDX-License-Identifier: BSD-2-Clause
"""tiny_core.py PROGRAM FILE - makes an ELF core of a machine whose physical memory has the x86_64 kernel PROGRAM.

The core has the notes of QEMU and of Linux, and one page table, which is the table of all levels.
"""
import struct
import sys

from memory import load

# The table, and the page of 2 MiB to which the kernel was loaded.
TABLE = 0x5000
LOADED = 0x3A00000
KERNEL_SHIFT, PAGE_SHIFT = 30, 21


def note(owner, content):
    owner = owner.encode() + b"\0"
    return struct.pack("<III", len(owner), len(content), 0) + owner.ljust((len(owner) + 3) // 4 * 4, b"\0") + content


def table(first):
    """Returns a page table that maps the page with @first. Its upper levels are itself."""
    entries = {511: TABLE | 3, first >> KERNEL_SHIFT & 511: TABLE | 3, first >> PAGE_SHIFT & 511: LOADED & -(1 << 21) | 0x83}
    return b"".join(struct.pack("<Q", entries.get(i, 0)) for i in range(512))


first, memory = load(sys.argv[1])
physical = LOADED & -(1 << PAGE_SHIFT) | first & ((1 << PAGE_SHIFT) - 1)
qemu = struct.pack("<II", 1, 440).ljust(416, b"\0") + struct.pack("<QQQ", TABLE, 0x20, 0)
info = b"OSRELEASE=6.1\nNUMBER(phys_base)=%d\nKERNELOFFSET=0\n" % (physical - first & 0xFFFFFFFF)
notes = note("QEMU", qemu) + note("VMCOREINFO", info.ljust((len(info) + 3) // 4 * 4, b"\0"))
parts = [(4, 0, notes), (1, TABLE, table(first)), (1, physical, memory)]
out = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(parts), 64, 0, 0)
offset = 64 + 56 * len(parts)
for kind, address, content in parts:
    out += struct.pack("<IIQQQQQQ", kind, 7, offset, 0, address, len(content), len(content), 1)
    offset += len(content)
with open(sys.argv[2], "wb") as file:
    file.write(out + b"".join(content for _, _, content in parts))
