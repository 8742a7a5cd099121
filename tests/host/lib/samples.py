#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""samples.py batch: makes dumps of samples, as docs/SPEC.md, 5.2, describes them. It shares no code with the target or the
host. Each line of standard input describes a dump: OUT KEY=VALUE...

form, nonce, generation, tag...  as in encode.py
id=HEX           the build id
width, order     of the target, default 8 and <
base, range      run-time address and size of the sampled code
id_address       run-time address of the build id; 0: the image has none
rate, rings, dropped, outside
words=N, samples=ADDRESS[:RETURN...][*COUNT],...   a list; addresses are run-time addresses, 0 as a return address: unknown
shift=K, samples=ADDRESS*COUNT,...                 a histogram
taken=N          the number of samples in the header, if it is not the right one
patch=OFFSET:WORD,...  words of the stream to replace
cut=N            remove N bytes from the end of the stream
drop=N           remove block N
append           append to OUT
stream           write only the bytes of the stream"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../capture"))
import encode  # noqa: E402

NUMBERS = ("nonce", "generation", "span", "width", "base", "range", "id_address", "rate", "rings", "dropped", "outside",
           "words", "shift", "taken", "cut", "drop", "image")


def parse(words):
    known = {"form": "text", "id": "", "order": "<", "samples": ""}
    known.update(dict.fromkeys(NUMBERS))
    for word in words:
        key, _, value = word.partition("=")
        known[key] = int(value, 0) if key in NUMBERS else value
    return known


def samples_of(text):
    """Returns a list of pairs: the addresses of a sample, the innermost first, and its count."""
    out = []
    for item in text.split(",") if text else []:
        addresses, _, count = item.partition("*")
        out.append(([int(a, 0) for a in addresses.split(":")], int(count, 0) if count else 1))
    return out


def body(known, order):
    base, samples = known["base"], samples_of(known["samples"])
    if known["shift"] is not None:
        counters = [0] * -(-known["range"] >> known["shift"])
        total = 0
        for addresses, count in samples:
            index = (addresses[0] - base) >> known["shift"]
            counters[index] = min(counters[index] + count, 65535)
            total += count
        return total, struct.pack(order + "%dH" % len(counters), *counters)
    words = known["words"] or 1
    rows = []
    for addresses, count in samples:
        row = [address - base + 1 if address else 0 for address in addresses]
        rows += [row + [0] * (words - len(row))] * count
    rows.sort()
    return len(rows), b"".join(struct.pack(order + "%dI" % words, *(n & 0xFFFFFFFF for n in row)) for row in rows)


def stream(known):
    order = known["order"]
    total, rest = body(known, order)
    histogram = known["shift"] is not None

    def pair(name):
        value = known[name] or 0
        return [value & 0xFFFFFFFF, value >> 32]

    header = [0x101 if histogram else 1, known["shift"] if histogram else known["words"] or 1]
    header += pair("base") + pair("range") + pair("id_address") + [known["rate"] or 0, known["rings"] or 0]
    header += [known["taken"] if known["taken"] is not None else total, known["dropped"] or 0, known["outside"] or 0]
    raw = bytearray(struct.pack(order + "16I", *header, 0, 0, 0) + rest)
    for patch in known["patch"].split(",") if "patch" in known else []:
        offset, _, value = patch.partition(":")
        struct.pack_into(order + "I", raw, int(offset, 0), int(value, 0))
    return bytes(raw[: len(raw) - known["cut"]]) if known["cut"] else bytes(raw)


def code(known):
    def one(_, piece):
        return encode.shorter(5 if known["shift"] is None else 2, piece, known["order"])

    return one


def dump(out, known):
    if "stream" in known:
        with open(out, "wb") as file:
            file.write(stream(known))
        return
    told = encode.about(id=bytes.fromhex(known["id"]), order=known["order"], width=known["width"] or 8,
                        **{key: known[key] for key in ("nonce", "generation", "span") if known[key] is not None})
    writer = encode.Writer(image=known["image"] or 0)
    blocks = writer.dump([(11, stream(known))], told, code(known))
    if known["drop"] is not None:
        del blocks[known["drop"]]
    with open(out, "ab" if "append" in known else "wb") as file:
        file.write(encode.put(blocks, known["form"]))


if __name__ == "__main__":
    for line in sys.stdin:
        if line.split():
            name, *rest = line.split()
            dump(name, parse(rest))
