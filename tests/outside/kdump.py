# SPDX-License-Identifier: BSD-2-Clause
"""kdump.py DUMP WAY OUT [ADDRESS] - damages a kernel dump. Ways of flattened dumps and of others have names of their own.

The way "page" leaves out the page at the physical ADDRESS, as makedumpfile does it.
"""
import struct
import sys


def flat(data, way):
    """Returns the flattened dump with a header of a piece that lies, in the middle of its list of pieces."""
    at = pieces = 4096
    for _ in range(3):
        offset, size = struct.unpack_from(">qq", data, at)
        pieces, at = at, at + 16 + size
    lies = {
        "negative-offset": (-4096, size),
        "negative-size": (offset, -size),
        "no-size": (offset, 0),
        "far": (1 << 62, size),
        "around": ((1 << 63) - 1, (1 << 63) - 1),
        "long": (offset, size + (1 << 40)),
        "half-end": (-1, size),
    }
    if way in lies:
        struct.pack_into(">qq", data, pieces, *lies[way])
    elif way == "version":
        struct.pack_into(">q", data, 24, 2)
    elif way == "type":
        struct.pack_into(">q", data, 16, 7)
    elif way == "no-end":
        del data[-16:]
    elif way == "cut-in-piece":
        del data[pieces + 24 :]
    elif way == "cut-in-header":
        del data[100:]
    else:
        sys.exit(f"no way {way}")
    return data


def united(data, way, address):
    """Returns the dump without some of its pages: each bitmap has a bit for each page."""
    block, sub_header, bitmaps = struct.unpack_from("<iii", data, 428)
    first = block * (1 + sub_header)
    start = first + bitmaps * block
    if way == "cut-last":
        del data[-1:]
    elif way == "cut-in-descriptors":
        del data[start + 100 :]
    elif way == "descriptor":
        struct.pack_into("<Q", data, start + 240, 1 << 60)
    elif way == "huge":
        struct.pack_into("<I", data, 436, 1 << 24)
    elif way == "split":
        struct.pack_into("<i", data, block + 12, 1)
    elif way == "page-size":
        text = b"OSRELEASE=6.1.0\nPAGESIZE=16384\n\0"
        note = struct.pack("<III12s", 11, len(text), 0, b"VMCOREINFO") + text
        struct.pack_into("<QQ", data, block + 48, len(data), len(note))
        data += note
    elif way == "blocks":
        struct.pack_into("<i", data, 428, 5)
    elif way == "cut-in-bitmaps":
        del data[first + 100 :]
    elif way == "page":
        second = first + bitmaps * block // 2
        page = address // block
        bits = int.from_bytes(data[second:start], "little")
        rank = (bits & (1 << page) - 1).bit_count()
        data[second + page // 8] ^= 1 << page % 8
        # The descriptors of the pages behind it move up.
        end = start + 24 * bits.bit_count()
        data[start:end] = data[start : start + 24 * rank] + data[start + 24 * rank + 24 : end] + bytes(24)
    elif way == "filtered":
        data[first + bitmaps * block // 2 : first + bitmaps * block] = bytes(bitmaps * block // 2)
    elif way == "no-memory":
        data[first : first + bitmaps * block] = bytes(bitmaps * block)
    elif way == "pages":
        pages = struct.unpack_from("<Q", data, start)[0] + block
        data[pages:] = bytes(b ^ 0x5A for b in data[pages:])
    else:
        sys.exit(f"no way {way}")
    return data


def main(path, way, out, address="0"):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data = flat(data, way) if data.startswith(b"makedumpfile") else united(data, way, int(address, 16))
    with open(out, "wb") as file:
        file.write(data)


main(*sys.argv[1:])
