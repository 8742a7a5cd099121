#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""make.py ELF OUT [KEY=VALUE]... - writes a capture of counters, and the profile that must be rebuilt from it (docs/SPEC.md).

By default, the counters are random. With profraw=FILE, they come from the .profraw of a program. With counters=FILE and
bitmap=FILE, the counters and the bitmap come from files that decode.py wrote. With whole=FILE, the capture contains
this .profraw as it is. If ELF is "-", there is no ELF file, and profraw=, counters= or whole= is required. The expected
profile is written to expected=FILE. The other keys are:
- word: the version word. told: the raw version in BEGIN, if it differs from the raw version in word; 0 means that BEGIN
  gives no version.
- id: the build id in hex, none or zero. nonce, generation, format, span: these fields of BEGIN.
- slide: the load address minus the link address. seed: the seed of all random choices.
- form: file, text or frames. order: plain, random, or twice (each block is sent twice).
- drop: the indices of blocks to leave out, separated by commas. without: the number of a stream to leave out.
- coding: stored or numbers. By default, make.py chooses the coding with fewer bytes. wrong: a key of WRONG below, which
  selects the fault of a malformed item.
- uniform: any word; some blocks whose bytes are all equal become uniform blocks.
- claim: the size that BEGIN gives for every stream. resize: the number of additional bytes of counters. short: the
  number of bytes that the last stream lacks.
- bits: the maximum number of bits in a counter. few: the percentage of counters that are not 0.
- values: the maximum number of random values at each value site of the ELF file. With profraw=, the values come from
  that file, and values=none leaves them out.
- sites: the number of additional bytes in the stream of sites. pairs: the number of additional values. dropped: the
  number of dropped values.
"""
import random
import struct
import sys

import encode
import profraw
from elf import Elf

WRONG = {
    "opcode": lambda coded: b"\x60" + coded,
    "opcode-c0": lambda coded: b"\xc0" + coded,
    "opcode-c1": lambda coded: b"\xc1\x01" + coded,
    "opcode-c9": lambda coded: b"\xc9" + bytes(9) + coded,
    "cut": lambda coded: coded + b"\xc8\x01",
    "cut-middle": lambda coded: coded[:-1] + b"\x81",
    "more": lambda coded: coded + b"\x61",
    "fewer": lambda coded: b"\x00",
    "none": lambda coded: b"",
    "zeros": lambda coded: b"\x3f" + encode.uleb(1 << 40),
    "zeros-wrap": lambda coded: b"\x3f" + encode.uleb((1 << 64) - 64),
    "uniform-none": lambda coded: b"",
    "uniform-cut": lambda coded: b"\x00",
    "uniform-more": lambda coded: b"\x00\x01\x00",
    "uniform-zero": lambda coded: b"\x00\x00",
    "uniform-128": lambda coded: b"\x00\x80",
    "uniform-far": lambda coded: b"\x00\x7f",
    "coding-6": lambda coded: b"\x00\x01",
    "uleb": lambda coded: b"\x3f" + b"\xff" * 10 + b"\x01",
}


class Keys:
    def __init__(self, words):
        self.given = dict(word.split("=", 1) for word in words)
        self.dice = random.Random(int(self.get("seed", 1)))

    def get(self, name, default=None):
        return self.given.get(name, default)

    def number(self, name, default):
        return int(str(self.get(name, default)), 0)

    def file(self, name):
        if name not in self.given:
            return b""
        with open(self.given[name], "rb") as file:
            return file.read()


def random_counters(keys, elf, word):
    size, percent = elf.section("__llvm_prf_cnts").size, keys.number("few", 30)
    if word & profraw.BYTES:
        return bytes(0 if keys.dice.randrange(100) < percent else 0xFF for _ in range(size))
    numbers = []
    for _ in range(size // 8):
        bits = keys.dice.choice([1, 3, 5, 6, 9, 14, 15, 16, 30, 47, keys.number("bits", 40)])
        numbers.append(keys.dice.randrange(1 << bits) if keys.dice.randrange(100) < percent else 0)
    return struct.pack(elf.order + "%dQ" % len(numbers), *numbers)


def random_values(keys, elf, word):
    """Returns random values: the number of values at each site, and the values with their counts."""
    most, data = keys.number("values", 0), elf.section("__llvm_prf_data").content
    number = sum(map(sum, profraw.sites(elf.order, word & 0xFFFFFFFF, elf.width, profraw.pad(data)))) if most else 0
    counts = bytes(keys.dice.choice([0, 1, 2, 3, keys.dice.randrange(most + 1), most]) for _ in range(number))
    bits = [keys.dice.choice([0, 3, 9, 16, 40, 64]) for _ in range(2 * sum(counts))]
    return counts, struct.pack(elf.order + "%dQ" % len(bits), *map(keys.dice.getrandbits, bits))


def parts_of(keys, elf):
    """Returns the counters and values of a run, and the properties of its image, as a profraw.Parts."""
    if "profraw" in keys.given:
        parts = profraw.take_apart(keys.file("profraw"))
        return parts._replace(counts=b"", values=b"") if keys.get("values") == "none" else parts
    word = keys.number("word", 10)
    parts = profraw.Parts(word, "<", 8, keys.file("counters"), keys.file("bitmap"), b"", None)
    if not elf:
        return parts
    size = elf.section("__llvm_prf_bits").size
    counters = random_counters(keys, elf, word)
    bitmap = bytes(keys.dice.choice([0, 0, 0, 1, 2, 128, 255]) for _ in range(size))
    counts, values = random_values(keys, elf, word)
    return parts._replace(
        order=elf.order, width=elf.width, counters=counters, bitmap=bitmap, id=elf.build_id(), counts=counts, values=values
    )


def coder(keys, word, order):
    """Returns a function that codes the bytes of a DATA block. If the key `wrong` is given, the first block that the
    function codes becomes malformed."""
    wrong = [keys.get("wrong")]

    def code(number, piece):
        how, spoil = keys.get("coding"), wrong.pop() if wrong else None
        if number == 0 or how == "stored":
            return 0, piece
        coding = {2: 3 if word & profraw.BYTES else 1, 5: 1}.get(number, 2)
        if spoil == "large":  # a number that does not fit in a byte
            return 2, b"\xc2\x00\x01" + encode.items(bytes(len(piece) - 1), keys.dice)
        if spoil and spoil.startswith("uniform"):
            coding = 4
        if spoil == "coding-6":
            coding = 6
        if spoil:
            return coding, WRONG[spoil](encode.coded(coding, piece, order, keys.dice))
        if how == "numbers":
            return coding, encode.coded(coding, piece, order, keys.dice)
        return encode.shorter(coding, piece, order, keys.dice)

    return code


def arrange(keys, blocks):
    """Returns the blocks that arrive, in the order in which they arrive. The key `drop` says which blocks are lost.
    With order=twice, each block arrives twice. With order=random, the order is random."""
    drop = {int(i) % len(blocks) for i in keys.get("drop", "").split(",") if i}
    blocks = [block for i, block in enumerate(blocks) if i not in drop]
    if keys.get("order") == "random":
        keys.dice.shuffle(blocks)
    elif keys.get("order") == "twice":
        blocks = [block for block in blocks for _ in (0, 1)]
    return blocks


def value_streams(keys, parts):
    """Returns the streams of sites, values and dropped values. The streams of sites and values are left out if the run
    has no values and no key asks for these streams. The stream of dropped values is left out without the key
    `dropped`."""
    streams = []
    if parts.counts or "sites" in keys.given or "pairs" in keys.given:
        streams.append((4, parts.counts + bytes(keys.number("sites", 0))))
        streams.append((5, parts.values + bytes(16 * keys.number("pairs", 0))))
    if "dropped" in keys.given:
        order = {"<": "little", ">": "big"}[parts.order]
        streams.append((6, keys.number("dropped", 0).to_bytes(parts.width, order)))
    return streams


def main():
    elf = None if sys.argv[1] == "-" else Elf(sys.argv[1])
    keys = Keys(sys.argv[3:])
    parts = parts_of(keys, elf)
    word, whole, counters, slide, address = parts.word, keys.file("whole"), parts.counters, 0, 0
    ident = keys.get("id", parts.id.hex())
    ident = {"none": b"", "zero": bytes(20)}[ident] if ident in ("none", "zero") else bytes.fromhex(ident)
    if elf:
        if parts.names_at is not None:
            slide = parts.names_at - elf.section("__llvm_prf_names").address
        slide = keys.number("slide", slide)
        address = elf.section("__llvm_prf_cnts").address + slide & (1 << 8 * elf.width) - 1
    if "expected" in keys.given:
        with open(keys.get("expected"), "wb") as file:
            file.write(profraw.assemble(elf, word, counters, parts.bitmap, ident, slide, parts.counts, parts.values))
    counters += bytes(keys.number("resize", 0))
    streams = [(0, whole), (2, counters), (3, parts.bitmap)]
    streams = [(number, raw) for number, raw in streams if raw]
    streams += value_streams(keys, parts)
    streams = [(number, raw) for number, raw in streams if number != keys.number("without", 1)]
    streams[-1] = streams[-1][0], streams[-1][1][: len(streams[-1][1]) - keys.number("short", 0)]
    told = encode.about(
        format=keys.number("format", 1),
        width=parts.width,
        order=parts.order,
        version=word >> 32 << 32 | keys.number("told", word & 0xFFFFFFFF),
        nonce=keys.number("nonce", 7),
        generation=keys.number("generation", 3),
        span=keys.number("span", 512),
        address=address,
        id=ident,
    )
    claim = keys.number("claim", 0) if "claim" in keys.given else None
    dice = keys.dice if "uniform" in keys.given else None
    blocks = encode.Writer().dump(streams, told, coder(keys, word, parts.order), claim, dice)
    with open(sys.argv[2], "wb") as file:
        file.write(encode.put(arrange(keys, blocks), keys.get("form", "file")))


main()
