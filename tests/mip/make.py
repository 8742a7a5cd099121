#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Makes images, maps and raw profiles for the tests of machine profiles, as docs/SPEC.md, part 4, describes them.

make.py asm TARGET COUNT [KEY=VALUE]...     prints assembly of functions with map records; TARGET is x86_64, aarch64 or
                                            arm. mode: coverage, calls, left-out or both. seed: the seed of all random choices.
make.py script ADDRESS [raw=ADDRESS]        prints the linker script of such an image
make.py raw MAP OUT [KEY=VALUE]...          writes a random raw profile for MAP, an ELF file or a map. version: 8 or 9.
                                            seed. id: the build id in hex, or none. slide: the load address minus the
                                            link address. percent: how many functions ran. order: big, for a big-endian
                                            target. extra: a number of additional bytes at the end of each section.
make.py capture RAW OUT [KEY=VALUE]...      writes the sections of a .mipraw as a capture. form: file, text or frames.
                                            nonce, generation, span, image, address: these fields of the capture.
make.py map8 OUT [KEY=VALUE]...             writes a .mipmap of version 8. kinds, count, blocks, seed.
make.py words FILE OUT OFFSET=VALUE:SIZE... writes a copy of FILE in which integers are changed; in a .mip of version 9,
                                            the checksum is made right again
make.py sections RAW COVERAGE CALLS         writes the two raw sections of a .mipraw to files
make.py cut FILE OUT SIZE                   writes the first SIZE bytes of FILE; below 0: all except the last -SIZE
make.py overlap MAP OUT                     writes a copy of MAP in which two functions have one raw byte
make.py zero RAW OUT                        writes a copy of RAW in which all call entries are zero
make.py batch                               reads lines with such arguments from standard input, because one process is
                                            faster than many; asm and script then need out=FILE
"""
import contextlib
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capture"))
import encode  # noqa: E402
import mip  # noqa: E402
from decode import crc32c  # noqa: E402

NAMES = ("plain", "_ZN4deep4nameEi", "static_one", "_RNvC1a4main", "with.dots", "a_name_of_which_the_length_is_odd")


def keys_of(words):
    return dict(word.split("=", 1) for word in words)


def asm(target, count, keys):
    dice = random.Random(int(keys.get("seed", 1)))
    pointer = ".quad {0}" if target != "arm" else ".long {0}\n.long 0"
    start = 255 if target == "aarch64" else 0
    print(".text")
    for i in range(count):
        name, kind = f"{NAMES[i % len(NAMES)]}{i}", keys.get("mode", "both")
        mode = {"coverage": 1, "calls": 12, "left-out": 0}.get(kind, dice.choice([1, 1, 12, 12, 0]))
        size = 4 * dice.randrange(1, 9)
        print(f'.section .text.{i},"ax",%progbits\n.globl {name}\n.type {name},%function\n{name}:\n.skip {size}\n.Lend{i}:')
        if mode == 1:
            content = f'"aw",%progbits,unique,{i}\n.Lraw{i}: .byte 255' if start else f'"aw",%nobits,unique,{i}\n.Lraw{i}: .skip 1'
            print(f".section __llvm_mipraw_cov,{content}")
        elif mode:
            print(f'.section __llvm_mipraw_calls,"aw",%progbits,unique,{i}\n.p2align 2\n.Lraw{i}: .long -1, -1')
        print(f'.section __llvm_mipmap,"o",%progbits,{name},unique,{i}\n.p2align 3\n.Lmap{i}: .long 0x50494dfb\n.short 9, 2')
        print(f".long .Lstop{i}-.Lmap{i}\n.short {mode}\n.byte {0 if mode else dice.randrange(1, 6)}")
        print(f".byte {start if mode == 1 else 255 if mode else 0}")
        print(pointer.format(f".Lraw{i}" if mode else "0") + "\n" + pointer.format(name))
        print(f'.long .Lend{i}-{name}, {len(name)}\n.ascii "{name}"\n.p2align 3\n.Lstop{i}:')


def script(address, raw_address):
    moved = f" . = {raw_address};\n" if raw_address else ""
    bounds = "".join(
        f" __llvm_mipraw_{name} : ALIGN(8) {{ __start_bareprof_mip_{name} = .; *(__llvm_mipraw_{name}) "
        f"__stop_bareprof_mip_{name} = .; }}\n"
        for name in ("cov", "calls")
    )
    print(f"SECTIONS {{\n . = {address};\n .note.gnu.build-id : {{ *(.note.gnu.build-id) }}\n .text : {{ *(.text .text.*) }}")
    print(moved + bounds + " __llvm_mipmap 0 (INFO) : { KEEP(*(__llvm_mipmap)) }\n}")


def entry(one, order, version, dice, percent, clock):
    """Returns the raw bytes of a function that ran with the given probability."""
    ran = dice.randrange(100) < percent
    blocks = bytes(0 if ran and dice.randrange(2) else 255 for _ in one["blocks"]) if version == 8 else b""
    if not one["kinds"] & mip.CALLS:
        if version == 8:
            return bytes([0 if ran else 255]) + blocks
        return bytes([dice.choice([one["start"] ^ 255, one["start"] ^ 1]) if ran else one["start"]])
    if not ran:
        return struct.pack(order + "II", mip.NEVER, mip.NEVER) + blocks
    count = dice.choice([0, 1, 16, 1 << 20, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, dice.randrange(1 << 32)])
    if version == 8:
        return struct.pack("<II", max(1, min(count, mip.NEVER - 1)), next(clock)) + blocks
    if dice.randrange(12) == 0:
        return struct.pack(order + "II", min(count, mip.NEVER - 1), mip.NEVER)
    return struct.pack(order + "II", count, next(clock) | dice.choice([0, 0, 0, 1, 255]) << 24)


def raw(path, out, keys):
    found = mip.read(path)
    version, order = int(keys.get("version", 9)), ">" if keys.get("order") == "big" else "<"
    dice = random.Random(int(keys.get("seed", 1)))
    clock = iter(dice.sample(range(1, 2 * len(found["functions"]) + 1), 2 * len(found["functions"])))
    percent, extra = int(keys.get("percent", 50)), int(keys.get("extra", 0))
    sections = [bytearray(b"\xff" * (size + extra if size else 0)) for _, size in found["sections"]]
    places, whole = mip.places8(found)
    if version == 8:
        sections = [bytearray(b"\xff" * whole)] * 2
    for one, place in zip(found["functions"], places):
        if mip.raw_size(one) or (version == 8 and one["kinds"]):
            data = entry(one, order, version, dice, percent, clock)
            at = place if version == 8 else one["raw"]
            sections[mip.section_of(one["kinds"])][at : at + len(data)] = data
    if version == 8:
        section = sections[0]
        section[:24] = struct.pack("<IHHIIII", mip.MAGIC, 8, 1, found["kinds"], found["module"], 0, 24)
        pathlib.Path(out).write_bytes(section)
        return
    ident = keys.get("id", found["id"].hex() or "none")
    ident = b"" if ident == "none" else bytes.fromhex(ident)
    slide, mask = int(keys.get("slide", "0"), 0), (1 << 8 * (found["width"] or 8)) - 1
    sections[2] = bytearray(dice.choice([0, 0, 1, 77]) for _ in sections[2])
    sections[3] = bytearray(int(keys.get("samples", 0)))
    kinds = sum(kind for kind, section in zip((1, 12, 2, 16), sections) if section)
    header = int(keys.get("header", 96 if any(map(len, sections[2:])) else 64))
    words = [mip.MAGIC | 9 << 32 | 1 << 48, kinds, (found["width"] or 8) | header << 32, len(ident)]
    sizes = [len(section) for section in sections]
    addresses = [at + slide & mask if at or i < 2 else 0 for i, (at, _) in enumerate(found["sections"])]
    words += sizes[:2] + addresses[:2] + [sizes[2], addresses[2], sizes[3], addresses[3]]
    data = struct.pack(order + f"{header // 8}Q", *words[: header // 8])
    for part in (ident, *sections):
        data += bytes(part) + bytes(mip.pad(len(part)))
    pathlib.Path(out).write_bytes(data)


def capture(path, out, keys):
    _, order, _, sections, more = mip.read_raw(path)
    streams = [(number, data) for number, data in zip((7, 8, 9, 10), sections) if data]
    names = ("nonce", "generation", "span")
    told = encode.about(
        width=more["width"],
        order=order,
        address=int(keys.get("address", more["addresses"][0])),
        id=more["id"],
        **{name: int(keys[name]) for name in names if name in keys},
    )
    coding = {7: 3 if sections[0][:1] == b"\xff" else 2, 8: 3, 9: 2, 10: 2}
    writer = encode.Writer(int(keys.get("image", 0)))
    dice = random.Random(3) if "uniform" in keys else None
    blocks = writer.dump(streams, told, lambda n, piece: encode.shorter(coding[n], piece, order), None, dice)
    if "drop" in keys:
        del blocks[int(keys["drop"])]
    pathlib.Path(out).write_bytes(encode.put(blocks, keys.get("form", "file")))


def map8(out, keys):
    kinds, count = int(keys.get("kinds", 1)), int(keys.get("count", 9))
    dice = random.Random(int(keys.get("seed", 1)))
    data = bytearray(struct.pack("<IHHIIII", mip.MAGIC, 8, 2, kinds, 0x1234ABCD, 0, 24))
    at, base = 24, 0x7000 + 8 * dice.randrange(1000)
    for i in range(count):
        name = f"{NAMES[i % len(NAMES)]}{i}".encode()
        blocks = [8 * j + 8 for j in range(dice.randrange(int(keys.get("blocks", 0)) + 1))] if kinds & 2 else []
        here = len(data)
        distances = (base - here, base + at - here, base - 0x5000 + 64 * i - here)
        data += struct.pack("<3I", *(value & mip.NEVER for value in distances))
        data += struct.pack("<3I", 8 * len(blocks) + 8, dice.randrange(1 << 32) if blocks else 0, len(blocks))
        data += struct.pack(f"<{len(blocks)}I", *blocks) + struct.pack("<I", len(name)) + name
        at += (8 if kinds & 12 else 1) + len(blocks)
        at += -at % 4 if kinds & 12 else 0
        if i < count - 1:
            data += bytes(mip.pad(len(data)))
    pathlib.Path(out).write_bytes(data)


def words(path, out, changes):
    data = bytearray(pathlib.Path(path).read_bytes())
    for change in changes:
        at, value = change.split("=")
        value, size = value.split(":")
        data[int(at) : int(at) + int(size)] = (int(value, 0) & (1 << 8 * int(size)) - 1).to_bytes(int(size), "little")
    if mip.head(data)[1:] == (9, 3):
        data[-4:] = struct.pack("<I", crc32c(data[:-4]))
    pathlib.Path(out).write_bytes(data)


def cut(path, out, size):
    pathlib.Path(out).write_bytes(pathlib.Path(path).read_bytes()[: int(size)])


def overlap(path, out):
    data = bytearray(pathlib.Path(path).read_bytes())
    at, seen = 0, []
    while at < len(data):
        if data[at + 12] == mip.COVERAGE:
            seen.append(at)
        at += struct.unpack_from("<I", data, at + 8)[0]
    data[seen[3] + 16 : seen[3] + 24] = data[seen[1] + 16 : seen[1] + 24]
    pathlib.Path(out).write_bytes(data)


def zero(path, out):
    data = bytearray(pathlib.Path(path).read_bytes())
    parts = [len(part) + mip.pad(len(part)) for part in mip.read_raw(path)[3]]
    end = len(data) - sum(parts[2:])
    data[end - parts[1] : end] = bytes(parts[1])
    pathlib.Path(out).write_bytes(data)


def sections(path, *outs):
    for out, data in zip(outs, mip.read_raw(path)[3]):
        pathlib.Path(out).write_bytes(data)


def run(verb, rest):
    keys = keys_of([word for word in rest if "=" in word])
    if verb in ("asm", "script"):
        with open(keys["out"], "w") if "out" in keys else sys.stdout as file, contextlib.redirect_stdout(file):
            asm(rest[0], int(rest[1]), keys) if verb == "asm" else script(rest[0], keys.get("raw"))
    elif verb == "map8":
        map8(rest[0], keys)
    elif verb == "words":
        words(rest[0], rest[1], rest[2:])
    elif verb in ("raw", "capture"):
        {"raw": raw, "capture": capture}[verb](rest[0], rest[1], keys)
    else:
        {"cut": cut, "overlap": overlap, "zero": zero, "sections": sections}[verb](*rest)


def main():
    if sys.argv[1] != "batch":
        run(sys.argv[1], sys.argv[2:])
        return
    for line in sys.stdin:
        if line.split():
            run(line.split()[0], line.split()[1:])


main()
