# SPDX-License-Identifier: BSD-2-Clause
"""sent.py ELF CONSOLE JSON - checks what the lean image ELF sent. The file CONSOLE has the output of the console. It
must contain one capture as docs/SPEC.md describes it, with only counters. The capture must have the address and the
build id of ELF. Its length must be in the range that `bareprof check --json` forecast. The forecast is in the file
JSON."""
import json
import re
import sys

sys.path.insert(0, sys.path[0] + "/../../capture")
import decode
from elf import Elf


elf, said = Elf(sys.argv[1]), json.load(open(sys.argv[3]))
with open(sys.argv[2], "rb") as file:
    console = file.read()
lines = re.findall(rb"@bp:([A-Za-z0-9+/]+)", console)
found = decode.Found()
decode.read(console, "text", found)
dumps = decode.dumps_of(found)
assert len(dumps) == 1, f"{len(dumps)} dumps"
assert not dumps[0].form(), dumps[0].form()
begin, streams = dumps[0].begin, dict(dumps[0].begin.streams)
counters = elf.sections["__llvm_prf_cnts"]
assert begin.width == elf.width, f"pointers of {begin.width} bytes"
assert streams == {2: counters.size, 3: 0}, f"streams {streams}, the file has counters of {counters.size} bytes"
assert begin.address == counters.address, "the address of the counters is wrong"
assert begin.id == elf.build_id() and any(begin.id), f"build id {begin.id.hex()}, the file's is {elf.build_id().hex()}"
sent = sum(len(b"@bp:" + line + b"\r\n") for line in lines)
least, most = said["counters_min_console_bytes"], said["counters_max_console_bytes"]
assert least < sent < most, f"{sent} bytes, not {least} to {most}"
