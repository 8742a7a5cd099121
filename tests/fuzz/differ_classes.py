# SPDX-License-Identifier: BSD-2-Clause
"""differ_classes.py: the ways in which bareprof reads a profile differently from
llvm-profdata, each told by what the two said and under the name that it has in
docs/DIFFERENCES.md."""
import re
import struct

# How raw profiles begin, and the byte order that tells.
RAW_MAGICS = {b"\x81rforpl\xff": "<", b"\x81Rforpl\xff": "<", b"\xfflprofr\x81": ">", b"\xfflprofR\x81": ">"}

# Refused by us and accepted by llvm-profdata: what we said.
STRICTER = [
    ("index", r"the name's hash|hash table|the number of functions|: a function near|the records, which are not"),
    ("cut short", r"cut short: the header near|cut short: the counters of function"),
    ("summary", r"the summary near"),
    ("header word", r"hashed by method|counts \d+ kinds of values|between sections is none"),
    ("section sizes", r"cut short or has a damaged header: of \d+ bytes"),
    ("variant bits", r"kind that is not known|but not IR"),
    ("vtable names", r"names of vtables|names section"),
    ("build ids", r"build ids"),
    ("correlated", r"has no records and no names"),
    ("no counters", r"has no counters in function"),
    ("nameless", r"which is not in the names section"),
    ("shared counters", r"have counters in common"),
    ("odd counters", r"counters of function \d+ at 0x[0-9a-f]+ are not in the counter section"),
    ("values", r"the value data of function|kinds? of values \(|number of value sites"),
    ("bitmap", r"the bitmap of function"),
    ("zero byte", r"it has a zero byte"),
    ("no function", r"is not a profile, neither"),
    ("traces", r"the traces near|a trace near|stream of traces"),
    ("text number", r"is malformed in line \d+: '.*' is not|it ends where"),
    ("memory profile", r"the memory profile"),
    ("incredible count", r"which no program reaches"),
    ("trailing bytes", r"that belong to no profile|a second profile at offset"),
]


def crashed(said):
    return said[0] not in (0, 1) or "LLVM ERROR" in said[2]


def without_flags(text):
    lines = text.split(b"\n")
    return [l for l in lines if l not in (b":single_byte_coverage", b"# Instrument block coverage")]


def without_traces(text):
    return re.sub(rb":temporal_prof_traces\n.*?\n\n", b"", text, flags=re.S)


def without_targets(text):
    """Value lines without what was called, in the order of their counts and no other."""
    return re.sub(rb"(?m)^.*:(\d+)$", rb"\1", text)


def later_bits(data):
    """Of a raw profile up to version 9: does the version word say what only later releases know?"""
    order = RAW_MAGICS.get(bytes(data[:8]))
    word = struct.unpack_from(order + "Q", data, 8)[0] if order else 0
    return word & 0xFFFFFFFF <= 9 and word & 0x00FFFFFF00000000 != 0


def differing_text(data, ours, theirs):
    if "weak functions that are defined more than once" in ours[2]:
        return "weak twice"
    if b"# Num Temporal Profile Traces:\n0\n" in theirs[1] and ours[1] == without_traces(theirs[1]):
        return "no traces"
    if re.search(rb"^,$", theirs[1], flags=re.M) and without_traces(ours[1]) == without_traces(theirs[1]):
        return "blank trace"
    order = RAW_MAGICS.get(bytes(data[:8]))
    if not order:
        return None
    top = data[15] if order == "<" else data[8]  # highest byte of the version word
    if top & 0x80 and top & 0x20:
        return "timed entries"
    if top & 0x80 and without_traces(ours[1]) == without_traces(theirs[1]):
        return "traces of joined files"
    if without_flags(ours[1]) == without_flags(theirs[1]):
        return "flag line"
    if order == ">" and without_targets(ours[1]) == without_targets(theirs[1]):
        return "swapped names"
    return None


def find(data, ours, theirs):
    """The class, or None; each said status, output and errors."""
    if ours[0] == 1 and crashed(theirs):
        return "crash"
    if ours[0] == 1:
        return next((name for name, said in STRICTER if re.search(said, ours[2])), None)
    if re.search(rb"\n1844674407370955161[45]\n", ours[1]):
        return "reserved hash"
    if "MemProf" in theirs[2]:
        return "memory profile"
    if "were taken: " in ours[2] and "mismatch" in theirs[2]:
        return "larger shape"
    if "unsupported instrumentation profile format version" in theirs[2] and later_bits(data):
        return "later variant"
    if theirs[0] == 0 and not crashed(theirs):
        return differing_text(data, ours, theirs)
    return None
