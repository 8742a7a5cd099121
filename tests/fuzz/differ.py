# SPDX-License-Identifier: BSD-2-Clause
"""differ.py BAREPROF SEEDS COUNT SEED [FILE...]: damages profiles a little. Each damaged profile is read by bareprof
and by the llvm-profdata that reads its version. Both must accept the profile and write the same text, or both must
refuse it. FILEs are read without damage. Each known kind of difference has a class, which docs/DIFFERENCES.md explains.
A difference without a class is a failure, and the profile that caused it is kept in the folder `differ` beside
SEEDS."""
import collections
import pathlib
import random
import re
import struct
import subprocess
import sys

import differ_classes

RAW_MAGICS = differ_classes.RAW_MAGICS
READERS = {7: 13, 8: 16, 10: 22}
NUMBERS = [0, 1, 2, 3, 7, 8, 16, 255, 256, 65535, 1 << 31, (1 << 32) - 1, 1 << 60, 1 << 63, (1 << 64) - 1]


def number(dice, old):
    way = dice.randrange(4)
    if way == 0:
        return dice.choice(NUMBERS)
    if way == 1:
        return old ^ 1 << dice.randrange(64)
    return old + dice.choice([-8, -1, 1, 8]) * dice.choice([1, 1, 1, 5])


def change_word(dice, data, at, order):
    if at + 8 <= len(data):
        (old,) = struct.unpack_from(order + "Q", data, at)
        struct.pack_into(order + "Q", data, at, number(dice, old) & (1 << 64) - 1)


def change_bytes(dice, data):
    for _ in range(dice.choice([1, 1, 1, 3])):
        way = dice.randrange(5)
        at = dice.randrange(len(data))
        if way == 0:
            del data[at : at + dice.choice([1, 2, 4, 8, 16])]
        elif way == 1:
            data[at:at] = bytes(dice.choice([1, 8])) if dice.randrange(2) else data[at : at + 8]
        elif way == 2:
            data[at] ^= 1 << dice.randrange(8)
        else:
            data[at] = dice.randrange(256)
        if not data:
            return


def change_binary(dice, data, order, header):
    way = dice.randrange(8)
    if way == 0:
        del data[dice.randrange(len(data)) :]
    elif way < 3:
        change_word(dice, data, 8 * dice.randrange(header), order)
    elif way < 6:
        change_word(dice, data, 8 * dice.randrange(max(1, len(data) // 8)), order)
    elif way == 6 and order == "<":
        data.extend(bytes(data))
    else:
        change_bytes(dice, data)


def change_text(dice, data):
    lines = data.decode("latin-1").split("\n")
    for _ in range(dice.choice([1, 1, 2])):
        at = dice.randrange(len(lines))
        way = dice.randrange(6)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(at, dice.choice(lines or [""]))
        elif way == 2:
            lines[at] = str(dice.choice(NUMBERS))
        elif way == 3:
            lines[at] = dice.choice([":ir", ":fe", ":csir", ":entry_first", "$1", "0x1", "", "#", "-1", "1 ", " 1", "a:1"])
        elif way == 4:
            lines[at] += dice.choice([":", " ", "\r", "0", ","])
        else:
            line = bytearray(lines[at].encode("latin-1") or b"1")
            change_bytes(dice, line)
            lines[at] = line.decode("latin-1")
        if not lines:
            break
    data[:] = "\n".join(lines).encode("latin-1")


def damage(dice, data):
    if bytes(data[:8]) in RAW_MAGICS:
        change_binary(dice, data, RAW_MAGICS[bytes(data[:8])], 16)
    elif data[:8] == b"\xfflprofi\x81":
        change_binary(dice, data, "<", 12)
    else:
        change_text(dice, data)


def reader(data):
    """Returns the release whose llvm-profdata reads this profile, or None."""
    order = RAW_MAGICS.get(bytes(data[:8]))
    if not order:
        return 22
    if len(data) < 16:
        return 16
    return READERS.get(struct.unpack_from(order + "Q", data, 8)[0] & 0xFFFFFFFF)


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False)
        return done.returncode, done.stdout, done.stderr.decode("latin-1")
    except subprocess.TimeoutExpired:
        return -99, b"", "takes more than 20 seconds"


def compare(bareprof, path, release):
    """Lets both programs read a profile and compares the results. Returns a pair. Its first part is "same", the class
    of the difference, or None for a difference without a class. Its second part has the messages of the programs."""
    ours = run([bareprof, "merge", "--text", "-o", "-", path])
    theirs = run([f"llvm-profdata-{release}", "merge", "-text", "-o", "-", path])
    if ours[0] not in (0, 1):
        return None, f"bareprof ended with {ours[0]}: {ours[2]}"
    if theirs[0] == 1 and ours[0] == 1:
        return "same", ""
    if theirs[0] == 0 and ours[0] == 0 and theirs[1] == ours[1]:
        return "same", ""
    said = f"ours {ours[0]}: {ours[2].strip()} | {release} {theirs[0]}: {theirs[2].strip()}"
    return differ_classes.find(path.read_bytes(), ours, theirs), said


def main():
    bareprof, seeds, count, seed = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    dice = random.Random(seed)
    files = [p for form in ("raw_read", "indexed_read", "text_read") for p in sorted((seeds / form).iterdir())]
    files = [p for p in files if reader(p.read_bytes())]
    explained = pathlib.Path("docs/DIFFERENCES.md").read_text()
    kept = seeds.parent / "differ"
    kept.mkdir(exist_ok=True)
    path = kept / f"now-{seed}"
    classes = collections.Counter()
    unexplained = 0
    tried = 0
    known = [pathlib.Path(p) for p in sys.argv[5:]]
    while known or tried < count:
        if known:
            data = bytearray(known.pop().read_bytes())
        else:
            data = bytearray(dice.choice(files).read_bytes())
            damage(dice, data)
        release = reader(data)
        if not data or not release:
            continue
        tried += 1
        path.write_bytes(data)
        name, said = compare(bareprof, path, release)
        classes[name] += 1
        if name != "same" and f"| {name} |" not in explained:
            unexplained += 1
            keep = kept / f"unexplained-{seed}-{tried}"
            path.replace(keep)
            print(f"    {keep}: {re.sub(r'[^ -~]+', ' ', said)[:400]}")
    for name, times in classes.most_common():
        print(f"    {times} {name}")
    what = f"{tried} damaged profiles read as llvm-profdata does, or as docs/DIFFERENCES.md says"
    print(f"{'not ok' if unexplained else 'ok'} - {what}")
    return unexplained != 0


sys.exit(main())
