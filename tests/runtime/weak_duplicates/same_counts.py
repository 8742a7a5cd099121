#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""same_counts.py TIMES|part EXPECTED ACTUAL... - checks that each text profile ACTUAL has TIMES times the counts of
EXPECTED. With `part`, functions may be missing in ACTUAL, and all others must have the counts of EXPECTED. EXPECTED
comes from a program in which the function has another name in every object except one. This script treats these names
as one function."""
import re
import sys


def read(path):
    """Returns a dict with a key for each function: its name and its hash. The value is a tuple of its counters, its
    bitmap and its lines of values. A trace is stored with the hash 0."""
    found = {}
    text = re.sub(r"(?m)^other\d$", "chosen", open(path).read())
    for trace in re.findall(r"(?m)^# Weight:\n\d+\n(.*)$", text):
        found[trace, 0] = [], [], []
    text = re.sub(r"(?s)^:temporal_prof_traces\n.*?\n\n", "", re.sub(r"(?m)^:ir\n|^# IR.*\n", "", text))
    for block in re.split(r"\n\n+", re.sub(r"(?m)^:.*\n|^# (IR|Instrument|CSIR).*\n", "", text).strip()):
        lines = block.split("\n")
        key = lines[0], int(lines[2])
        assert lines[1] == "# Func Hash:" and lines[3] == "# Num Counters:", block
        end = 6 + int(lines[4])
        counters = [int(line) for line in lines[6:end]]
        bitmap = []
        if lines[end : end + 1] == ["# Num Bitmap Bytes:"]:
            size = int(lines[end + 1].lstrip("$"))
            bitmap = [int(line, 0) for line in lines[end + 3 : end + 3 + size]]
            end += 3 + size
        values = [re.sub(r":other\d:", ":chosen:", line) for line in lines[end:]]
        if key in found:
            was = found[key]
            counters = [a + b for a, b in zip(counters, was[0])]
            bitmap = [a | b for a, b in zip(bitmap, was[1])]
            values = max(values, was[2], key=len)  # at most one of them has values
        found[key] = counters, bitmap, values
    return found


def times(value, count):
    """Multiplies the count in a line of values. The line has a value and its count."""
    head, colon, seen = value.rpartition(":")
    return f"{head}:{int(seen) * count}" if colon and not value.startswith("#") else value


part = sys.argv[1] == "part"
count = 1 if part else int(sys.argv[1])
expected = {
    key: ([n * count for n in counters], bitmap, [times(value, count) for value in values])
    for key, (counters, bitmap, values) in read(sys.argv[2]).items()
}
for path in sys.argv[3:]:
    actual = read(path)
    for key in sorted(set(actual) if part else set(expected) | set(actual)):
        # With `part`, static functions are not compared. Several objects define static functions of one name, so the
        # sum for this name may lack the counts of an object.
        if expected.get(key) != actual.get(key) and not (part and re.search("[:;]", key[0])):
            sys.exit(f"{path}: {key}: {actual.get(key)}, not {expected.get(key)}")
unused = [key for key in expected if key[0] == "chosen" and not any(expected[key][0])]
used = [key for key in expected if key[0] == "chosen" and any(expected[key][0])]
if len(used) != 1:
    sys.exit(f"{sys.argv[2]}: in use are {used}, not {unused}")
