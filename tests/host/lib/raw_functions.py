# SPDX-License-Identifier: BSD-2-Clause
"""raw_functions.py OUT FUNCTIONS TIMES FIRST: writes a raw profile of version 10 and 64 bits to OUT. The profile has
FUNCTIONS functions, numbered from FIRST on. Each function has TIMES records, and each record has 3 counters. The
names are in the order of the records, except that every seventh name comes after all others."""
import hashlib
import struct
import sys

count, times, first = map(int, sys.argv[2:])
names = ["function_%d" % i for i in range(first, first + count)]
records = names * times
data = b""
for i, name in enumerate(records):
    reference = hashlib.md5(name.encode()).digest()[:8]
    # The pointer to the counters is relative to the record. A record has 64 bytes.
    data += reference + struct.pack("<QqQQQIHHHHI", first + i % count, 24 * i - 64 * i, 0, 0, 0, 3, 0, 0, 0, 0, 0)
text = "\1".join([n for i, n in enumerate(names) if i % 7] + names[::7]).encode()
size = len(text)
chunk = bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14]) + b"\0" + text
counters = 3 * len(records)
header = [0xFF6C70726F667281, 10, 0, len(records), 0, counters, 0, 0, 0, len(chunk), 0, 0, 0, 0, 0, 2]
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<16Q", *header) + data)
    out.write(struct.pack("<%dQ" % counters, *range(counters)))
    out.write(chunk + bytes(-len(chunk) % 8))
