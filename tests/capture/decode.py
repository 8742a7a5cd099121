#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""decode.py [--form file|text|frames] [-o PREFIX | --all PREFIX] CAPTURE...

Decodes captures as docs/SPEC.md, part 1, describes them, and prints a description of each dump. decode.py was written
from that document alone, so that the tests have a reader that is independent of bareprof. With -o there must be exactly
one dump, and its streams are written as PREFIX.counters, .bitmap, .sites, .values and .dropped, or as PREFIX.profraw,
or as PREFIX.mip_cov and .mip_calls, or as PREFIX.samples.
With --all every complete dump is written, as PREFIX-IMAGE-TAG.*. Without --form, a file that starts with the magic
number is read as a capture file. Any other file is searched for both lines and frames.

The exit status is 0 if there is at least one dump and all dumps are complete. Otherwise it is 1."""
import argparse
import sys

MAGIC = b"\x89bpc\r\n\x1a\n"
MARKER = b"@bp:"
MOST = 65536
BEGIN, DATA, END = 1, 2, 3
STREAMS = {0: "profraw", 2: "counters", 3: "bitmap", 4: "sites", 5: "values", 6: "dropped", 7: "mip_cov", 8: "mip_calls"}
STREAMS.update({9: "mip_blk", 10: "mip_smp"})  # of machine profiles
STREAMS[11] = "samples"
ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SEXTET = {character: value for value, character in enumerate(ALPHABET)}


class Malformed(Exception):
    """Raised if data violates a rule of the format. The text of the exception names the rule."""


def crc_table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


TABLE = list(crc_table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


class Bytes:
    """Reads the fields of some data, one after the other."""

    def __init__(self, data, at=0):
        self.data = data
        self.at = at

    def take(self, n, what):
        if n > len(self.data) - self.at:
            raise Malformed(f"ends within its {what}")
        self.at += n
        return self.data[self.at - n : self.at]

    def fixed(self, n, what):
        return int.from_bytes(self.take(n, what), "little")

    def uleb(self, what):
        value = 0
        for i in range(10):
            byte = self.fixed(1, what)
            value |= (byte & 127) << 7 * i
            if byte < 128:
                if value >> 64:
                    raise Malformed(f"its {what} is above 2^64-1")
                return value
        raise Malformed(f"its {what} has more than 10 bytes")

    def pairs(self):
        return [(self.upto(255, "stream"), self.uleb("stream's size")) for _ in range(self.uleb("number of streams"))]

    def upto(self, most, what):
        value = self.uleb(what)
        if value > most:
            raise Malformed(f"its {what} is above {most}")
        return value


class Block:
    """A block with its payload. The constructor reads the block at an offset of the data, and checks its fields and its
    CRC."""

    def __init__(self, data, at=0):
        field = Bytes(data, at)
        self.type = field.fixed(1, "type")
        self.image = field.uleb("image number")
        if self.image > 65535:
            raise Malformed("its image number is above 65535")
        self.index = field.uleb("index")
        self.tag = field.fixed(4, "tag")
        length = field.uleb("length")
        if field.at - at + length + 4 > MOST:
            raise Malformed("is longer than 65,536 bytes")
        self.payload = field.take(length, "payload")
        crc = crc32c(data[at : field.at])
        if field.fixed(4, "CRC") != crc:
            raise Malformed("has a wrong CRC")
        self.end = field.at


class Found:
    """The blocks that were found, in the order in which they arrived, and messages about data that was dropped."""

    def __init__(self):
        self.blocks = []
        self.dropped = []

    def drop(self, where, why):
        self.dropped.append(f"{where}: {why}")


def read_file(data, found):
    """Reads a capture file, which has the magic number, and then blocks without gaps between them. After damaged data,
    the function continues at the next valid block."""
    at = 0
    lost = False
    while at < len(data):
        if data.startswith(MAGIC, at):
            at += len(MAGIC)
            lost = False
            continue
        try:
            block = Block(data, at)
        except Malformed as why:
            if not lost:
                found.drop(f"offset {at}", f"a block that {why}")
            lost = True
            at += 1
            continue
        found.blocks.append((at, block))
        at = block.end
        lost = False


def base64(text):
    bits = count = 0
    out = bytearray()
    for character in text:
        if character not in SEXTET:
            break
        bits = (bits << 6 | SEXTET[character]) & 0xFFFF
        count += 6
        if count >= 8:
            count -= 8
            out.append(bits >> count & 255)
    return bytes(out)


def read_text(data, found):
    """Finds every marker in the data. After each marker, it reads up to the first character that base64 does not
    use."""
    at = data.find(MARKER)
    while at >= 0:
        start = at + len(MARKER)
        # A block is never longer than this number of characters, so the rest of the line is not needed.
        try:
            found.blocks.append((at, Block(base64(data[start : start + (MOST + 2) // 3 * 4]))))
        except Malformed as why:
            found.drop(f"offset {at}", f"a line whose block {why}")
        at = data.find(MARKER, start)


def cobs(frame):
    out = bytearray()
    at = 0
    while at < len(frame):
        code = frame[at]
        if at + code > len(frame):
            raise Malformed("ends within a group")
        out += frame[at + 1 : at + code]
        at += code
        if code < 255 and at < len(frame):
            out.append(0)
    return bytes(out)


def read_frames(data, found):
    """Reads frames, which are the bytes between two zero bytes."""
    at = 0
    for frame in data.split(b"\0"):
        if frame:
            try:
                decoded = cobs(frame)
                block = Block(decoded)
                if block.end != len(decoded):
                    raise Malformed("is followed by other bytes")
                found.blocks.append((at, block))
            except Malformed as why:
                found.drop(f"offset {at}", f"a frame whose block {why}")
        at += len(frame) + 1


def items(coded, width, room):
    """Yields a pair for each item: the number that the item encodes, and how many times the number occurs in a row."""
    field = Bytes(coded)
    before = 0
    while field.at < len(coded):
        byte = field.fixed(1, "item")
        times = 1
        if byte < 0x3F:
            before, times = 0, byte + 1
        elif byte == 0x3F:
            before, times = 0, field.uleb("item") + 64
        elif byte <= 0x5F:
            times = byte - 0x3F
        elif 0x61 <= byte <= 0x7F:
            before = byte - 0x60
        elif 0x80 <= byte <= 0xBF:
            before = 32 + (byte - 0x80) * 256 + field.fixed(1, "item")
        elif 0xC2 <= byte <= 0xC8:
            before = field.fixed(byte - 0xC0, "item")
        else:
            raise Malformed(f"has an item {byte:#04x}")
        if before >> 8 * width:
            raise Malformed(f"has the number {before}, which is too large")
        room -= times
        if room < 0:
            raise Malformed("encodes more numbers than there is space for")
        yield before, times
    if room:
        raise Malformed("encodes fewer numbers than there is space for")


def differences(coded, raw, order):
    """Decodes coding 5, in which each number is the difference between two words of 4 bytes."""
    distance = Bytes(coded).fixed(1, "distance")
    if not distance:
        raise Malformed("has the distance 0")
    words = []
    for number, times in items(coded[1:], 4, raw // 4):
        if distance > 1:
            number = -(number + 1) // 2 if number % 2 else number // 2
        for _ in range(times):
            before = words[-distance] if len(words) >= distance else 0
            words.append((before + number) % 2**32)
    return b"".join(word.to_bytes(4, order) for word in words)


def decode(coding, coded, raw, order):
    if coding == 0:
        if len(coded) != raw:
            raise Malformed(f"stores {len(coded)} bytes for {raw}")
        return coded
    if coding > 5:
        raise Malformed(f"has the coding {coding}")
    width = {1: 8, 5: 4}.get(coding, 1)
    if raw % width:
        raise Malformed(f"has numbers of {width} bytes in {raw} bytes")
    if coding == 5:
        return differences(coded, raw, order)
    out = bytearray()
    for number, times in items(coded, width, raw // width):
        out += number.to_bytes(width, order) * times
    return bytes(255 - byte for byte in out) if coding == 3 else bytes(out)


class Begin:
    """The fields of a BEGIN block, and the values that can be computed from them."""

    def __init__(self, payload):
        field = Bytes(payload)
        version = field.uleb("format")
        if version != 1:
            raise Malformed(f"is of format {version}, not 1")
        self.width = field.uleb("width")
        if self.width not in (4, 8):
            raise Malformed(f"has pointers of {self.width} bytes")
        order = field.uleb("byte order")
        if order not in (1, 2):
            raise Malformed(f"has the byte order {order}")
        self.order = {1: "little", 2: "big"}[order]
        self.version = field.upto(0xFFFFFFFF, "version")
        self.version |= field.upto(0xFFFFFFFF, "variants") << 32
        self.nonce = field.uleb("nonce")
        self.generation = field.uleb("generation")
        self.span = field.uleb("span")
        self.streams = field.pairs()
        self.address = field.uleb("address")
        self.id = field.take(field.uleb("build id's length"), "build id")
        self.check()

    def check(self):
        numbers = [number for number, _ in self.streams]
        if not numbers:
            raise Malformed("has no streams")
        if numbers != sorted(set(numbers)):
            raise Malformed("has streams whose numbers do not ascend")
        for number in numbers:
            if number not in STREAMS:
                raise Malformed(f"has the unknown stream {number}")
        if numbers[0] == 0 and len(numbers) > 1:
            raise Malformed("has other streams with stream 0")
        if 11 in numbers and len(numbers) > 1:
            raise Malformed("has other streams with stream 11")
        if max(numbers) > 6 and min(numbers) < 7:
            raise Malformed("has other streams with the raw sections of a machine profile")
        sizes = dict(self.streams)
        if (4 in sizes) != (5 in sizes):
            raise Malformed("has one of the streams 4 and 5 alone")
        if sizes.get(5, 0) % 16:
            raise Malformed("has a stream 5 that does not end with a value's count")
        if sizes.get(6, self.width) != self.width:
            raise Malformed(f"has a stream 6 of {sizes[6]} bytes")
        if not self.span:
            raise Malformed("has the span 0")
        self.first = {}
        self.blocks = 0
        for number, size in self.streams:
            self.first[number] = self.blocks + 1
            self.blocks += -(-size // self.span)
        if sizes.get(5, 0) > self.span and self.span % 16:
            raise Malformed(f"has the span {self.span}, which is not a multiple of 16")
        if self.blocks > 1 and self.span % 8:
            raise Malformed(f"has the span {self.span}, which is not a multiple of 8")

    def size(self, index):
        """Returns how many raw bytes the DATA block with this index covers."""
        for number, size in self.streams:
            offset = (index - self.first[number]) * self.span
            if index >= self.first[number] and offset < size:
                return min(self.span, size - offset)
        raise Malformed("is beyond the streams")

    def data(self, block):
        """Yields an index and raw bytes for each block for which a DATA block stands."""
        field = Bytes(block.payload)
        coding = field.fixed(1, "coding")
        coded = field.take(len(block.payload) - field.at, "bytes")
        count = 1
        if coding == 4:
            if len(coded) != 2 or not 1 <= coded[1] <= 127:
                raise Malformed("is uniform, but has no value and count")
            count = coded[1]
        for index in range(block.index, block.index + count):
            raw = self.size(index)
            if coding and raw > MOST:
                raise Malformed(f"is coded and covers {raw} bytes")
            yield index, coded[:1] * raw if coding == 4 else decode(coding, coded, raw, self.order)

    def end(self, block):
        if block.index != self.blocks + 1:
            raise Malformed(f"has the index {block.index}, not {self.blocks + 1}")


class Dump:
    """The blocks of one image number and one tag."""

    def __init__(self, image, tag):
        self.name = f"image {image}, tag {tag:08x}"
        self.suffix = f"{image}-{tag:08x}"
        self.blocks = []
        self.refused = []
        self.begin = None
        self.streams = {}

    def form(self):
        """Joins the blocks to streams. Returns None, or the reason why that is impossible."""
        for block in self.blocks:
            if block.type not in (BEGIN, DATA, END) and block.type < 128:
                return f"a block has the type {block.type:#04x}, which is unknown"
            if block.type == BEGIN and block.index == 0 and crc32c(block.payload) == block.tag:
                try:
                    self.begin = Begin(block.payload)
                except Malformed as why:
                    return f"BEGIN {why}"
            elif block.type == BEGIN:
                self.refused.append(f"block {block.index}: a BEGIN whose tag is not its checksum")
        if not self.begin:
            return "BEGIN is missing"
        ended, ranges = self.collect()
        missing = [i for i in range(1, min(self.begin.blocks, 1000000) + 1) if i not in ranges]
        if missing:
            return f"{len(missing)} of {self.begin.blocks} DATA blocks are missing, the first is {missing[0]}"
        if not ended:
            return "END is missing"
        for number, size in self.begin.streams:
            first = self.begin.first[number]
            blocks = range(first, first + -(-size // self.begin.span))
            self.streams[number] = b"".join(ranges[i] for i in blocks)
        told, came = sum(self.streams.get(4, b"")), len(self.streams.get(5, b"")) // 16
        if told != came:
            return f"its sites have {told} values, {came} came"
        return None

    def collect(self):
        """Returns a pair. The first element is True if the dump has an END. The second element is a dict that maps the
        index of each DATA block to the raw bytes of the block. If a block arrived twice, the later copy counts."""
        ended = False
        ranges = {}
        for block in self.blocks:
            try:
                if block.type == DATA:
                    ranges.update(dict(self.begin.data(block)))
                elif block.type == END:
                    self.begin.end(block)
                    ended = True
            except Malformed as why:
                self.refused.append(f"block {block.index}, which {why}")
        return ended, ranges

    def describe(self):
        begin = self.begin
        sizes = ", ".join(f"{STREAMS[number]} {size}" for number, size in begin.streams)
        return (
            f"width {begin.width}, {begin.order} endian, version {begin.version:#x}, nonce {begin.nonce:#x}, "
            f"generation {begin.generation}, span {begin.span}, address {begin.address:#x}, "
            f"id {begin.id.hex() or 'none'}, {begin.blocks} DATA blocks, {sizes}"
        )


def read(data, form, found):
    if form == "file" or not form and data.startswith(MAGIC):
        if not data.startswith(MAGIC):
            found.drop("offset 0", "no magic, so it is not a capture file")
            return
        read_file(data, found)
        return
    text, frames = Found(), Found()
    if form != "frames":
        read_text(data, text)
    if form != "text":
        read_frames(data, frames)
    # Blocks from lines and from frames are sorted together, by their position in the input. Without --form, the input
    # may be a log. In a log, bytes between two zero bytes are usually no frame. So messages about bad frames are
    # dropped.
    found.blocks += sorted(text.blocks + frames.blocks, key=lambda pair: pair[0])
    found.dropped += text.dropped + (frames.dropped if form else [])


def dumps_of(found):
    dumps = {}
    for _, block in found.blocks:
        key = block.image, block.tag
        if key not in dumps:
            dumps[key] = Dump(*key)
        dumps[key].blocks.append(block)
    return list(dumps.values())


def write(prefix, streams):
    for number, content in streams.items():
        with open(f"{prefix}.{STREAMS[number]}", "wb") as file:
            file.write(content)


def main():
    parser = argparse.ArgumentParser(description="decode captures", allow_abbrev=False)
    parser.add_argument("--form", choices=["file", "text", "frames"])
    parser.add_argument("-o", metavar="PREFIX")
    parser.add_argument("--all", metavar="PREFIX")
    parser.add_argument("captures", nargs="+")
    options = parser.parse_args()

    found = Found()
    for path in options.captures:
        with open(path, "rb") as file:
            read(file.read(), options.form, found)
    for dropped in found.dropped:
        print(f"dropped: {dropped}")
    dumps = dumps_of(found)
    whole = []
    for dump in dumps:
        why = dump.form()
        print(f"{dump.name}: {why or 'complete'}")
        if dump.begin:
            print(f"  {dump.describe()}")
        for refused in dump.refused:
            print(f"  refused: {refused}")
        if not why:
            whole.append(dump)
            if options.all:
                write(f"{options.all}-{dump.suffix}", dump.streams)
    if options.o and len(dumps) == len(whole) == 1:
        write(options.o, whole[0].streams)
    print(f"{len(whole)} of {len(dumps)} dumps are complete")
    return not dumps or len(whole) < len(dumps) or bool(options.o) and len(dumps) > 1


if __name__ == "__main__":
    sys.exit(main())
