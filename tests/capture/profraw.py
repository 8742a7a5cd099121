# SPDX-License-Identifier: BSD-2-Clause
"""profraw.py - assembles raw profiles as docs/SPEC.md, part 2, describes them. It shares no code with bareprof."""

import struct
from typing import NamedTuple, Optional

NAMES = ["__llvm_prf_data", "__llvm_prf_cnts", "__llvm_prf_bits", "__llvm_prf_names", "__llvm_prf_vtab", "__llvm_prf_vns"]
BYTES = 1 << 60


def pad(data):
    return data + bytes(-len(data) % 8)


def layout(version, width):
    """Returns three properties of a record: the offsets of its absolute pointers, the offset of its number of
    counters, and its size."""
    pointers = {5: 3, 7: 3, 8: 3, 9: 4, 10: 4, 11: 5}[version]
    count = 16 + width * pointers
    end = count + 4 + 2 * {5: 2, 7: 2, 8: 2, 9: 2, 10: 3, 11: 4}[version]
    if version >= 9:
        end = (end + 3) // 4 * 4 + 4
    absolute = [16 + width * (pointers - 2), 16 + width * (pointers - 1)]
    if version < 8:
        absolute.append(16)
    return absolute, count, (end + 7) // 8 * 8


def records(clang, elf):
    """Returns a tuple for each function: name hash, function hash, offset of its counters in their section, and
    number of counters."""
    data, counters = elf.sections["__llvm_prf_data"], elf.sections["__llvm_prf_cnts"]
    _, count_at, size = layout(7 if clang < 14 else 8 if clang < 19 else 9, elf.width)
    assert data.size % size == 0, "the section does not consist of whole records"
    found = []
    for at in range(0, data.size, size):
        fields = elf.order + ("QQQ" if elf.width == 8 else "QQI")
        name, code, pointer = struct.unpack_from(fields, data.content, at)
        (count,) = struct.unpack_from(elf.order + "I", data.content, at + count_at)
        if clang >= 14:
            pointer += data.address + at
        offset = (pointer - counters.address) % (1 << 8 * elf.width)
        assert offset < counters.size, f"counters of a record are not in their section: {offset:#x}"
        found.append((name, code, offset, count))
    return sorted(found)


def sites(order, version, width, data):
    """Returns, for each record, a tuple with the number of value sites of each kind."""
    _, count_at, size = layout(version, width)
    form = order + "%dH" % (3 if version >= 10 else 2)
    return [struct.unpack_from(form, data, at + count_at + 4) for at in range(0, len(data) - size + 1, size)]


def value_data(order, records, counts, values):
    """Makes the value data: a block for each record that has sites, in the order of the records. `counts` has the
    number of values of each site; if it is empty, no site has values."""
    out, at, value_at = b"", 0, 0
    for kinds in records:
        block, number = b"", 0
        for kind, count in enumerate(kinds):
            if not count:
                continue
            own = counts[at : at + count] if counts else bytes(count)
            pairs = values[value_at : value_at + 16 * sum(own)]
            block += struct.pack(order + "2I", kind, count) + pad(own) + pairs
            at, value_at, number = at + count, value_at + len(pairs), number + 1
        if number:
            out += struct.pack(order + "2I", len(block) + 8, number) + block
    assert not counts or (at, value_at) == (len(counts), len(values)), "values that belong to no record"
    return out


def take_values(order, records, data):
    """Returns the number of values of each site in the value data, and the values."""
    counts, values, at = b"", b"", 0
    for kinds in records:
        if not any(kinds):
            continue
        end, number = struct.unpack_from(order + "2I", data, at)
        end, at = at + end, at + 8
        assert number == sum(1 for count in kinds if count), "the number of kinds is wrong"
        for kind, count in enumerate(kinds):
            if not count:
                continue
            assert struct.unpack_from(order + "2I", data, at) == (kind, count), "the kind or the number of sites is wrong"
            own = data[at + 8 : at + 8 + count]
            at += 8 + len(pad(own))
            counts, values, at = counts + own, values + data[at : at + 16 * sum(own)], at + 16 * sum(own)
        assert at == end, "the length of the block is wrong"
    assert at == len(data), "there are bytes after the value data"
    return counts, values


def moved(elf, data, step, offsets, slide):
    """Returns data with slide added to all pointers that are not 0. slide is the load address minus the link
    address."""
    data, mask = bytearray(data), (1 << 8 * elf.width) - 1
    form = elf.order + ("Q" if elf.width == 8 else "I")
    for at in range(0, len(data) - len(data) % step, step):
        for offset in offsets:
            value = struct.unpack_from(form, data, at + offset)[0]
            if value:
                struct.pack_into(form, data, at + offset, value + slide & mask)
    return bytes(data)


def assemble(elf, word, counters, bitmap, build_id, slide, counts=b"", values=b""):
    """Returns the profile that a writer on the target would make."""
    version, width = word & 0xFFFFFFFF, elf.width
    mask = (1 << 8 * width) - 1
    data, cnts, bits, names, vtab, vns = (elf.section(n) for n in NAMES)
    absolute, _, size = layout(version, width)
    at = lambda section: section.address + (slide if section.allocated else 0) & mask
    base = lambda section: at(data) + (slide if section.allocated and not data.allocated else 0) if version >= 8 else 0
    records = pad(moved(elf, data.content + bytes(-len(data.content) % 8), size, absolute, slide))
    ident = struct.pack(elf.order + "Q", len(build_id)) + build_id if build_id and version >= 7 else b""
    if version >= 8:
        ident = pad(ident)
    words = [0xFF6C70726F667281 if width == 8 else 0xFF6C70726F665281, word]
    words += [len(ident)] if version >= 7 else []
    words += [len(records) // size, 0, len(counters) // (1 if word & BYTES else 8), -len(counters) % 8]
    words += [len(bitmap), -len(bitmap) % 8] if version >= 9 else []
    words += [0, 0, 0] if version >= 11 else []
    words += [len(names.content), at(cnts) - base(cnts) & mask]
    words += [at(bits) - base(bits) & mask] if version >= 9 else []
    words += [at(names)]
    words += [len(vtab.content) // (24 if width == 8 else 16), len(vns.content)] if version >= 10 else []
    words += [2 if version >= 10 else 1]
    vtables = moved(elf, vtab.content, 24 if width == 8 else 16, [8], slide)
    return (
        struct.pack(elf.order + "%dQ" % len(words), *words)
        + ident
        + records
        + b"".join(pad(part) for part in (counters, bitmap, names.content, vtables, vns.content))
        + value_data(elf.order, sites(elf.order, version, width, records), counts, values)
    )


class Parts(NamedTuple):
    """The counters and values of a run, and the properties of its image."""

    word: int  # version and variant bits
    order: str
    width: int
    counters: bytes
    bitmap: bytes
    id: bytes
    names_at: Optional[int]  # run-time address of the names
    counts: bytes = b""  # the number of values of each site
    values: bytes = b""


def take_apart(raw):
    """Returns the parts of a raw profile that a program or a target wrote."""
    order = ">" if raw[0] == 0xFF else "<"
    width = 4 if b"R" in raw[:8] else 8
    word = struct.unpack_from(order + "Q", raw, 8)[0]
    version = word & 0xFFFFFFFF
    fields = ["magic", "version"] + (["ids"] if version >= 7 else []) + ["records", "before", "counters", "after"]
    fields += ["bits", "bitspad"] if version >= 9 else []
    fields += ["u1", "u2", "u3"] if version >= 11 else []
    fields += ["names", "delta"] + (["bitsdelta"] if version >= 9 else []) + ["namesat"]
    fields += ["vtables", "vnames"] if version >= 10 else []
    head = dict(zip(fields, struct.unpack_from(order + "%dQ" % len(fields), raw)))
    at = (len(fields) + 1) * 8
    ident = raw[at : at + head.get("ids", 0)]
    build_id = ident[8 : 8 + struct.unpack_from(order + "Q", ident)[0]] if ident else b""
    at += len(ident)
    records = raw[at : at + head["records"] * layout(version, width)[2]]
    at += len(records) + head["before"]
    size = head["counters"] * (1 if word & BYTES else 8)
    counters = raw[at : at + size]
    at += size + head["after"]
    bitmap = raw[at : at + head.get("bits", 0)]
    own = Parts(word, order, width, counters, bitmap, build_id, head["namesat"])
    found = sites(order, version, width, records)
    if not any(map(any, found)):
        return own
    at += len(bitmap) + head.get("bitspad", 0)
    vtables = head.get("vtables", 0) * (24 if width == 8 else 16)
    at += sum((size + 7) // 8 * 8 for size in (head["names"], vtables, head.get("vnames", 0)))
    counts, values = take_values(order, found, raw[at:])
    return own._replace(counts=counts, values=values)
