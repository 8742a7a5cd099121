# SPDX-License-Identifier: BSD-2-Clause
"""forecast.py ELF JSON - what `bareprof check --json` forecasts of captures, against
captures that are written here by docs/SPEC.md, of counters that never ran and of
counters that cannot be coded."""
import base64
import json
import struct
import sys

from elf import Elf


def uleb(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def block(kind, index, payload):
    length = bytes([len(payload) & 0x7f | 0x80, len(payload) >> 7])  # the runtime has two bytes for it
    return bytes([kind, 0]) + uleb(index) + bytes(4) + length + payload + bytes(4)


def cobs(data):
    out = bytearray()
    for piece in data.split(b"\0"):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    return b"\0" + bytes(out) + b"\0"


def capture(streams, buffer, address, build_id, coded):
    """streams: number, bytes and bytes of a number of each."""
    span = (buffer - 48) // 8 * 8
    sizes = uleb(len(streams)) + b"".join(bytes([number]) + uleb(len(raw)) for number, raw, _ in streams)
    begin = b"\1" + struct.pack("<BBQQ", 8, 1, 10, 0) + uleb(0) + uleb(span) + sizes + uleb(address)
    blocks = [block(1, 0, begin + uleb(len(build_id)) + build_id)]
    for number, raw, each in streams:
        for offset in range(0, len(raw), span):
            piece = raw[offset:offset + span]
            head = bytes([number, 1 if coded else 0]) + uleb(offset) + uleb(len(piece))
            if coded:
                count = len(piece) // each
                piece = b"\x3e" * (count // 63) + (bytes([count % 63 - 1]) if count % 63 else b"")
            blocks.append(block(2, len(blocks), head + piece))
    blocks.append(block(3, len(blocks), uleb(len(blocks) - 1) + sizes))
    text = sum(len(b"@bp:" + base64.b64encode(one).rstrip(b"=") + b"\r\n") for one in blocks)
    return text, sum(len(cobs(one)) for one in blocks), len(blocks)


elf, said = Elf(sys.argv[1]), json.load(open(sys.argv[2]))
counters, bits = elf.sections["__llvm_prf_cnts"], elf.sections.get("__llvm_prf_bits")
note = elf.sections[".note.gnu.build-id"].content[16:]
each = 1 if "single-byte" in said["kind"] else 8
never = [(2, bytes(counters.size), each), (3, bytes(bits.size if bits else 0), 1)]
large = [(number, b"\xaa" * len(raw), each) for number, raw, each in never]
whole = [(0, b"\xaa" * said["profraw_bytes"], 8)]
for prefix, streams, buffer, coded in (("", whole, 192, False), ("counters_least_", never, 1024, True),
                                       ("counters_most_", large, 1024, False)):
    text, frames, count = capture(streams, buffer, counters.address, note, coded)
    assert said[prefix + "console_bytes"] == text, f"{prefix}: console {said[prefix + 'console_bytes']}, is {text}"
    # A code byte more for each 254 bytes is said, zeros may save some.
    most = said[prefix + "frames_bytes"]
    assert frames <= most <= frames + count * 6, f"{prefix}: frames {most}, are {frames}"
