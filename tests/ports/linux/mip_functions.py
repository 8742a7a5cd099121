#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mip_functions.py objects FOLDER: checks the objects in the build folder of a kernel that `bareprof mip cc` compiled. Each
out-of-line function must have a map record in its object, or be one of the functions that PORTING-MIP.md leaves out
without a record. Prints the numbers, and exits with status 1 if a function is missing.

mip_functions.py costs FOLDER BASE BYTES MAX [PART...]: compares the summed sizes of all functions that record in the objects in
FOLDER with the sizes of the same functions in the folder BASE, which has the same kernel without machine profiles.
Prints the growth, and how many bytes a function takes. BYTES is the number of raw bytes for each function. Exits with
status 1 if a function takes more than MAX bytes. Only objects in the folders PART count.

mip_functions.py ftrace JSON VMLINUX HITS...: compares a machine profile, as `bareprof mip show --json` prints it, with the
kernel's function profiler. Both were read after the same reset and work. The HITS are the files of trace_stat. Only
functions that call __fentry__ and whose name occurs once are compared. Prints each difference, and exits with status 1
if more than 0.5 % differ.
"""
import collections
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent.parent / "capture"), str(HERE.parent.parent / "mip")]
from elf import Elf, FUNCTION, RESERVED_SECTIONS, SYMBOLS  # noqa: E402
from mip import read_map9  # noqa: E402

# Functions without a record. The number of each is printed.
WITHOUT = [
    ("part of a function in another section", None, re.compile(r"\.cold(\.\d+)?$")),
    ("discarded section", re.compile(r"^\.exit\.text|^\.discard"), None),
    # The C files that define these functions write them in assembly.
    ("assembly in a C file", re.compile(r"^\.static_call\.text"), None),
    ("assembly in a C file", re.compile(r"^\.(noinstr|entry|head)\.text$"), None),
    ("assembly in a C file", None, re.compile(r"^(int3_magic|__static_call_return|ftrace_stub)$")),
]


def sections(elf):
    """Returns name, offset and size of each section by number, and the list of all symbols of functions."""
    head = elf.get("HHIQQQIHHHHHH", 16)
    table = [elf.get("IIQQQQIIQQ", head[5] + i * head[10]) for i in range(head[11])]
    names = table[head[12]][4]
    found = [(elf.text(names + row[0]), row[4], row[5]) for row in table]
    symbols = []
    for row in table:
        if row[1] != SYMBOLS:
            continue
        for at in range(row[4], row[4] + row[5], 24):
            name, kind, _, where, value, size = elf.get("IBBHQQ", at)
            if kind & 15 == FUNCTION and 0 < where < RESERVED_SECTIONS:
                symbols.append((elf.text(table[row[6]][4] + name), where, value, size))
    return found, symbols


def missing(path, counts):
    """Yields the functions of an object that have no record and no reason."""
    elf = Elf(path)
    found, symbols = sections(elf)
    records = {}
    for name, offset, size in found:
        if name == "__llvm_mipmap":
            for one in read_map9(elf.bytes[offset : offset + size]):
                records[one["name"].decode()] = one
                counts["recording" if one["kinds"] else "left out: reason %d" % one["reason"]] += 1
    # Several symbols can name one function, and the record has one of them.
    known = {(where, value) for name, where, value, _ in symbols if name in records}
    for name, where, value, _ in symbols:
        if (where, value) in known:
            continue
        section = found[where][0]
        for reason, sections_of, names in WITHOUT:
            if (sections_of and sections_of.search(section)) or (names and names.search(name)):
                counts["no record: " + reason] += 1
                break
        else:
            yield name, section


def instrumented(folder):
    """Yields the objects that `bareprof mip cc` compiled from C."""
    for command in sorted(pathlib.Path(folder).rglob(".*.o.cmd")):
        path = command.parent / command.name[1:-4]
        with command.open(encoding="utf-8") as file:
            line = file.readline()
        if " mip cc " in line and ".c " in line.replace("\n", " ") and path.exists():
            yield path


def check_objects(folder):
    counts = collections.Counter()
    wrong = 0
    for path in instrumented(folder):
        counts["objects"] += 1
        for name, section in missing(path, counts):
            print("%s: %s in %s has no record" % (path.relative_to(folder), name, section))
            wrong += 1
    for name, count in sorted(counts.items()):
        print("%s: %d" % (name, count))
    print("missing: %d" % wrong)
    return 1 if wrong or counts["recording"] < 100 else 0


def sizes(path, wanted):
    """Returns the number and the summed sizes of the functions of an object whose names are in @wanted."""
    _, symbols = sections(Elf(path))
    functions = {(where, value): size for name, where, value, size in symbols if name in wanted}
    return len(functions), sum(functions.values())


def costs(folder, base, data, most, parts):
    count = grown = before = 0
    for path in instrumented(folder):
        if parts and path.relative_to(folder).parts[0] not in parts:
            continue
        other = pathlib.Path(base) / path.relative_to(folder)
        elf = Elf(path)
        found, symbols = sections(elf)
        names = {name for name, _, _, _ in symbols}
        wanted = set()
        for name, offset, size in found:
            if name == "__llvm_mipmap":
                wanted |= {one["name"].decode() for one in read_map9(elf.bytes[offset : offset + size]) if one["kinds"]}
        new, old = sizes(path, wanted & names), sizes(other, wanted)
        if new[0] == old[0]:
            count, grown, before = count + new[0], grown + new[1] - old[1] + data * new[0], before + old[1]
    print("functions: %d, of %.0f bytes on average" % (count, before / count))
    print("bytes for each function: %.2f" % (grown / count))
    print("of the summed sizes of these functions: %.2f %%" % (100 * grown / before))
    return 1 if grown > most * count else 0


# The kernel's function profiler prints this number of letters of a name.
LETTERS = 30


def once(names):
    counts = collections.Counter(name[:LETTERS] for name in names)
    return {name for name, count in counts.items() if count == 1}


def traced(path):
    """Yields the functions of vmlinux that begin with a call of __fentry__, which the function profiler sees."""
    elf = Elf(path)
    fentry = elf.symbols["__fentry__"]
    for name, address, _ in elf.functions:
        for segment in elf.segments:
            at = address - segment.address
            if 0 <= at < segment.file_size - 5:
                code = elf.bytes[segment.offset + at : segment.offset + at + 5]
                distance = int.from_bytes(code[1:], "little", signed=True)
                if code[0] == 0xE8 and address + 5 + distance == fentry:
                    yield name


def check_ftrace(shown, vmlinux, stats):
    with open(shown, encoding="utf-8") as file:
        functions = json.load(file)["functions"]
    recording = {one["name"][:LETTERS]: one["ran"] for one in functions if "reason" not in one}
    both = once(one["name"] for one in functions) & once(traced(vmlinux)) & set(recording)
    hits = collections.Counter()
    for path in stats:
        for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
            words = line.split()
            if len(words) > 1 and words[1].isdigit():
                hits[words[0]] += int(words[1])
    differ = sorted(name for name in both if recording[name] != bool(hits[name]))
    for name in differ:
        print("%s: %s, calls that the profiler saw: %d" % (name, "ran" if recording[name] else "did not run", hits[name]))
    ran = sum(1 for name in both if recording[name])
    print("compared: %d, ran: %d, differ: %d" % (len(both), ran, len(differ)))
    return 1 if ran < 300 or len(differ) > 0.005 * len(both) else 0


def main():
    verb, words = sys.argv[1], sys.argv[2:]
    if verb == "objects":
        return check_objects(*words)
    if verb == "costs":
        return costs(words[0], words[1], int(words[2]), float(words[3]), words[4:])
    return check_ftrace(words[0], words[1], words[2:])


sys.exit(main())
