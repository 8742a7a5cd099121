# SPDX-License-Identifier: BSD-2-Clause
"""unpack.py DIR FILE...: converts each FILE from hexadecimal to a binary file with the same name in DIR. The
text has the bytes as hex digits, in groups. 00*16 means 16 zero bytes. # starts a comment."""
import pathlib
import sys

to = pathlib.Path(sys.argv[1])
to.mkdir(parents=True, exist_ok=True)
for path in map(pathlib.Path, sys.argv[2:]):
    whole = b""
    for line in path.read_text().splitlines():
        for group in line.partition("#")[0].split():
            digits, _, times = group.partition("*")
            whole += bytes.fromhex(digits) * int(times or 1)
    (to / path.stem).write_bytes(whole)
