# SPDX-License-Identifier: BSD-2-Clause
"""judge.py FIRST SECOND THIRD: checks three raw profiles (version 10, 64 bits) of one running image, in the order of
time. SECOND and THIRD were made from captures. The profiles may differ only in counters. A counter that is equal in
FIRST and THIRD must have the same value in SECOND. With --atomic, no counter may decrease."""
import struct
import sys


def parts(path):
    data = open(path, "rb").read()
    words = struct.unpack("<16Q", data[:128])
    assert words[0] == 0xFF6C70726F667281 and words[1] & 0xFF == 10, words[:2]
    start = 128 + words[2] + words[3] * 64 + words[4]
    end = start + words[5] * 8
    return data[:start], struct.unpack("<%dQ" % words[5], data[start:end]), data[end:]


atomic = "--atomic" in sys.argv
first, rebuilt, second = (parts(path) for path in sys.argv[1:] if path[:2] != "--")
assert first[0] == rebuilt[0] == second[0], "headers or records differ"
assert first[2] == rebuilt[2] == second[2], "names differ"
changed = 0
for i, (a, b, c) in enumerate(zip(first[1], rebuilt[1], second[1])):
    assert a == b == c or a != c, "counter %d: %d, %d, %d" % (i, a, b, c)
    assert not atomic or a <= b <= c, "counter %d decreases: %d, %d, %d" % (i, a, b, c)
    changed += a != c
assert changed < len(first[1]) / 10, "%d counters changed, too many for this check" % changed
print("%d counters, of which %d are not 0 and %d changed meanwhile" % (len(first[1]), sum(map(bool, rebuilt[1])), changed))
