#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""judge.py REPORTS LIST - prints a line for each race that ThreadSanitizer reported and that LIST does not excuse.
Then it prints two numbers: the races that LIST excuses, and the races that it does not excuse."""
import os
import re
import sys


def excused():
    for line in open(sys.argv[2]):
        if line.strip() and not line.startswith("#"):
            file, part, why = (word.strip() for word in line.split(" | "))
            if not why or not any(part in code for code in open(file)):
                sys.exit("%s: no line of %s has: %s" % (sys.argv[2], file, part))
            yield file, part


def where(report):
    """Yields the file, the line number and the source line of each access in the report."""
    for access in re.split(r"\n(?=  \S)", report):
        if not re.match(r"  (Previous )?(atomic )?(read|write) of size", access, re.I):
            continue
        frame = re.search(r"#0 \S+ (\S+?):(\d+)", access)
        if not frame:
            # ThreadSanitizer lost the stack of this access, so only the other access is judged.
            continue
        file = os.path.relpath(frame[1])
        yield file, int(frame[2]), open(file).readlines()[int(frame[2]) - 1].strip()


known = list(excused())
reports = re.findall(r"WARNING: ThreadSanitizer: (.*?\n)=====", open(sys.argv[1]).read(), re.S)
others = 0
for report in reports:
    accesses = list(where(report)) if report.startswith("data race") else []
    if accesses and all(any(file == f and part in code for f, part in known) for file, _, code in accesses):
        continue
    others += 1
    print("; ".join("%s:%d: %s" % access for access in accesses) or report.split("\n")[0])
print("%d races by design, %d others" % (len(reports) - others, others))
sys.exit(1 if others else 0)
