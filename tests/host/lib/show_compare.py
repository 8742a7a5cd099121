#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""show_compare.py BAREPROF FILE... - compares the output of `bareprof show` for each profile FILE with
recorded output of llvm-profdata. The recorded output is in the folder of FILE, in files with the same name and another
extension. The .proftext has the functions, values, bitmaps and traces, and the .show.txt, if it exists, has the listing.
If FILE has no records, the .elf has them. For each profile, the comparison stops at the first difference."""
import json
import os
import re
import subprocess
import sys

EVERYTHING = ["--all", "--counts", "--values", "--bitmaps", "--traces", "--summary"]
KINDS = ["indirect_calls", "memory_operations", "virtual_calls"]
UNKNOWN = "** External Symbol **"


def names(text):
    """Decodes a name. If the name has bytes above 127, each byte becomes one character. bareprof does the same with a
    name that is not UTF-8."""
    return text.decode("utf-8") if not any(b > 127 for b in text) else text.decode("latin-1")


class Text:
    """The contents of a .proftext file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            lines = [line.rstrip(b"\r\n") for line in file]
        self.lines = [names(line) for line in lines if line and not line.startswith(b"#")]
        self.at = 0
        self.functions = {}
        self.traces = []
        while self.more() and self.lines[self.at].startswith(":"):
            if self.take() == ":temporal_prof_traces":
                self.read_traces()
        while self.more():
            self.read_function()

    def more(self):
        return self.at < len(self.lines)

    def take(self):
        self.at += 1
        return self.lines[self.at - 1]

    def number(self):
        return int(self.take(), 0)

    def read_traces(self):
        count, _ = self.number(), self.number()
        for _ in range(count):
            weight = self.number()
            self.traces.append((weight, self.take().split(",")[:-1]))

    def read_function(self):
        key = (self.take(), self.number())
        function = {"counts": [self.number() for _ in range(self.number())], "bitmap": [], "values": [[], [], []]}
        if self.more() and self.lines[self.at].startswith("$"):
            size = int(self.take()[1:])
            function["bitmap"] = [self.number() for _ in range(size)]
        if self.more() and self.lines[self.at].isdigit():
            for _ in range(self.number()):
                kind = self.number()
                function["values"][kind] = [self.read_site(kind) for _ in range(self.number())]
        self.functions[key] = function

    def read_site(self, kind):
        site = []
        for _ in range(self.number()):
            value, count = self.take().rsplit(":", 1)
            if kind == 1:
                value = int(value)
            elif kind == 2 or value == UNKNOWN:
                value = None
            site.append((value, int(count)))
        return site


def shown_functions(shown):
    functions = {}
    for f in shown["functions"]:
        key = (f["name"], int(f["hash"], 16))
        assert key not in functions, "%s is there twice" % f["name"]
        assert f["counters"] == len(f["counts"])
        assert f["counters_run"] == sum(count != 0 for count in f["counts"])
        assert f["highest_count"] == max(f["counts"] + [0])
        functions[key] = {
            "counts": f["counts"],
            "bitmap": f["bitmap"],
            "values": [[[(v.get("size", v.get("name")), v["count"]) for v in site] for site in f["values"][kind]]
                       for kind in KINDS],
        }
    return functions


def same(what, wanted, got):
    assert wanted == got, "%s: llvm-profdata has %s, bareprof %s" % (what, wanted, got)


def compare_text(shown, text):
    got = shown_functions(shown)
    same("functions", sorted(text.functions), sorted(got))
    for key, function in text.functions.items():
        for what in function:
            same("%s of %s" % (what, key[0]), function[what], got[key][what])
    same("traces", text.traces, [(t["weight"], t["functions"]) for t in shown["traces"]])
    order = {}
    for _, called in text.traces:
        for place, name in enumerate(called):
            order[name] = min(place + 1, order.get(name, place + 1))
    for f in shown["functions"]:
        same("order of " + f["name"], order.get(f["name"]), f.get("order"))


def compare_totals(shown):
    functions, totals = shown["functions"], shown["totals"]
    same("functions", len(functions), totals["functions"])
    same("functions run", sum(f["counters_run"] != 0 for f in functions), totals["functions_run"])
    same("counters", sum(f["counters"] for f in functions), totals["counters"])
    same("counters run", sum(f["counters_run"] for f in functions), totals["counters_run"])
    same("sum", min(sum(sum(f["counts"]) for f in functions), 2**64 - 1), totals["sum_of_counts"])
    same("highest", max([f["highest_count"] for f in functions] + [0]), totals["highest_count"])
    same("bitmaps", sum(len(f["bitmap"]) for f in functions), totals["bitmap_bytes"])
    for kind in KINDS:
        same(kind, sum(len(f["values"][kind]) for f in functions), totals["value_sites"][kind])


def compare_listing(shown, listing):
    """Compares the functions and the summary with llvm-profdata's listing."""
    by_key = {(f["name"], int(f["hash"], 16)): f["counts"] for f in shown["functions"]}
    found = re.findall(r"^  (\S.*):\n    Hash: (0x[0-9a-f]+)\n    Counters: (\d+)\n((?:    .*\n|\t.*\n)*)", listing, re.M)
    for name, hash_, counters, rest in found:
        counts = by_key[(name, int(hash_, 16))]
        same("counters of " + name, int(counters), len(counts))
        entry = re.search("Function count: (\\d+)", rest)
        blocks = re.search(r"Block counts: \[(.*)\]", rest)
        if blocks:
            told = [int(entry.group(1))] if entry else []
            told += [int(n) for n in blocks.group(1).split(", ") if n]
            same("block counts of " + name, told, counts)
    summary = shown["summary"]
    for what, key in (("Total functions", "functions"), ("Maximum function count", "highest_first_count"),
                      ("Maximum internal block count", "highest_other_count"), ("Total number of blocks", "counters"),
                      ("Total count", "sum_of_counts")):
        for told in re.findall("^" + what + r": (\d+)$", listing, re.M):
            same(what, int(told), summary[key])
    cutoffs = {c["millionths"]: c for c in summary["cutoffs"]}
    lines = re.findall(r"^(\d+) blocks (?:\(.*?\) )?with count >= (\d+) account for ([0-9.]+)", listing, re.M)
    for blocks, least, share in lines:
        cutoff = cutoffs[round(float(share) * 10000)]
        same("cutoff of %s %%" % share, (int(least), int(blocks)), (cutoff["least_count"], cutoff["counters"]))
    assert found or not shown["functions"] or shown["level"] == "csir", "no function in the listing"
    assert lines or not summary["counters"], "no summary in the listing"


def show(bareprof, path, options):
    result = subprocess.run([bareprof, "show", "--json"] + options + [path], stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


def compare(bareprof, path):
    prefix, form = os.path.splitext(path)
    options = ["--elf", prefix + ".elf"] if form == ".profraw" and os.path.exists(prefix + ".elf") else []
    shown = show(bareprof, path, EVERYTHING + options)
    same("totals alone", show(bareprof, path, options)["totals"], shown["totals"])
    compare_totals(shown)
    compare_text(shown, Text(prefix + ".proftext"))
    if os.path.exists(prefix + ".show.txt"):
        with open(prefix + ".show.txt", encoding="latin-1") as file:
            compare_listing(shown, file.read())
    if form == ".profdata":
        assert shown["indexed"]["stored_summary"] in ("right", "none"), "the stored summary is called wrong"
        assert shown["indexed"]["found_by_clang"], "llvm-profdata's own file is called useless"


def main():
    for path in sys.argv[2:]:
        name = "/".join(path.split("/")[-2:])
        try:
            compare(sys.argv[1], path)
            print("ok - %s: as llvm-profdata shows it" % name)
        except (AssertionError, KeyError, OSError, subprocess.CalledProcessError) as why:
            print("not ok - %s: %s" % (name, str(why)[:2000]))


main()
