# SPDX-License-Identifier: BSD-2-Clause
"""judge.py - compares the counts of functions in a profile with a trace of the same boot.

    judge.py ELF PROFILE TRACE OFFSET...

PROFILE is a text profile. Each line of TRACE has an address at which QEMU began to run a block of code, and how often.
A function is called as often as the block at its address runs. U-Boot runs at several places, whose distances from the
addresses in the ELF file are the OFFSETs. Prints the functions whose counts differ."""

import subprocess
import sys


def functions(elf):
    """Returns the addresses of each function. The name of a local function is a tuple with its file."""
    found, file = {}, ""
    for line in subprocess.run(["readelf", "-sW", elf], capture_output=True, text=True, check=True).stdout.splitlines():
        field = line.split()
        if len(field) < 8 or not field[0][:-1].isdigit():
            continue
        if field[3] == "FILE":
            file = field[7].split("/")[-1]
        elif field[3] == "FUNC":
            name = (file, field[7]) if field[4] == "LOCAL" else field[7]
            found.setdefault(name, set()).add(int(field[1], 16))
    return found


def counts(profile):
    """Returns the count and the full names of each function, by its name as in functions()."""
    found = {}
    with open(profile, encoding="utf-8") as lines:
        entries = lines.read().split("\n\n")
    for entry in entries:
        line = [text for text in entry.split("\n") if text and text[0] not in "#:"]
        if len(line) < 4:
            continue
        path, _, name = line[0].replace(":", ";").rpartition(";")
        total = found.setdefault((path.split("/")[-1], name) if path else name, [0, set()])
        total[0] += int(line[3])  # after the name, the hash and the number of counters
        total[1].add(line[0])
    return found


def main():
    elf, profile, trace, *offsets = sys.argv[1:]
    with open(trace, encoding="utf-8") as lines:
        runs = {int(address, 16): int(number) for address, number in (line.split() for line in lines)}
    code = functions(elf)
    ran = [set() for _ in offsets]
    compared = differ = 0
    for name, (count, full) in counts(profile).items():
        # A name that two functions share has no address of its own, and an inlined function has none at all.
        if len(full) > 1 or len(code.get(name, ())) != 1:
            continue
        (address,) = code[name]
        each = [runs.get(address + int(offset, 0), 0) for offset in offsets]
        compared += 1
        for place, number in zip(ran, each):
            if number:
                place.add(name)
        if sum(each) != count:
            differ += 1
            print("differs:", name, count, each)
    print(f"compared: {compared}, differ: {differ}, ran at each place:", *(len(place) for place in ran),
          f"in all: {len(set().union(*ran))}")
    return 1 if differ or compared < 3000 else 0


sys.exit(main())
