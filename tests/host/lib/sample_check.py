#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""sample_check.py VERB ARGUMENT...: compares what `bareprof sample` prints with other tools and with itself.

sources BAREPROF SYMBOLIZER ELF STEP WORK: a sample at every STEP bytes of the functions that a compiler made. Lines and
                 inlined functions must be those of llvm-symbolizer.
graph HTML FOLDED: the flame graph has the stacks of FOLDED, and loads nothing.
merged OUT IN...: OUT is the sum of the .samples files IN, by a reader written from docs/SPEC.md, 5.3.
ranges JSON: the confidence ranges are Wilson's, and the totals agree."""
import collections
import json
import math
import re
import subprocess
import sys


def run(*words, text=None):
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


def plain(name):
    """Returns the name as bareprof shows it. llvm-symbolizer takes another one of two names of one function."""
    name = re.sub(r" \(\.__uniq\.\d+\)|\.__uniq\.\d+", "", name)
    return "outer" if name == "renamed" else name


def sources(bareprof, symbolizer, elf, step, work):
    symbols = [line.split() for line in run("nm", "-S", elf).splitlines()]
    addresses = set()
    for symbol in symbols:
        if len(symbol) == 4 and re.search("outer|leaf|_start", symbol[3]):
            start = int(symbol[0], 16) & ~1
            addresses.update(range(start, start + int(symbol[1], 16), int(step)))
    samples = {address: 1 + address % 97 for address in sorted(addresses)}
    with open(work + "/all.samples", "w") as file:
        file.write("bareprof samples 1\nsamples\n" + "".join("%#x %d\n" % item for item in samples.items()))
    lines, stacks = collections.Counter(), collections.Counter()
    out = run(symbolizer, "--obj=" + elf, "--functions=linkage", "--output-style=JSON", *map(hex, samples))
    answers = [json.loads(line) for line in out.splitlines()]
    answers = answers[0] if len(answers) == 1 and isinstance(answers[0], list) else answers
    depth = 0
    for (address, count), answer in zip(samples.items(), answers):
        frames = answer["Symbol"]
        depth = max(depth, len(frames))
        place = (frames[0]["FileName"], frames[0]["Line"]) if frames[0]["Line"] else (None, None)
        lines[place + (plain(frames[0]["FunctionName"]),)] += count
        stacks[";".join(plain(frame["FunctionName"]) for frame in reversed(frames))] += count
    assert len(answers) == len(samples) > 50 and depth >= 3, (len(answers), depth)
    shown = json.loads(run(bareprof, "sample", "show", "--lines", "--json", elf, work + "/all.samples"))
    ours = {(line.get("file"), line.get("line"), line["function"]): line["samples"] for line in shown["lines"]}
    assert ours == dict(lines), sorted(set(ours.items()) ^ set(lines.items()), key=str)
    folded = run(bareprof, "sample", "show", "--folded", elf, work + "/all.samples").splitlines()
    ours = {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in folded}
    assert ours == dict(stacks), sorted(set(ours.items()) ^ set(stacks.items()))
    assert shown["totals"]["samples"] == sum(samples.values())


def graph(html, folded):
    with open(html) as file:
        page = file.read()
    assert not re.search(r"https?:|src=|@import|url\(", page)
    data = json.loads(re.search(r'<script id="data" type="application/json">([^<]*)</script>', page).group(1))
    numbers, stack, self_counts = data["nodes"], [], collections.Counter()
    for at in range(0, len(numbers), 3):
        depth, name, count = numbers[at : at + 3]
        del stack[depth:]
        assert len(stack) == depth
        self_counts[";".join(stack[1:] + [data["names"][name]] if depth else [])] += count
        if depth:
            self_counts[";".join(stack[1:])] -= count
        stack.append(data["names"][name])
    ours = {key: count for key, count in self_counts.items() if count}
    with open(folded) as file:
        lines = [line.rstrip("\n").rpartition(" ") for line in file]
    theirs = {key: int(count) for key, _, count in lines}
    assert ours == theirs and len(theirs) > 1, (ours, theirs)


def read_samples(path):
    """Returns the head and the samples of a .samples file."""
    with open(path) as file:
        lines = [line.split() for line in file if line.strip() and line[0] != "#"]
    assert lines[0] == ["bareprof", "samples", "1"]
    at = lines.index(["samples"])
    samples = collections.Counter()
    for address, count, *stack in lines[at + 1 :]:
        samples[tuple(int(a, 16) for a in [address] + stack)] += int(count)
    return {line[0]: line[1] for line in lines[1:at]}, samples


def merged(out, *inputs):
    head, samples = read_samples(out)
    expected, sums = collections.Counter(), collections.Counter()
    for path in inputs:
        one, counts = read_samples(path)
        expected.update(counts)
        sums.update({key: int(one.get(key, 0)) for key in ("dropped", "outside")})
        assert one.get("build-id") in (None, head.get("build-id"))
    assert samples == expected, samples - expected
    for key in ("dropped", "outside"):
        assert int(head.get(key, 0)) == sums[key], key
    assert list(samples) == sorted(samples)


def ranges(path):
    with open(path) as file:
        shown = json.load(file)
    total = shown["totals"]["samples"]
    z = 1.959963984540054
    for one in shown["functions"] + shown.get("lines", []):
        p = one["samples"] / total
        middle = (p + z * z / 2 / total) / (1 + z * z / total)
        half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / 4 / total / total)
        assert abs(one["low"] - max(0, middle - half) * total) < 1, one
        assert abs(one["high"] - min(1, middle + half) * total) < 1, one
    assert sum(f["samples"] for f in shown["functions"]) + shown["totals"]["no_function"] == total
    assert sum(a["samples"] for a in shown["no_function"]) == shown["totals"]["no_function"]


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
