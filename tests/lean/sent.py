# SPDX-License-Identifier: BSD-2-Clause
"""sent.py ELF CONSOLE JSON - did the lean image ELF send what only it can complete?
Read by docs/SPEC.md: one capture of counters alone, with the address and the build id
that the file has, and of a length that `bareprof check` (JSON) said."""
import base64
import json
import re
import sys

from elf import Elf


def take(data):
    """A ULEB128 number off the front of a bytearray."""
    value = shift = 0
    while True:
        byte = data.pop(0)
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value


elf, said = Elf(sys.argv[1]), json.load(open(sys.argv[3]))
console = open(sys.argv[2], "rb").read()
lines = re.findall(rb"@bp:([A-Za-z0-9+/]+)", console)
assert lines, "no dump"
begin = bytearray(base64.b64decode(lines[0] + b"=" * (-len(lines[0]) % 4)))
assert begin.pop(0) == 1 and take(begin) == 0 and take(begin) == 0, "the first line is not BEGIN"
del begin[:4]
take(begin)
assert take(begin) == 1 and begin.pop(0) == elf.width
del begin[:1 + 8 + 8]
take(begin), take(begin)
streams = {}
for _ in range(take(begin)):
    number = begin.pop(0)
    streams[number] = take(begin)
counters, note = elf.sections["__llvm_prf_cnts"], elf.sections[".note.gnu.build-id"].content[16:]
assert streams == {2: counters.size, 3: 0}, f"streams {streams}, the file has counters of {counters.size} bytes"
assert take(begin) == counters.address, "another address of the counters"
assert bytes(begin[1:begin[0] + 1]) == note and any(note), f"build id {begin.hex()}, the file's is {note.hex()}"
sent = sum(len(b"@bp:" + line + b"\r\n") for line in lines)
least, most = said["counters_least_console_bytes"], said["counters_most_console_bytes"]
assert least < sent < most, f"{sent} bytes, not {least} to {most}"
