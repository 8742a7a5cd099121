# SPDX-License-Identifier: BSD-2-Clause
"""jump_truth.py ASSEMBLY SYMBOLS JUMPS: compares the targets of jumps by tables with the tables in clang's assembly.

SYMBOLS is the output of nm for the linked image, with all labels. JUMPS is the output of tests/host/programs/jumps.c.
The size of the tables in functions named open_... need not be known.
Prints how many jumps and targets there are.
"""
import re
import sys

ENTRY = re.compile(r"\s+\.(?:byte|short|hword|long|word|xword|2byte|4byte|8byte)\s+\(*(\.LBB\w+)")
BRANCH = re.compile(r"\s+b(?:\.w)?\s+\.LBB\w+")


def addresses(path):
    """The address of each label."""
    lines = (line.split() for line in open(path))
    return {name: int(value, 16) & ~1 for value, _, name in lines}


def tables(path, address):
    """The functions, each with the sets of targets of its tables."""
    functions, function, targets = {}, None, None
    for line in open(path):
        label = re.match(r"([\w.]+):", line)
        if label:
            targets = None
            if label[1].startswith(".LJTI"):
                start, size, targets = address[label[1]], 0, set()
                functions.setdefault(function, []).append(targets)
            elif not label[1].startswith("."):
                function = label[1]
            continue
        entry = targets is not None and ENTRY.match(line)
        if entry:
            targets.add(address[entry[1]])
        elif targets is not None and BRANCH.match(line):
            # The table is a list of jumps.
            targets.add(start + size)
            size += 4
        elif re.match(r"\s+[a-z]", line):
            targets = None
    return functions


def main():
    assembly, symbols, jumps = sys.argv[1:]
    expected = tables(assembly, addresses(symbols))
    found, bad, count = {}, 0, 0
    for line in open(jumps):
        name, _, *targets = line.split()
        found.setdefault(name, []).append(targets)
    for name in sorted(set(found) | set(expected)):
        sets = {frozenset(int(target, 16) for target in targets if target != "unknown") for targets in found.get(name, [])}
        truth = {frozenset(targets) for targets in expected.get(name, [])}
        count += sum(map(len, truth))
        unknown = any("unknown" in targets for targets in found.get(name, []))
        if unknown and name.startswith("open_") and not set().union(*sets):
            continue
        if sets != truth or unknown:
            bad += 1
            for title, content in ("truth", truth), ("found", sets):
                print(f"{name}: {title}:", *(sorted(map(hex, targets)) for targets in sorted(map(sorted, content))))
    print(f"{sum(map(len, expected.values()))} tables, {count} targets, {bad} functions are wrong")
    return bad > 0 or not count


sys.exit(main())
