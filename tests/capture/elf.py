# SPDX-License-Identifier: BSD-2-Clause
"""elf.py - sections and symbols of an ELF file, for the tests of captures."""

import struct


class Elf:
    def __init__(self, path):
        self.data = data = bytearray(open(path, "rb").read())
        self.width = 8 if data[4] == 2 else 4
        self.order = "<" if data[5] == 1 else ">"
        long = self.width == 8
        start = self.number(40 if long else 32, self.width)
        size, count, names = struct.unpack_from(self.order + "HHH", data, 58 if long else 46)
        # name, type, flags, address, offset, size, link, info, alignment, entry size
        form = self.order + ("IIQQQQIIQQ" if long else "IIIIIIIIII")
        heads = [struct.unpack_from(form, data, start + i * size) for i in range(count)]
        text = heads[names][4]
        self.sections = [(self.string(text + h[0]),) + h[1:] for h in heads]

    def number(self, at, width):
        return int.from_bytes(self.data[at : at + width], "little" if self.order == "<" else "big")

    def string(self, at):
        return bytes(self.data[at : self.data.index(0, at)]).decode("latin-1")

    def section(self, name):
        """Address, size, content (empty if there is none in the file) and whether it is loaded."""
        for s in self.sections:
            if s[0] == name and s[5]:
                return s[3], s[5], b"" if s[1] == 8 else bytes(self.data[s[4] : s[4] + s[5]]), bool(s[2] & 2)
        return self.symbol("__start_" + name), 0, b"", True

    def symbol(self, name):
        for s in self.sections:
            if s[1] != 2:
                continue
            size, text = (24 if self.width == 8 else 16), self.sections[s[6]][4]
            for at in range(s[4], s[4] + s[5], size):
                if self.string(text + self.number(at, 4)) == name:
                    return self.number(at + (8 if self.width == 8 else 4), self.width)
        return 0

    def build_id(self):
        for s in self.sections:
            if s[1] == 7 and s[0] == ".note.gnu.build-id":
                return bytes(self.data[s[4] + 16 : s[4] + s[5]])
        return b""
