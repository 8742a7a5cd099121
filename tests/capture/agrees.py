# SPDX-License-Identifier: BSD-2-Clause
"""agrees.py PROFRAW LOG COUNT - compares the dumps in LOG with PROFRAW. LOG is the log of a target, and PROFRAW is
the .profraw that the same target wrote. The tests' decoder (decode.py) decodes LOG, which must have COUNT complete
dumps. If a dump contains a .profraw, that .profraw must be equal to PROFRAW. Otherwise, the counters, bitmap bytes and
values of the dump must be equal to those in PROFRAW."""
import sys

import decode
import profraw


def main():
    with open(sys.argv[1], "rb") as file:
        raw = file.read()
    parts = profraw.take_apart(raw)
    found = decode.Found()
    with open(sys.argv[2], "rb") as file:
        decode.read(file.read(), None, found)
    dumps = decode.dumps_of(found)
    assert len(dumps) == int(sys.argv[3]), f"{len(dumps)} dumps"
    for dump in dumps:
        why = dump.form()
        assert not why and not dump.refused, f"{dump.name}: {why} {dump.refused}"
        begin, streams = dump.begin, dump.streams
        expected = {0: raw}
        if 0 not in streams:
            expected = {2: parts.counters, 3: parts.bitmap, 4: parts.counts, 5: parts.values}
        none = dict.fromkeys(expected, b"")
        found = {number: content for number, content in streams.items() if number != 6}
        assert {**none, **found} == expected, f"{dump.name}: its bytes differ from the profile"
        assert begin.width == parts.width and begin.order == {"<": "little", ">": "big"}[parts.order], dump.name


main()
