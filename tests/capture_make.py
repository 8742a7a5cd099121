#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""capture_make.py [OPTION...] -o CAPTURE, with --counters FILE, --bitmap FILE,
--profraw FILE or --from PROFRAW

Makes the capture of given counters, bitmaps or .profraw as docs/SPEC.md, part 1,
has it: a writer beside the target's, for tests that need captures which no target
sends, and for images without a target. --from takes counters, bitmaps, byte order
and version out of a .profraw."""
import argparse
import random
import struct
import sys

HEADER = {
    7: "magic version ids data pad0 counters pad1 names cdelta ndelta kinds",
    9: "magic version ids data pad0 counters pad1 bits pad2 names cdelta bdelta ndelta kinds",
    10: "magic version ids data pad0 counters pad1 bits pad2 names cdelta bdelta ndelta vtabs vnames kinds",
}
HEADER[5] = HEADER[7].replace("ids ", "")
HEADER[8] = HEADER[7]
RECORD = {(8, 0): 48, (4, 0): 40, (8, 1): 64, (4, 1): 48}


def crc32c(data):
    """A byte at a time, each bit of it in turn."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return ~crc & 0xFFFFFFFF


def uleb(value):
    out = []
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + [value])


def runs(numbers):
    """Numbers as pairs of number and times."""
    at = 0
    while at < len(numbers):
        end = at + 1
        while end < len(numbers) and numbers[end] == numbers[at]:
            end += 1
        yield numbers[at], end - at
        at = end


def one(number):
    if number < 32:
        return bytes([0x60 + number])
    if number < 16416:
        return bytes([0x80 + (number - 32 >> 8), number - 32 & 255])
    size = (number.bit_length() + 7) // 8
    return bytes([0xC0 + size]) + number.to_bytes(size, "little")


def items(numbers):
    out = bytearray()
    for number, times in runs(numbers):
        if not number:
            out += bytes([times - 1]) if times < 64 else b"\x3f" + uleb(times - 64)
            continue
        out += one(number)
        times -= 1
        while times:
            some = min(times, 32)
            out.append(0x3F + some)
            times -= some
    return bytes(out)


def coded(coding, raw, order):
    if coding == 1:
        return items(struct.unpack((">" if order == "big" else "<") + f"{len(raw) // 8}Q", raw))
    if coding == 3:
        return items([255 - byte for byte in raw])
    return items(raw) if coding == 2 else raw


class Writer:
    def __init__(self, image=0):
        self.image = image
        self.tag = 0
        self.blocks = []

    def add(self, kind, index, payload):
        head = bytes([kind]) + uleb(self.image) + uleb(index) + struct.pack("<I", self.tag)
        block = head + uleb(len(payload)) + payload
        self.blocks.append(block + struct.pack("<I", crc32c(block)))

    def begin(self, payload):
        self.tag = crc32c(payload)
        self.add(1, 0, payload)


def sizes(streams):
    return uleb(len(streams)) + b"".join(bytes([number]) + uleb(len(raw)) for number, raw in streams)


def capture(streams, options, codings):
    """The blocks of a capture of streams, pairs of number and bytes."""
    order = options.byte_order
    writer = Writer(options.image)
    writer.begin(
        uleb(1)
        + bytes([options.width, 1 if order == "little" else 2])
        + struct.pack("<QQ", options.version, options.nonce)
        + uleb(options.generation)
        + uleb(options.span)
        + sizes(streams)
        + uleb(options.address)
        + uleb(len(options.id))
        + options.id
    )
    index = 1
    for number, raw in streams:
        for offset in range(0, len(raw), options.span):
            piece = raw[offset : offset + options.span]
            coding = codings[number]
            # 8-byte numbers need 8 bytes each; what does not become shorter is stored.
            if coding == 1 and len(piece) % 8:
                coding = 2
            payload = coded(coding, piece, order)
            if coding and len(payload) >= len(piece):
                coding, payload = 0, piece
            head = bytes([number, coding]) + uleb(offset) + uleb(len(piece))
            writer.add(2, index, head + payload)
            index += 1
    writer.add(3, index, uleb(index - 1) + sizes(streams))
    return writer.blocks


def base64(block):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = "".join(f"{byte:08b}" for byte in block)
    bits += "0" * (-len(bits) % 6)
    return "".join(alphabet[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6)).encode()


def cobs(block):
    out = bytearray()
    for piece in block.split(b"\0"):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    return bytes(out)


def put(blocks, form):
    if form == "file":
        return b"\x89bpc\r\n\x1a\n" + b"".join(blocks)
    if form == "text":
        return b"".join(b"@bp:" + base64(block) + b"\r\n" for block in blocks)
    return b"".join(b"\0" + cobs(block) + b"\0" for block in blocks)


def arrange(blocks, options):
    """As they travel: some lost, some twice, in another order."""
    choice = random.Random(options.seed)
    blocks = [block for i, block in enumerate(blocks) if i not in options.drop]
    blocks += choice.choices(blocks, k=options.duplicates) if options.duplicates else []
    if options.sequence == "reverse":
        blocks.reverse()
    elif options.sequence == "shuffle":
        choice.shuffle(blocks)
    return blocks


def take_apart(data, options):
    """Counters and bitmaps of a .profraw; the options that it tells."""
    options.byte_order = "big" if data[0] == 0xFF else "little"
    order = ">" if options.byte_order == "big" else "<"
    options.width = 4 if b"R" in data[:8] else 8
    options.version = struct.unpack_from(order + "Q", data, 8)[0]
    version = options.version & 0xFFFFFFFF
    if version not in HEADER:
        sys.exit(f"version {version} of a .profraw is not known here")
    words = HEADER[version].split()
    head = dict(zip(words, struct.unpack_from(order + f"{len(words)}Q", data)))
    size = RECORD[options.width, version >= 9]
    start = 8 * len(words) + head.get("ids", 0) + head["data"] * size + head["pad0"]
    options.byte_counters = bool(options.version >> 60 & 1)
    end = start + head["counters"] * (1 if options.byte_counters else 8)
    bits = end + head["pad1"]
    streams = [(2, data[start:end]), (3, data[bits : bits + head.get("bits", 0)])]
    return [stream for stream in streams if stream[1]]


def arguments():
    number = lambda text: int(text, 0)
    parser = argparse.ArgumentParser(description="make a capture of given counters", allow_abbrev=False)
    parser.add_argument("--counters", metavar="FILE")
    parser.add_argument("--bitmap", metavar="FILE")
    parser.add_argument("--profraw", metavar="FILE")
    parser.add_argument("--from", dest="taken_from", metavar="PROFRAW")
    parser.add_argument("--form", choices=["file", "text", "frames"], default="file")
    parser.add_argument("--span", type=number, default=4096, help="raw bytes of a block")
    parser.add_argument("--stored", action="store_true", help="no coding")
    parser.add_argument("--byte-counters", action="store_true", help="counters are bytes, 0xff at first")
    parser.add_argument("--byte-order", choices=["little", "big"], default="little")
    parser.add_argument("--width", type=number, default=8, help="bytes of a pointer")
    parser.add_argument("--version", type=number, default=0, help="the raw profile's version word")
    parser.add_argument("--image", type=number, default=0)
    parser.add_argument("--nonce", type=number, default=1)
    parser.add_argument("--generation", type=number, default=0)
    parser.add_argument("--address", type=number, default=0, help="of the counters")
    parser.add_argument("--id", type=bytes.fromhex, default=b"", help="the build id, in hex")
    parser.add_argument("--sequence", choices=["forward", "reverse", "shuffle"], default="forward")
    parser.add_argument("--duplicates", type=number, default=0, metavar="N", help="so many blocks come twice")
    parser.add_argument("--drop", type=number, action="append", default=[], metavar="INDEX", help="leave a block out")
    parser.add_argument("--seed", type=number, default=1)
    parser.add_argument("-o", required=True, metavar="CAPTURE")
    return parser.parse_args()


def main():
    options = arguments()
    streams = []
    for number, path in (0, options.profraw), (2, options.counters), (3, options.bitmap):
        if path:
            with open(path, "rb") as file:
                streams.append((number, file.read()))
    if options.taken_from:
        with open(options.taken_from, "rb") as file:
            streams = take_apart(file.read(), options)
    if not streams:
        sys.exit("nothing to make a capture of")
    codings = {0: 0, 2: 3 if options.byte_counters else 1, 3: 2}
    if options.stored:
        codings = dict.fromkeys(codings, 0)
    blocks = arrange(capture(streams, options, codings), options)
    with open(options.o, "wb") as file:
        file.write(put(blocks, options.form))


if __name__ == "__main__":
    main()
