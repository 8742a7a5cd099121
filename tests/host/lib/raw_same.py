#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""raw_same.py [--links] A B: checks that two raw profiles are equal except for words that only depend on addresses in
the target. `bareprof convert` may change those words.

The words are the deltas in the header and, in each record, the pointers to counters, bitmaps and values. A reader
computes the offset of the counters in their section from pointer and delta together. llvm-profdata checks these
offsets, so this script does not. With --links, A and B come from two links of the same objects, so build ids and
addresses of functions may differ as well."""
import struct
import sys

WORDS = {
    7: "magic version ids data pad0 counters pad1 names cdelta ndelta kinds",
    9: "magic version ids data pad0 counters pad1 bits pad2 names cdelta bdelta ndelta kinds",
    10: "magic version ids data pad0 counters pad1 bits pad2 names cdelta bdelta ndelta vtabs vnames kinds",
}
WORDS[8] = WORDS[7]


def mask_one(data, at, links):
    big = data[at] == 0xFF
    order = ">" if big else "<"
    width = 4 if ord("R") in data[at : at + 8] else 8
    version = struct.unpack_from(order + "Q", data, at + 8)[0]
    byte_counters = version >> 60 & 1
    version &= 0xFFFFFFFF
    words = WORDS[version].split()
    head = dict(zip(words, struct.unpack_from(order + f"{len(words)}Q", data, at)))
    for delta in "cdelta", "bdelta", "ndelta":
        if delta in words:
            where = at + 8 * words.index(delta)
            data[where : where + 8] = bytes(8)
    bitmaps = version >= 9
    size = {(8, 0): 48, (4, 0): 40, (8, 1): 64, (4, 1): 48}[width, bitmaps]
    records = at + 8 * len(words) + head["ids"]
    if links:
        data[at + 8 * len(words) : records] = bytes(head["ids"])
    for record in range(records, records + head["data"] * size, size):
        # A record has pointers in this order: to the counters, to the bitmap (from version 9 on), to the function, to
        # the values.
        function = 2 if bitmaps else 1
        for pointer in range(function + 2):
            where = record + 16 + pointer * width
            if pointer != function or links:
                data[where : where + width] = bytes(width)
    counters = head["counters"] * (1 if byte_counters else 8)
    end = records + head["data"] * size + head["pad0"] + counters + head["pad1"]
    end += head.get("bits", 0) + head.get("pad2", 0) + head["names"] + -head["names"] % 8
    vtables = head.get("vtabs", 0) * (24 if width == 8 else 16)
    return end + vtables + -vtables % 8 + head.get("vnames", 0)


def masked(path, links):
    """Returns a list of the profiles in the file, without the zero bytes that follow each of them."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    profiles = []
    at = 0
    while at >= 0:
        after = data.find(data[:8], mask_one(data, at, links))
        profiles.append(bytes(data[at : after if after >= 0 else len(data)]).rstrip(b"\0"))
        at = after
    return profiles


def main():
    links = sys.argv[1] == "--links"
    a, b = (masked(path, links) for path in sys.argv[-2:])
    for i, (one, other) in enumerate(zip(a, b)):
        if one != other:
            at = next((i for i in range(min(len(one), len(other))) if one[i] != other[i]), None)
            print(f"profile {i}: sizes are {len(one)} and {len(other)}, the first difference is at {at}")
    return a != b


sys.exit(main())
