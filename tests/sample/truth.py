# SPDX-License-Identifier: BSD-2-Clause
"""Compares samples of a kernel with the runs of each instruction that truth_plugin.c counted in the same run. Only the
functions that the OBJECTs define are compared: no sample can hit the handler that takes it, and the shell runs before
and after the counted part of the run. The overlap of two distributions is the sum, over all functions or blocks, of the
smaller one of their two shares, here in percent.

truth.py compare BAREPROF ELF SAMPLES TRUTH OBJECT...: prints three overlaps:
functions  the instructions of each function, and its samples
raw        the runs of each block, and its samples divided by its instructions
blocks     the runs of each block, and the runs that bareprof infers

truth.py probes BAREPROF ELF PROFILE TRUTH OBJECT...: prints the overlap of a probe profile in text form and the true
runs of the probes.

truth.py ranges BAREPROF ELF SAMPLES OBJECT...: prints the samples as counters of ranges, for llvm-profgen."""
import json
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def overlap(truth, estimate):
    """The overlap of two dicts of numbers in percent."""
    all_true, all_estimated = sum(truth.values()), sum(estimate.values())
    return 100 * sum(min(truth[key] / all_true, estimate.get(key, 0) / all_estimated) for key in truth)


def read_truth(path):
    with open(path) as file:
        return {int(address, 16): int(runs) for address, runs in map(str.split, file)}


def functions(paths, elf=False):
    """Yields name, address without the Thumb bit, and size of each function."""
    for line in output("readelf", "-sW", *paths).splitlines():
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC" and words[6] != "UND" and (not elf or words[2] != "0"):
            yield words[7], int(words[1], 16), int(words[2], 0)


def load(elf, objects):
    """The functions of the load: (start, end) by name."""
    names = {name for name, _, _ in functions(objects)}
    thumb = "ARM" in output("readelf", "-h", elf)
    return {name: (address & ~1 if thumb else address, size) for name, address, size in functions([elf]) if name in names}


def compare(bareprof, elf, samples, truth_path, objects):
    truth = read_truth(truth_path)
    compared = load(elf, objects)
    addresses = {address: name for name, (address, _) in compared.items()}
    shown = json.loads(output(bareprof, "sample", "show", "--blocks", "--json", elf, samples))
    true_functions, seen_functions, true_blocks, raw, inferred = {}, {}, {}, {}, {}
    total = guessed = 0
    for function in shown["functions"]:
        address = int(function["address"], 16)
        if address not in addresses:
            continue
        seen_functions[address] = function["samples"]
        total += function["samples"]
        guessed += function["guessed"]
        for block in function["blocks"]:
            start = int(block["address"], 16)
            true_blocks[start] = truth.get(start, 0)
            raw[start] = block["samples"] / block["instructions"]
            inferred[start] = block["runs"]
    for address, size in compared.values():
        ran = [truth.get(i, 0) for i in range(address, address + size)]
        true_functions[address] = sum(ran)
        # Functions without a sample have no list of blocks. A block begins where the number of runs changes.
        last = 0
        for i, runs in enumerate(ran if address not in seen_functions else []):
            if runs and runs != last:
                true_blocks[address + i] = runs
            last = runs or last
    print(f"samples {total} functions {overlap(true_functions, seen_functions):.2f} raw {overlap(true_blocks, raw):.2f} "
          f"blocks {overlap(true_blocks, inferred):.2f} guessed {guessed}")


def profile_counts(path):
    """The counts of a probe profile in text form. The key is the chain of functions, and the index of the probe."""
    counts, chain = {}, []
    with open(path) as file:
        for line in file:
            depth = len(line) - len(line.lstrip(" "))
            words = line.split()
            if not depth:
                chain = [line.rsplit(":", 2)[0]]
            elif words[0].startswith("!"):
                continue
            elif words[1].isdigit():
                counts[tuple(chain[:depth]), int(words[0][:-1])] = int(words[1])
            else:
                chain[depth:] = [(int(words[0][:-1]), words[1].rsplit(":", 1)[0])]
    return counts


def read_probes(bareprof, elf, names):
    """Yields address, chain of functions, index and type of each probe in the functions of the load."""
    for function in json.loads(output(bareprof, "probes", "show", "--json", elf))["functions"]:
        for probe in function["probes"]:
            chain = [(0, (probe["inlined"] + [probe])[0]["function"])]
            for caller, callee in zip(probe["inlined"], probe["inlined"][1:] + [probe]):
                chain.append((caller["call"], callee["function"]))
            if chain[0][1] in names:
                yield int(probe["address"], 16), (chain[0][1], *chain[1:]), probe["index"], probe["type"]


def ranges(bareprof, elf, samples, objects):
    """Prints range counters for llvm-profgen: a sample belongs to the last block probe before it, and code of more
    bytes gets more samples."""
    compared = load(elf, objects)
    probes = sorted({(address, kind == "block") for address, _, _, kind in read_probes(bareprof, elf, compared)})
    counts = {}
    with open(samples) as file:
        for line in file:
            if line.startswith("0x"):
                address, count = line.split()[:2]
                counts[int(address, 16)] = int(count)
    lines = []
    for start, size in compared.values():
        inside = [(address, block) for address, block in probes if start <= address < start + size]
        blocks = sorted({address for address, block in inside if block})
        for block, after in zip(blocks, blocks[1:] + [start + size]):
            seen = sum(counts.get(i, 0) for i in range(block, after))
            last = max(address for address, _ in inside if address < after)
            if seen:
                lines.append(f"{block:x}-{last:x}:{max(seen * 256 // (after - block), 1)}")
    print(len(lines), *lines, 0, sep="\n")


def compare_probes(bareprof, elf, profile, truth_path, objects):
    truth = read_truth(truth_path)
    names = load(elf, objects)
    runs = {}
    for address, chain, index, _ in read_probes(bareprof, elf, names):
        runs[chain, index] = runs.get((chain, index), 0) + truth.get(address, 0)
    counts = {key: count for key, count in profile_counts(profile).items() if key in runs}
    print(f"probes {overlap(runs, counts):.2f}")


def main():
    commands = {"compare": compare, "ranges": ranges, "probes": compare_probes}
    what, *arguments = sys.argv[1:]
    count = 3 if what == "ranges" else 4
    commands[what](*arguments[:count], arguments[count:])


main()
