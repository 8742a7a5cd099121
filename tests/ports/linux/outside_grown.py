# SPDX-License-Identifier: BSD-2-Clause
"""outside_grown.py BEFORE AFTER - checks that no counter of the raw profile AFTER is below that of BEFORE.

Both profiles are from one 64-bit program that clang 19 compiled.
"""
import struct
import sys

HEADER = "magic version ids data pad0 counters pad1 bits pad2 names cdelta bdelta ndelta vtabs vnames kinds".split()


def counters(path):
    with open(path, "rb") as file:
        content = file.read()
    head = dict(zip(HEADER, struct.unpack_from(f"<{len(HEADER)}Q", content)))
    start = 8 * len(HEADER) + head["ids"] + 64 * head["data"] + head["pad0"]
    return struct.unpack_from(f"<{head['counters']}Q", content, start)


before, after = (counters(path) for path in sys.argv[1:])
if len(before) != len(after):
    sys.exit("the profiles have different numbers of counters")
below = sum(a < b for a, b in zip(after, before))
print(f"{len(before)} counters, {sum(a > b for a, b in zip(after, before))} have grown, {below} are below")
sys.exit(below != 0)
