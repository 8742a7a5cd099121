# SPDX-License-Identifier: BSD-2-Clause
"""wire.py DIR - decodes captures with the tests' decoder (decode.py). For most files NAME.raw in DIR there are six
captures: NAME.blocks, NAME.uniform, NAME.memory, NAME.file, NAME.text and NAME.frames. The content of NAME.raw is a
.profraw, or counters and a bitmap. Each capture must decode to this content."""
import pathlib
import sys

import decode

FORMS = {"blocks": "file", "uniform": "file", "memory": "file", "file": "file", "text": "text", "frames": "frames"}
NONCE = 0x8877665544332211


def verdict(path, form, raw):
    found = decode.Found()
    decode.read(path.read_bytes(), FORMS[form], found)
    dumps = decode.dumps_of(found)
    if len(dumps) != 1:
        return f"{len(dumps)} dumps"
    dump = dumps[0]
    why = dump.form()
    if why or dump.refused:
        return f"{why} {dump.refused}"
    if b"".join(dump.streams.values()) != raw:
        return "other bytes than in the file"
    if dump.begin.width != 8 or dump.begin.order != "little" or dump.begin.nonce != NONCE:
        return dump.describe()
    # For text and frames, the decoder drops the bytes before the first line or frame, and gives one message about
    # them.
    return None if len(found.dropped) == (FORMS[form] != "file") else f"dropped: {found.dropped}"


def main():
    for form in FORMS:
        good = 0
        for path in sorted(pathlib.Path(sys.argv[1]).glob("*." + form)):
            why = verdict(path, form, path.with_suffix(".raw").read_bytes())
            good += not why
            if why:
                print(f"not ok - {form}: {path.stem}: {why}")
        print(f"{'ok' if good else 'not ok'} - {form}: {good} captures decode to the bytes of their files")


main()
