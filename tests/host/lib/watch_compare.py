# SPDX-License-Identifier: BSD-2-Clause
"""watch_compare.py LOOKS BEFORE AFTER... - checks that LOOKS, what `bareprof pull --watch` has printed (text or lines of
JSON), are the differences of two or more reports in LCOV: what is new in all looks together between two resets must be what
ran in the second report of a pair and not in the first one. A pair of reports is two files, BEFORE and AFTER, for each reset
and the time before it. BEFORE is - if nothing had run."""
import json
import re
import sys


def ran(path):
    """Returns the functions and lines that ran, as (kind, file, line)."""
    found = set()
    if path == "-":
        return found
    where = {}
    with open(path, encoding="utf-8") as file:
        for text in file:
            kind, _, rest = text.strip().partition(":")
            if kind == "SF":
                source = rest
            elif kind == "FN":
                line, name = rest.split(",", 1)
                where[source, name] = int(line)
            elif kind == "FNDA" and not rest.startswith("0,"):
                found.add(("function", source, where[source, rest.split(",", 1)[1]]))
            elif kind == "DA" and not rest.endswith(",0"):
                found.add(("line", source, int(rest.split(",")[0])))
    return found


def lines_of(ranges):
    for first, last in ranges:
        yield from range(first, last + 1)


def read_json(text):
    """Yields a set for each time between two resets."""
    news, seen = set(), False
    for number, line in enumerate(text.splitlines(), 1):
        look = json.loads(line)
        if look["look"] != number:
            sys.exit("the number of look %d is %d" % (number, look["look"]))
        if look["kind"] == "failed":
            continue
        if look["kind"] == "reset":
            yield news
            news = set()
        if (look["kind"] == "base") == seen:
            sys.exit("only the first look that succeeds is the base line: %s" % line)
        seen = True
        for function in look["functions"]["new"]:
            news.add(("function", function["file"], function["line"]))
        for part in look["lines"]["new"]:
            news.update(("line", part["file"], number) for number in lines_of(part["ranges"]))
    yield news


def read_text(text, files):
    """Does the same. The names of files lack the folder that all have in common, so @files has the whole names."""
    text = re.sub(r",\n        (?=[0-9])", ", ", text)
    news, based, announced = set(), False, [0, 0]

    def whole(name):
        found = [file for file in files if file == name or file.endswith("/" + name)]
        if len(found) != 1:
            sys.exit("%s is the name of %d files" % (name, len(found)))
        return found[0]

    for line in text.splitlines():
        head = re.match(r"\d\d:\d\d:\d\d  (base line: |new: |the counters were reset; since then ran )(.*)", line)
        function = re.match(r"  \+ \S.* (\S+):(\d+)$", line)
        lines = re.match(r"    (\S+): ([0-9, -]+)$", line)
        if head:
            numbers = [int(number) for number in re.findall(r"\d+", head.group(2))]
            if head.group(1) == "base line: ":
                if based:
                    sys.exit("there is another base line: %s" % line)
                based = True
            else:
                announced = [announced[0] + numbers[0], announced[1] + numbers[1]]
            if "reset" in head.group(1):
                yield news
                news = set()
        elif function:
            announced[0] -= 1
            news.add(("function", whole(function.group(1)), int(function.group(2))))
        elif lines:
            ranges = [[int(n) for n in part.split("-")] for part in lines.group(2).split(", ")]
            numbers = set(lines_of((part[0], part[-1]) for part in ranges))
            announced[1] -= len(numbers)
            news.update(("line", whole(lines.group(1)), number) for number in numbers)
    if not based:
        sys.exit("there is no base line")
    if announced != [0, 0]:
        sys.exit("the headlines announce %d more functions and %d more lines" % tuple(announced))
    yield news


def main(looks, *reports):
    with open(looks, encoding="utf-8") as file:
        text = file.read()
    files = set()
    for report in reports:
        if report != "-":
            with open(report, encoding="utf-8") as file:
                files.update(line.strip()[3:] for line in file if line.startswith("SF:"))
    actual = list(read_json(text) if text.startswith("{") else read_text(text, files))
    expected = [ran(after) - ran(before) for before, after in zip(reports[::2], reports[1::2])]
    if len(actual) != len(expected):
        sys.exit("%d resets were shown, but there were %d" % (len(actual) - 1, len(expected) - 1))
    for one, (found, wanted) in enumerate(zip(actual, expected)):
        for what, difference in ("not shown", wanted - found), ("shown, but not new", found - wanted):
            for item in sorted(difference)[:10]:
                print("after %d resets: %s: %s %s:%d" % ((one, what) + item))
        if found != wanted:
            sys.exit(1)
        print("%d functions and lines are new" % len(found))
    if not any(expected):
        sys.exit("nothing was new, so the test tests nothing")


main(*sys.argv[1:])
