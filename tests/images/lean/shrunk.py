# SPDX-License-Identifier: BSD-2-Clause
"""shrunk.py FULL FULL_IMAGE LEAN_IMAGE - checks that the lean flat image is smaller than the full one by the size of
the records and names that the kernel FULL loads. The alignment of sections may add or remove a few bytes."""
import os
import sys

sys.path.insert(0, sys.path[0] + "/../../capture")
from elf import Elf

sections = Elf(sys.argv[1]).sections
apart = sum(sections[name].size for name in ("__llvm_prf_data", "__llvm_prf_names"))
saved = os.path.getsize(sys.argv[2]) - os.path.getsize(sys.argv[3])
assert apart > 0 and abs(saved - apart) < 64, f"{saved} bytes saved, but {apart} need not be loaded"
