# SPDX-License-Identifier: BSD-2-Clause
"""judge.py CLANG LEAN [FULL] - checks that LEAN is a lean image. The program headers of LEAN must not load the sections
with records, names, vtables or mappings. The file LEAN must contain these sections, with the same contents as in FULL.
The code of the image must see these sections as empty. So the symbols for the start and the end of a section must be
equal. The address of these symbols must be near the code, because the code can reach only addresses near itself.

judge.py flat ELF IMAGE - checks that the flat image contains exactly the bytes of the segments of ELF."""
import sys

sys.path.insert(0, sys.path[0] + "/../../capture")
import profraw
from elf import Elf

BOUNDED = ["__llvm_prf_data", "__llvm_prf_names", "__llvm_prf_vtab", "__llvm_prf_vns"]
APART = BOUNDED + ["__llvm_covmap", "__llvm_covfun", "__llvm_covdata", "__llvm_covnames"]


def not_loaded(elf, section):
    assert section.content, f"{section.name} has no content"
    assert not section.allocated and section.address == 0, f"{section.name} has an address"
    for segment in elf.segments:
        assert (section.offset >= segment.offset + segment.file_size or
                section.offset + section.size <= segment.offset), f"{section.name} is in a segment"


def nothing(elf, name):
    start, stop = elf.symbols[f"__start_{name}"], elf.symbols[f"__stop_{name}"]
    assert start == stop and start % 8 == 0, f"bounds of {name}: {start:#x} {stop:#x}"
    far = abs(start - elf.sections[".text"].address)
    assert far < 1 << 31, f"bounds of {name} are far: {start:#x}"


def compare(clang, elf, full):
    assert full.loaded() > elf.loaded(), "lean is not smaller than full"
    for name in APART:
        mine, theirs = elf.sections.get(name), full.sections.get(name)
        assert bool(mine and mine.size) == bool(theirs and theirs.size), f"only one of the images has {name}"
        if name == "__llvm_prf_data":
            assert profraw.records(clang, elf) == profraw.records(clang, full), "records differ"
        elif mine:
            assert mine.content == theirs.content, f"{name} differs"


def lean(clang, path, full=None):
    elf = Elf(path)
    assert "__llvm_prf_data" in elf.sections or "__llvm_covdata" in elf.sections, "no records in the file"
    for name in APART:
        section = elf.sections.get(name)
        if section and (section.size or not name.startswith("__llvm_prf")):
            not_loaded(elf, section)
    for name in BOUNDED:
        nothing(elf, name)
    assert elf.symbols["__stop___llvm_prf_cnts"] > elf.symbols["__start___llvm_prf_cnts"], "no counters"
    if full:
        compare(int(clang), elf, Elf(full))


def flat(path, image):
    elf = Elf(path)
    content = open(image, "rb").read()
    loaded = [segment for segment in elf.segments if segment.file_size]
    first = min(segment.physical for segment in loaded)
    for s in loaded:
        here = content[s.physical - first:][:s.file_size]
        assert here == elf.bytes[s.offset:s.offset + len(here)] and here, "the flat image differs"
    assert len(content) <= max(s.physical + s.file_size for s in loaded) - first, "the flat image has additional bytes"


if sys.argv[1] == "flat":
    flat(*sys.argv[2:])
else:
    lean(*sys.argv[1:])
