# SPDX-License-Identifier: BSD-2-Clause
"""applied.py BAREPROF ELF SAMPLES LOG: checks that clang applied samples in each function with probes and at least 10
samples. LOG has the remarks of -Rpass-analysis=sample-profile, which name lines of source. A function is found by the
lines of its code in ELF, so functions that were inlined into it count, too."""
import json
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    bareprof, elf, samples, log = sys.argv[1:]
    with open(log, encoding="utf-8", errors="replace") as file:
        remarks = re.findall(r"^([^:\n]+):(\d+):\d+: remark: Applied", file.read(), re.M)
    applied = {(path.rsplit("/", 1)[-1], int(line)) for path, line in remarks}
    shown = json.loads(output(bareprof, "sample", "show", "--json", "--mangled", elf, samples))["functions"]
    hot = {function["name"]: function for function in shown if function["samples"] >= 10}
    lost, found = [], 0
    for function in json.loads(output(bareprof, "probes", "show", "--json", elf))["functions"]:
        if function["name"] not in hot or not function["probes"]:
            continue
        addresses = "\n".join("0x" + probe["address"] for probe in function["probes"])
        places = subprocess.run(["addr2line", "-i", "-e", elf], input=addresses, check=True, capture_output=True, text=True)
        lines = {(path.rsplit("/", 1)[-1], int(line)) for path, line in re.findall(r"^(.*):(\d+)", places.stdout, re.M)}
        if lines & applied:
            found += 1
        else:
            lost.append(f"{function['name']}: {hot[function['name']]['samples']} samples")
    print(f"applied in {found} functions", *lost, sep="\n")
    return 1 if lost or found < 10 else 0


sys.exit(main())
