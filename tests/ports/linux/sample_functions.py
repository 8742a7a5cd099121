#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares samples of a Linux kernel that bareprof and perf took, function by function.

sample_functions.py elf KALLSYMS NOTES OUT: writes an ELF file with the symbols of /proc/kallsyms and the ELF notes of
    /sys/kernel/notes, for a kernel whose vmlinux is not available. Its code begins at LINKED, as if the kernel had not
    been moved by KASLR.
sample_functions.py overlap KALLSYMS SAMPLES PERF MINIMUM: prints the overlap of the shares of functions in percent. SAMPLES
    is a .samples file for the ELF file above. PERF is the output of `perf script -F ip`. Fails if one of them has less
    than MINIMUM samples in the kernel, or if the overlap is below 90 %.
"""
import bisect
import collections
import struct
import sys

LINKED = 0xFFFFFFFF81000000


def kallsyms(path):
    """Returns the sorted symbols (address, name) of the kernel without modules, and the bounds of its code."""
    symbols = []
    named = {}
    with open(path) as file:
        for line in file:
            words = line.split()
            if len(words) == 3:
                symbols.append((int(words[0], 16), words[2], words[1]))
                named.setdefault(words[2], int(words[0], 16))
    start, end = named["_stext"], named["_etext"]
    code = sorted((address, name) for address, name, kind in symbols if kind in "tTwW" and start <= address < end)
    return code, start, end, named["__start_notes"]


def section(name, kind, flags, address, offset, size, link=0, info=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size, link, info, 16 if kind == 1 else 4, entry)


def write_elf(symbols_path, notes_path, out):
    code, start, end, notes_at = kallsyms(symbols_path)
    with open(notes_path, "rb") as file:
        notes = file.read()
    moved = start - LINKED
    ends = [address for address, _ in code[1:]] + [end]
    strings = b"\0"
    table = bytes(24)
    for (address, name), stop in zip(code, ends):
        table += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, address - moved, stop - address)
        strings += name.encode() + b"\0"
    names = b"\0.text\0.notes\0.symtab\0.strtab\0.shstrtab\0"
    at = 4096
    places = []
    for size in (end - start, len(notes), len(table), len(strings), len(names)):
        places.append(at)
        at = (at + size + 7) // 8 * 8
    headers = bytes(64)
    headers += section(1, 1, 6, LINKED, places[0], end - start)
    headers += section(7, 7, 2, notes_at - moved, places[1], len(notes))
    headers += section(14, 2, 0, 0, places[2], len(table), 4, 1, 24)
    headers += section(22, 3, 0, 0, places[3], len(strings))
    headers += section(30, 3, 0, 0, places[4], len(names))
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    with open(out, "wb") as file:
        file.write(ident + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, LINKED, 64, at, 0, 64, 56, 2, 64, 6, 5))
        file.write(struct.pack("<IIQQQQQQ", 1, 5, places[0], LINKED, LINKED, end - start, end - start, 4096))
        file.write(struct.pack("<IIQQQQQQ", 4, 4, places[1], notes_at - moved, notes_at - moved, len(notes), len(notes), 4))
        for place, data in zip(places[1:], (notes, table, strings, names)):
            file.seek(place)
            file.write(data)
        file.seek(at)
        file.write(headers)


def by_function(code, end, samples):
    """Returns the number of samples of each function. @samples are pairs of address and number."""
    starts = [address for address, _ in code]
    counts = collections.Counter()
    for address, count in samples:
        if starts[0] <= address < end:
            # Several symbols can have the same address, so the address is the key.
            counts[starts[bisect.bisect_right(starts, address) - 1]] += count
    return counts


def read_samples(path, moved):
    with open(path) as file:
        for line in file:
            if line.startswith("0x"):
                words = line.split()
                yield int(words[0], 16) + moved, int(words[1])


def read_perf(path):
    with open(path) as file:
        for line in file:
            if line.strip():
                yield int(line, 16), 1


def overlap(symbols_path, samples_path, perf_path, minimum):
    code, start, end, _ = kallsyms(symbols_path)
    names = dict(reversed(code))
    ours = by_function(code, end, read_samples(samples_path, start - LINKED))
    theirs = by_function(code, end, read_perf(perf_path))
    total, other = sum(ours.values()), sum(theirs.values())
    percent = 100 * sum(min(ours[at] / total, theirs[at] / other) for at in ours)
    print("%d samples in %d functions, perf: %d in %d; overlap %.1f %%" % (total, len(ours), other, len(theirs), percent))
    for at, count in (ours | theirs).most_common(8):
        print("  %-32s %5.2f %% %5.2f %%" % (names[at], 100 * ours[at] / total, 100 * theirs[at] / other))
    return total < int(minimum) or other < int(minimum) or percent < 90


if sys.argv[1] == "elf":
    write_elf(*sys.argv[2:])
else:
    sys.exit(overlap(*sys.argv[2:]))
