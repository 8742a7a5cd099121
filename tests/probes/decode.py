# SPDX-License-Identifier: BSD-2-Clause
"""decode.py - a second reader of pseudo probes, written from docs/SPEC.md (5.1) alone. It shares no code with bareprof.

decode.py ELF     prints a line for each probe of a linked image"""
import hashlib
import os
import struct
import sys
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "capture"))
from elf import Elf  # noqa: E402

sys.setrecursionlimit(10000)  # read_record() calls itself for each of at most 1000 levels
TYPES = ("block", "indirect-call", "call")
ARM = 40
SENTINEL, DISCRIMINATOR = 2, 4

Probe = namedtuple("Probe", "address guid index type discriminator chain")


class Malformed(Exception):
    pass


class Bytes:
    def __init__(self, content, order):
        self.content, self.order, self.at = content, order, 0

    def take(self, count):
        if count > len(self.content) - self.at:
            raise Malformed("cut short at %d" % self.at)
        self.at += count
        return self.content[self.at - count : self.at]

    def fixed(self, width):
        return struct.unpack(self.order + {1: "B", 4: "I", 8: "Q"}[width], self.take(width))[0]

    def leb(self, signed=False):
        value = 0
        for i in range(10):
            byte = self.fixed(1)
            value |= (byte & 0x7F) << 7 * i
            if byte < 0x80:
                return value - (1 << 7 * (i + 1)) if signed and byte & 0x40 else value
        raise Malformed("a number has more than 10 bytes")

    def left(self):
        return len(self.content) - self.at


def guid_of(name):
    return int.from_bytes(hashlib.md5(name.encode("latin-1")).digest()[:8], "little")


class Entry:
    """A probe or a sentinel, before its address is known."""

    def __init__(self, guid, chain, index, flags, field, discriminator):
        self.guid, self.chain, self.index = guid, chain, index
        self.type, self.attributes, self.distance = flags & 15, flags >> 4 & 7, bool(flags & 0x80)
        self.field, self.discriminator = field, discriminator
        self.sentinel = index == 0


class Record:
    """A record at the top with everything that was inlined into it."""

    def __init__(self, guid):
        self.guid, self.entries = guid, []

    def anchored(self):
        return bool(self.entries) and not self.entries[0].sentinel and not self.entries[0].distance

    def is_new(self):
        return any(e.sentinel or e.attributes & DISCRIMINATOR for e in self.entries)


def read_descriptors(data):
    names = {}
    while data.left():
        guid, _ = data.fixed(8), data.fixed(8)
        name = data.take(data.leb())
        if not name or b"\0" in name:
            raise Malformed("the name of a descriptor")
        names[guid] = name.decode("latin-1")
    return names


def read_record(data, width, top, chain, depth):
    if depth > 1000:
        raise Malformed("too deep")
    call = data.leb() if chain is not None else None
    guid, probes, inlined = data.fixed(8), data.leb(), data.leb()
    if max(call or 0, 0) > 0xFFFFFFFF or probes > data.left() // 3 or inlined > data.left() // 10:
        raise Malformed("a count")
    if top is None:
        top, chain = Record(guid), ()
    else:
        chain = chain[:-1] + ((chain[-1][0], call),)
    for _ in range(probes):
        index, flags = data.leb(), data.fixed(1)
        if (index == 0) != bool(flags >> 4 & SENTINEL) or (index == 0 and flags & 0x80):
            raise Malformed("a sentinel")
        field = data.leb(True) if flags & 0x80 else data.fixed(8 if index == 0 else width)
        discriminator = data.leb() if flags >> 4 & DISCRIMINATOR else 0
        if max(index, discriminator) > 0xFFFFFFFF or flags & 15 > 2:
            raise Malformed("a probe")
        top.entries.append(Entry(guid, chain, index, flags, field, discriminator))
    for _ in range(inlined):
        read_record(data, width, top, chain + ((guid, None),), depth + 1)
    return top


class Decoder:
    def __init__(self, path):
        self.elf = elf = Elf(path)
        machine = elf.get("H", 18)[0]
        self.symbols, self.shortened = {}, {}
        for function in elf.functions:
            start = function.address & ~1 if machine == ARM else function.address
            self.symbols.setdefault(guid_of(function.name), []).append((start, function.size))
            short = min((function.name.split(s)[0] for s in (".llvm.", ".part.")), key=len)
            if short != function.name:
                self.shortened.setdefault(guid_of(short), []).append((start, function.size))
        self.names = {guid_of(f.name): f.name for f in elf.functions}
        self.names.update(read_descriptors(Bytes(elf.section(".pseudo_probe_desc").content, elf.order)))
        data = Bytes(elf.section(".pseudo_probe").content, elf.order)
        self.records = []
        while data.left():
            self.records.append(read_record(data, elf.width, None, None, 1))
        self.lost = 0
        self.probes = []
        self.groups = {}
        self.decide()

    def extents(self, guid):
        found = sorted(self.symbols.get(guid) or self.shortened.get(guid) or ())
        # Two symbols of one name and address are functions that the linker folded.
        return list(dict(found).items()) if self.elf.section(".pseudo_probe").linked else found

    def fits(self, record, start=None):
        """Whether all probes of the record are within its function. They count from its symbol, or from start."""
        extents = self.extents(record.guid)
        if not extents:
            return False
        first, size = extents[0]
        at = first if start is None else start
        for entry in record.entries:
            at += entry.field
            if not (first <= at and (size == 0 or at < first + size)):
                return False
        return True

    def breaks(self, i):
        return self.records[i].guid <= self.records[i - 1].guid or self.records[i].is_new()

    def decide(self):
        """Finds the chains, decides which form each record has, and computes the addresses."""
        records = [r for r in self.records if r.entries]
        self.records = records
        starts = [i for i, r in enumerate(records) if r.anchored()]
        ends = starts[1:] + [len(records)]
        mixed = bool(starts) and (
            starts[0] > 0 or any(self.breaks(i) for a, b in zip(starts, ends) for i in range(a + 1, b)))
        done = 0
        for start, end in zip(starts, ends):
            self.new_form(records[done:start])
            limit = end
            sure = end
            if mixed:
                limit = next((i for i in range(start + 1, end) if self.breaks(i)), end)
                sure = max([start] + [i for i in range(start + 1, limit) if not self.fits(records[i])]) + 1
            at = self.place(records[start], 0)
            for i in range(start + 1, end):
                if i >= limit or (i >= sure and not self.fits(records[i], at)):
                    end = i
                    break
                at = self.place(records[i], at)
            done = end
        self.new_form(records[done:])

    def new_form(self, records):
        function = previous = None
        for record in records:
            first = record.entries[0]
            wanted = first.field if first.sentinel else record.guid
            if wanted != function or record.guid <= previous:
                extents = self.extents(wanted)
                number = self.groups.get(wanted, 0)
                self.groups[wanted] = number + 1
                symbol = extents[min(number, len(extents) - 1)] if extents else None
            function, previous = wanted, record.guid
            if symbol:
                self.place(record, symbol[0])
            else:
                self.lost += sum(not e.sentinel for e in record.entries)

    def place(self, record, at):
        for e in record.entries:
            if e.sentinel:
                continue
            at = at + e.field if e.distance else e.field
            self.probes.append(Probe(at & (1 << 64) - 1, e.guid, e.index, e.type, e.discriminator, e.chain))
        return at

    def name(self, guid):
        return self.names.get(guid, "%016x" % guid)

    def lines(self):
        """Returns (address, function, index, type, discriminator, chain of calls) of each probe."""
        return [(p.address, self.name(p.guid), p.index, TYPES[p.type], p.discriminator,
                 tuple((self.name(guid), call) for guid, call in p.chain)) for p in self.probes]


if __name__ == "__main__":
    for line in sorted(Decoder(sys.argv[1]).lines()):
        print("0x%x %s %d %s %d %s" % (line[:5] + (" ".join("@ %s:%d" % c for c in line[5]),)))
