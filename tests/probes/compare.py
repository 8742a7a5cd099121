# SPDX-License-Identifier: BSD-2-Clause
"""compare.py - compares the pseudo probes that bareprof shows with those of another reader.

compare.py spec BAREPROF ELF            the reader of decode.py
compare.py profgen LISTING LISTING      two files: `probes show --disassemble`, and llvm-profgen's
compare.py objects BAREPROF ELF OBJECT  the object files from which ELF was linked
compare.py places BAREPROF ELF ELF      another image with the same code, in which functions have other names

It fails and prints the first differences if there are any."""
import json
import re
import subprocess
import sys
from collections import Counter

from decode import Decoder


def shown(bareprof, path):
    """Returns the same tuples as Decoder.lines(), from the JSON of bareprof."""
    text = subprocess.run([bareprof, "probes", "show", "--json", path], check=True, stdout=subprocess.PIPE).stdout
    tree = json.loads(text)
    probes = [(int(p["address"], 16), p["function"] or p["guid"], p["index"], p["type"], p.get("discriminator", 0),
               tuple((c["function"], c["call"]) for c in p["inlined"]))
              for f in tree["functions"] for p in f["probes"]]
    return probes, tree["lost_probes"]


def spec(bareprof, path):
    ours, lost = shown(bareprof, path)
    decoder = Decoder(path)
    if lost != decoder.lost:
        print("%d probes were left out, expected %d" % (lost, decoder.lost))
        return 1
    return differ(Counter(ours), Counter(decoder.lines()))


def differ(actual, expected):
    if not expected:
        print("there are no probes")
        return 1
    for what, some in (("missing", expected - actual), ("too many", actual - expected)):
        for item in sorted(some.elements(), key=str)[:5]:
            print("%s: %s" % (what, item))
    print("%d probes" % sum(expected.values()))
    return actual != expected


def listing(path):
    """Returns what both listings have: lines of probes, and the addresses of instructions."""
    found = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            code = re.match(r"\s+([0-9a-f]+):", line)
            if "[Probe]:" in line:
                found.append(line.rstrip("\n"))
            elif code:
                found.append(code.group(1))
    return found


def profgen(ours, theirs):
    actual, expected = listing(ours), listing(theirs)
    for i, (a, b) in enumerate(zip(actual + [""], expected + [""])):
        if a != b:
            print("after %s:\n%s\nexpected:\n%s" % ("\n".join(expected[max(0, i - 3) : i]), a, b))
            return 1
    count = sum("[Probe]:" in line for line in expected)
    print("%d probes" % count)
    return len(actual) != len(expected) or not count


def relative(bareprof, path):
    """Returns the probes of a file. Their addresses count from the first probe of the function that contains them."""
    probes = [(p, p[5][0][0] if p[5] else p[1]) for p in shown(bareprof, path)[0]]
    first = {}
    for probe, function in probes:
        first[function] = min(first.get(function, probe[0]), probe[0])
    return Counter((p[0] - first[function], *p[1:]) for p, function in probes)


def objects(bareprof, path, *files):
    expected = Counter()
    for file in files:
        expected += relative(bareprof, file)
    return differ(relative(bareprof, path), expected)


def places(bareprof, *paths):
    actual, expected = (Counter((p[0], p[2], p[3], tuple(call for _, call in p[5])) for p in shown(bareprof, path)[0])
                        for path in paths)
    return differ(actual, expected)


if __name__ == "__main__":
    sys.exit({"spec": spec, "profgen": profgen, "objects": objects, "places": places}[sys.argv[1]](*sys.argv[2:]))
