#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Reads .mipraw, .mipmap and .mip files of versions 8 and 9 as docs/SPEC.md, part 4, describes them. mip.py was written
from that document alone, so that the tests have a reader that is independent of bareprof.

mip.py agree BAREPROF FILE...       compares each FILE field by field with the output of `bareprof mip show --json`
mip.py sums FILE.mip MAP RAW...     checks that FILE.mip is the sum of the raw profiles; MAP is an ELF file, map or .mip
mip.py same FILE.mip FILE.mip [KEY,...]   compares two profiles; the fields KEY of functions are not compared
mip.py batch                        reads lines "WHAT: VERB ARGUMENT..." from standard input, and prints a result for each
"""
import contextlib
import hashlib
import io
import json
import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capture"))
from decode import crc32c  # noqa: E402
from elf import Elf  # noqa: E402

MAGIC = 0x50494DFB
COVERAGE, BLOCKS, CALLS, RETURNS, WRAPS, FULL = 1, 2, 12, 16, 32, 64
NEVER = 0xFFFFFFFF


def pad(size):
    return -size % 8


def need(condition, what):
    if not condition:
        raise ValueError(what)


def head(data):
    return struct.unpack_from("<IHH", data)


def function(**known):
    usual = {"name": b"", "address": 0, "size": 0, "kinds": 0, "reason": 0, "start": 0, "raw": 0, "runs": 0, "calls": 0}
    usual.update(at_least=False, order_sum=0, orders=0, signature=0, block_raw=0, blocks=[])
    return {**usual, **known}


def profile(version, functions, **known):
    kinds = 0
    for one in functions:
        kinds |= one["kinds"]
    usual = {"width": 0, "machine": 0, "id": b"", "module": 0, "relative": False, "guessed": False, "merged": 0}
    return {"version": version, "kinds": kinds, "functions": functions, "sections": [(0, 0)] * 4, "edges": [], **usual, **known}


def raw_size(one):
    return (8 if one["kinds"] & CALLS else 1) if one["kinds"] & ~(BLOCKS | WRAPS | FULL) else 0


def raw_size8(one):
    return (8 if one["kinds"] & CALLS else 1) + len(one["blocks"]) if one["kinds"] else 0


def places8(found):
    """Returns where the raw bytes of each function are in a .mipraw of version 8, and the size of that file."""
    if found["relative"]:
        return [one["raw"] for one in found["functions"]], found["sections"][section_of(found["kinds"])][1]
    if not found["kinds"] & BLOCKS:
        end = 24 + found["sections"][section_of(found["kinds"])][1]
        return [24 + one["raw"] for one in found["functions"]], end
    at, places = 24, []
    for one in found["functions"]:
        places.append(at)
        at += raw_size8(one) + -raw_size8(one) % 4
    return places, at


def section_of(kinds):
    return 1 if kinds & CALLS else 0


def read_map9(data):
    at, functions = 0, []
    while at < len(data):
        magic, version, kind, size, kinds, reason, start, raw, address, code, name = struct.unpack_from(
            "<IHHIHBBQQII", data, at
        )
        need((magic, version, kind) == (MAGIC, 9, 2), "record")
        need(size == 40 + name + pad(name) and at + size <= len(data), "size of a record")
        need(not any(data[at + 40 + name : at + size]), "padding")
        functions.append(
            function(name=data[at + 40 : at + 40 + name], address=address, size=code, kinds=kinds, reason=reason)
        )
        functions[-1].update(start=start, raw=raw)
        at += size
    return functions


def place(functions, extents):
    for one in functions:
        if one["kinds"]:
            one["raw"] -= extents[section_of(one["kinds"])][0]
    return extents


def guess(functions):
    extents = []
    for section in (0, 1):
        own = [one for one in functions if raw_size(one) and section_of(one["kinds"]) == section]
        start = min((one["raw"] for one in own), default=0) & ~7
        end = max((one["raw"] + raw_size(one) for one in own), default=0)
        extents.append((start, end - start))
    return place(functions, extents + [(0, 0), (0, 0)])


def ends(functions, kinds):
    end = max(one["raw"] + raw_size8(one) for one in functions)
    return ([(0, 0), (0, end)] if kinds & CALLS else [(0, end), (0, 0)]) + [(0, 0), (0, 0)]


def signed(value):
    return value - (1 << 32) if value >> 31 & 1 else value


def read_map8(data):
    _, _, _, kinds, module, _, at = struct.unpack_from("<IHHIIII", data)
    functions = []
    while at < len(data):
        start, raw, address, size, signature, count = struct.unpack_from("<6I", data, at)
        offsets = struct.unpack_from(f"<{count}I", data, at + 24)
        name = struct.unpack_from("<I", data, at + 24 + 4 * count)[0]
        first = at + 28 + 4 * count
        functions.append(function(name=data[first : first + name], size=size, kinds=kinds, start=255))
        functions[-1]["address"] = signed(address - start & NEVER)
        functions[-1].update(raw=raw - start & NEVER, signature=signature, blocks=[(at, i + 1, False) for i, at in enumerate(offsets)])
        at = first + name + pad(first + name)
    sections = ends(functions, kinds)
    return profile(8, functions, module=module, relative=True, guessed=True, sections=sections)


def read_mip9(data):
    need(crc32c(data[:-4]) == struct.unpack("<I", data[-4:])[0], "checksum")
    fields = struct.unpack_from("<IHHIHBBQQQQQQIIQII", data)
    header = fields[3]
    need(fields[:3] == (MAGIC, 9, 3) and header in (88, 112) and fields[17] == 0, "header")
    kinds, width, flags, count, merged = fields[4:9]
    address, size, edge_count = struct.unpack_from("<QQQ", data, 88) if header == 112 else (0, 0, 0)
    sections = [(fields[9], fields[10]), (fields[11], fields[12]), (address, size), (0, 0)]
    machine, id_size, names_size, module = fields[13:17]
    at = header + id_size + pad(id_size)
    record = 80 if header == 112 else 72
    blocks = at + record * count
    names = len(data) - 4 - pad(names_size) - names_size
    first_edge = names - 24 * edge_count
    edges = [struct.unpack_from("<IIQQ", data, first_edge + 24 * i) for i in range(edge_count)]
    need(all(callee < count and not zero for callee, zero, _, _ in edges), "edges")
    functions = []
    for i in range(count):
        address, raw, runs, calls, total, orders, size, signature, own, name, own_kinds, reason, start, more = (
            struct.unpack_from("<QQQQQQIIIIHBBI", data, at + record * i)
        )
        need(more < 2, "end of a record")
        pairs = [struct.unpack_from("<II", data, blocks + 8 * j) for j in range(own)]
        one = function(name=data[names : names + name], address=address, size=size, kinds=own_kinds, reason=reason)
        one.update(start=start, raw=raw, runs=runs, calls=calls, order_sum=total, orders=orders, signature=signature)
        one["at_least"] = bool(more)
        if record == 80:
            one["block_raw"] = struct.unpack_from("<Q", data, at + record * i + 72)[0]
        need(not flags & 1 or all(word < 2 for _, word in pairs), "positions of blocks")
        one["blocks"] = [
            (offset, j + 1 if flags & 1 else word >> 1, bool(word & 1)) for j, (offset, word) in enumerate(pairs)
        ]
        functions.append(one)
        blocks += 8 * own
        names += name
    need(blocks == first_edge, "end of the blocks")
    known = {"width": width, "machine": machine, "id": data[header : header + id_size], "module": module}
    known.update(sections=sections, edges=[(callee, site, samples) for callee, _, site, samples in edges])
    found = profile(9, functions, merged=merged, relative=bool(flags & 1), guessed=bool(flags & 2), numbered=bool(flags & 4), **known)
    need(found["kinds"] == kinds, "kinds")
    if found["relative"]:
        for one in functions:
            one["address"] = one["address"] - (1 << 64) if one["address"] >> 63 else one["address"]
    return found


def read_mip8(data):
    _, _, _, kinds, module, _, at = struct.unpack_from("<IHHIIII", data)
    count = struct.unpack_from("<Q", data, at)[0]
    at += 8
    functions, hashes = [], []
    for _ in range(count):
        known, raw, address, size, signature, own, runs, calls, total = struct.unpack_from("<QIiIIIIQQ", data, at)
        blocks = [struct.unpack_from("<IB", data, at + 48 + 5 * i) for i in range(own)]
        need(struct.unpack_from("<I", data, at + 48 + 5 * own)[0] == 0, "call edges")
        calls, total = (calls, total) if kinds & CALLS and runs else (0, 0)
        one = function(address=address, size=size, kinds=kinds, start=255, raw=raw, runs=runs, calls=calls)
        one.update(order_sum=total, orders=runs if total else 0, signature=signature)
        one["blocks"] = [(offset, i + 1, bool(ran)) for i, (offset, ran) in enumerate(blocks)]
        functions.append(one)
        hashes.append(known)
        at += 52 + 5 * own
    number = struct.unpack_from("<Q", data, at)[0]
    names = data[at + 8 :].split(b"\0")
    need(names.pop() == b"" and len(names) == number, "names")
    by_hash = {int.from_bytes(hashlib.md5(name).digest()[:8], "little"): name for name in names}
    for one, known in zip(functions, hashes):
        one["name"] = by_hash[known]
    merged = max(one["runs"] for one in functions)
    known = {"module": module, "relative": True, "guessed": True, "sections": ends(functions, kinds)}
    return profile(8, functions, merged=merged, **known)


def read_elf(path):
    elf = Elf(path)
    functions = read_map9(elf.section("__llvm_mipmap").content)
    extents = []
    for name in ("cov", "calls", "blk"):
        start, stop = (elf.symbols.get(f"__{end}_bareprof_mip_{name}") for end in ("start", "stop"))
        if start is None or stop is None:
            section = elf.section("__llvm_mipraw_" + name)
            start, stop = (section.address, section.address + section.size) if section else (0, 0)
        extents.append((start, stop - start))
    place(functions, extents + [(0, 0)])
    machine = elf.get("H", 18)[0]
    return profile(9, functions, width=elf.width, machine=machine, id=elf.build_id(), sections=extents + [(0, 0)])


def read(path):
    data = pathlib.Path(path).read_bytes()
    if data[:4] == b"\177ELF":
        return read_elf(path)
    magic, version, kind = head(data)
    need(magic == MAGIC, "magic")
    if kind == 3:
        return read_mip8(data) if version == 8 else read_mip9(data)
    need(kind == 2, "type")
    if version == 8:
        return read_map8(data)
    functions = read_map9(data)
    return profile(9, functions, guessed=True, sections=guess(functions))


def read_raw(path):
    """Returns version, byte order, kinds, the sections as bytes, and the other words of version 9."""
    data = pathlib.Path(path).read_bytes()
    order = "<" if head(data)[0] == MAGIC else ">"
    if order == "<" and head(data)[1] == 8:
        kinds = struct.unpack_from("<I", data, 8)[0]
        return 8, order, kinds, ([b"", data] if kinds & CALLS else [data, b""]), {}
    at = struct.unpack_from(order + "Q", data, 16)[0] >> 32
    need(at in (64, 96), "size of the header")
    words = struct.unpack_from(order + f"{at // 8}Q", data) + (0,) * (12 - at // 8)
    need(words[0] == MAGIC | 9 << 32 | 1 << 48, "header")
    parts = []
    for size in (*words[3:6], words[8], words[10]):
        parts.append(data[at : at + size])
        at += size + pad(size)
    need(at == len(data), "end")
    return 9, order, words[1], parts[1:], {"id": parts[0], "width": words[2] & NEVER, "addresses": (*words[6:8], words[9], words[11])}


def look_at_blocks(one, sections):
    """Returns whether the entry block ran, and whether each other block did."""
    data = sections[2][one["block_raw"] :][: max([index for _, index, _ in one["blocks"]], default=0) + 1]
    start = 0xFF if one["kinds"] & FULL else 0
    return data[0] != start, [data[index] != start for _, index, _ in one["blocks"]]


def look(one, raw, place):
    """Returns whether the function ran, the number of calls, the order (0: not known), and the blocks that ran. place is
    where its raw bytes are in version 8."""
    version, order, _, sections, _ = raw
    at, size = (place, raw_size8(one)) if version == 8 else (one["raw"], raw_size(one))
    data = sections[section_of(one["kinds"])][at : at + size]
    need(len(data) == size, "raw bytes of a function")
    entry, blocks = False, []
    if version == 8:
        blocks = [not byte for byte in data[size - len(one["blocks"]) :]]
    elif one["kinds"] & BLOCKS:
        entry, blocks = look_at_blocks(one, sections)
    if not size:
        return entry or any(blocks), 0, 0, blocks
    if not one["kinds"] & CALLS:
        return (data[0] == 0 if version == 8 else data[0] != one["start"]), 0, 0, blocks
    count, first = struct.unpack_from(order + "II", data)
    if version == 8:
        return count != NEVER, 0 if count == NEVER else count, 0 if count == NEVER else first, blocks
    if first == NEVER:
        return count != NEVER, 0 if count == NEVER else count + 1, 0, blocks
    return True, count + 1 + ((first >> 24) << 31), first & 0xFFFFFF, blocks


def at_least(one, raw):
    """Returns whether the target could not count further overflows."""
    if raw[0] == 8 or not one["kinds"] & CALLS:
        return False
    order = struct.unpack_from(raw[1] + "I", raw[3][1], one["raw"] + 4)[0]
    return order != NEVER and order >> 24 == 255


def add(found, raw):
    if not found["merged"] and not found["id"] and raw[0] == 9:
        found["id"] = raw[4]["id"]
        found["width"] = found["width"] or raw[4]["width"]
    found["merged"] += 1
    places, _ = places8(found)
    for one, place in zip(found["functions"], places):
        if not one["kinds"]:
            continue
        ran, calls, order, blocks = look(one, raw, place)
        one["runs"] += ran
        one["calls"] = min(one["calls"] + calls, (1 << 64) - 1)
        one["at_least"] |= at_least(one, raw)
        one["order_sum"] += order
        one["orders"] += order > 0
        one["blocks"] = [(at, index, was or now) for (at, index, was), now in zip(one["blocks"], blocks)]


def kind_names(kinds):
    return [name for bit, name in ((1, "coverage"), (2, "blocks"), (4, "order"), (8, "count"), (32, "wraps")) if kinds & bit]


def as_json(found):
    """Returns the properties of `bareprof mip show --json` that the file has."""
    functions = []
    for one in found["functions"]:
        out = {"name": one["name"].decode(), "address": f"{one['address'] & (1 << 64) - 1:016x}", "size": one["size"]}
        out["kinds"] = kind_names(one["kinds"])
        if one["kinds"]:
            out.update(start_value=one["start"], raw_offset=one["raw"], ran=one["runs"] > 0)
            out["calls_at_least"] = one["at_least"]
            out.update({key: one[key] for key in ("runs", "calls", "order_sum", "orders")})
        else:
            out["reason"] = one["reason"]
        if one["kinds"] & WRAPS and not one["kinds"] & (COVERAGE | CALLS) and not one["runs"]:
            out["ran"] = None
        if found["kinds"] & BLOCKS and one["kinds"]:
            out["signature"] = one["signature"]
            shown = {}  # blocks with one offset are one block, and offset 0 is the entry
            for at, _, ran in one["blocks"]:
                shown[at] = shown.get(at, False) or ran
            out["blocks"] = [
                {"offset": at, "ran": None if one["kinds"] & WRAPS and not ran else ran} for at, ran in shown.items() if at
            ]
        functions.append(out)
    kept = [one for one in found["functions"] if one["kinds"]]
    names = ("coverage", "calls", "blocks")
    sections = {name: {"address": f"{at:016x}", "size": n} for name, (at, n) in zip(names, found["sections"])}
    totals = {"functions": len(kept), "functions_run": sum(one["runs"] > 0 for one in kept)}
    totals.update(left_out=len(functions) - len(kept), calls=sum(one["calls"] for one in kept))
    return {
        "schema": "bareprof-mip-1",
        "version": found["version"],
        "pointer_bits": 8 * found["width"],
        "machine": found["machine"],
        "kinds": kind_names(found["kinds"]),
        "build_id": found["id"].hex() or None,
        "module": f"{found['module']:016x}",
        "relative": found["relative"],
        "guessed": found["guessed"],
        "numbered": found.get("numbered", False),
        "raw_profiles": found["merged"],
        "sections": sections,
        "totals": totals,
        "functions": functions,
    }


def differences(expected, actual, where=""):
    if isinstance(expected, dict):
        for key in expected:
            yield from differences(expected[key], actual.get(key), f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for i, (one, other) in enumerate(zip(expected, actual)):
            yield from differences(one, other, f"{where}[{i}]")
    elif expected != actual or type(expected) is not type(actual):
        yield f"{where}: expected {expected!r}, actual {actual!r}"


def complain(path, found):
    found = list(found)
    for line in found[:5]:
        print(f"{path}: {line}")
    return bool(found)


def agree(bareprof, paths):
    wrong = False
    for path in paths:
        text = subprocess.run([bareprof, "mip", "show", "--json", path], stdout=subprocess.PIPE, check=True).stdout
        wrong |= complain(path, differences(as_json(read(path)), json.loads(text)))
    return wrong


def sums(path, start, raws):
    expected = read(start)
    for raw in raws:
        add(expected, read_raw(raw))
    actual = read(path)
    keys = ("merged", "id", "width", "functions")
    return complain(path, differences({key: expected[key] for key in keys}, actual))


def same(first, second, left_out):
    a, b = read(first), read(second)
    for one in a["functions"]:
        for key in left_out:
            del one[key]
    return complain(second, differences({"merged": a["merged"], "functions": a["functions"]}, b))


def run(verb, words):
    """Returns whether something is wrong, and prints what it is."""
    try:
        if verb == "agree":
            return agree(words[0], words[1:])
        if verb == "same":
            return same(words[0], words[1], words[2].split(",") if len(words) > 2 else [])
        return sums(words[0], words[1], words[2:])
    except (ValueError, KeyError, OSError, struct.error, subprocess.CalledProcessError) as fault:
        print(f"{verb} {' '.join(words)}: {fault!r}")
        return True


def batch():
    for line in sys.stdin:
        what, _, words = line.strip().rpartition(": ")
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            wrong = run(words.split()[0], words.split()[1:])
        print(f"not ok - {what}" if wrong else f"ok - {what}")
        print("".join(f"    {line}\n" for line in text.getvalue().splitlines()), end="")


def main():
    if sys.argv[1] == "batch":
        return batch()
    return run(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
