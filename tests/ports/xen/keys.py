#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""keys.py BAREPROF ELF CONSOLE FOLDER - tests a console log in which the debug key wrote two dumps. The counters were
not reset between the two dumps. keys.py cuts off the log at 20 random places in the second dump. bareprof must either
refuse such a log and name the first dump, or give the profile of the first dump. It must never mix the two dumps. All
files are written to FOLDER/keys."""
import pathlib
import random
import re
import subprocess
import sys

bareprof, elf, console, folder = sys.argv[1:]
folder = pathlib.Path(folder, "keys")
folder.mkdir(exist_ok=True)
log = pathlib.Path(console).read_bytes()
starts = [found.start() for found in re.finditer(rb"'b' pressed", log)]
ends = [found.end() for found in re.finditer(rb"all counters were dumped", log)]


def report(good, what, details=""):
    print(f"{'ok' if good else 'not ok'} - {what}")
    if not good:
        print("    " + details.strip().replace("\n", "\n    "))


def pull(name, data, *more):
    """Returns the profile that bareprof makes of the log, or None, and the messages of bareprof."""
    (folder / f"{name}.log").write_bytes(data)
    out = folder / f"{name}.profraw"
    out.unlink(missing_ok=True)
    words = [bareprof, "pull", folder / f"{name}.log", "--elf", elf, "-o", out, *more]
    done = subprocess.run(words, capture_output=True, text=True)
    profile = out.read_bytes() if out.exists() else None
    return (profile if done.returncode == 0 else None), done.stderr, profile


def main():
    report(len(starts) == 2 and len(ends) == 2 and ends[0] < starts[1], "the key wrote two dumps", f"{starts} {ends}")
    first, said, _ = pull("first", log[: ends[0]])
    second, said_second, _ = pull("second", log[starts[1] : ends[1]])
    tag = re.search(r"from the dump ([0-9a-f]{8})", said)
    report(first and second and first != second and tag, "both dumps make a profile, and the profiles differ", said + said_second)
    both, said, _ = pull("both", log)
    report(both == second, "of two dumps, the later one is taken", said)
    bad = []
    refused = 0
    for place in sorted(random.Random(20).sample(range(starts[1], ends[1] - 200), 20)):
        profile, said, written = pull("cut", log[:place])
        if profile is None:
            good = written is None and said.count("\n") == 1 and f"--dump {tag[1]}" in said
            profile, more, _ = pull("cut", log[:place], "--dump", tag[1])
            good = good and profile == first
            said += more
            refused += good
        else:
            good = profile == first and f"from the dump {tag[1]}" in said
        if not good:
            bad.append(f"cut at byte {place - starts[1]} of {ends[1] - starts[1]}: {said}")
    given = 20 - refused - len(bad)
    report(not bad, f"20 dumps were cut off: {refused} refused, {given} with the first dump, {len(bad)} wrong", "".join(bad))


main()
