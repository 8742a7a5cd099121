# SPDX-License-Identifier: BSD-2-Clause
"""graph.py exact GRAPH COUNTED: the edges of a profile with N=1 must be those that edges_plugin.c counted. GRAPH is the
output of `bareprof mip graph --json`.

graph.py split RAW FOLDER ROUNDS: writes each of the raw profiles in RAW, which have equal sizes, to a file.

graph.py weights EXACT GRAPH...: the edges of profiles with N=64 must agree with the profiles of the same rounds with N=1.
EXACT is a folder with the graphs of the latter, by number of the round.

A callee with m samples, of which an edge has the share p of the calls, gives an estimate of p with the standard deviation
sqrt(p (1 - p) / m), as m independent draws do. The first call of a function is always a sample, which adds an error of at
most 1 / m. So the test allows LIMIT standard deviations and 1 / m. If errors are normally distributed, one estimate in
150,000 is beyond 4.5 standard deviations; the test makes about 200. It also requires that the mean square of the errors,
in standard deviations, is at most 1.5, because a mean over so many estimates differs little from 1. The edges of one
callee depend on each other, so edges of two callers count as one: the test takes only one of them."""
import json
import os
import sys

LIMIT = 4.5


def edges(path):
    """Returns the samples and the calls of each edge, by the address of the callee and the call site."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    functions = graph["functions"]
    found = {}
    for edge in graph["edges"]:
        callee = functions[edge["callee"]]
        found[int(callee["address"], 16), int(edge.get("site", "0"), 16)] = edge["samples"], edge["calls"], callee
    return found


def exact(path, counted):
    seen = {}
    with open(counted, encoding="ascii") as file:
        for line in file:
            callee, site, count = line.split()
            seen[int(callee, 16), int(site, 16)] = int(count)
    profile = edges(path)
    assert {key: edge[0] for key, edge in profile.items()} == seen, f"profile {profile}, QEMU {seen}"
    assert all(edge[0] == edge[1] for edge in profile.values()), "calls differ from samples"
    assert len(seen) >= 15 and sum(seen.values()) > 5000, "too few edges"
    print(f"{len(seen)} edges, {sum(seen.values())} calls")


def split(path, folder, rounds):
    with open(path, "rb") as file:
        data = file.read()
    size = len(data) // int(rounds)
    assert size * int(rounds) == len(data)
    for i in range(int(rounds)):
        with open(os.path.join(folder, f"{i}.mipraw"), "wb") as file:
            file.write(data[i * size:(i + 1) * size])


def by_names(path):
    """Returns the edges by the names of callee and caller and the position of the call site, which other links share."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    names = [function["name"] for function in graph["functions"]]
    calls = {function["name"]: function.get("calls") for function in graph["functions"]}
    found, sites = {}, {}
    for edge in sorted(graph["edges"], key=lambda edge: edge.get("site", "")):
        ends = names[edge["callee"]], names[edge["caller"]]
        found[ends] = found.get(ends, 0) + edge["samples"]
        sites.setdefault(ends, []).append(edge["samples"])
    return found, sites, calls


def weights(folder, graphs):
    squares, worst, number, turns = 0.0, 0.0, 0, []
    for path in graphs:
        sampled, sites, calls = by_names(path)
        true, true_sites, true_calls = by_names(os.path.join(folder, os.path.basename(path)))
        for callee in sorted({ends[0] for ends in true}):
            assert calls[callee] == true_calls[callee], f"{path}: {callee}: {calls[callee]} calls, not {true_calls[callee]}"
        estimates = []
        for callee in sorted({ends[0] for ends in true}):
            m = sum(samples for ends, samples in sampled.items() if ends[0] == callee)
            callers = sorted(ends for ends in true if ends[0] == callee)
            if not m:
                assert sum(true[ends] for ends in callers) < 128, f"{path}: no samples of {callee}"
                continue
            for ends in callers[1 if len(callers) == 2 else 0:]:
                estimates.append((ends, true[ends] / sum(true[other] for other in callers), sampled.get(ends, 0), m))
        # turn() is called from two places in turns() in strict turns, so each of them has the share 1/2.
        ends = "turn", "turns"
        assert len(true_sites[ends]) == 2
        turns.append(sites[ends])
        estimates.append((ends, 0.5, sites[ends][0] if len(sites[ends]) == 2 else 0, sampled[ends]))
        for ends, p, samples, m in estimates:
            error = abs(samples / m - p)
            deviation = (p * (1 - p) / m) ** 0.5
            assert error <= LIMIT * deviation + 1 / m, \
                f"{path}: {ends[1]} calls {ends[0]}: share {samples}/{m}, but it is {p:.4f} +- {deviation:.4f}"
            if 0 < p < 1:
                number += 1
                squares += (max(0, error - 1 / m) / deviation) ** 2
                worst = max(worst, error / deviation)
        for ends in sampled:
            assert ends in true, f"{path}: {ends[1]} never calls {ends[0]}"
    print(f"{number} estimates, mean square {squares / number:.2f}, worst {worst:.2f} standard deviations; turns {turns[:3]}")
    assert squares / number < 1.5, "the errors are too large on average"


try:
    {"exact": exact, "split": split, "weights": lambda folder, *graphs: weights(folder, graphs)}[sys.argv[1]](*sys.argv[2:])
except AssertionError as wrong:
    sys.exit(f"graph.py: {wrong}")
