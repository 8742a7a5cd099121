#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""mip_judge.py BAREPROF map TREE - checks that the map of TREE/xen-syms has every function of the instrumented objects,
recording or left out with a reason, and that no other object is instrumented.

mip_judge.py BAREPROF boot MODE FOLDER COUNTERS - checks the machine profiles of one boot in FOLDER. COUNTERS is the
output of `llvm-profdata show --all-functions --counts` for a boot of the same source with clang's source coverage."""
import collections
import json
import pathlib
import re
import subprocess
import sys

BAREPROF = sys.argv[1]


def report(good, what, details=()):
    print(f"{'ok' if good else 'not ok'} - {what}")
    if not good:
        print("".join(f"    {line}\n" for line in list(details)[:30]), end="")


def show(path):
    return json.loads(subprocess.check_output([BAREPROF, "mip", "show", "--json", path]))["functions"]


# Sections that Xen's linker script discards, and parts of functions, which have no entry of their own.
DISCARDED = re.compile(r"\.(exit\.text|text\.exit|discard).*")
PART = re.compile(r".*\.cold(\.[0-9]+)?$")
# Folders whose objects must not be instrumented.
EXCLUDED = re.compile(r"(common/(coverage/bareprof|libelf|libfdt)|arch/x86/boot)/")


def compiled_functions(path):
    """Returns the names of the functions of an object, by readelf."""
    lines = subprocess.check_output(["readelf", "-sSW", path], text=True).splitlines()
    sections = {}
    names = []
    for line in lines:
        section = re.match(r" +\[ *(\d+)\] (\S+)", line)
        if section:
            sections[section[1]] = section[2]
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC" and words[6].isdigit():
            if not DISCARDED.fullmatch(sections[words[6]]) and not PART.match(words[7]):
                names.append(words[7])
    return names


def judge_map(tree):
    wrong = []
    counts = collections.Counter()
    instrumented = others = excluded = 0
    for command in sorted(tree.rglob(".*.o.cmd")):
        item = command.parent / command.name[1 : -len(".cmd")]
        first = command.read_text().splitlines()[0]
        if not item.exists() or " -c " not in first or not re.search(r" \S+\.c -o ", first):
            continue
        if EXCLUDED.search(str(item)):
            excluded += 1
            if " mip cc " in first:
                wrong.append(f"{item}: is instrumented")
        if " mip cc " in first:
            functions = []
            if b"__llvm_mipmap" in item.read_bytes():
                # An object has a section of the map for each section of code, and `mip show` needs one.
                subprocess.check_call(["ld", "-r", item, "-o", tree / "joined"])
                functions = show(tree / "joined")
            instrumented += 1
            compiled = compiled_functions(item)
            mapped = [function["name"] for function in functions]
            counts.update(compiled)
            if sorted(compiled) != sorted(mapped):
                wrong.append(f"{item}: {sorted(set(compiled) ^ set(mapped))}")
            wrong += [f"{item}: {f['name']}: {f}" for f in functions if not f["kinds"] and not f.get("left_out")]
        else:
            others += 1
            if b"__llvm_mip" in item.read_bytes():
                wrong.append(f"{item}: is instrumented, against the makefile of its folder")
    report(instrumented > 200 and excluded > 8, f"{instrumented} objects are instrumented, and {others} are not, {excluded} of them in excluded folders")
    report(not wrong, f"each of their {sum(counts.values())} functions is in the map of its object, and no other", wrong)

    linked = show(tree / "xen-syms")
    present = collections.Counter(function["name"] for function in linked)
    symbols = collections.Counter(compiled_functions(tree / "xen-syms"))
    missing = [name for name in counts if min(counts[name], symbols[name]) > present[name]]
    left_out = collections.Counter(function["left_out"] for function in linked if not function["kinds"])
    report(not missing, f"the map of xen-syms has them too: {len(linked)}, left out: {dict(left_out)}", missing)


def base_name(name):
    """gcc and clang add suffixes to the names of functions that they change."""
    return re.sub(r"\.(part|constprop|isra|llvm)\b.*", "", name)


# The functions that the timer of machine checks calls. The two boots take different times, so this timer may have expired in
# only one of them.
TIMER = {"mce_amd_work_fn", "mce_amd_checkregs", "mcheck_mca_logout"}


def counted_functions(path):
    """Returns the names of the functions that ran by source coverage, and all names."""
    ran, names, name = set(), set(), ""
    for line in open(path):
        head = re.match(r"  (\S.*):$", line)
        count = re.match(r"    Function count: (\d+)", line)
        if head:
            name = re.split("[:;]", head[1])[-1]
            names.add(name)
        elif count and int(count[1]):
            ran.add(name)
    return ran, names


def judge_boot(mode, folder, counters):
    profiles = {}
    for name in ("first", "second", "xen.capture", "reset", "key", "console"):
        path = folder / f"{name}.mip"
        if not path.exists():
            return report(False, f"{path} exists")
        profiles[name] = show(path)
    ran = {name: {f["name"] for f in functions if f.get("ran")} for name, functions in profiles.items()}

    counted, known = counted_functions(counters)
    first = {base_name(name) for name in ran["first"]}
    report(len(first) > 700, f"{len(ran['first'])} functions ran, {len(ran['reset'])} after a reset, {len(ran['key'])} after the key B")
    alone = first - counted - TIMER
    report(not alone, f"all of them ran by source coverage, which has {len(counted)}", sorted(alone))
    for name in ("reset", "key"):
        report(50 < len(ran[name]) < len(first) / 2 and "show_handlers" not in ran["key"], f"{name}: few functions ran")
    report(ran["first"] <= ran["xen.capture"] <= ran["second"] <= ran["console"], "the later profiles of a boot have the functions of the earlier ones")
    report("show_handlers" not in ran["second"] and "show_handlers" in ran["reset"], "the key h ran show_handlers()")
    if mode == "calls":
        judge_calls(profiles)


def judge_calls(profiles):
    calls = {name: {f["name"]: f["calls"] for f in functions if f["kinds"]} for name, functions in profiles.items()}
    ordered = sorted((f["order_sum"], f["name"]) for f in profiles["first"] if f.get("orders"))
    orders = [order for order, _ in ordered]
    report(ordered[0] == (1, "__start_xen"), f"the first functions are {', '.join(name for _, name in ordered[:4])}")
    report(orders == list(range(1, len(orders) + 1)), f"the orders are 1 to {len(orders)}", map(str, ordered))
    after = {f["name"]: f["order_sum"] for f in profiles["reset"] if f.get("orders")}
    report(0 < min(after.values()) < 50, "after a reset, the orders begin again", map(str, after.items()))
    report(calls["reset"]["show_handlers"] == 2, f"show_handlers() was called twice: {calls['reset']['show_handlers']}")
    fewer = [name for name in calls["first"] if calls["first"][name] > calls["second"].get(name, 0)]
    report(not fewer, f"no count decreases; {sum(calls['first'].values())} calls", fewer)


if sys.argv[2] == "map":
    judge_map(pathlib.Path(sys.argv[3]))
else:
    judge_boot(sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5])
