# SPDX-License-Identifier: BSD-2-Clause
"""outside_seeds.py: inputs for the fuzz targets of memory that is read from outside.

`outside_seeds.py requests PROGRAM [QUIET]` prints the requests that packets.c makes of a stub of gdb, which has PROGRAM
in its memory. `outside_seeds.py tables DIR` writes page tables of all forms, as page_walk.c reads them.
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "outside"))
from memory import load

X86_64, AARCH64, ARM, ENDLESS, UNALIGNED = 0, 1, 2, 8, 16

# For each form: the machine and the options, the registers, an address, and entries as pairs of index and value.
TABLES = {
    "x86_64": (X86_64, "cr3=0,cr4=0x20", 0xFFFFFFFF81001234, {511: 3, 510: 3, 8: 3, 1: 0x163}),
    "x86_64-large": (X86_64, "cr3=0", 0xFFFFFFFF81001234, {511: 3, 510: 3, 8: 0x1E001E3}),
    # The first entry is half in one page and half in the next one.
    "x86_64-unaligned": (X86_64 | UNALIGNED | ENDLESS, "cr3=0", 0xFFFFFFFF81001007, {511.875: 0x1003, 1022: 0x1003, 520: 0x1E001E3}),
    "x86_64-five": (X86_64, "CR3=0,CR4=0x1020", 0xFFFFFFFF81001234, {511: 3, 510: 3, 8: 3, 1: 0x163}),
    "aarch64-4": (AARCH64, "ttbr1_el1=0", 0xFFFF800008001010, {256: 3, 0: 3, 64: 3, 1: 0x703}),
    "aarch64-16": (AARCH64, "ttbr1=0,tcr=0x40110010", 0xFFFFC00008008010, {1024: 3, 4: 3, 2: 0x703}),
    "aarch64-64": (AARCH64 | ENDLESS, "ttbr1=0,tcr=0xc0160010", 0xFFFFFE0000010010, {0: 3, 1: 0x703}),
    "aarch64-64-52": (AARCH64 | ENDLESS, "ttbr1=0,tcr=0x6c00c0010", 0xFFF8000000000010, {0: 0xF703, 1: 0x703}),
    "aarch64-4-52": (AARCH64, "ttbr0=0,ttbr1=0,tcr=0x8000000080100010", 0xFFFF800008001010, {256: 3, 0: 3, 64: 3, 1: 0x703}),
    "short": (ARM | ENDLESS, "ttbr0=0", 0xC0112345, {0: 0x100000000, 9: 0x41234002}),
    "short-large": (ARM | ENDLESS, "ttbr0=0,ttbr1=0,ttbcr=2", 0xC0112345, {0: 0x4014000200000402}),
    "long": (ARM, "ttbr0=0,ttbcr=0x80000000", 0xC0212345, {3: 3, 1: 3, 18: 0x703}),
    "long-two": (ARM, "ttbr0=0,ttbr1=0,ttbcr=0x80020000", 0xC0212345, {0: 3, 1: 0x701}),
    "offset": (ARM, "offset=0x80000000", 0x80000010, {0: 0x1122334455667788}),
}


def write_tables(folder):
    for name, (options, registers, address, entries) in TABLES.items():
        memory = bytearray(8 * max(512, int(max(entries)) + 2))
        for index, value in entries.items():
            struct.pack_into("<Q", memory, int(8 * index), value)
        text = registers.encode()
        with open(os.path.join(folder, name), "wb") as file:
            file.write(struct.pack("<I", len(text)) + text + struct.pack("<BQ", options, address) + memory)


def requests(program, quiet=""):
    """Returns the packets that packets.c sends if all answers are sound."""
    first, _ = load(program)
    texts = ["qSupported:swbreak+;hwbreak+"] + ["QStartNoAckMode"] * bool(quiet) + ["?", "qRcmd,696e666f20737461747573"]
    for parts in ([8], [1], [510, 190], [16]):
        texts += [f"m{first:x},{size:x}" for size in parts] + [f"M{first:x},{parts[0]:x}:00"]
        texts += ["Qqemu.PhyMemMode:1"] * (len(parts) == 2)
    return "+" + "".join(f"${text}#{sum(text.encode()) % 256:02x}" for text in texts + ["D"])


if sys.argv[1] == "tables":
    write_tables(sys.argv[2])
else:
    print(requests(*sys.argv[2:]), end="")
