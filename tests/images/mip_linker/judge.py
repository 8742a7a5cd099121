#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""judge.py - checks the sections of a machine profile in an image: judge.py IMAGE FUNCTION...

The map must not be loaded, and must have a record for exactly these functions. The address of each record must be the
address of the symbol, and the raw bytes of the records must fill the raw sections. If the image has a table of blocks,
the table must not be loaded, must have exactly these functions, and one entry for each block byte. On x86_64, whose
instructions show addresses, the code of each function must write the bytes that belong to its entries.
"""
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../capture"))
from elf import Elf

elf = Elf(sys.argv[1])
expected = sys.argv[2:]
wrong = []


def require(holds, what):
    if not holds:
        wrong.append(what)


found = {}
filled = {1: [], 12: []}
content = elf.sections["__llvm_mipmap"]
require(not content.allocated and content.address == 0, "the map is loaded")
map_bytes = content.content
at = 0
symbols = {}
for function in elf.functions:
    symbols.setdefault(function.name, set()).add(function.address & ~1 if elf.width == 4 else function.address)
while at < len(map_bytes):
    magic, version, kind, size, kinds, reason, start, raw, address, length, name_size = struct.unpack_from(
        "<IHHIHBBQQII", map_bytes, at)
    require((magic, version, kind) == (0x50494DFB, 9, 2) and size % 8 == 0, "record at %d" % at)
    name = map_bytes[at + 40:at + 40 + name_size].decode()
    at += size
    found[name] = found.get(name, 0) + 1
    # In a link without --gc-sections, both definitions of weak() stay. The one that counts has the symbol.
    require(address in symbols.get(name, ()) or name == "weak", "%s at %x is not at %s" % (name, address, symbols.get(name)))
    filled[kinds].append(raw)
found = sorted(name for name, n in found.items() for _ in range(n))
require(found == sorted(expected), "functions %s, expected %s" % (found, sorted(expected)))
for kinds, name, entry in ((1, "cov", 1), (12, "calls", 8)):
    section = elf.sections.get("__llvm_mipraw_" + name)  # GNU ld drops an empty section
    start = elf.symbols["__start_bareprof_mip_" + name]
    stop = elf.symbols["__stop_bareprof_mip_" + name]
    if filled[kinds]:
        require((start, stop) == (section.address, section.address + section.size), name + ": wrong bounds")
        require(start % 8 == 0, name + ": not aligned")
        steps = {b - a for a, b in zip(sorted(filled[kinds]), sorted(filled[kinds])[1:])}
        entry = max(steps or {entry})
        require(entry in ((1, 2) if kinds == 1 else (8,)), name + ": steps of %d" % entry)
        require(len(set(filled[kinds])) == len(filled[kinds]), name + ": two functions share a byte")
        require(stop - start == entry * len(filled[kinds]), name + ": %d bytes for %d functions" % (
            stop - start, len(filled[kinds])))
        require(min(filled[kinds]) >= start and max(filled[kinds]) < stop, name + ": a byte is out of bounds")
    else:
        require(start == stop, name + ": bytes without functions")
        require(start > 0x10000, name + ": the empty section is at address %x" % start)


def read_table():
    """Returns the functions in the table of blocks: address, first byte, end of the bytes."""
    mask, byte, functions = (~1 if elf.width == 4 else ~0), elf.symbols["__start_bareprof_mip_blk"], []
    for address, flags in struct.iter_unpack("<II" if elf.width == 4 else "<QQ", elf.sections["__llvm_mippcs"].content):
        if flags & 1:
            functions.append([address & mask, byte, byte])
        byte += 1
        functions[-1][2] = byte
    require(byte == elf.symbols["__stop_bareprof_mip_blk"], "there are not as many block bytes as entries")
    return functions


def written_bytes(address):
    """Returns the addresses of the block bytes that the code of the function at the address writes."""
    size = next(one.size for one in elf.functions if one.address == address)
    command = ["objdump", "-d", f"--start-address={address}", f"--stop-address={address + size}", sys.argv[1]]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {int(found, 16) for found in re.findall(r"(?:shrb|movb) .*# ([0-9a-f]+) ", text)}


if "__llvm_mippcs" in elf.sections and elf.sections["__llvm_mippcs"].size:
    require(not elf.sections["__llvm_mippcs"].allocated, "the table of blocks is loaded")
    # In Thumb code, the entry of a weak function in the table keeps the local label of its alias in the symbol table.
    names = {address: name for name, addresses in symbols.items() if name[:2] != ".L" for address in addresses}
    table = read_table()
    # In a link without --gc-sections, the code of the other definition of weak() stays, without the symbol of weak().
    listed = sorted(names.get(address, "weak") for address, _, _ in table)
    require(listed == sorted(expected), "the table has %s, expected %s" % (listed, sorted(expected)))
    for address, first, end in table if elf.get("H", 18)[0] == 62 else ():
        if address in names:
            own = written_bytes(address)
            require(own == set(range(first, end)), "%s writes %s, its entries have %x to %x" % (
                names[address], sorted(map(hex, own)), first, end))
for line in wrong:
    print("wrong:", line)
sys.exit(bool(wrong))
