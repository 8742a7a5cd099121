# SPDX-License-Identifier: BSD-2-Clause
"""files.py - makes the files of the prepared cases. A recipe is the name of a file that test.sh made, and then steps with
"|" between them, such as p19.profraw|cut:-40|append:text."""
import bz2
import gzip
import lzma
import os
import struct
import subprocess
import sys

# The index of a header word in raw versions 7, 8 and 10, and the offset of a field in their 64-bit records.
WORDS = {7: dict(version=1, ids=2, records=3, counters=5, names=7, kinds=10),
         8: dict(version=1, ids=2, records=3, counters=5, names=7, kinds=10),
         10: dict(version=1, ids=2, records=3, counters=5, names=9, kinds=15)}
HEADER = {7: 88, 8: 88, 10: 128}
FIELDS = {7: dict(name=0, hash=8, pointer=16, count=40), 8: dict(name=0, hash=8, pointer=16, count=40), 10: dict(name=0, hash=8, pointer=16, count=48, sites=52)}
RECORD = {7: 48, 8: 48, 10: 64}
TEXT = b"[   12.345678] a line of the log, printed by other code\n"


def shape(data):
    """Returns where the records, counters and names of a little-endian 64-bit raw profile begin, and their sizes."""
    version = struct.unpack_from("<I", data, 8)[0]
    word = lambda name: struct.unpack_from("<Q", data, 8 * WORDS[version][name])[0]
    records = HEADER[version] + word("ids")
    counters = records + word("records") * RECORD[version]
    size = word("counters") * 8
    return dict(version=version, records=records, count=word("records"), counters=counters, size=size,
                names=counters + size, names_size=word("names"))


def put(data, at, value):
    return data[:at] + value + data[at + len(value):]


def set_word(data, name, value):
    """Sets a header word. A value such as +5 is added to it."""
    at = 8 * WORDS[struct.unpack_from("<I", data, 8)[0]][name]
    old = struct.unpack_from("<Q", data, at)[0]
    new = old + int(value, 0) if value[0] in "+-" else int(value, 0)
    return put(data, at, struct.pack("<Q", new % 2**64))


def set_field(data, index, field, value):
    """Sets a field of a record. A value such as +5 is added to it."""
    form = shape(data)
    at = form["records"] + int(index) * RECORD[form["version"]] + FIELDS[form["version"]][field]
    kind = "<I" if field == "count" else "<Q"
    old = struct.unpack_from(kind, data, at)[0]
    new = old + int(value, 0) if value[0] in "+-" else int(value, 0)
    return put(data, at, struct.pack(kind, new % (2**32 if field == "count" else 2**64)))


def set_counters(data, value):
    form = shape(data)
    return put(data, form["counters"], struct.pack("<Q", int(value, 0)) * (form["size"] // 8))


def double(data):
    """Doubles all counts, as if the program had done the same again."""
    form = shape(data)
    counts = struct.unpack_from("<%dQ" % (form["size"] // 8), data, form["counters"])
    return put(data, form["counters"], struct.pack("<%dQ" % len(counts), *(2 * count for count in counts)))


def one_counter(data, value):
    return put(data, shape(data)["counters"] + 8, struct.pack("<Q", int(value, 0)))


def no_values(data):
    """Cuts off the value data, and says in the records nothing of it."""
    form = shape(data)
    end = form["names"] + (form["names_size"] + 7) // 8 * 8
    return data[:end]


def damage_names(data):
    at = shape(data)["names"]
    return put(data, at + 4, bytes(byte ^ 0x55 for byte in data[at + 4:at + 12]))


def wrong_version(data):
    """What a runtime writes that takes records of 64 bytes for records of 48 bytes: a header of version 8."""
    form = shape(data)
    words = list(struct.unpack_from("<16Q", data))
    ids = data[HEADER[10]:form["records"]]
    size = form["count"] * RECORD[10]
    fill = -size % 48
    head = [words[0], words[1] - 2, words[2], (size + fill) // 48, 0, words[5], 0, words[9], words[10], words[12], 1]
    return (struct.pack("<11Q", *head) + ids + data[form["records"]:form["counters"]] + bytes(fill) +
            data[form["counters"]:])


def mixed(data):
    """Appends a record of version 8 to the records of version 10, as two compilers make them in one program."""
    form = shape(data)
    cut = form["counters"] - RECORD[10]
    short = data[cut:cut + 24] + data[cut + 32:cut + 56]
    return set_word(data[:cut] + short + bytes(16) + data[form["counters"]:], "records", "+0")


def dump_lines(data, drop):
    """Drops lines from a text capture; a negative number is counted from the end."""
    lines = data.splitlines(True)
    for index in sorted({int(word) % len(lines) for word in drop.split(",")}, reverse=True):
        del lines[index]
    return b"".join(lines)


def damage_lines(data):
    return b"".join(line[:20] + b"!" + line[21:] for line in data.splitlines(True))


def objcopy(data, path, words):
    with open(path, "wb") as file:
        file.write(data)
    subprocess.run(["objcopy", *words.split(","), path], check=True)
    with open(path, "rb") as file:
        return file.read()


def strip(data, path):
    with open(path, "wb") as file:
        file.write(data)
    subprocess.run(["llvm-strip-22", path], check=True)
    with open(path, "rb") as file:
        return file.read()


def log(data, program, path):
    """Makes a log with a dump of counters from a raw profile of the program."""
    make = os.path.join(os.path.dirname(__file__), "../../capture/make.py")
    with open(path, "wb") as file:
        file.write(data)
    subprocess.run([sys.executable, make, program, path, "profraw=" + path, "span=16", "form=text"], check=True)
    with open(path, "rb") as file:
        return file.read()


def section(data, name, at, value):
    """Sets bytes of a section of a 64-bit little-endian ELF file."""
    table = struct.unpack_from("<Q", data, 40)[0]
    size, count, index = struct.unpack_from("<3H", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    names = heads[index][4]
    for head in heads:
        if data[names + head[0]:].split(b"\0")[0].decode() == name:
            return put(data, head[4] + int(at), bytes.fromhex(value))
    raise ValueError(name)


def step(data, name, words, path):
    if name == "section":
        return section(data, *words)
    if name == "cut":
        return data[:int(words[0])]
    if name == "part":
        form = shape(data)
        return data[:form[words[0]] + int(words[1])]
    if name == "crlf":
        return data.replace(b"\n", b"\r\n")
    if name == "latin":
        return data.decode("latin-1").encode("utf-8")
    if name == "lossy":
        return data.decode("utf-8", "replace").encode("utf-8")
    if name == "append":
        return data + (TEXT if words[0] == "text" else bytes.fromhex(words[0]))
    if name == "prepend":
        return TEXT * 3 + data
    if name == "wrap":
        return b"".join(TEXT + line for line in data.splitlines(True))
    if name == "join":
        with open(words[0], "rb") as file:
            return data + file.read()
    if name == "word":
        return set_word(data, words[0], words[1])
    if name == "field":
        return set_field(data, words[0], words[1], words[2])
    if name == "set":
        return put(data, int(words[0], 0), bytes.fromhex(words[1]))
    if name == "counters":
        return set_counters(data, words[0])
    if name == "counter":
        return one_counter(data, words[0])
    if name == "core":
        return put(data, 16, b"\x04\0")
    if name == "empty":
        return b""
    if name == "gzip":
        return gzip.compress(data)
    if name == "xz":
        return lzma.compress(data)
    if name == "bzip2":
        return bz2.compress(data)
    if name == "drop":
        return dump_lines(data, words[0])
    if name == "objcopy":
        return objcopy(data, path, words[0])
    if name == "strip":
        return strip(data, path)
    if name == "log":
        return log(data, words[0], path)
    return {"no_values": no_values, "double": double, "damage_names": damage_names, "wrong_version": wrong_version, "mixed": mixed,
            "damage_lines": damage_lines}[name](data)


def make(recipe, path):
    """Writes the file of the recipe to path."""
    base, *steps = recipe.split("|")
    with open(base, "rb") as file:
        data = file.read()
    for text in steps:
        name, *words = text.split(":")
        data = step(data, name, words, path)
    with open(path, "wb") as file:
        file.write(data)
