# SPDX-License-Identifier: BSD-2-Clause
"""encode.py - writes captures as docs/SPEC.md, part 1, describes them. It shares no code with the target's writer.
With it, tests make captures without a target, and captures that no correct target would send."""
import base64
import struct
from types import SimpleNamespace

from decode import crc32c


def uleb(value, least=1):
    """Returns value as a ULEB number of at least `least` bytes."""
    out = []
    while value > 127 or len(out) + 1 < least:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + [value])


def one(number, dice):
    """Returns the item for a number that is not part of a run."""
    if number < 32 and not (dice and dice.randrange(9) == 0):
        return bytes([0x60 + number])
    if 32 <= number < 16416 and not (dice and dice.randrange(9) == 0):
        return bytes([0x80 + (number - 32 >> 8), number - 32 & 255])
    size = max(2, (number.bit_length() + 7) // 8)
    if dice and dice.randrange(9) == 0:
        size = min(8, size + dice.randrange(3))
    return bytes([0xC0 + size]) + number.to_bytes(size, "little")


def items(numbers, dice=None):
    """Returns the items that encode the numbers. Without dice, the items are as short as possible. With dice, which is
    a random generator, items are chosen at random among those that can encode the next number."""
    out, at, before = bytearray(), 0, 0
    while at < len(numbers):
        number = numbers[at]
        run = 1
        while at + run < len(numbers) and numbers[at + run] == number:
            run += 1
        if dice and dice.randrange(4) == 0:
            run = dice.randrange(run) + 1
        if number == before and (dice.randrange(3) if dice else number):
            run = min(run, 32)
            out.append(0x3F + run)
        elif number == 0 and run >= 64:
            out += b"\x3f" + uleb(run - 64)
        elif number == 0:
            out.append(run - 1)
        else:
            run = 1
            out += one(number, dice)
        at += run
        before = number
    return bytes(out)


def differences(words, distance, dice=None):
    """Returns the words in coding 5: each word as its difference to the word `distance` words before it."""
    numbers = [(word - (words[i - distance] if i >= distance else 0)) % 2**32 for i, word in enumerate(words)]
    if distance > 1:
        numbers = [2 * number if number < 2**31 else 2 * (2**32 - number) - 1 for number in numbers]
    return bytes([distance]) + items(numbers, dice)


def coded(coding, raw, order, dice=None):
    if coding == 1:
        return items(struct.unpack(order + f"{len(raw) // 8}Q", raw), dice)
    if coding == 5:
        return differences(struct.unpack(order + f"{len(raw) // 4}I", raw), dice.randrange(1, 9) if dice else 1, dice)
    if coding == 3:
        return items([255 - byte for byte in raw], dice)
    return items(raw, dice) if coding == 2 else raw


def shorter(coding, raw, order, dice=None):
    """Returns the coding and the coded bytes. Bytes that do not become shorter are stored."""
    if coding == 1 and len(raw) % 8 or coding == 5 and len(raw) % 4:
        coding = 2
    out = coded(coding, raw, order, dice)
    return (coding, out) if len(out) < len(raw) else (0, raw)


def about(**known):
    """Returns the fields of a BEGIN block, with default values for those that are not given."""
    usual = {"format": 1, "width": 8, "order": "<", "version": 0, "nonce": 7, "generation": 3, "span": 512}
    return SimpleNamespace(**{**usual, "address": 0, "id": b"", **known})


def pairs(sizes):
    """Returns the encoded list of streams for BEGIN: the number of streams, then the number and the size of each
    stream."""
    return uleb(len(sizes)) + b"".join(uleb(number) + uleb(size) for number, size in sizes)


def begin(told, sizes):
    return (
        uleb(told.format)
        + uleb(told.width)
        + uleb(1 if told.order == "<" else 2)
        + uleb(told.version & 0xFFFFFFFF)
        + uleb(told.version >> 32)
        + uleb(told.nonce)
        + uleb(told.generation)
        + uleb(told.span)
        + pairs(sizes)
        + uleb(told.address)
        + uleb(len(told.id))
        + told.id
    )


def equal(pieces):
    """Returns for how many of the pieces, at most 127, a uniform block at the first of them can stand."""
    count = 0
    while count < min(len(pieces), 127) and set(pieces[count][1]) == {pieces[0][1][0]}:
        count += 1
    return count


class Writer:
    """Makes the blocks of a dump. The length of each payload is encoded in at least length_bytes bytes."""

    def __init__(self, image=0, length_bytes=1):
        self.image = image
        self.length_bytes = length_bytes
        self.tag = 0
        self.blocks = []

    def add(self, kind, index, payload):
        head = bytes([kind]) + uleb(self.image) + uleb(index) + struct.pack("<I", self.tag)
        block = head + uleb(len(payload), self.length_bytes) + payload
        self.blocks.append(block + struct.pack("<I", crc32c(block)))

    def begin(self, payload):
        self.tag = crc32c(payload)
        self.add(1, 0, payload)

    def dump(self, streams, told, code, claim=None, dice=None):
        """Makes all blocks of the dump and returns them. streams is a list of pairs: the number of a stream, and its
        raw bytes. code(number, piece) codes a piece of a stream, where number is the number of the stream. It returns
        two things: the number of the coding, and the coded bytes. If claim is not None, BEGIN contains claim as the
        size of each stream, in place of the real size. With dice, which is a random generator, some pieces whose bytes
        are all equal become uniform blocks."""
        sizes = [(number, len(raw) if claim is None else claim) for number, raw in streams]
        self.begin(begin(told, sizes))
        pieces = [(n, raw[at : at + told.span]) for n, raw in streams for at in range(0, len(raw), told.span)]
        at = 0
        while at < len(pieces):
            count = equal(pieces[at:]) if dice else 0
            if count and dice.randrange(4):
                count = dice.randrange(count) + 1
                self.add(2, at + 1, bytes([4, pieces[at][1][0], count]))
                at += count
                continue
            coding, out = code(*pieces[at])
            self.add(2, at + 1, bytes([coding]) + out)
            at += 1
        self.add(3, len(pieces) + 1, b"")
        return self.blocks


def cobs(block):
    out = bytearray()
    for piece in block.split(b"\0"):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    return bytes(out)


def text(block):
    return base64.b64encode(block).rstrip(b"=")


def put(blocks, form):
    if form == "file":
        return b"\x89bpc\r\n\x1a\n" + b"".join(blocks)
    if form == "text":
        return b"".join(b"@bp:" + text(block) + b"\r\n" for block in blocks)
    return b"".join(b"\0" + cobs(block) + b"\0" for block in blocks)
