#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""make.py ELF OUT [KEY=VALUE]... - a capture of counters, and the profile that must come of it, after docs/SPEC.md.

Counters are random, or those of profraw=FILE, which a program wrote. expected=FILE gets the profile. Keys: word (version
word), told (low half of it in BEGIN; 0: not known), seed, span, slide, id (hex, none, zero), drop (indices of blocks to
leave out, by commas), order (plain, random, twice), form (file, text, frames), nonce, generation, format, resize (bytes
more of counters), wrong (kind of malformed item), claim (bytes that BEGIN and END say there are), bits (most of a counter), coding (stored, numbers, or by chance), few (counters that are not 0,
in percent).
"""

import base64
import random
import struct
import sys

sys.path.insert(0, sys.path[0])
from elf import Elf
import profraw


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


TABLE = []
for i in range(256):
    for _ in range(8):
        i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
    TABLE.append(i)


def uleb(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def items(numbers, dice):
    """Numbers as items; where several ways are open, chance takes one."""
    out, at, before = bytearray(), 0, 0
    while at < len(numbers):
        n = numbers[at]
        run = 1
        while at + run < len(numbers) and numbers[at + run] == n:
            run += 1
        if dice.randrange(4) == 0:
            run = dice.randrange(run) + 1
        if n == before and dice.randrange(3):
            run = min(run, 32)
            out.append(0x3F + run)
        elif n == 0 and run >= 64:
            out += b"\x3f" + uleb(run - 64)
        elif n == 0:
            run = min(run, 63)
            out.append(run - 1)
        else:
            run = 1
            if n < 32 and dice.randrange(9):
                out.append(0x60 + n)
            elif 32 <= n <= 16415 and dice.randrange(9):
                out += bytes([0x80 + (n - 32 >> 8), n - 32 & 0xFF])
            else:
                size = max(2, (n.bit_length() + 7) // 8)
                size = min(8, size + (dice.randrange(3) if dice.randrange(9) == 0 else 0))
                out += bytes([0xC0 + size]) + n.to_bytes(size, "little")
        at += run
        before = n
    return bytes(out)


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
    "zeros": lambda coded: b"\x3f" + uleb(1 << 40),
    "zeros-wrap": lambda coded: b"\x3f" + uleb((1 << 64) - 64),
    "uleb": lambda coded: b"\x3f" + b"\xff" * 10 + b"\x01",
}


def encode(raw, byte, elf, dice, how, wrong):
    """The coding's number, and the bytes; what does not become shorter is stored."""
    if how == "stored":
        return 0, raw
    if byte is None:
        coding, numbers = 1, list(struct.unpack(elf.order + "%dQ" % (len(raw) // 8), raw))
    else:
        coding, numbers = byte, [b ^ (0xFF if byte == 3 else 0) for b in raw]
    coded = items(numbers, dice)
    if wrong == "large":  # a number that a byte cannot be
        return 2, b"\xc2\x00\x01" + items([0] * (len(raw) - 1), dice)
    if wrong:
        return coding, WRONG[wrong](coded)
    return (coding, coded) if len(coded) < len(raw) or how == "numbers" else (0, raw)


def block(kind, image, index, tag, payload):
    head = bytes([kind]) + uleb(image) + uleb(index) + struct.pack("<I", tag) + uleb(len(payload)) + payload
    return head + struct.pack("<I", crc32c(head))


def cobs(data):
    out, piece = bytearray(), bytearray()
    for i, byte in enumerate(data):
        if byte:
            piece.append(byte)
        if not byte or (len(piece) == 254 and i + 1 < len(data)):
            out += bytes([len(piece) + 1]) + piece
            piece = bytearray()
    return bytes(out + bytes([len(piece) + 1]) + piece)


def send(blocks, form):
    if form == "text":
        return b"".join(b"@bp:" + base64.b64encode(b).rstrip(b"=") + b"\r\n" for b in blocks)
    if form == "frames":
        return b"".join(b"\0" + cobs(b) + b"\0" for b in blocks)
    return b"\x89bpc\r\n\x1a\n" + b"".join(blocks)


def arrange(blocks, order, dice):
    if order == "random":
        dice.shuffle(blocks)
    elif order == "twice":
        blocks = [b for b in blocks for _ in (0, 1)]
    return blocks


def random_counters(elf, size, byte, percent, most, dice):
    if byte:
        return bytes(0 if dice.randrange(100) < percent else 0xFF for _ in range(size))
    numbers = []
    for _ in range(size // 8):
        bits = dice.choice([1, 3, 5, 6, 9, 14, 15, 16, 30, 47, most])
        numbers.append(dice.randrange(1 << bits) if dice.randrange(100) < percent else 0)
    return struct.pack(elf.order + "%dQ" % len(numbers), *numbers)


def main():
    elf = Elf(sys.argv[1])
    key = dict(word.split("=", 1) for word in sys.argv[3:])
    dice = random.Random(int(key.get("seed", 1)))
    number = lambda name, default: int(str(key.get(name, default)), 0)
    build_id, slide = elf.build_id(), number("slide", 0)
    if "profraw" in key:
        word, counters, bitmap, build_id, slide = profraw.take_apart(elf, open(key["profraw"], "rb").read())
    else:
        word = number("word", 10)
        counters = random_counters(elf, elf.section("__llvm_prf_cnts")[1], word & profraw.BYTES, number("few", 30), number("bits", 40), dice)
        bitmap = bytes(dice.choice([0, 0, 0, 1, 2, 128, 255]) for _ in range(elf.section("__llvm_prf_bits")[1]))
    if "id" in key:
        build_id = {"none": b"", "zero": bytes(20)}.get(key["id"]) if key["id"] in ("none", "zero") else bytes.fromhex(key["id"])
    if "expected" in key:
        open(key["expected"], "wb").write(profraw.assemble(elf, word, counters, bitmap, build_id, slide))
    counters += bytes(number("resize", 0))
    slide = number("slide", slide)
    span = number("span", 512)
    told = word >> 32 << 32 | number("told", word & 0xFFFFFFFF)
    streams = [(2, counters, 3 if word & profraw.BYTES else None)] + ([(3, bitmap, 2)] if bitmap else [])
    sizes = uleb(len(streams)) + b"".join(bytes([n]) + uleb(number("claim", len(data))) for n, data, _ in streams)
    address = elf.section("__llvm_prf_cnts")[0] + slide & (1 << 8 * elf.width) - 1
    begin = uleb(number("format", 1)) + bytes([elf.width, 1 if elf.order == "<" else 2]) + struct.pack("<QQ", told, number("nonce", 7))
    begin += uleb(number("generation", 3)) + uleb(span) + sizes + uleb(address) + uleb(len(build_id)) + build_id
    tag = crc32c(begin)
    blocks = [block(1, 0, 0, tag, begin)]
    for n, data, byte in streams:
        for at in range(0, len(data), span):
            raw = data[at : at + span]
            wrong = key.get("wrong") if len(blocks) == 1 else None
            coding, coded = encode(raw, byte, elf, dice, key.get("coding"), wrong)
            payload = bytes([n, coding]) + uleb(at) + uleb(len(raw)) + coded
            blocks.append(block(2, 0, len(blocks), tag, payload))
    blocks.append(block(3, 0, len(blocks), tag, uleb(len(blocks) - 1) + sizes))
    drop = {int(i) % len(blocks) for i in key.get("drop", "").split(",") if i}
    blocks = arrange([b for i, b in enumerate(blocks) if i not in drop], key.get("order"), dice)
    open(sys.argv[2], "wb").write(send(blocks, key.get("form")))


main()
