# SPDX-License-Identifier: BSD-2-Clause
"""forecast.py ELF JSON - checks the sizes of captures that `bareprof check --json` forecast for ELF. The forecasts are
in the file JSON. The script writes captures as docs/SPEC.md describes them, and compares their sizes with the
forecasts. Some captures have only counters that never ran, and others have counters that cannot be compressed."""
import json
import struct
import sys

sys.path.insert(0, sys.path[0] + "/../../capture")
import encode
from elf import Elf


def capture(streams, buffer, address, build_id, coded):
    """Returns three numbers for a capture of the streams: its size as text, its size as frames, and its number of
    blocks. streams has a tuple for each stream: its number, its bytes, and the size of one number in these bytes."""
    each = {number: size for number, _, size in streams}

    def code(number, piece):
        if not coded:
            return 0, piece
        count = len(piece) // each[number]
        return 1, b"\x3e" * (count // 63) + (bytes([count % 63 - 1]) if count % 63 else b"")

    told = encode.about(version=version, nonce=(1 << 8 * elf.width) - 1, generation=0, span=(buffer - 48) // 8 * 8, address=address, id=build_id)
    # The runtime uses two bytes for the length of a payload.
    blocks = encode.Writer(length_bytes=2).dump([stream[:2] for stream in streams], told, code)
    return len(encode.put(blocks, "text")), len(encode.put(blocks, "frames")), len(blocks)


def declared():
    """Returns the version word of the image, or 0 if it has none."""
    address = elf.symbols.get("__llvm_profile_raw_version", 0)
    for section in elf.sections.values():
        at = address - section.address
        if section.allocated and 0 <= at and at + 8 <= len(section.content):
            return struct.unpack_from(elf.order + "Q", section.content, at)[0]
    return 0


elf, said = Elf(sys.argv[1]), json.load(open(sys.argv[2]))
version = declared() >> 32 << 32 | said["raw_version"]
counters, bits = elf.sections["__llvm_prf_cnts"], elf.sections.get("__llvm_prf_bits")
note = elf.build_id()
each = 1 if "single-byte" in said["kind"] else 8
never = [(2, bytes(counters.size), each), (3, bytes(bits.size if bits else 0), 1)]
large = [(number, b"\xaa" * len(raw), each) for number, raw, each in never]
whole = [(0, b"\xaa" * said["profraw_bytes"], 8)]
for prefix, streams, buffer, coded in (("", whole, 192, False), ("counters_min_", never, 1024, True),
                                       ("counters_least_", never, 1024, True), ("counters_max_", large, 1024, False),
                                       ("counters_most_", large, 1024, False)):
    text, frames, count = capture(streams, buffer, counters.address, note, coded)
    assert said[prefix + "console_bytes"] == text, f"{prefix}: console {said[prefix + 'console_bytes']}, is {text}"
    # The forecast assumes a code byte for each 254 bytes of a frame. Zero bytes in a block can make some of these
    # code bytes unnecessary.
    most = said[prefix + "frames_bytes"]
    assert frames <= most <= frames + count * 6, f"{prefix}: frames {most}, are {frames}"
