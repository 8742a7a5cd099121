# SPDX-License-Identifier: BSD-2-Clause
"""salvage.py BAREPROF ROUNDS BASE... - damages captures and raw profiles at random, and salvages them. Each BASE is a
program; BASE.profraw, BASE.capture, BASE.log, BASE.frames and BASE.whole.log have its counts. No function may be written
whose counts differ from those of the undamaged profile. If the damage is of one kind, its cause must come first, and
what --trust-counts saves must be right, too."""
import json
import os
import random
import subprocess
import sys

import files

bareprof, rounds, bases = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
ENDINGS = [".profraw", ".profraw", ".capture", ".log", ".frames", ".whole.log"]
failed = 0


def fail(text):
    global failed
    failed += 1
    print(f"not ok - {text}")


def counts(path):
    """Returns the counts and the bitmap of each function in a profile, by name and structural hash."""
    words = [bareprof, "show", "--json", "--all", "--counts", "--bitmaps", path]
    shown = subprocess.run(words, capture_output=True, text=True)
    if shown.returncode:
        return None
    return {(entry["name"], entry["hash"]): (entry["counts"], entry.get("bitmap"))
            for entry in json.loads(shown.stdout)["functions"]}


def pieces(dice, data, ending):
    """Returns the positions at which lines or frames begin."""
    if ending.endswith("log"):
        return [i + 1 for i in range(len(data) - 1) if data[i] == 10]
    return [dice.randrange(len(data)) for _ in range(8)]


def damage(dice, data, ending):
    """Returns the data with one fault, and the name of the fault."""
    size = len(data)
    at = dice.randrange(size)
    length = min(size - at, dice.choice([1, 2, 7, 8, 16, 64, 200]))
    kind = dice.choice(["flip", "flip", "flips", "zero", "random", "delete", "insert", "cut", "crlf", "append", "prepend",
                        "latin", "lines", "swap"])
    if kind == "flip":
        return files.put(data, at, bytes([data[at] ^ 1 << dice.randrange(8)])), kind
    if kind == "flips":
        for _ in range(dice.randrange(2, 40)):
            at = dice.randrange(size)
            data = files.put(data, at, bytes([data[at] ^ 1 << dice.randrange(8)]))
        return data, kind
    if kind == "zero":
        return files.put(data, at, bytes(length)), kind
    if kind == "random":
        return files.put(data, at, dice.randbytes(length)), kind
    if kind == "delete":
        return data[:at] + data[at + length:], kind
    if kind == "insert":
        return data[:at] + (files.TEXT if dice.randrange(2) else dice.randbytes(length)) + data[at:], kind
    if kind == "cut":
        return data[:max(at, 8)], kind
    if kind == "crlf":
        return data.replace(b"\n", b"\r\n"), kind
    if kind == "append":
        return data + files.TEXT, kind
    if kind == "prepend":
        return files.TEXT + data, kind
    if kind == "latin":
        return data.decode("latin-1").encode("utf-8"), kind
    starts = pieces(dice, data, ending) or [0]
    if kind == "lines":
        start = dice.choice(starts)
        return data[:start] + data[dice.choice([i for i in starts if i >= start]):], kind
    start, stop = sorted(dice.choices(starts, k=2))
    return data[:start] + data[stop:] + data[start:stop], kind


def doctor(*words):
    result = subprocess.run([bareprof, "doctor", *words], capture_output=True, text=True, errors="replace")
    if result.returncode not in (0, 1):
        fail(f"doctor {' '.join(words)} ended with {result.returncode}: {result.stderr}")
    return result


def compare(what, made, sound):
    """Returns the number of functions in the profile, after a comparison with the sound one."""
    found = counts(made)
    if found is None:
        fail(f"{what}: the salvaged profile cannot be read")
        return 0
    for key, value in found.items():
        if sound.get(key) != value:
            fail(f"{what}: wrong counts of {key}: {value} in place of {sound.get(key)}")
    return len(found)


CAUSES = {"cut": {"cut"}, "append": {"bytes-after"}, "prepend": {"bytes-before"}, "latin": {"text-mode"},
          "crlf": {"text-mode"}}
saved = {ending: [0, 0, 0] for ending in ENDINGS}
trusted = [0, 0]
causes = 0


def round_of(seed):
    global causes
    dice = random.Random(seed)
    base = dice.choice(bases)
    ending = dice.choice(ENDINGS)
    with open(base + ending, "rb") as file:
        sound_data = data = file.read()
    kinds = []
    for _ in range(dice.choice([1, 1, 1, 2, 3, 6])):
        data, kind = damage(dice, data, ending) if data else (data, "none")
        kinds.append(kind)
    what = f"seed {seed}, {base}{ending}, {' '.join(kinds)}"
    path, made = f"damaged{ending}", "salvaged.profraw"
    with open(path, "wb") as file:
        file.write(data)
    if os.path.exists(made):
        os.remove(made)
    sound = sounds[base]
    with_elf = [base] if dice.randrange(4) or ending in (".capture", ".log", ".frames") else []
    result = doctor("--salvage", made, path, *with_elf)
    tally = saved[ending]
    tally[0] += 1
    if os.path.exists(made) != (result.returncode == 0):
        fail(f"{what}: exit code {result.returncode}, but the file is {'' if result.returncode else 'not '}there")
    if result.returncode == 0:
        if ending == ".profraw":
            fail(f"{what}: nothing proves these counts, but they were written")
        tally[1] += 1
        tally[2] += compare(what, made, sound) / len(sound)
    if ending != ".profraw" or len(kinds) > 1 or kinds[0] not in CAUSES or data == sound_data:
        return
    causes += 1
    found = json.loads(doctor("--json", path, *with_elf).stdout)["causes"]
    if not found or found[0]["id"] not in CAUSES[kinds[0]]:
        fail(f"{what}, {len(data)} bytes: the first cause is not one of {CAUSES[kinds[0]]}: {found}")
    result = doctor("--salvage", made, "--trust-counts", path, *with_elf)
    trusted[0] += 1
    if result.returncode == 0:
        trusted[1] += compare(what + ", trusted", made, sound) / len(sound)


sounds = {base: counts(base + ".profraw") for base in bases}
for number in range(rounds):
    round_of(number)
if not failed:
    print(f"ok - salvage: {rounds} damaged files, no function with wrong counts")
for ending, (files_, written, functions) in sorted(saved.items()):
    share = 100 * functions / max(files_, 1)
    print(f"    {ending}: {files_} files, {written} with sound functions, {share:.0f} % of all functions saved")
print(f"    --trust-counts: {100 * trusted[1] / max(trusted[0], 1):.0f} % of the functions of {trusted[0]} raw profiles")
share = saved[".log"][2] / max(saved[".log"][0], 1)
print(f"{'ok' if share > 0.3 else 'not ok'} - salvage: {100 * share:.0f} % of the functions of damaged logs are saved")
if not failed:
    print(f"ok - salvage: the cause of {causes} damaged raw profiles is named first")
sys.exit(failed > 0)
