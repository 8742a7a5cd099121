#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""spoil.py WHAT IN OUT: copies a raw profile (version 10, 64-bit, little-endian) with weak duplicates, and makes the
change WHAT in it, which no linker would make."""
import struct
import sys

RECORD = 64  # name, hash, counters, bitmap, function, values: 8 bytes each; then numbers
COUNTERS, BITMAP, COUNT = 16, 24, 48

what, source, target = sys.argv[1:]
data = bytearray(open(source, "rb").read())
header = struct.unpack_from("<16Q", data)
assert header[1] & 0xFF == 10
start, count = 128 + header[2], header[3]


def get(index, at, form="<Q"):
    return struct.unpack_from(form, data, start + index * RECORD + at)[0]


def put(index, at, value, form="<Q"):
    struct.pack_into(form, data, start + index * RECORD + at, value & (2**64 - 1))


def place(index, at=COUNTERS):
    return (get(index, at) + index * RECORD) % 2**64


places = [place(i) for i in range(count)]
doubles = [i for i in range(count) if places.index(places[i]) != i]
double = doubles[0]
if what == "another-name":
    put(double, 0, get(double - 1, 0))
elif what == "within":  # the pointer is not to the start of the other record's counters
    put(double, COUNTERS, get(double, COUNTERS) + 8)
elif what == "fewer":  # some counters belong to no record
    put(double, COUNT, get(double, COUNT, "<I") - 1, "<I")
elif what == "more":  # a record has more counters than there are
    put(double, COUNT, get(double, COUNT, "<I") + 1, "<I")
elif what == "of-a-double":  # the other record of that name is a duplicate as well
    own = (place(doubles[0] - 1) + 8 * get(doubles[0] - 1, COUNT, "<I")) % 2**64
    put(doubles[1], COUNTERS, own - doubles[1] * RECORD)
elif what == "itself":  # a record that is not a duplicate points into its own counters
    other = next(i for i in range(count) if places.count(places[i]) == 1 and get(i, COUNT, "<I") > 1)
    put(other, COUNTERS, get(other, COUNTERS) + 8)
elif what == "over":  # one more counter follows all others
    end = start + count * RECORD + header[4] + header[5] * 8
    data[end:end] = bytes(8)
    struct.pack_into("<Q", data, 40, header[5] + 1)
elif what == "bitmap":  # the bitmap pointer of a record that is not a duplicate
    used = places.index(places[double])
    put(used, BITMAP, get(used, BITMAP) + 1)
else:
    sys.exit(f"what is '{what}'?")
open(target, "wb").write(data)
