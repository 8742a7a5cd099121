# SPDX-License-Identifier: BSD-2-Clause
"""truth.py - compares how often QEMU executes the instructions at probes with how often the source's blocks ran.

truth.py generate SEED                   prints a program in C. Each block calls tick() with another number
truth.py list BAREPROF ELF               prints the addresses of all probes, for tests/mip/oracle_plugin.c
truth.py compare BAREPROF ELF IR COUNTED OUTPUT

In compare, IR is the program as LLVM's text after clang inserted the probes. It says which block and which call of tick()
has which index. COUNTED is what the plugin counted, and OUTPUT the counts of tick() that the program printed. All copies
of a probe together must have been executed as often as tick() was called with the number of its block."""
import json
import random
import re
import subprocess
import sys

FUNCTIONS = 60
LEVELS = 5
NUMBER_BITS, NUMBER_SHIFT = 0xffff, 3


class Generator:
    """Makes functions with nested control flow. A function calls only functions of lower levels."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ticks = 0
        # If the compiler merged calls of tick(), one probe would stand for several blocks.
        self.text = ["__attribute__((nomerge)) void tick(int number);", "int tock(int number);"]

    def line(self, depth, text):
        self.text.append("\t" * depth + text)

    def tick(self, depth):
        self.line(depth, "tick(%d);" % self.ticks)
        self.ticks += 1

    def block(self, depth, function, left):
        self.tick(depth)
        for _ in range(self.random.randint(1, 2)):
            self.statement(depth, function, left)

    def statement(self, depth, function, left):
        kind = self.random.choice(("if", "loop", "switch", "call", "call")) if left else "sum"
        number = self.random.randint(1, 12)
        level = function * LEVELS // FUNCTIONS * FUNCTIONS // LEVELS
        if kind == "if":
            self.line(depth, "if (tock(n) & %d) {" % number)
            self.block(depth + 1, function, left - 1)
            self.line(depth, "} else {")
            self.block(depth + 1, function, left - 1)
            self.line(depth, "}")
        elif kind == "loop":
            self.line(depth, "for (int i%d = 0; i%d < (n & 3) + 1; i%d++) {" % (left, left, left))
            self.block(depth + 1, function, left - 1)
            self.line(depth, "}")
        elif kind == "switch":
            self.line(depth, "switch (tock(n) & 3) {")
            for case in ("case 0:", "case 1:", "default:"):
                self.line(depth, case)
                self.block(depth + 1, function, 0)
                self.line(depth + 1, "break;")
            self.line(depth, "}")
        elif kind == "call" and level:
            self.line(depth, "n += f%d(n + %d);" % (self.random.randrange(level), number))
        else:
            self.line(depth, "n = n * 5 + %d;" % number)

    def program(self):
        for function in range(FUNCTIONS):
            where = self.random.choice(("", "static ", "static inline ", "static inline __attribute__((always_inline)) "))
            self.text.append("%sint f%d(int n)\n{" % (where, function))
            self.block(1, function, 2)
            self.text.append("\treturn n;\n}\n")
        self.text.append("int program(void)\n{\n\tint sum = 0;\n\tfor (int i = 0; i < 12; i++)\n\t\tsum += f%d(i);" %
                         (FUNCTIONS - 1))
        for function in range(FUNCTIONS - 1, 0, -1):
            self.line(1, "sum += f%d(%d);" % (function, function))
        self.text.append("\treturn sum;\n}\nconst int ticks = %d;" % self.ticks)
        return "\n".join(self.text)


def indexes(path):
    """Returns (number of the tick, GUID, index of the block, index of the call) for each call of tick() in the IR."""
    with open(path) as file:
        text = file.read()
    locations = dict(re.findall(r"^(!\d+) = (?:distinct )?!DILocation\(.*scope: (!\d+)", text, re.M))
    scopes = {name: int(number) for name, number in
              re.findall(r"^(!\d+) = (?:distinct )?!DILexicalBlockFile\(.*discriminator: (\d+)", text, re.M)}
    found = []
    block = None
    for line in text.split("\n"):
        probe = re.search(r"call void @llvm\.pseudoprobe\(i64 (-?\d+), i64 (\d+)", line)
        tick = re.search(r"call void @tick\(i32.* (\d+)\).*!dbg (!\d+)", line)
        if probe:
            block = int(probe[1]) & (1 << 64) - 1, int(probe[2])
        elif tick:
            call = scopes[locations[tick[2]]] >> NUMBER_SHIFT & NUMBER_BITS
            found.append((int(tick[1]), *block, call))
    return found


def probes_of(bareprof, path):
    text = subprocess.run([bareprof, "probes", "show", "--json", path], check=True, stdout=subprocess.PIPE).stdout
    return [p for f in json.loads(text)["functions"] for p in f["probes"]]


def compare(bareprof, path, ir, counted, output):
    with open(counted) as file:
        executed = {int(w[0], 16): int(w[1]) for w in map(str.split, file) if w[0] != "total"}
    with open(output) as file:
        ticks = [int(line, 16) for line in file]
    probes = {}
    for p in probes_of(bareprof, path):
        key = int(p["guid"], 16), p["index"], p["type"]
        probes.setdefault(key, []).append(int(p["address"], 16))
    # Clang from release 14 on writes no probes of calls on Arm and AArch64.
    calls = any(kind == "call" for _, _, kind in probes)
    equal, different, addresses, copies = 0, [], set(), 0
    for number, guid, block, call in indexes(ir):
        for key in ((guid, block, "block"), (guid, call, "call"))[: 1 + calls]:
            places = probes.get(key, [])
            count = sum(executed[a] for a in places)
            if count == ticks[number]:
                equal += 1
                addresses.update(places)
                copies += len(places)
            else:
                different.append("tick %d, %s %d: %d times, expected %d, at %s" % (
                    number, key[2], key[1], count, ticks[number], " ".join(map(hex, places))))
    print("\n".join(different[:10]))
    print("%d of %d blocks%s are equal; %d probes at %d addresses, %d of them were executed" % (
        equal, equal + len(different), " and calls" if calls else "", copies, len(addresses), sum(executed[a] > 0 for a in addresses)))
    return bool(different) or sum(executed[a] > 0 for a in addresses) < 200


if __name__ == "__main__":
    if sys.argv[1] == "generate":
        print(Generator(int(sys.argv[2])).program())
    elif sys.argv[1] == "list":
        print("\n".join(sorted({p["address"] for p in probes_of(*sys.argv[2:])})))
    else:
        sys.exit(compare(*sys.argv[2:]))
