#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mip_image.py - checks the machine-profile parts of a linked image: mip_image.py [calls] [atomic] IMAGE

Reads the map records, and requires that each record belongs to a function symbol, that each function symbol has a
record, and that the code at each function's entry stores to the raw byte or words of its record. Prints one line for
each record: name, kinds, reason, bytes of the function. Then prints "raw" and the bytes of the raw section. Prints "wrong: ..." for each fault, and then fails.
"""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../capture"))
from elf import Elf

X86_64, AARCH64, ARM = 62, 183, 40
RAW = ("__llvm_mipraw_cov", "__llvm_mipraw_calls")
# Parts of functions, and what the tests write by hand.
NO_FUNCTIONS = re.compile(r"\.cold$|\.__part\.|^__cfi_|^\.L|^handmade|^__bareprof_|^discarded|^__acle_se_|^__x86_")


def code_at(elf, address, size):
    for section in elf.sections.values():
        if section.allocated and section.content and 0 <= address - section.address < section.size:
            return section.content[address - section.address:][:size].ljust(size, b"\0")
    return b""


def records(content):
    at = 0
    while at < len(content):
        magic, version, kind, size, kinds, reason, start, raw, function, length, name_size = \
            struct.unpack_from("<IHHIHBBQQII", content, at)
        name = content[at + 40:at + 40 + name_size]
        padding = content[at + 40 + name_size:at + size]
        if (magic, version, kind) != (0x50494dfb, 9, 2) or size % 8 or len(padding) > 7 or padding.strip(b"\0"):
            raise ValueError("record at offset %d" % at)
        yield dict(name=name.decode("latin-1"), kinds=kinds, reason=reason, start=start, raw=raw,
                   function=function, size=length)
        at += size


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def x86_64(code, address, calls, atomic):
    """Returns the addresses to which the first instructions of a function store."""
    pattern = rb"\xff\x05(....)\x7f\x05\xe8" if calls else rb"\xc6\x05(....)\x01"
    if calls and atomic:
        pattern = rb"\xf0" + pattern
    for m in re.finditer(pattern, code, re.S):
        end = m.end(1) + (0 if calls else 1)
        yield address + end + signed(struct.unpack("<I", m[1])[0], 32)


def aarch64(code, address, calls, atomic):
    words = struct.unpack("<%dI" % (len(code) // 4), code[:len(code) // 4 * 4])
    for i, word in enumerate(words[:-2]):
        distance = signed((word >> 5 & 0x7ffff) << 2 | word >> 29 & 3, 21)
        if calls and atomic and word & 0x9f00001f == 0x10000010:  # adr x16, which lld writes in place of adrp and add
            yield address + 4 * i + distance
        if word & 0x9f00001f != 0x90000010:  # adrp x16
            continue
        page = (address + 4 * i & ~4095) + (distance << 12)
        follow = words[i + 1]
        if calls and atomic and follow & 0xffc003ff == 0x91000210:  # add x16, x16, #n
            yield page + (follow >> 10 & 4095)
        elif calls and follow & 0xffc003ff == 0xb9400211 and words[i + 2] == 0x31000631:  # ldr w17; adds w17, w17, #1
            yield page + ((follow >> 10 & 4095) << 2)
        elif not calls and follow & 0xffc003ff == 0x3900021f:  # strb wzr
            yield page + (follow >> 10 & 4095)


def thumb(code, address, calls, atomic):
    half = struct.unpack("<%dH" % (len(code) // 2), code[:len(code) // 2 * 2])

    def immediate(i):
        a, b = half[i], half[i + 1]
        return (a & 15) << 12 | (a >> 10 & 1) << 11 | (b >> 12 & 7) << 8 | b & 255

    for i in range(len(half) - 8):
        if half[i] & 0xfbf0 == 0xf240 and half[i + 2] & 0xfbf0 == 0xf2c0 and half[i + 1] & 0x8f00 == 0x0c00:
            value, at = immediate(i) | immediate(i + 2) << 16, i + 4
            if half[at] == 0x44fc:  # add ip, pc
                value, at = value + address + 2 * at + 4 & 0xffffffff, at + 1
            # strb lr, [ip]; strb ip, [ip]; push {r0}; push {r0, r1}
            expect = ((0xb403 if atomic else 0xb401,) if calls else (0xf88c,))
            # A stored address must be odd, because its low byte must not be 0.
            if half[at] in expect and (calls or half[at + 1] == 0xe000 or half[at + 1] == 0xc000 and value & 1):
                yield value
        if half[i] == 0xb403 and half[i + 1] & 0xff00 == 0x4800:  # push {r0, r1}; ldr r0, literal
            at = (address + 2 * i + 6 & ~3) + 4 * (half[i + 1] & 255) - address
            if at + 4 > len(code):
                continue
            value = struct.unpack_from("<I", code, at)[0]
            if half[i + 2] == 0x4478:  # add r0, pc
                value = value + address + 2 * i + 8 & 0xffffffff
            yield value


def arm(code, address, calls, atomic):
    words = struct.unpack("<%dI" % (len(code) // 4), code[:len(code) // 4 * 4])
    for i in range(len(words) - 3):
        if words[i] & 0xfff0f000 == 0xe300c000 and words[i + 1] & 0xfff0f000 == 0xe340c000:
            low, high = ((w >> 4 & 0xf000) | w & 0xfff for w in words[i:i + 2])
            value, at = low | high << 16, i + 2
            if words[at] == 0xe08fc00c:  # add ip, pc, ip
                value, at = value + address + 4 * at + 8 & 0xffffffff, at + 1
            if words[at] == ((0xe92d0003 if atomic else 0xe52d0004) if calls else 0xe5ccc000) and (calls or value & 1):
                yield value


def stores(elf, record, thumb_state, calls, atomic):
    read = {X86_64: x86_64, AARCH64: aarch64, ARM: thumb if thumb_state else arm}[elf.get("H", 18)[0]]
    return list(read(code_at(elf, record["function"], 120), record["function"], calls, atomic))


def find_faults(elf, found, calls, atomic):
    machine = elf.get("H", 18)[0]
    raw_section = elf.section(RAW[calls])
    symbols = {}
    for symbol in elf.functions:
        symbols.setdefault(symbol.address & ~1 if machine == ARM else symbol.address, []).append(symbol)
    names = {s.name for s in elf.functions}
    start = 0xff if calls or machine == AARCH64 else 0
    raw = set()
    for r in found:
        here = symbols.get(r["function"], [])
        targets = stores(elf, r, any(s.address & 1 for s in here), calls, atomic)
        # The code of a weak definition that another definition replaced has no symbol.
        if not any((r["name"], r["size"]) == (s.name, s.size) for s in here) and (here or r["name"] not in names):
            yield "%s: no such symbol" % r["name"]
        if not r["kinds"]:
            if not r["reason"] or r["raw"] or r["start"] or (targets and r["size"] > 120):
                yield "%s: left out without reason, or with a sequence" % r["name"]
            continue
        if r["kinds"] != (12 if calls else 1) or r["start"] != start or r["reason"] or r["raw"] in raw:
            yield "%s: %s" % (r["name"], r)
        raw.add(r["raw"])
        if r["raw"] not in targets:
            yield "%s: the entry does not store to 0x%x" % (r["name"], r["raw"])
        if not 0 <= r["raw"] - raw_section.address < raw_section.size:
            yield "%s: the raw address 0x%x is outside of the section" % (r["name"], r["raw"])
    known = {r["function"] for r in found}
    for address, here in symbols.items():
        if address not in known and not all(NO_FUNCTIONS.search(s.name) for s in here):
            yield "%s: no record" % here[0].name
    if elf.section("__llvm_mipmap").allocated:
        yield "the map is loaded"


def main():
    calls, atomic = "calls" in sys.argv, "atomic" in sys.argv
    elf = Elf(sys.argv[-1])
    found = list(records(elf.section("__llvm_mipmap").content))
    for r in found:
        print(r["name"], r["kinds"], r["reason"], r["size"])
    print("raw", elf.section(RAW[calls]).size)
    faults = list(find_faults(elf, found, calls, atomic))
    for fault in faults:
        print("wrong:", fault)
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
