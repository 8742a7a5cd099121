# SPDX-License-Identifier: BSD-2-Clause
"""differ_classes.py: the kinds of differences between bareprof and llvm-profdata. This file recognises each kind by
the output of the two programs, and gives it the name that docs/DIFFERENCES.md uses."""
import re
import struct

# The magic numbers of raw profiles, and the byte order that each of them means.
RAW_MAGICS = {b"\x81rforpl\xff": "<", b"\x81Rforpl\xff": "<", b"\xfflprofr\x81": ">", b"\xfflprofR\x81": ">"}

# These classes are for profiles that bareprof refuses and llvm-profdata accepts. A class is found by the error
# message of bareprof.
STRICTER = [
    ("index", r"the hash of the name|hash table|the number of functions|, in a function|the empty list of records"),
    ("cut short", r"cut short near offset [0-9]+, in the header|cut short in the counters of function"),
    ("summary", r", in the summary"),
    ("header word", r"claims hash method|claims \d+ kinds of values|does not fit into 32 bits"),
    ("section sizes", r"its [a-z ]+ should have \d+ bytes and \d+ of padding"),
    ("variant bits", r"has an unknown kind|but not IR"),
    ("vtable names", r"names of vtables|vtable names|names section"),
    ("build ids", r"build ids"),
    ("correlated", r"has no records and no names"),
    ("no counters", r"has the function .* without counters"),
    ("nameless", r"but no name in the names section has this hash"),
    ("shared counters", r"share counters"),
    ("odd counters", r"counters of function \d+ at 0x[0-9a-f]+ are not in the counter section"),
    ("values", r"the value data of function|kinds? of values \(|number of value sites"),
    ("bitmap", r"the bitmap of function"),
    ("zero byte", r"it has a zero byte"),
    ("no function", r"is not a profile \(raw, indexed or text\)"),
    ("traces", r", in (the traces|a trace)|: the traces should be|stream of traces"),
    ("text number", r"is malformed in line \d+: '.*' is not|it ends where"),
    ("memory profile", r"the memory profile"),
    ("incredible count", r"but no program counts that far"),
    ("trailing bytes", r"that do not belong to a profile|a second profile at offset"),
]


def crashed(said):
    return said[0] not in (0, 1) or "LLVM ERROR" in said[2]


def without_flags(text):
    lines = text.split(b"\n")
    return [l for l in lines if l not in (b":single_byte_coverage", b"# Instrument block coverage")]


def without_traces(text):
    return re.sub(rb":temporal_prof_traces\n.*?\n\n", b"", text, flags=re.S)


def without_odd_names(text):
    """Removes the functions whose names text cannot hold: such a line is a comment, a header line, a bitmap or a number."""
    return re.sub(rb"(?ms)^(?:[#:$][^\n]*|\d+)\n# Func Hash:\n.*?(?=^[^\n]+\n# Func Hash:\n|\Z)", b"", text)


def without_targets(text):
    """Removes the value from each line VALUE:COUNT of a text profile, so that only the count is compared. The values
    may differ, because the addresses of calls may differ and values with equal counts may be in any order."""
    return re.sub(rb"(?m)^.*:(\d+)$", rb"\1", text)


def later_bits(data):
    """Returns True if `data` is a raw profile of version 9 or older, and its version word has one of the bits 32 to 55.
    Only later releases know these bits as variant bits."""
    order = RAW_MAGICS.get(bytes(data[:8]))
    word = struct.unpack_from(order + "Q", data, 8)[0] if order else 0
    return word & 0xFFFFFFFF <= 9 and word & 0x00FFFFFF00000000 != 0


def differing_text(data, ours, theirs):
    if " duplicate definition" in ours[2]:
        return "weak twice"
    if b"# Num Temporal Profile Traces:\n0\n" in theirs[1] and ours[1] == without_traces(theirs[1]):
        return "no traces"
    if re.search(rb"^,$", theirs[1], flags=re.M) and without_traces(ours[1]) == without_traces(theirs[1]):
        return "blank trace"
    if "names cannot be written as a line of text" in ours[2] and ours[1] == without_odd_names(theirs[1]):
        return "odd names"
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
    """Returns the class of the difference, or None. `ours` is the result of bareprof, and `theirs` is the result of
    llvm-profdata. Each result is a tuple of exit status, output and error messages."""
    if ours[0] == 1 and crashed(theirs):
        return "crash"
    if ours[0] == 1:
        return next((name for name, said in STRICTER if re.search(said, ours[2])), None)
    if re.search(rb"\n1844674407370955161[45]\n", ours[1]):
        return "reserved hash"
    if "MemProf" in theirs[2]:
        return "memory profile"
    if "warning: the inputs have " in ours[2] and "mismatch" in theirs[2]:
        return "larger shape"
    if "unsupported instrumentation profile format version" in theirs[2] and later_bits(data):
        return "later variant"
    if theirs[0] == 0 and not crashed(theirs):
        return differing_text(data, ours, theirs)
    return None
