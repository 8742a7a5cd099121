# SPDX-License-Identifier: BSD-2-Clause
"""moved.py CORE ELF OUT WAY - makes a core in which the program of ELF is elsewhere, or more than once.

CORE is a core of QEMU, without virtual addresses. OUT gets the first MiB of the program's memory, at the address 0x1e00000
above the old one, and what WAY says:

moved: nothing else    file: before it, a copy of ELF, as a boot loader leaves it
stale: before it, a copy of the program whose counters are 0    twice: before it, a copy whose counters differ
weak: the first record has other counters, as the runtime does it for weak duplicates
noted: the same as `twice`, and the note VMCOREINFO
mapped: the same as `twice`, and page tables and registers that map the new place
gone: nothing, and no program    sparse: a file of 64 GiB, and the program near its end
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "images", "matrix"))
from witness import Elf

MOVE = 0x1E00000
MIB = 1 << 20


def segments(path, kind):
    """Returns (offset, virtual address, physical address, size) of each loaded segment."""
    with open(path, "rb") as file:
        head = file.read(4096)
        (headers,) = struct.unpack_from("<Q", head, 32)
        (count,) = struct.unpack_from("<H", head, 56)
        rows = [struct.unpack_from("<IIQQQQ", head, headers + 56 * i) for i in range(count)]
    return [row[2:] for row in rows if row[0] == kind]


def read(path, address):
    """Returns the MiB of memory at the physical address."""
    for offset, _, start, size in segments(path, 1):
        if start <= address < start + size:
            with open(path, "rb") as file:
                file.seek(offset + address - start)
                return file.read(MIB)
    sys.exit(f"{path}: no memory at {address:#x}")


def write(path, parts, notes, size=0):
    """Writes a core with memory: (physical address, bytes). The last part ends at offset `size`, or after the others."""
    offset = 4096
    rows = [(4, 0, 1024, 0, 0, len(notes), 0, 0)]
    with open(path, "wb") as file:
        file.seek(1024)
        file.write(notes)
        for i, (address, content) in enumerate(parts):
            if size and i == len(parts) - 1:
                address, offset = address + offset, offset
                rows.append((1, 7, offset, 0, address - (size - offset - len(content)), size - offset, size - offset, 0))
                offset = size - len(content)
            else:
                rows.append((1, 7, offset, 0, address, len(content), len(content), 0))
            file.seek(offset)
            file.write(content)
            offset += len(content)
        file.seek(0)
        file.write(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(rows), 64, 0, 0))
        for row in rows:
            file.write(struct.pack("<IIQQQQQQ", *row))


def note(root):
    """Returns the note with the registers of a CPU whose first page table is at `root`."""
    state = bytearray(440)
    struct.pack_into("<II", state, 0, 1, len(state))
    struct.pack_into("<QQ", state, 416, root, 0x20)
    return struct.pack("<III8s", 5, len(state), 0, b"QEMU") + bytes(state)


def vmcoreinfo():
    """Returns the note of a Linux kernel that was loaded MOVE higher, and runs at the addresses in its ELF file."""
    text = f"OSRELEASE=6.1\nNUMBER(phys_base)={MOVE}\nKERNELOFFSET=0\n".encode()
    return struct.pack("<III12s", 11, len(text), 0, b"VMCOREINFO") + text + bytes(-len(text) % 4)


def move_tables(memory, start, table, seen):
    """Adds MOVE to all addresses in the page tables, from the one at the physical address `table` on."""
    if table in seen:
        return
    seen.add(table)
    for at in range(table - start, table - start + 4096, 8):
        (entry,) = struct.unpack_from("<Q", memory, at)
        target = entry & 0xFFFFFFFFFF000
        if not entry & 0x80 and start <= target < start + MIB:
            move_tables(memory, start, target, seen)
        if entry & 1:
            struct.pack_into("<Q", memory, at, entry + MOVE)


def main(core, elf_path, out, way):
    elf = Elf(elf_path)
    _, virtual, start, _ = segments(elf_path, 1)[0]
    memory = bytearray(read(core, start))
    _, counters, _, size, _ = elf.section["__llvm_prf_cnts"]
    copy = bytearray(memory)
    first = counters - virtual
    copy[first : first + size] = bytes(size)
    if way in ("twice", "mapped", "noted"):
        copy[first : first + size] = b"\1" + bytes(size - 1)
    before = {"file": elf.image, "stale": copy, "twice": copy, "mapped": copy, "noted": copy}.get(way)
    # A part of a dump may begin anywhere, and the first page has nothing.
    parts = [(0, bytes(4096))] + ([(0x1000000, bytes(before))] if before else [])
    if way == "weak":
        _, records, _, _, _ = elf.section["__llvm_prf_data"]
        memory[records - virtual + 16] ^= 8
    if way == "gone":
        memory[:] = bytes(len(memory))
    notes = vmcoreinfo() if way == "noted" else b""
    if way == "mapped":
        table = elf.function("level4") - virtual + start
        move_tables(memory, start, table, set())
        notes = note(table + MOVE)
    parts.append((start + MOVE + (64 << 30 if way == "sparse" else 0), bytes(memory)))
    write(out, parts, notes, 64 << 30 if way == "sparse" else 0)


main(*sys.argv[1:])
