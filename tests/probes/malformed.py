# SPDX-License-Identifier: BSD-2-Clause
"""malformed.py BAREPROF DIR - makes images whose sections of pseudo probes are damaged, and prints a test case for each."""
import hashlib
import os
import struct
import subprocess
import sys

from compare import shown
from decode import Decoder, Malformed
from collections import Counter

BAREPROF, DIR = sys.argv[1:3]
F, G = 0x1111111111111111, 0x2222222222222222
EXAMPLE = bytes.fromhex("1111111111111111020101800403807e02222222222222222201000182 0a")


def guid_of(name):
    return int.from_bytes(hashlib.md5(name).digest()[:8], "little")


def uleb(n):
    out = b""
    while n > 0x7F:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def record(guid, probes=(), inlined=(), call=None, count=None, children=None):
    head = (b"" if call is None else uleb(call)) + struct.pack("<Q", guid)
    head += uleb(len(probes) if count is None else count) + uleb(len(inlined) if children is None else children)
    return head + b"".join(probes) + b"".join(inlined)


def near(index, distance, kind=0):
    """A probe whose distance is from -64 to 63."""
    return uleb(index) + bytes([kind | 0x80, distance & 0x7F])


def far(index, address):
    return uleb(index) + b"\0" + struct.pack("<Q", address)


def sentinel(guid):
    return b"\0\x20" + struct.pack("<Q", guid)


def desc(guid, name, size=None):
    return struct.pack("<QQ", guid, 7) + uleb(len(name) if size is None else size) + name


def image(probes, descriptors, functions):
    """Returns an ELF file for x86_64. Each function is (name, address, size)."""
    names = b"\0" + b"".join(name + b"\0" for name, _, _ in functions)
    symbols, at = b"\0" * 24, 1
    for name, address, size in functions:
        symbols += struct.pack("<IBBHQQ", at, 0x12, 0, 1, address, size)
        at += len(name) + 1
    sections = [(b"", 0, 0, 0, b"", 0), (b".text", 1, 6, 0x1000, b"\x90" * 0x1000, 0),
                (b".pseudo_probe", 1, 0, 0, probes, 0), (b".pseudo_probe_desc", 1, 0, 0, descriptors, 0),
                (b".symtab", 2, 0, 0, symbols, 5), (b".strtab", 3, 0, 0, names, 0)]
    table = b"\0" + b"".join(s[0] + b"\0" for s in sections[1:]) + b".shstrtab\0"
    sections.append((b".shstrtab", 3, 0, 0, table, 0))
    body, headers = b"", b""
    for name, kind, flags, address, content, link in sections:
        headers += struct.pack("<IIQQQQIIQQ", table.index(name + b"\0") if name else 0, kind, flags, address, 64 + len(body),
                               len(content), link, 1 if kind == 2 else 0, 1, 24 if kind == 2 else 0)
        body += content
    return b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, 0x1000, 0, 64 + len(body), 0, 64, 0, 0, 64, len(sections), len(sections) - 1) + body + headers


def write(probes, descriptors=None, functions=((b"f", 0x1000, 0x80), (b"g", 0x1100, 0x80))):
    path = os.path.join(DIR, "image")
    if descriptors is None:
        descriptors = desc(guid_of(b"f"), b"f") + desc(guid_of(b"g"), b"g")
    with open(path, "wb") as file:
        file.write(image(probes, descriptors, functions))
    return path


def run(path, *options, seconds=20):
    return subprocess.run([BAREPROF, "probes", "show", *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=seconds)


def case(what, good, *details):
    print("%sok - %s" % ("" if good else "not ", what))
    if not good:
        for detail in details:
            print("    %s" % detail)


def refused(what, word, *arguments):
    """bareprof refuses the image in one line with the given word, and the second reader refuses it too."""
    path = write(*arguments)
    done = run(path)
    text = done.stderr.decode()
    try:
        Decoder(path)
        agreed = False
    except Malformed:
        agreed = True
    case(what, agreed and done.returncode == 1 and not done.stdout and text.count("\n") == 1 and word in text,
         done.returncode, text, agreed)


def accepted(what, expected, *arguments, lost=0):
    """expected has (address, GUID or name, index) of each probe."""
    path = write(*arguments)
    probes, left_out = shown(BAREPROF, path)
    actual = sorted((p[0], p[1], p[2]) for p in probes)
    case(what, actual == sorted(expected) and left_out == lost and
         Counter(probes) == Counter(Decoder(path).lines()), actual, left_out, lost)


f, g = guid_of(b"f"), guid_of(b"g")
low, high = sorted((f, g))
low_name, high_name = ("f", "g") if f < g else ("g", "f")
low_start, high_start = (0x1000, 0x1100) if f < g else (0x1100, 0x1000)

example = EXAMPLE.replace(struct.pack("<Q", F), struct.pack("<Q", f)).replace(struct.pack("<Q", G), struct.pack("<Q", g))
accepted("the example of SPEC.md", [(0x1004, "f", 1), (0x1002, "f", 3), (0x100C, "g", 1)], example)
for i in range(1, len(example)):
    path = write(example[:i])
    done = run(path)
    if done.returncode != 1 or b"damaged pseudo probes at offset" not in done.stderr:
        case("cut after byte %d" % i, False, done.stderr.decode())
        break
else:
    case("cut after any byte: refused", True)
refused("more probes than the section", "more probes", record(f, count=1 << 40))
refused("more inlined records than the section", "more probes", record(f, children=1 << 20))
deep = record(g, [near(1, 1)], call=1)
for _ in range(998):
    deep = record(g, [], [deep], call=1)
accepted("1000 functions inlined into each other", [(0x1001, "g", 1)], record(f, [], [deep]))
refused("1001 functions inlined into each other", "1000", record(f, [], [record(g, [], [deep], call=1)]))
refused("a type that is not known", "type", record(f, [near(1, 1, 3)]))
refused("index 0 without the attribute", "sentinel", record(f, [near(0, 1)]))
refused("a sentinel with an index", "sentinel", record(f, [near(1, 1, 0x20)]))
refused("a sentinel with a distance", "sentinel", record(f, [near(0, 1, 0x20)]))
refused("an index above 2^32-1", "2^32-1", record(f, [near(1 << 32, 1)]))
refused("a discriminator above 2^32-1", "2^32-1", record(f, [near(1, 1, 0x40) + uleb(1 << 32)]))
refused("a number of 11 bytes", "ends within", record(f, [b"\x80" * 10 + b"\0\x80\1" + b"\0" * 20]))
refused("a descriptor that is cut short", "damaged descriptor", b"", desc(f, b"f")[:-1])
refused("a descriptor without a name", "damaged descriptor", example, desc(f, b""))
refused("a zero byte in a name", "damaged descriptor", example, desc(f, b"a\0b"))
refused("a name that is longer than the section", "damaged descriptor", example, desc(f, b"f", 1 << 30))
accepted("a GUID without a descriptor", [(0x1001, "f", 1), (0x1002, "2222222222222222", 1)],
         record(f, [near(1, 1)], [record(G, [near(1, 1)], call=1)]), b"")
accepted("a GUID without a symbol", [(0x1105, "g", 1)], record(F, [near(1, 1), near(2, 1)]) + record(g, [near(1, 5)]), lost=2)
accepted("addresses outside the code", [(0xFFC0, "f", 1), (0xFFFFFFFFFFFFFFF0, "f", 2)],
         record(f, [far(1, 0xFFC0)]) + record(f, [far(2, 0xFFFFFFFFFFFFFFF0)]))
accepted("an address below 0 wraps around", [(0xFFFFFFFFFFFFFFFE, "f", 1)], record(f, [far(1, 1), ]).replace(
    far(1, 1), near(1, -2)), None, ((b"f", 0, 0),))
accepted("a sentinel names the function", [(0x1102, "f", 1)], record(f, [sentinel(g), near(1, 2)]))
accepted("a sentinel names no function", [], record(f, [sentinel(F), near(1, 2)]), lost=1)
accepted("a chain goes on in another function", [(low_start + 8, low_name, 1), (low_start + 12, high_name, 1)],
         record(low, [far(1, low_start + 8)]) + record(high, [near(1, 4)]))
accepted("a chain ends where GUIDs descend", [(high_start + 8, high_name, 1), (low_start + 4, low_name, 1)],
         record(high, [far(1, high_start + 8)]) + record(low, [near(1, 4)]))
accepted("functions of one name", [(0x1004, "f", 1), (0x1204, "f", 1), (0x1204, "f", 1)], record(f, [near(1, 4)]) * 3, None,
         ((b"f", 0x1200, 16), (b"f", 0x1000, 16)))

twin = guid_of(b"twin")
accepted("functions of one name, with a chain between them",
         [(0x1004, low_name, 1), (low_start, low_name, 1), (0x1204, high_name, 1)],
         record(low, [sentinel(twin), near(1, 4)]) + record(low, [far(1, low_start)]) +
         record(high, [sentinel(twin), near(1, 4)]), None, ((b"twin", 0x1200, 16), (b"twin", 0x1000, 16)))
accepted("a record without probes does not end a chain", [(low_start, low_name, 1), (low_start + 4, high_name, 1)],
         record(low, [far(1, low_start)]) + record((1 << 64) - 1) + record(high, [near(1, 4)]))

# Each of these files has some MiB, and a reader whose time is quadratic would need hours.
many = 200000
slow = {
    "records of one function": record(f, [near(1, 1)]) * many,
    "chains": record(low, [far(1, 0x1000)]) * many,
    "a long chain in a mixed image": record(f, [near(1, 1)]) + record(low, [far(1, 0x1000)]) +
    b"".join(record(low + i, [near(1, 0)]) for i in range(1, many)),
    "inlined records": record(f, [near(1, 1)], [record(g, [near(1, 1)], call=1)] * many),
}
for what, content in slow.items():
    done = run(write(content), "--function", "^none$")
    case("%s: in time" % what, b"none matches" in done.stderr, done.stderr)
same = [(b"f", 0x1000 + i % 256, 4) for i in range(20000)]
done = run(write(record(f, [near(1, 1)]) * 20000, None, same), "--function", "^none$")
case("many functions of one name: in time", b"none matches" in done.stderr, done.stderr)
