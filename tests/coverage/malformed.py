# SPDX-License-Identifier: BSD-2-Clause
"""malformed.py BAREPROF DIR: makes programs with damaged and hostile coverage mappings, and prints a test case for each.
bareprof must refuse a damaged mapping with one sentence and write nothing. A mapping of 1 MB must never take more than
SECONDS of CPU time and MEGABYTES of memory."""
import concurrent.futures
import os
import re
import subprocess
import sys

from mapping import (ADD, SUBTRACT, counter, elf, expansion, file_list, function, function_names, names_of, profile,
                     program, record, region, uleb)

BAREPROF, DIR = sys.argv[1:3]
SECONDS, MEGABYTES = 2, 64
FOLDER = os.path.abspath(DIR).encode()
NAMES = names_of([FOLDER, b"a.c", b"b.h"])
GOOD = function([1], [(counter(0), counter(1))], [[region(counter(0), 1, 1, 4, 2), region(SUBTRACT, 1, 2, 1, 3)]])
COUNTS = profile([(b"f", 7, [9, 4])])


def measure(words):
    """Runs a command. Returns its status, its outputs, and the CPU time and memory that it took."""
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), out, err, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


# A command counts the memory of the process that starts it, so a process that stays small starts the commands.
STARTER = concurrent.futures.ProcessPoolExecutor(1)


def run(image, counts=COUNTS):
    """Runs report with all outputs. Returns the status, the lines of errors, the outputs that exist, and the costs."""
    paths = {what: os.path.join(DIR, what) for what in ("program", "profile", "lcov", "json", "xml")}
    for path in paths.values():
        if os.path.exists(path):
            os.remove(path)
    with open(paths["program"], "wb") as file:
        file.write(image)
    with open(paths["profile"], "wb") as file:
        file.write(counts)
    words = [BAREPROF, "report", paths["program"], paths["profile"], "--lcov", paths["lcov"], "--json", paths["json"],
             "--skip-expansions", "--cobertura", paths["xml"]]
    status, out, err, cpu, memory = STARTER.submit(measure, words).result()
    lines = [line for line in err.decode(errors="replace").splitlines() if "has no build id" not in line]
    written = [what for what in ("lcov", "json", "xml") if os.path.exists(paths[what])] + (["table"] if out else [])
    return status, lines, written, cpu, memory


def case(good, what, *details):
    print(f"{'ok' if good else 'not ok'} - {what}")
    if not good:
        for detail in details:
            print(f"    {detail}")


def refused(what, pattern, image, counts=COUNTS):
    status, lines, written, _, _ = run(image, counts)
    good = status in range(1, 8) and len(lines) == 1 and re.search(pattern, lines[0]) and not written
    case(good, what, f"status {status}, written: {written}", *lines[:5])


def hostile(what, image, counts=COUNTS):
    """A mapping of at most 1 MB takes little time and memory, whether it is refused or not."""
    status, lines, _, cpu, memory = run(image, counts)
    fine = status in range(0, 8) and cpu <= SECONDS and memory <= MEGABYTES and len(image) + len(counts) <= 1.3e6
    case(fine, f"hostile, {what}: {cpu:.1f} s, {memory:.0f} MB", f"status {status}, {len(image)} + {len(counts)} bytes", *lines[:5])


def good(what, image, counts=COUNTS):
    status, lines, written, _, _ = run(image, counts)
    case(status == 0 and not lines and len(written) == 4, what, f"status {status}, written: {written}", *lines[:5])


def cut(what, images):
    """Each of the images is cut short after another number of bytes."""
    for size, image in enumerate(images):
        status, lines, written, _, _ = run(image)
        if status not in range(1, 8) or len(lines) != 1 or written:
            case(False, f"{what} cut short, image {size}", f"status {status}, written: {written}", *lines[:5])
            return
    case(True, f"{what} cut short anywhere: {len(images)} images")


def one(data, lists=None, **more):
    """A program with one function."""
    return program(file_list(NAMES) if lists is None else lists, record(b"f", 7, NAMES, data, **more), [b"f"])


def counted(*regions, expressions=(), files=(1,)):
    """A program whose function has these regions in one file."""
    return one(function(list(files), expressions, [list(regions)] + [[] for _ in files[1:]]))


def damaged():
    good("a sound mapping is read", one(GOOD))
    short = "cut short|damaged"
    names = file_list(NAMES)
    whole = record(b"f", 7, NAMES, GOOD)
    cut("a list of files", [one(GOOD, names[:size]) for size in range(1, len(names) - 8)])
    cut("a record", [program(names, whole[:size], [b"f"]) for size in range(1, 28 + len(GOOD))])
    cut("regions", [one(GOOD[:size]) for size in range(len(GOOD))])
    for version in (0, 2, 7, 99, 0xFFFFFFFF):
        refused(f"version {version}", "coverage mapping of version.*only the versions", one(GOOD, file_list(NAMES, version)))
    refused("a list that is longer than its section", short, one(GOOD, file_list(NAMES, size=1 << 30)))
    refused("packed names that are damaged", short, one(GOOD, file_list(uleb(3, 100, 20) + b"x" * 20)))
    refused("names longer than their list", short, one(GOOD, file_list(uleb(3, 9, 0, 200) + b"12345678")))
    refused("no name at all", short, one(GOOD, file_list(uleb(0, 0, 0))))
    refused("a record of a list that does not exist", short,
            program(names, record(b"f", 7, b"other", GOOD), [b"f"]))
    refused("a record that is longer than its section", short, one(GOOD, size=1 << 30))
    refused("a function that has no name", "none of them has a coverage mapping", program(names, record(b"g", 7, NAMES, GOOD), [b"f"]))
    refused("a file that the list does not have", "refers to a file", one(function([9], (), [[region(counter(0), 1)]])))
    refused("a region of an unknown kind", "unknown kind", counted(region(9 << 3, 1)))
    refused("an expansion to a file that does not exist", "does not exist", counted(expansion(5, 1)))
    refused("an expression that does not exist", "does not exist", counted(region(5 << 2 | ADD, 1)))
    refused("an operand that does not exist", "does not exist",
            counted(region(ADD, 1), expressions=[(counter(0), 8 << 2 | ADD)]))
    refused("a region that ends before it begins", "ends before", counted(uleb(counter(0), 1, 9, 0, 2)))
    refused("a region in line 2^31", "no file of source", counted(region(counter(0), 1 << 31)))
    refused("a counter that does not exist", "counter|nothing to report|no function", counted(region(counter(7), 1)))
    never = profile([(b"f", 7, [0])])
    refused("a counter that does not exist, in a function that never ran", "counter|nothing to report|no function",
            counted(region(counter(7), 1)), never)
    refused("a counter that does not exist, in a condition with the end column of a gap", "counter|nothing to report|no function",
            counted(region(counter(0), 1, 1, 4), uleb(4 << 3, counter(0), counter(5), 0, 2, 0, 3 | 1 << 31)), never)
    refused("an expression that contains itself", "itself|counter|nothing|no function",
            counted(region(ADD, 1), expressions=[(ADD, counter(0))]))
    refused("two expressions that contain each other", "itself|counter|nothing|no function",
            counted(region(ADD, 1), expressions=[(1 << 2 | ADD, counter(0)), (ADD, counter(1))]))
    refused("more regions than bytes", "too large", one(uleb(1, 1, 0, 1 << 31)))
    refused("more files than bytes", "too large", one(uleb(1 << 40)))
    refused("more expressions than bytes", "too large", one(uleb(1, 1, 1 << 31)))
    refused("functions of another build", "another|control flow|build|nothing", one(GOOD), profile([(b"f", 8, [9, 4])]))
    refused("functions of another program", "another|build|nothing|no function", one(GOOD), profile([(b"g", 8, [9, 4])]))
    refused("no mapping at all", "no coverage mapping", elf([(b"__llvm_prf_names", function_names([b"f"]))]))
    refused("lists without records", "no function|nothing|records|mapping", elf(
        [(b"__llvm_covmap", names), (b"__llvm_prf_names", function_names([b"f"]))]))


def cycles():
    """Files that expand to each other are no damage that llvm-cov notices, so the rest of the report counts."""
    both = function([1, 2], (), [[region(counter(0), 1, 1, 9), expansion(1, 1)], [expansion(0, 1)]])
    hostile("two files that expand to each other", one(both))
    hostile("a file that expands to itself", one(function([1], (), [[region(counter(0), 1), expansion(0, 1)]])))
    many = [[expansion((i + 1) % 20000, 1)] for i in range(20000)]
    hostile("a circle of 20,000 files", one(function([1] * 20000, (), many)))


def overlapping(count):
    """Functions that overlap each other. The counts of lines do not depend on the order of the functions."""
    found = []
    for step in (1, -1):
        numbers = range(count)[::step]
        data = [function([1], (), [[region(counter(0), n + 1 if not i else 1, 1, 70, 9 + i) for i in range(60)]]) for n in numbers]
        names = [b"f%x" % n for n in numbers]
        image = program(file_list(NAMES), b"".join(record(n, 7, NAMES, d) for n, d in zip(names, data)), names)
        counts = profile([(b"f%x" % n, 7, [n % 5]) for n in range(count)])
        hostile(f"functions that overlap each other, {'first' if step > 0 else 'last'} function first", image, counts)
        with open(os.path.join(DIR, "lcov")) as lcov:
            found.append([line for line in lcov if line.startswith("DA:")])
    case(found[0] == found[1] and len(found[0]) > count, "functions that overlap each other: equal lines in any order")


def large():
    size = 1000000
    count = size // 40
    small = function([1], (), [[region(counter(0), 1)]])
    f = [b"%x" % i for i in range(count)]
    hostile("many functions", program(file_list(NAMES), b"".join(record(n, 7, NAMES, small) for n in f[:size // 48]), f[:size // 48]),
            profile([(b"f", 7, [1])]))
    hostile("a function with many different regions", one(function([1], (), [[region(counter(0), 1, 1, 1)] * (size // 6)])))
    overlapping(size // 420)
    hostile("a function with many regions", counted(*[region(counter(0), 0, 1 + i % 100, 0, 200 + i % 7) for i in range(size // 6)]))
    hostile("regions that contain each other", counted(*[uleb(counter(0), 1, 1, 2 * (size // 8) - 2 * i, 2) for i in range(size // 8)]))
    hostile("regions of 16 million lines", counted(*[uleb(counter(0), 0, 1, (1 << 24) - 2, 2 + i % 100) for i in range(size // 9)]))
    hostile("many lines", counted(*[region(counter(0), 15, 1, 1 << 20) for i in range(size // 8)]))
    hostile("a chain of expressions", counted(region((size // 8 - 1) << 2 | ADD, 1), expressions=[
        (max(i - 1, 0) << 2 | ADD if i else counter(0), counter(0)) for i in range(size // 8)]))
    depth = size // 14
    chain = [[region(counter(0), 1), expansion(i + 1, 1)] for i in range(depth)] + [[region(counter(0), 1)]]
    hostile("a chain of expansions", one(function([1] * (depth + 1), (), chain)))
    wide = [[expansion(i + 1, 0) for i in range(depth)]] + [[region(counter(0), 1)] for _ in range(depth)]
    hostile("expansions side by side", one(function([1] * (depth + 1), (), wide)))
    half = size // 24
    both = [[region(counter(0), 0, 1 + i % 90) for i in range(size // 16)] + [expansion(i + 1, 0) for i in range(half)]]
    hostile("many regions and many expansions", one(function([1] * (half + 1), (), both + [[]] * half)))
    hostile("many files", one(function([1] * (size // 2), (), [[region(counter(0), 1)]] + [[]] * (size // 2 - 1))))
    lists = names_of([b"/" + b"d" * 1000] + [b"%x" % i for i in range(size // 8)])
    hostile("many names in a long folder", program(file_list(lists), record(b"f", 7, lists, small), [b"f"]))
    lists = names_of([FOLDER] + [b"a" * 200000000], packed=True)
    hostile("a name that zlib packs by a factor of 1,000", program(file_list(lists), record(b"f", 7, lists, small), [b"f"]))
    lists = names_of([FOLDER] + [b"a" * 100 + b"%d" % i for i in range(300000)], packed=True)
    hostile("names that zlib packs", program(file_list(lists[:size]), record(b"f", 7, lists, small), [b"f"]))
    many = [names_of([b"/src%d" % i, b"x.c"]) for i in range(size // 80)]
    hostile("many lists", program(b"".join(map(file_list, many)), b"".join(record(n, 7, l, small) for n, l in zip(f, many)), f))
    branches = [uleb(4 << 3, counter(0), counter(1), 0, 1 + i % 100, 0, 300) for i in range(size // 8)]
    hostile("many branches", counted(region(counter(0), 1, 1, 9), *branches))


def decisions():
    size = 1000000

    def condition(number, true, false, column):
        return uleb(6 << 3, counter(0), counter(1), number, true, false, 0, column, 0, column + 1)

    def decision(bitmap, count, end):
        return uleb(5 << 3, bitmap, count, 0, 1, 0, end)

    for count in (2, 6, 30, 1000, 30000):
        chain = [condition(i + 1, i + 2 if i + 1 < count else 0, 0, 1 + i) for i in range(count)]
        times = max(1, size // (len(b"".join(chain)) + 12))
        parts = [part for _ in range(times) for part in [decision(count + 1, count, count + 2)] + chain]
        hostile(f"{times} decisions of {count} conditions", counted(region(counter(0), 1, 1, 9, 2), *parts))
    count = 60
    dense = [condition(i + 1, i + 2 if i + 1 < count else 0, i + 3 if i + 2 < count else 0, 1 + i) for i in range(count)]
    parts = [part for _ in range(size // (count * 9)) for part in [decision(1 << 20, count, count + 2)] + dense]
    hostile("decisions with exponentially many paths", counted(region(counter(0), 1, 1, 9, 2), *parts))
    hostile("decisions alone", counted(region(counter(0), 1, 1, 9, 2), *[decision(4, 2, 50)] * (size // 7)))
    alone = [condition(1, 0, 0, 1 + i % 90) for i in range(size // 10)]
    hostile("conditions alone", counted(region(counter(0), 1, 1, 9, 2), *alone))
    inner = [decision(4, 2, 100 + i) for i in range(size // 20)] + alone[:size // 20]
    hostile("decisions around each other", counted(region(counter(0), 1, 1, 9, 2), *inner))
    circle = [condition(1, 2, 2, 1), condition(2, 1, 1, 3)]
    hostile("conditions in a circle", counted(region(counter(0), 1, 1, 9, 2), decision(9, 2, 9), *circle))


with open(os.path.join(DIR, "a.c"), "w") as source:
    source.write("\n" * 30)
STARTER.submit(measure, [BAREPROF, "--version"]).result()
damaged()
cycles()
large()
decisions()
