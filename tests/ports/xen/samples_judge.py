#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""samples_judge.py BAREPROF XEN_SYMS OUT: checks the samples of samples_run, which are in the folder OUT. It counts
them in the text that `bareprof sample merge` writes."""
import json
import os
import subprocess
import sys

BAREPROF, ELF, OUT = sys.argv[1:4]


def say(good, what):
    print(("ok" if good else "not ok") + " - " + what)


def samples(*names):
    """Returns the numbers of samples, of dropped samples and of samples outside, in the sum of the captures, and their
    rate."""
    text = subprocess.run([BAREPROF, "sample", "merge", "-o", "-", "--elf", ELF] +
                          [os.path.join(OUT, name + ".capture") for name in names],
                          check=True, capture_output=True, text=True).stdout
    head, _, body = text.partition("\nsamples\n")
    heads = dict(line.split(None, 1) for line in head.splitlines())
    taken = sum(int(line.split()[1]) for line in body.splitlines())
    return taken, int(heads.get("dropped", 0)), int(heads.get("outside", 0)), int(heads.get("rate", 0))


def state(name):
    with open(os.path.join(OUT, name + ".json"), encoding="ascii") as file:
        return json.load(file)["images"][0]


def shares(*names):
    """Returns the shares of the functions, in percent, and a text with the first of them."""
    shown = json.loads(subprocess.run([BAREPROF, "sample", "show", "--json", ELF] +
                                      [os.path.join(OUT, name + ".capture") for name in names],
                                      check=True, capture_output=True, text=True).stdout)
    found = {each["name"]: each["samples"] for each in shown["functions"]}
    total = sum(found.values())
    percent = {name: 100 * count / total for name, count in found.items()}
    first = sorted(percent, key=percent.get, reverse=True)[:6]
    return percent, ", ".join("%s %.1f %%" % (name, percent[name]) for name in first)


def exact(what, expected, *names):
    """Checks the sum and the rate of samples that were pulled after they had stopped."""
    taken, dropped, outside, rate = samples(*names)
    interrupts = state(names[-1])["interrupts"]
    say(taken + dropped + outside == interrupts, "%s: %d samples + %d dropped + %d outside = %d interrupts" %
        (what, taken, dropped, outside, interrupts))
    say(rate == expected, "%s: the samples have the rate %d Hz: %d Hz" % (what, expected, rate))
    return taken, dropped, outside


boot = state("boot")
say(boot["sample_rate"] == 997 and boot["interrupts"] > 100, "Xen takes samples from its boot on: %s" % boot)
exact("boot", 997, "stopped")
say(state("later")["interrupts"] == state("stopped")["interrupts"] and state("later")["sample_rate"] == 0,
    "after the stop, no CPU is interrupted for a sample")

taken, dropped, outside = exact("version, two captures", 997, "version", "version-end")
say(taken > 2000 and outside > 0, "version: there are samples of Xen and of domains")
version, first = shares("version", "version-end")
say(version.get("do_xen_version", 0) + version.get("do_multicall", 0) > 20 and version.get("read_console_ring", 0) < 1,
    "version: the functions of the load are hot: " + first)
exact("console", 499, "console")
console, first = shares("console")
CONSOLE = ["do_sysctl", "read_console_ring", "copy_to_guest_pv", "copy_to_guest_ll", "_spin_trylock"]
say(sum(console.get(each, 0) for each in CONSOLE) > 12 and console.get("do_xen_version", 0) < 1 and
    sum(version.get(each, 0) for each in CONSOLE) < 3, "console: the functions of the load are hot: " + first)
taken, dropped, outside = exact("20 kHz", 19997, "dropped")
say(dropped > 0 and taken <= 2 * 16384, "20 kHz: the rings were overwritten")
