# SPDX-License-Identifier: BSD-2-Clause
"""elf.py - an ELF file as its headers have it; shares no code with bareprof."""
import struct
from collections import namedtuple

Section = namedtuple("Section", "name allocated address offset size content")
Segment = namedtuple("Segment", "offset address physical file_size")


class Elf:
    def __init__(self, path):
        self.bytes = open(path, "rb").read()
        self.width = 8 if self.bytes[4] == 2 else 4
        self.order = "<" if self.bytes[5] == 1 else ">"
        wide = self.width == 8
        head = self.get("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH", 16)
        phoff, shoff, phentsize, phnum, shentsize, shnum, shstrndx = head[4], head[5], *head[8:13]
        self.segments = []
        for i in range(phnum):
            if wide:
                kind, _, offset, address, physical, size = self.get("IIQQQQ", phoff + i * phentsize)
            else:
                kind, offset, address, physical, size = self.get("IIIII", phoff + i * phentsize)
            if kind == 1:
                self.segments.append(Segment(offset, address, physical, size))
        raw = [self.get("IIQQQQII" if wide else "IIIIIIII", shoff + i * shentsize) for i in range(shnum)]
        self.sections = {}
        table = None
        for name, kind, flags, address, offset, size, link, _ in raw:
            name = self.text(raw[shstrndx][4] + name)
            content = b"" if kind in (0, 8) else self.bytes[offset:offset + size]
            self.sections.setdefault(name, Section(name, bool(flags & 2), address, offset, size, content))
            if kind == 2:
                table = offset, size, raw[link][4]
        self.symbols = {}
        for at in range(table[0], table[0] + table[1], 24 if wide else 16) if table else ():
            if wide:
                name, _, _, where, value = self.get("IBBHQ", at)
            else:
                name, value, _, _, _, where = self.get("IIIBBH", at)
            if where:
                self.symbols[self.text(table[2] + name)] = value

    def get(self, fields, at):
        return struct.unpack_from(self.order + fields, self.bytes, at)

    def text(self, at):
        return self.bytes[at:self.bytes.index(b"\0", at)].decode()

    def loaded(self):
        return sum(segment.file_size for segment in self.segments)

    def records(self, clang):
        """Name, hash, where the counters are in their section and how many, of each function."""
        data, counters = self.sections["__llvm_prf_data"], self.sections["__llvm_prf_cnts"]
        pointers = 4 if clang >= 19 else 3
        size = {(8, 3): 48, (4, 3): 40, (8, 4): 64, (4, 4): 48}[self.width, pointers]
        assert data.size % size == 0, "no whole records"
        found = []
        for at in range(0, data.size, size):
            name, code, pointer = struct.unpack_from(self.order + ("QQQ" if self.width == 8 else "QQI"), data.content, at)
            (count,) = struct.unpack_from(self.order + "I", data.content, at + 16 + pointers * self.width)
            if clang >= 14:
                pointer += data.address + at
            offset = (pointer - counters.address) % (1 << 8 * self.width)
            assert offset < counters.size, f"counters of a record are not in their section: {offset:#x}"
            found.append((name, code, offset, count))
        return found
