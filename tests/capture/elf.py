# SPDX-License-Identifier: BSD-2-Clause
"""elf.py - reads ELF files by their headers. It shares no code with bareprof."""
import struct
from collections import namedtuple

Section = namedtuple("Section", "name kind allocated address offset size content linked", defaults=[False])
Segment = namedtuple("Segment", "offset address physical file_size")
Function = namedtuple("Function", "name address size")
SYMBOLS, NOTE, NO_BITS = 2, 7, 8
FUNCTION = 2
RESERVED_SECTIONS = 0xff00


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
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
        self.symbols = {}
        self.functions = []
        for name, kind, flags, address, offset, size, link, _ in raw:
            name = self.text(raw[shstrndx][4] + name)
            content = b"" if kind in (0, NO_BITS) else self.bytes[offset : offset + size]
            if name not in self.sections or not self.sections[name].size:
                self.sections[name] = Section(name, kind, bool(flags & 2), address, offset, size, content, bool(flags & 0x80))
            if kind == SYMBOLS:
                self.read_symbols(offset, size, raw[link][4])

    def read_symbols(self, offset, size, names):
        wide = self.width == 8
        for at in range(offset, offset + size, 24 if wide else 16):
            if wide:
                name, kind, _, where, value, length = self.get("IBBHQQ", at)
            else:
                name, value, length, kind, _, where = self.get("IIIBBH", at)
            if where:
                self.symbols.setdefault(self.text(names + name), value)
            if kind & 15 == FUNCTION and 0 < where < RESERVED_SECTIONS:
                self.functions.append(Function(self.text(names + name), value, length))

    def get(self, fields, at):
        return struct.unpack_from(self.order + fields, self.bytes, at)

    def text(self, at):
        return self.bytes[at : self.bytes.index(b"\0", at)].decode("latin-1")

    def section(self, name):
        """Returns a section. If the section is missing, the result is an empty section at the address of its start
        symbol."""
        found = self.sections.get(name)
        if found and found.size:
            return found
        return Section(name, 0, True, self.symbols.get("__start_" + name, 0), 0, 0, b"")

    def build_id(self):
        note = self.section(".note.gnu.build-id")
        return note.content[16:] if note.kind == NOTE else b""

    def loaded(self):
        return sum(segment.file_size for segment in self.segments)
