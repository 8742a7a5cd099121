#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rules.py - checks that decode.py follows each rule of docs/SPEC.md, part 1. encode.py makes captures, and decode.py
must decode them to the encoded bytes. If a capture breaks one rule, decode.py must decode nothing and print the
reason."""
import base64
import random
import re
import struct

import decode
import encode
from encode import uleb

COUNTERS = struct.pack("<6Q", 0, 0, 5, 5, 1000, 2**64 - 1)


def read(data, form=None):
    """Returns the dumps and all messages. dump.why is the reason why a dump is incomplete, or "complete"."""
    found = decode.Found()
    decode.read(data, form, found)
    dumps = decode.dumps_of(found)
    said = list(found.dropped)
    for dump in dumps:
        said.append(dump.form() or "complete")
        dump.why = said[-1]
        said += dump.refused
    return dumps, said


def report(good, what, details=""):
    print(f"{'ok' if good else 'not ok'} - {what}")
    if not good and details:
        print(f"    {details}")


# Round trips: data that is encoded and then decoded must not change.

def numbers(choice, kind, n):
    if kind == "zero":
        return [0] * n
    if kind == "sparse":
        return [choice.choice([0] * 20 + [1, 7, 40, 40000]) for _ in range(n)]
    if kind == "small":
        return [choice.randrange(40) // choice.randrange(1, 9) for _ in range(n)]
    if kind == "edges":
        return [max(0, min(2**64 - 1, 2 ** choice.randrange(65) + choice.randrange(-2, 3))) for _ in range(n)]
    if kind == "runs":
        return [value for _ in range(n) for value in [choice.choice([0, 3, 500])] * choice.randrange(1, 200)][:n]
    return [choice.getrandbits(64) for _ in range(n)]


def travel(choice, blocks):
    """Returns the blocks in the same, reverse or random order. Some blocks may occur more than once."""
    blocks = blocks + choice.choices(blocks, k=choice.choice([0, 0, 7]))
    sequence = choice.randrange(3)
    if sequence == 1:
        blocks.reverse()
    elif sequence == 2:
        choice.shuffle(blocks)
    return blocks


def trip(choice, kind):
    n = choice.randrange(1, 1500)
    in_bytes = choice.random() < 0.4
    told = encode.about(
        width=choice.choice([4, 8]),
        order=choice.choice("<>"),
        version=choice.getrandbits(64),
        nonce=choice.getrandbits(64),
        generation=choice.choice([0, 1, 2**31]),
        span=8 * choice.randrange(1, 600),
        address=choice.getrandbits(choice.choice([32, 64])),
        id=choice.randbytes(choice.choice([0, 8, 20, 32])),
    )
    values = numbers(choice, kind, n)
    if in_bytes:
        counters = bytes(value & 255 for value in values)
    else:
        counters = struct.pack(told.order + f"{n}Q", *values)
    streams = [(2, counters)]
    if choice.random() < 0.5:
        streams.append((3, bytes(value & 255 for value in numbers(choice, kind, choice.randrange(0, 300)))))
    if choice.random() < 0.5:
        sites = bytes(choice.choice([0, 1, 3, 255]) if choice.randrange(9) else 0 for _ in range(choice.randrange(99)))
        told.span = told.span // 16 * 16 or 16
        streams.append((4, sites))
        streams.append((5, struct.pack(told.order + f"{2 * sum(sites)}Q", *numbers(choice, kind, 2 * sum(sites)))))
    if choice.random() < 0.5:
        streams.append((6, choice.randbytes(told.width)))
    if choice.random() < 0.1:
        streams = [(0, counters)]
    elif choice.random() < 0.2:
        streams = [(11, counters)]
    codings = {0: 0, 2: choice.choice([0, 2, 3] if in_bytes else [0, 1, 1, 2]), 3: 2, 4: 2, 5: choice.choice([0, 1, 1, 2]), 6: 2}
    codings[11] = 5
    dice = choice.choice([None, choice])
    writer = encode.Writer(choice.choice([0, 1, 127, 128, 65535]), choice.choice([1, 2]))
    blocks = writer.dump(streams, told, lambda number, piece: encode.shorter(codings[number], piece, told.order, dice), dice=dice)
    form = choice.choice(["file", "text", "frames"])
    dumps, said = read(encode.put(travel(choice, blocks), form), choice.choice([form, None]))
    good = [dump.why for dump in dumps] == ["complete"] and dumps[0].streams == dict(streams)
    good = good and all(len(block) <= 65536 for block in blocks)
    begin = dumps[0].begin if dumps else None
    for field in "width", "version", "nonce", "generation", "span", "address", "id":
        good = good and getattr(begin, field) == getattr(told, field)
    return good and begin.order == {"<": "little", ">": "big"}[told.order], f"{form}, {told}: {said}"


def trips():
    choice = random.Random(5)
    for kind in "zero", "sparse", "small", "edges", "runs", "dense":
        bad = [details for good, details in (trip(choice, kind) for _ in range(25)) if not good]
        report(not bad, f"25 captures of {kind} numbers are decoded to these numbers", bad and bad[0])


# Rules of a dump. Each rule is tested with a dump of 6 numbers in three DATA blocks. One change in this dump breaks the
# rule.

def begin(**changed):
    fields = {
        "format": uleb(1),
        "width": uleb(8),
        "order": uleb(1),
        "version": uleb(10),
        "variants": uleb(0),
        "nonce": uleb(42),
        "generation": uleb(0),
        "span": uleb(16),
        "streams": uleb(1) + b"\x02" + uleb(48),
        "address": uleb(0x1000),
        "id": uleb(4) + b"abcd",
        "more": b"",
    }
    return b"".join({**fields, **changed}.values())


def data(offset, coded=None, coding=0):
    return bytes([coding]) + (COUNTERS[offset : offset + 16] if coded is None else coded)


def made(changed, head=None, image=0):
    """Returns the blocks of the dump, with changes. `changed` maps the index of a block to its replacement. A pair
    (type, payload) replaces the block by another block, a list of such pairs replaces it by several blocks, and None
    removes it. If no block has the index, the new blocks are added at the end."""
    writer = encode.Writer(image)
    writer.begin(head or begin())
    usual = {1: (2, data(0)), 2: (2, data(16)), 3: (2, data(32)), 4: (3, b"")}
    for index, what in {**usual, **changed}.items():
        for kind, payload in [what] if isinstance(what, tuple) else what or []:
            writer.add(kind, index, payload)
    return writer.blocks


def valued(sites=b"\0\2\1", values=bytes(range(48)), dropped=b"\5" + bytes(7), width=8, span=16):
    """Returns a dump with values. Streams whose argument is None are left out."""
    streams = [(2, COUNTERS), (4, sites), (5, values), (6, dropped)]
    streams = [(number, raw) for number, raw in streams if raw is not None]
    told = encode.about(width=width, span=span)
    return encode.Writer().dump(streams, told, lambda number, piece: (0, piece))


def file_of(blocks):
    return encode.put(blocks, "file")


def coded(items, coding=1):
    return {2: (2, data(16, bytes.fromhex(items), coding))}


def lone(payload_items, coding, raw):
    """Returns a dump with a single DATA block, whose span is `raw` bytes."""
    streams = uleb(1) + b"\x02" + uleb(raw)
    head = begin(span=uleb(max(raw, 8)), streams=streams)
    first = data(0, bytes.fromhex(payload_items), coding)
    return made({1: (2, first), 2: (3, b""), 3: None, 4: None}, head)


def block(kind=2, image=uleb(0), index=uleb(1), length=None, payload=b"\0" + bytes(16)):
    out = bytes([kind]) + image + index + bytes(4) + (length or uleb(len(payload))) + payload
    return out + struct.pack("<I", encode.crc32c(out))


def stray_begin():
    """Returns a dump with a single block: a BEGIN whose checksum is right, but whose index is not 0."""
    writer = encode.Writer()
    writer.tag = encode.crc32c(begin())
    writer.add(1, 1, begin())
    return writer.blocks


TWO = uleb(2) + b"\x02" + uleb(48) + b"\x03"
REFUSED = {
    # Rules of docs/SPEC.md, sections 1.1 (blocks) and 1.2 (types).
    "a ULEB of 11 bytes": ([block(index=b"\x81" + b"\x80" * 9 + b"\0")], "more than 10 bytes"),
    "a ULEB above 2^64-1": ([block(index=b"\xff" * 9 + b"\x02")], "above 2\\^64-1"),
    "image 65536": ([block(image=uleb(65536))], "above 65535"),
    "a block of 65,537 bytes": ([block(payload=bytes(65523))], "longer than 65,536"),
    "a block that announces more than 65,536 bytes": ([block(length=uleb(2**40))], "longer than 65,536"),
    "a block that ends too early": (made({})[:-1] + [made({})[-1][:-5]], "ends within its"),
    "a wrong CRC": ([block()[:-1] + b"\0"], "CRC"),
    "an unknown type": (made({5: (0x10, b"")}), "type 0x10, which is unknown"),
    # Rules of docs/SPEC.md, section 1.3 (BEGIN).
    "format 2": (made({}, begin(format=uleb(2))), "format 2"),
    "pointers of 2 bytes": (made({}, begin(width=b"\x02")), "pointers of 2"),
    "byte order 0": (made({}, begin(order=b"\0")), "byte order 0"),
    "a version of more than 32 bits": (made({}, begin(version=uleb(2**32))), "version is above"),
    "variants of more than 32 bits": (made({}, begin(variants=uleb(2**32))), "variants is above"),
    "stream 256": (made({}, begin(streams=uleb(1) + uleb(256) + uleb(48))), "stream is above 255"),
    "byte order 3": (made({}, begin(order=b"\x03")), "byte order 3"),
    "span 0": (made({}, begin(span=uleb(0))), "span 0"),
    "a span that is not a multiple of 8": (made({}, begin(span=uleb(12))), "not a multiple of 8"),
    "no streams": (made({}, begin(streams=uleb(0))), "no streams"),
    "a stream twice": (made({}, begin(streams=TWO[:-1] + b"\x02" + uleb(8))), "do not ascend"),
    "streams in descending order": (made({}, begin(streams=uleb(2) + b"\x03\x08\x02\x30")), "do not ascend"),
    "stream 1": (made({}, begin(streams=uleb(1) + b"\x01\x30")), "unknown stream 1"),
    "stream 12": (made({}, begin(streams=TWO[:-1] + b"\x0c\x08")), "unknown stream 12"),
    "stream 11 with stream 2": (made({}, begin(streams=TWO[:-1] + b"\x0b\x08")), "other streams with stream 11"),
    "stream 7 with stream 2": (made({}, begin(streams=TWO[:-1] + b"\x07\x08")), "other streams with the raw sections"),
    "sites without values": (valued(values=None), "streams 4 and 5 alone"),
    "values without sites": (valued(sites=None), "streams 4 and 5 alone"),
    "one value more than the sites have": (valued(values=bytes(64)), "have 3 values, 4 came"),
    "one value less than the sites have": (valued(values=bytes(32)), "have 3 values, 2 came"),
    "a value without its count": (valued(values=bytes(56)), "end with a value's count"),
    "a value in one block and its count in the next": (valued(span=24), "span 24, which is not a multiple of 16"),
    "4 bytes of dropped values with pointers of 8 bytes": (valued(dropped=bytes(4)), "stream 6 of 4 bytes"),
    "8 bytes of dropped values with pointers of 4 bytes": (valued(width=4), "stream 6 of 8 bytes"),
    "stream 0 with another": (made({}, begin(streams=uleb(2) + b"\0\x08\x02\x30")), "with stream 0"),
    "a BEGIN that ends in its streams": (made({}, begin(streams=uleb(9) + b"\x02", address=b"", id=b"")), "BEGIN ends within"),
    "a BEGIN that ends in its build id": (made({}, begin(id=uleb(5) + b"abcd")), "within its build id"),
    "a BEGIN whose tag is not its checksum": ([block(1, index=uleb(0), payload=begin())], "is not its checksum"),
    "a BEGIN that is not the first": (stray_begin() + made({})[1:], "BEGIN is missing"),
    # Rules of docs/SPEC.md, section 1.4 (DATA).
    "a block beyond the streams": (made({4: (2, data(0)), 5: (3, b"")}), "beyond the streams"),
    "a block of an empty stream": (
        made({4: (2, data(0, b"")), 5: (3, b"")}, begin(streams=TWO + b"\0")),
        "beyond the streams",
    ),
    "a block without a payload": (made({2: (2, b"")}), "within its coding"),
    "a coded block of more than 65,536 bytes": (lone("3fc1ff03", 2, 65537), "covers 65537 bytes"),
    # Rules of docs/SPEC.md, section 1.5 (END).
    "END in place of a DATA block": (made({3: (3, b""), 4: None}), "index 3, not 4"),
    "END with another index": (made({4: None, 5: (3, b"")}), "index 5, not 4"),
    "no BEGIN": (made({})[1:], "BEGIN is missing"),
    "no END": (made({4: None}), "END is missing"),
    "a missing DATA block": (made({2: None}), "1 of 3 DATA blocks are missing, the first is 2"),
    # Rules of docs/SPEC.md, section 1.7 (codings).
    "coding 6": (made(coded("01", 6)), "coding 6"),
    "differences without a distance": (made(coded("", 5)), "within its distance"),
    "differences with the distance 0": (made(coded("0003", 5)), "distance 0"),
    "a difference of more than 4 bytes": (made(coded("0102c50000000001", 5)), "too large"),
    "differences of too many words": (made(coded("0104", 5)), "more numbers"),
    "differences of too few words": (made(coded("0102", 5)), "fewer numbers"),
    "differences of words in 6 bytes": (lone("0101", 5, 6), "4 bytes in 6 bytes"),
    "a uniform block without a count": (made(coded("00", 4)), "no value and count"),
    "a uniform block with another byte": (made(coded("000100", 4)), "no value and count"),
    "a uniform block for no block": (made(coded("0000", 4)), "no value and count"),
    "a uniform block for 128 blocks": (made(coded("0080", 4)), "no value and count"),
    "a uniform block for a block beyond the streams": (made(coded("0003", 4)), "beyond the streams"),
    "fewer stored bytes": (made({2: (2, data(16, bytes(15)))}), "stores 15 bytes for 16"),
    "more stored bytes": (made({2: (2, data(16, bytes(17)))}), "stores 17 bytes for 16"),
    "item 0x60": (made(coded("0060")), "item 0x60"),
    "item 0xc0": (made(coded("00c0")), "item 0xc0"),
    "item 0xc1": (made(coded("00c101")), "item 0xc1"),
    "item 0xc9": (made(coded("00c9010203040506070809")), "item 0xc9"),
    "item 0xff": (made(coded("00ff")), "item 0xff"),
    "an end within a long run": (made(coded("3f80")), "within its item"),
    "an end within an item of two bytes": (made(coded("0080")), "within its item"),
    "an end within a number of eight bytes": (made(coded("00c801020304050607")), "within its item"),
    "too many zeros": (made(coded("02")), "more numbers"),
    "a long run of too many zeros": (made(coded("3fffffffff0f")), "more numbers"),
    "too many repetitions": (made(coded("6141")), "more numbers"),
    "too many numbers": (made(coded("016161")), "more numbers"),
    "fewer numbers": (made(coded("00")), "fewer numbers"),
    "no items": (made(coded("")), "fewer numbers"),
    "256 as a byte": (made(coded("0d80e0c20001", 2)), "too large"),
    "288 as a byte": (made(coded("0e8100", 2)), "too large"),
    "256 as an inverted byte": (made(coded("0ec20001", 3)), "too large"),
    "8-byte numbers in 12 bytes": (lone("6161", 1, 12), "8 bytes in 12 bytes"),
}

VALUED = {
    "sites, values and dropped values": (valued(), {4: b"\0\2\1", 5: bytes(range(48)), 6: b"\5" + bytes(7)}),
    "sites without values": (valued(bytes(3), b""), {4: bytes(3), 5: b"", 6: b"\5" + bytes(7)}),
    "values that fit in one block, with any span": (valued(span=56), {4: b"\0\2\1", 5: bytes(range(48)), 6: b"\5" + bytes(7)}),
    "empty streams of sites and values": (valued(b"", b"", None), {4: b"", 5: b""}),
    "255 values at a site": (valued(b"\xff", bytes(4080), None), {4: b"\xff", 5: bytes(4080)}),
    "only dropped values": (valued(None, None, bytes(4), 4), {6: bytes(4)}),
    "no streams of values": (valued(None, None, None), {}),
}

ACCEPTED = {
    "runs of zeros": (lone("003e3f00", 1, 1024), bytes(1024)),
    "a repetition before any number": (lone("4100", 1, 24), bytes(24)),
    "a repetition of zeros": (lone("0061004b", 2, 15), b"\0\1" + bytes(13)),
    "the longest repetition": (lone("7f5f", 2, 33), b"\x1f" * 33),
    "differences to the word before": (lone("01656140c4ffffffff", 5, 16), struct.pack("<4I", 5, 6, 7, 6)),
    "differences to the second word before": (lone("026a406100", 5, 16), struct.pack("<4I", 5, 5, 4, 5)),
    "differences with a large distance": (lone("ff64", 5, 4), struct.pack("<I", 2)),
    "the limits of each range of numbers": (
        lone("617f8000bfffc22040c8ffffffffffffffff", 1, 48),
        struct.pack("<6Q", 1, 31, 32, 16415, 16416, 2**64 - 1),
    ),
    "items that are not the shortest": (lone("c80100000000000000c20000", 1, 16), struct.pack("<2Q", 1, 0)),
    "a uniform block for one block": (made(coded("0501", 4)), COUNTERS[:16] + b"\5" * 16 + COUNTERS[32:]),
    "a uniform block for two blocks": (made({**coded("0702", 4), 3: None}), COUNTERS[:16] + b"\7" * 32),
    "a uniform block, and later one of its blocks": (made(coded("0002", 4)), COUNTERS[:16] + bytes(16) + COUNTERS[32:]),
    "bytes": (lone("7f80dfc2ff00", 2, 3), b"\x1f\xff\xff"),
    "inverted bytes": (lone("0080df61", 3, 3), b"\xff\0\xfe"),
    "a span that is not a multiple of 8, with one block": (lone("0d", 3, 14), b"\xff" * 14),
    "a ULEB that is not the shortest": (made({}, begin(generation=b"\x80\x80\0")), COUNTERS),
    "additional bytes in BEGIN": (made({}, begin(more=b"later")), COUNTERS),
    "an unknown version": (made({}, begin(version=uleb(0))), COUNTERS),
    "no build id": (made({}, begin(id=uleb(0))), COUNTERS),
    "an unknown type that may be skipped": (made({5: (0x90, b"x"), 1: [(2, data(0)), (0xFF, b"")]}), COUNTERS),
    "the later of two different copies of a block": (made({1: [(2, data(0, b"?" * 16)), (2, data(0))]}), COUNTERS),
    "a malformed copy after a valid block": (made({1: [(2, data(0)), (2, data(0, b"short"))]}), COUNTERS),
    "bytes in END": (made({4: (3, b"later")}), COUNTERS),
}


def rules():
    for what, (blocks, why) in REFUSED.items():
        dumps, said = read(file_of(blocks))
        good = all(dump.why != "complete" for dump in dumps) and re.search(why, "\n".join(said))
        report(good, f"refused: {what}", said)
    for what, (blocks, content) in ACCEPTED.items():
        dumps, said = read(file_of(blocks))
        good = [dump.why for dump in dumps] == ["complete"] and dumps[0].streams == {2: content}
        report(good, f"accepted: {what}", said)
    for what, (blocks, content) in VALUED.items():
        dumps, said = read(file_of(blocks))
        good = [dump.why for dump in dumps] == ["complete"] and dumps[0].streams == {2: COUNTERS, **content}
        report(good, f"accepted: {what}", said)


def complete(data, count, form=None, counters=COUNTERS):
    dumps, said = read(data, form)
    streams = [dump.streams for dump in dumps if dump.why == "complete"]
    return [found.get(2) for found in streams] == [counters] * count and len(dumps) == count, said


def carriers():
    blocks = made({})
    other = made({}, begin(nonce=uleb(0)))
    lines = encode.put(blocks, "text")
    frames = encode.put(blocks, "frames")
    one = encode.put(blocks[:1], "text").strip()
    mixed = [block for pair in zip(blocks, other) for block in pair]
    cases = {
        "two files, one after the other": (file_of(blocks) + file_of(other), 2),
        "damage between two blocks of a file": (file_of(blocks[:2]) + b"\x02damage" + b"".join(blocks[2:]), 1),
        "two boots, block by block": (file_of(mixed), 2),
        "two images with one tag": (file_of(blocks + made({}, image=3)), 2),
        "lines that end in LF": (lines.replace(b"\r", b""), 1),
        "lines among log messages": (lines.replace(b"@bp:", b"[ 0.1] log\r\n\xff\0[ 0.2] @bp:"), 1),
        "a line that a log message cuts, and that is sent again": (one[:30] + b"[ 1.0] log" + lines, 1),
        "a marker within a line that was cut": (one[:30] + lines, 1),
        "additional characters at the end of lines": (lines.replace(b"\r\n", b"AAAA" + b"\r\n"), 1),
        "lines and frames in one stream": (lines[: lines.index(b"\n") + 1] + frames, 1),
    }
    for what, (data, count) in cases.items():
        report(*complete(data, count)[:1], what, complete(data, count)[1])
    for what, form, data in (
        ("a frame that ends within a group", "frames", b"\0\x09abc\0"),
        ("a frame with additional bytes after its block", "frames", b"\0" + encode.cobs(blocks[0] + b"?") + b"\0"),
        ("a line that lacks its last characters", "text", one[:-4]),
    ):
        report(read(data, form)[0] == [] and len(read(data, form)[1]) == 1, f"dropped: {what}")
    largest = block(payload=bytes(65522))
    dumps, said = read(file_of([largest]))
    report(len(largest) == 65536 and len(dumps) == 1, "a block of 65,536 bytes is accepted", said)
    report(not complete(b"".join(blocks), 1, "file")[0], "a file without magic is refused")
    report(decode.crc32c(b"123456789") == 0xE3069283, "the CRC of the check string is right")
    samples = [bytes(n) + bytes(range(1, 256)) * 3 + bytes(n) for n in range(4)] + [b"", b"\xff" * 254]
    good = all(decode.cobs(encode.cobs(sample)) == sample for sample in samples)
    good = good and decode.cobs(bytes.fromhex("031122023303") + b"ab") == bytes.fromhex("1122003300") + b"ab"
    report(good, "COBS encodes and decodes")
    good = all(decode.base64(encode.text(sample)) == sample for sample in samples)
    report(good, "base64 is decoded as Python encodes it")


def damage():
    """Tests four kinds of damage at every byte: a bit is flipped, the byte is removed, a byte is inserted, and the
    data is cut. The decoder must never return wrong data."""
    for form in "file", "text", "frames":
        whole = encode.put(made({2: (2, data(16, bytes.fromhex("6540"), 1))}), form)
        expected = read(whole)[0][0].streams
        wrong = []
        completes = 0
        for at in range(len(whole)):
            for changed in (
                whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :],
                whole[:at] + whole[at + 1 :],
                whole[:at] + b"A" + whole[at:],
                whole[:at],
            ):
                for dump in read(changed, form)[0]:
                    if dump.why == "complete":
                        completes += 1
                        wrong += [at] if dump.streams != expected else []
        report(not wrong, f"{form}: {4 * len(whole)} damages, of which {completes} have no effect and the rest are noticed", wrong)


def example():
    """Checks that the decoder decodes the example in SPEC.md."""
    with open("docs/SPEC.md", "rb") as file:
        text = file.read().split(b"## 1.11", 1)[1].split(b"# Part 2", 1)[0]
    begin = read(text, "text")[0][0].begin
    told = begin.width, begin.order, begin.version, begin.nonce, begin.span, begin.address, begin.id.hex()
    good, said = complete(text, 1, "text", struct.pack("<6Q", 1, 0, 0, 40, 40, 40))
    line = text.split(b"@bp:")[1].split()[0]
    payload = base64.b64decode(line + b"=" * (-len(line) % 4))[9:-4]
    with open("docs/SPEC.md", "rb") as file:
        check = file.read().split(b"    1-2.", 1)[1].split()[0]
    report(check == b"%d" % decode.crc32c(payload + b"1-2"), "the check of the request in SPEC.md is right", check)
    report(good and told == (4, "little", 10, 7, 976, 0x20000000, "c0ffee"), "the example of SPEC.md is decoded as it says", said)


if __name__ == "__main__":
    example()
    trips()
    rules()
    carriers()
    damage()
