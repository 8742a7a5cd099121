# SPDX-License-Identifier: BSD-2-Clause
"""mapping.py - makes coverage mappings: the sections of an ELF file, and profiles as text. Other scripts import it."""
import hashlib
import struct
import zlib

ZERO, COUNTER, SUBTRACT, ADD = range(4)
NEWEST = 6


def uleb(*numbers):
    out = bytearray()
    for n in numbers:
        while n > 0x7F:
            out.append(n & 0x7F | 0x80)
            n >>= 7
        out.append(n)
    return bytes(out)


def md5_low(data):
    return int.from_bytes(hashlib.md5(data).digest()[:8], "little")


def counter(index):
    return index << 2 | COUNTER


def region(what, line, column=1, lines=0, end=9):
    """A region whose first line is @line lines after that of the region before it."""
    return uleb(what, line, column, lines, end)


def expansion(file, line, column=1):
    return region(file << 3 | 4, line, column)


def function(files, expressions=(), regions=((),)):
    """The bytes of a function: indexes of its files, pairs of operands, and the regions of each file."""
    out = [uleb(len(files), *files, len(expressions))]
    out += [uleb(*pair) for pair in expressions]
    for list_ in regions:
        out.append(uleb(len(list_)))
        out += list_
    return b"".join(out)


def names_of(names, packed=False):
    text = b"".join(uleb(len(name)) + name for name in names)
    if packed:
        small = zlib.compress(text, 9)
        return uleb(len(names), len(text), len(small)) + small
    return uleb(len(names), len(text), 0) + text


def padded(data):
    return data + bytes(-len(data) % 8)


def file_list(names, version=NEWEST, size=None):
    return padded(struct.pack("<4I", 0, len(names) if size is None else size, 0, version) + names)


def record(name, hash_, names, data, size=None):
    head = struct.pack("<QIQQ", md5_low(name), len(data) if size is None else size, hash_, md5_low(names))
    return padded(head + data)


def function_names(names):
    text = b"\1".join(names)
    return uleb(len(text), 0) + text


def elf(sections):
    """An ELF file with these sections: a list of names and contents."""
    strings = b"\0"
    headers = [bytes(64)]
    body = b""
    for name, content in sections + [(b".shstrtab", None)]:
        at = len(strings)
        strings += name + b"\0"
        content = strings if content is None else content
        headers.append(struct.pack("<IIQQQQIIQQ", at, 3 if content is strings else 1, 0, 0, 64 + len(body), len(content), 0, 0, 8, 0))
        body += padded(content)
    head = b"\x7fELF\2\1\1" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64, len(headers), len(headers) - 1)
    return head + body + b"".join(headers)


def program(lists, records, names):
    return elf([(b"__llvm_covmap", lists), (b"__llvm_covfun", records), (b"__llvm_prf_names", function_names(names))])


def profile(functions):
    """A profile as text: names, hashes and counts."""
    return b"\n".join(b"%s\n%d\n%d\n%s\n" % (name, hash_, len(counts), b"\n".join(b"%d" % n for n in counts))
                      for name, hash_, counts in functions)
