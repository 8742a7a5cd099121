#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""judge.py SENT SAID FOLDER LLVM BAREPROF - checks the profiles that a board sent while its CPUs counted. The profiles
are in the file SENT. Each CPU also counted its own calls, and printed the numbers on the console. The output of the
console is in the file SAID. The profiles and the numbers must agree."""
import os
import re
import subprocess
import sys

sent, said, folder, llvm, bareprof = sys.argv[1:]
profdata = "llvm-profdata-" + llvm
BATCH = 200


def check(what, holds, why=""):
    print(("ok - " if holds else "not ok - ") + what + ("" if holds else ": " + str(why)))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def split(data):
    """Splits the data into profiles, and writes each profile to a file. Yields the kind of each profile and the name
    of its file."""
    at = 0
    while at < len(data):
        kind = data[at:at + 8].decode("ascii").strip()
        size = int.from_bytes(data[at + 8:at + 16], "little")
        at += 16
        if at + size > len(data):
            raise ValueError("the last of the profiles is cut short")
        name = "%s/%s.%d.profraw" % (folder, kind, at)
        with open(name, "wb") as out:
            out.write(data[at:at + size])
        at += size
        yield kind, name


def refused(names):
    """Lets llvm-profdata and bareprof read all profiles. Returns the first error message, or an empty string."""
    for i in range(0, len(names), BATCH):
        for command in ([profdata, "merge", "--failure-mode=any"], [bareprof, "merge"]):
            done = run(*command, "-o", folder + "/one.profdata", *names[i:i + BATCH])
            if done.returncode or done.stderr:
                return done.stderr or command
    return ""


def merged(names):
    """Merges all profiles with llvm-profdata and with bareprof. Returns what llvm-profdata shows of the functions in
    both results."""
    shown = []
    for program in (profdata, bareprof):
        todo = list(names)
        sum_ = None
        while todo:
            batch, todo = todo[:BATCH], todo[BATCH:]
            out = "%s/sum.%d.profdata" % (folder, len(todo))
            run(program, "merge", "-o", out, *batch, *([sum_] if sum_ else []))
            sum_ = out
        shown.append(run(profdata, "show", "--all-functions", "--counts", sum_).stdout)
    return shown


def calls(shown):
    """Returns the number of calls of each function. Each call of these functions counts in exactly one block, so the
    number of calls is the sum of the block counts. The first block count alone would be wrong, because with IR PGO the
    first block is not always the entry."""
    return {name: sum(int(n) for n in counts.split(", ") if n)
            for name, counts in re.findall(r"^  (?:\S*[;:])?(\w+):$.*?Block counts: \[(.*?)\]", shown, re.M | re.S)}


words = dict(re.findall(r"(\w+) (\d+)", (re.findall(r"^all .*$", open(said).read(), re.M) or [""])[0]))
if not words:
    check("the board came to the end", False, "see " + said)
    sys.exit()
turns, ticks, dropped = (int(words[w]) for w in ("turns", "ticks", "dropped"))
profiles = list(split(open(sent, "rb").read()))
kinds = [kind for kind, _ in profiles]
print("  %d turns, %d interrupts, %d values dropped; %s" % (turns, ticks, dropped, ", ".join(
    "%d %s" % (kinds.count(k), k) for k in sorted(set(kinds)))))
check("there was much to do", turns > 1000 and ticks > 10 and dropped >= 1000 and kinds.count("rest") == 1 and
      min(kinds.count(k) for k in ("reset", "dump", "drained", "windows")) > 5, kinds)
check("nothing failed on the board", "failed" not in kinds and "failed" not in open(said).read())
why = refused([name for _, name in profiles])
check("every profile is read by both", not why, why)

rest = [name for kind, name in profiles if kind == "rest"]
ours, theirs = merged([name for kind, name in profiles if kind == "drained"] + rest)
check("both add up the same", ours == theirs)
n = calls(ours)
check("all drains and the rest: turns are what the CPUs counted", n["stress_turn"] == turns, (n["stress_turn"], turns))
check("copies too", n["stress_copy"] == turns, (n["stress_copy"], turns))
check("calls, by interrupts too", n["stress_call"] == turns + ticks, (n["stress_call"], turns + ticks))
check("each target's share of them", sum(v for k, v in n.items() if k.startswith("target_")) == turns + ticks)

last = run(profdata, "merge", "-o", folder + "/rest.profdata", *rest)
shown = run(profdata, "show", "--all-functions", "--ic-targets", "--memop-sizes", folder + "/rest.profdata").stdout
values = [int(v) for v in re.findall(r"\[ +\d+, +\S+, +(\d+) \]", shown)]
check("values and what was dropped: as many as were seen", sum(values) + dropped == 2 * turns + ticks,
      (sum(values), dropped, 2 * turns + ticks))
# Each CPU records values that no other CPU records. For example, CPU 1 copies two and three bytes, and calls five
# targets.
check("each CPU's values are there", len(values) == 21, values)
