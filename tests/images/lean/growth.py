# SPDX-License-Identifier: BSD-2-Clause
"""growth.py WHAT BOARD NONE FULL LEAN - prints a line with the number of bytes that three kernels load: NONE is not
instrumented, FULL is instrumented, and LEAN is lean."""
import sys

sys.path.insert(0, sys.path[0] + "/../../capture")
from elf import Elf

none, full, lean = (Elf(path).loaded() for path in sys.argv[3:6])
print(f"{sys.argv[1]:16} {sys.argv[2]:12} {none:6} {full:6} (+{full - none}) {lean:6} (+{lean - none})")
