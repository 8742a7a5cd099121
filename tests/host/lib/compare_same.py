#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare_same.py BAREPROF PROFDATA WHAT A B - compares the numbers of `bareprof compare A B` with those of `PROFDATA
overlap A B`, for the whole profiles and for each function that both list."""
import json
import re
import subprocess
import sys

KINDS = {"counters": "Edge", "indirect_calls": "IndirectCall", "memory_operations": "MemOP", "virtual_calls": "VTable"}
NAMES = {"counters": "counters", "indirect calls": "indirect_calls", "memory operations": "memory_operations",
         "virtual calls": "virtual_calls"}
bareprof, profdata, what, *files = sys.argv[1:]


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def number(text, pattern, absent="0"):
    found = re.search(pattern, text, re.M)
    return found.group(1) if found else absent


def of_llvm(text):
    """Returns the numbers of the whole profiles: a list of texts for functions and for each kind of counts."""
    numbers = {"functions": [number(text, r"# of functions %s: (\d+)" % name)
                             for name in ("overlap", "mismatch", "only in test_profile")]}
    for key, kind in KINDS.items():
        both = number(text, r"^  %s profile overlap: ([\d.]+)%%" % kind, None)
        if both is not None:
            numbers[key] = [both, number(text, r"percentage \(%s\): ([\d.]+)%%" % kind, "0.000"),
                            number(text, r"of %s profile only in test_profile: ([\d.]+)%%" % kind, "0.000"),
                            number(text, r"  %s profile base count sum: (\d+)" % kind),
                            number(text, r"  %s profile test count sum: (\d+)" % kind)]
    return numbers


def of_text(text):
    numbers = {}
    for line in text.partition("\noverlap, ")[2].partition("\n\n")[0].splitlines():
        found = re.match(r"  ([a-z ]*?)  +(\d.*)", line)
        if found:
            name = found.group(1)
            numbers[NAMES.get(name, name)] = found.group(2).replace("%", "").split()
    return numbers


def of_json(shown):
    overlap = shown["overlap"]
    numbers = {"functions": [str(overlap["functions"][key]) for key in ("both", "mismatched", "only_b")]}
    for key in KINDS:
        if key in overlap:
            counts = overlap[key]
            numbers[key] = (["%.3f" % (counts[share] / 10000) for share in ("both", "mismatched", "only_b")] +
                            [str(counts["sum_of_a"]), str(counts["sum_of_b"])])
    return numbers


def close(left, right):
    """Numbers of JSON are rounded to millionths first, so the last digit can differ by one."""
    return left.keys() == right.keys() and all(
        len(left[key]) == len(right[key]) and
        all(abs(float(a) - float(b)) < 0.0011 for a, b in zip(left[key], right[key])) for key in left)


program = run(profdata, "overlap", *files)
theirs = of_llvm(program)
ours = of_text(run(bareprof, "compare", *files))
print("%s - %s: the numbers of llvm-profdata overlap" % ("ok" if theirs == ours else "not ok", what))
if theirs != ours:
    print("   ", theirs, "\n   ", ours)
shown = json.loads(run(bareprof, "compare", "--json", "--all", *files))
good = close(theirs, of_json(shown))
print("%s - %s: the same as JSON" % ("ok" if good else "not ok", what))
if not good:
    print("   ", theirs, "\n   ", of_json(shown))

# llvm-profdata lists functions that ran in B, and whose shape is the same in both profiles.
listed = {}
for block in run(profdata, "overlap", "--value-cutoff=0", *files).split("Function level:\n")[1:]:
    name, hash_ = re.search(r"Function: (.*) \(Hash=(\d+)\)", block).groups()
    listed[name, "%016x" % int(hash_)] = [number(block, r"Edge profile overlap: ([\d.]+)%"),
                                          number(block, r"base count sum: (\d+)"), number(block, r"test count sum: (\d+)")]
own = {(f["name"], f["b"]["hash"]): ["%.3f" % (f["overlap_millionths"] / 10000), str(f["a"]["sum_of_counts"]),
                                     str(f["b"]["sum_of_counts"])]
       for f in shown["functions"] if "overlap_millionths" in f}
good = bool(listed) and close(listed, own)
print("%s - %s: %d functions, one by one" % ("ok" if good else "not ok", what, len(listed)))
if not good:
    print("   ", listed, "\n   ", own)
