# SPDX-License-Identifier: BSD-2-Clause
"""compare.py DIR: compares the outputs of llvm-cov, which are DIR/theirs.json, theirs.lcov and theirs.table, with those of
bareprof, DIR/ours.json, ours.lcov and ours.table.

JSON is compared value by value, where the order of list entries counts, and LCOV and tables as text. Prints the first
difference of each kind with its place, and the number of differences, and exits with 1 if there are any. In a table, the
files that contain no functions do not count, because bareprof leaves them out."""
import collections
import itertools
import json
import re
import sys

CHUNK = 1 << 20
# How JSON of llvm-cov names the entries of lists: the place of a region, branch or decision begins with its line.
WITH_LINE = {"segments", "regions", "branches", "mcdc_records", "source_region", "target_regions"}


class Differences:
    """Counts differences, in all and by kind, and keeps the first one of each kind."""

    def __init__(self):
        self.first = collections.OrderedDict()
        self.count = collections.Counter()

    def add(self, kind, place, theirs, ours):
        self.count[kind] += 1
        self.first.setdefault(kind, f"{place}: llvm-cov {theirs}, bareprof {ours}")

    def report(self, form):
        if not self.count:
            return 0
        total = sum(self.count.values())
        print(f"{form}: {total} {'difference' if total == 1 else 'differences'}; the first of each kind:")
        for kind, first in self.first.items():
            print(f"  {kind} ({self.count[kind]}): {first}")
        return 1


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 120 else text[:117] + "..."


def same_type(a, b):
    return isinstance(a, bool) == isinstance(b, bool) and (type(a) == type(b) or {type(a), type(b)} == {int, float})


def compare_lists(theirs, ours, kind, place, key, found):
    if len(theirs) != len(ours):
        at = next((i for i, (a, b) in enumerate(zip(theirs, ours)) if a != b), min(len(theirs), len(ours)))
        found.add(f"{kind}, number", f"{place}, from entry {at} on",
                  f"has {len(theirs)}, {short(theirs[at:at + 1])}", f"has {len(ours)}, {short(ours[at:at + 1])}")
        return
    for i, (a, b) in enumerate(zip(theirs, ours)):
        at = f"line {a[0]}" if key in WITH_LINE and isinstance(a, list) and a else f"entry {i}"
        if isinstance(a, list) and all(not isinstance(x, (list, dict)) for x in a):
            if not equal(a, b):
                found.add(kind, f"{place}, {at}", short(a), short(b))
        else:
            compare(a, b, kind, f"{place}, {at}", found)


def equal(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return same_type(a, b) and a == b


def compare(theirs, ours, kind, place, found):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            if key not in theirs or key not in ours:
                found.add(f"{kind}.{key}", place, "has it" if key in theirs else "lacks it",
                          "has it" if key in ours else "lacks it")
            elif not equal(theirs[key], ours[key]):
                compare(theirs[key], ours[key], f"{kind}.{key}", place, found)
    elif isinstance(theirs, list) and isinstance(ours, list):
        compare_lists(theirs, ours, kind, place, kind.split(".")[-1], found)
    elif not same_type(theirs, ours) or theirs != ours:
        found.add(kind, place, short(theirs), short(ours))


def entries(text):
    """Yields the parts of an export, one after the other, so that only one of them is in memory: the files and
    functions, and then the rest of the document. Each part is a kind and a value."""
    decoder = json.JSONDecoder()
    rest = []
    at = 0
    for match in re.finditer(r'"(files|functions)":\[', text):
        if match.start() < at:
            continue
        rest.append(text[at:match.end()])
        at = match.end()
        while text[at] != "]":
            value, at = decoder.raw_decode(text, at + (text[at] == ","))
            yield match[1], value
    rest.append(text[at:])
    yield "export", json.loads("".join(rest))


def compare_json(paths, found):
    texts = []
    for path in paths:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            texts.append(file.read())
    for theirs, ours in itertools.zip_longest(*(entries(text) for text in texts), fillvalue=("end", {})):
        name = {}
        for kind, value in (ours, theirs):
            name = value.get("filename") or value.get("name") or name
        if theirs[0] != ours[0]:
            found.add("number of files and functions", name or "at the end", theirs[0], ours[0])
            return
        compare(theirs[1], ours[1], theirs[0], name or "export", found)


def lcov_records(path):
    """Returns the records of a file: the name of the source, and the lines."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = file.read().split("\n")
    records = []
    for line in lines:
        if line.startswith("SF:") or not records:
            records.append((line, []))
        records[-1][1].append(line)
    return records


def compare_lcov(paths, found):
    theirs, ours = map(lcov_records, paths)
    if [name for name, _ in theirs] != [name for name, _ in ours]:
        at = next((i for i, (a, b) in enumerate(zip(theirs, ours)) if a[0] != b[0]), min(len(theirs), len(ours)))
        found.add("files", f"file {at}", theirs[at][0] if at < len(theirs) else "ends",
                  ours[at][0] if at < len(ours) else "ends")
        return
    for (name, a), (_, b) in zip(theirs, ours):
        for number, (x, y) in enumerate(itertools.zip_longest(a, b, fillvalue="(end)")):
            if x != y:
                found.add(x.split(":")[0], f"{name}, line {number} of its record", x, y)
                if len(a) != len(b):
                    break


def table_lines(path):
    """Returns the lines of a table, without the files that contain no functions."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = file.read().rstrip("\n").split("\n")
    if "Files which contain no functions:" in lines:
        start = lines.index("Files which contain no functions:")
        end = next((i for i in range(start, len(lines)) if lines[i].startswith("---")), len(lines))
        lines[start - 1:end] = []
    return lines


def compare_table(paths, found):
    theirs, ours = map(table_lines, paths)
    for number, (a, b) in enumerate(itertools.zip_longest(theirs, ours, fillvalue="(end)"), 1):
        if a != b:
            found.add("table", f"line {number}", repr(a), repr(b))


def same_bytes(paths):
    with open(paths[0], "rb") as a, open(paths[1], "rb") as b:
        while True:
            one, other = a.read(CHUNK), b.read(CHUNK)
            if one != other:
                return False
            if not one:
                return True


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: compare.py DIR")
    failed = 0
    for form, comparison in ("table", compare_table), ("lcov", compare_lcov), ("json", compare_json):
        paths = [f"{sys.argv[1]}/{side}.{form}" for side in ("theirs", "ours")]
        found = Differences()
        if not same_bytes(paths):
            comparison(paths, found)
        failed |= found.report(form)
    return failed


if __name__ == "__main__":
    sys.exit(main())
