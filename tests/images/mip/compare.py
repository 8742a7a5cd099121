#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""compare.py - compares a machine profile with LLVM's counters of the same run: compare.py MODE SHOW COUNTS

SHOW is the output of `bareprof mip show --json`, COUNTS that of `llvm-profdata show --all-functions --counts`. In the
mode "calls" the number of calls must be the count of the function's entry. In the mode "coverage" a function must have
run exactly if this count is not 0.
"""
import json
import re
import sys

mode, show, counts = sys.argv[1:]
with open(show) as file:
    profile = json.load(file)
expected = {}  # for each name the counts, because static functions of two files may have one name
with open(counts) as file:
    for line in file:
        if match := re.match(r"  (\S.*):$", line):
            name = re.split("[:;]", match[1])[-1]
        elif match := re.match(r"    Function count: (\d+)", line):
            expected.setdefault(name, []).append(int(match[1]))
actual = {}
for function in profile["functions"]:
    # Clang 13 to 16 make this constructor for the runtime of LLVM.
    if function["name"] == "__llvm_profile_init" or "ran" not in function:
        continue
    actual.setdefault(function["name"], []).append(function["calls"] if mode == "calls" else int(function["ran"]))
wrong = 0
for name in sorted(set(actual) | set(expected)):
    counts = sorted(expected.get(name, []) if mode == "calls" else [int(n > 0) for n in expected.get(name, [])])
    if sorted(actual.get(name, [])) != counts:
        print("%s: %s, and LLVM counted %s" % (name, actual.get(name), expected.get(name)))
        wrong += 1
orders = sorted(f["order_sum"] for f in profile["functions"] if f.get("ran")) if mode == "calls" else []
if orders != list(range(1, len(orders) + 1)):
    print("orders: %s" % orders)
    wrong += 1
ran = sum(f.get("ran", False) for f in profile["functions"])
if not 20 < ran < len(profile["functions"]):
    print("%d of %d functions ran" % (ran, len(profile["functions"])))
    wrong += 1
sys.exit(wrong > 0)
