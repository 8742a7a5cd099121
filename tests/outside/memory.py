# SPDX-License-Identifier: BSD-2-Clause
"""memory.py - the memory of a program that never ran: the loaded segments of its ELF file, with counts.

`memory.py ELF FILE` writes it to FILE and prints its first address. `memory.py --core ELF FILE [WRONG]` writes an ELF core.
"""
import struct
import sys


def load(path):
    """Returns (first address, bytes). Each counter has its number, plus 1."""
    with open(path, "rb") as file:
        image = file.read()
    (headers, sections) = struct.unpack_from("<QQ", image, 32)
    (count, _, section_count, names) = struct.unpack_from("<HHHH", image, 56)
    segments = [struct.unpack_from("<IIQQQQQQ", image, headers + 56 * i) for i in range(count)]
    segments = [s for s in segments if s[0] == 1]
    first = segments[0][3]
    memory = bytearray(segments[-1][3] + segments[-1][6] - first)
    for _, _, offset, address, _, size, _, _ in segments:
        memory[address - first : address - first + size] = image[offset : offset + size]
    table = [struct.unpack_from("<IIQQQQIIQQ", image, sections + 64 * i) for i in range(section_count)]
    strings = table[names][4]
    for name, _, _, address, _, size, *_ in table:
        if image[strings + name :].startswith(b"__llvm_prf_cnts\0"):
            for i in range(size // 8):
                struct.pack_into("<Q", memory, address - first + 8 * i, i + 1)
    return first, bytes(memory)


def core(first, memory, wrong):
    """Returns an ELF core with two segments, or three of which two have the same addresses."""
    half = len(memory) // 2 // 4096 * 4096
    parts = [(first, memory[:half]), (first + half, memory[half:])]
    if wrong == "missing":
        del parts[1]
    if wrong in ("twin", "other-twin"):
        parts.append((first, memory if wrong == "twin" else bytes(255 - byte for byte in memory)))
    kind = {"program": 2}.get(wrong, 4)
    count = {"segments": 0xFFFF}.get(wrong, len(parts))
    out = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", kind, 62, 1, 0, 64, 0, 0, 64, 56, count, 64, 0, 0)
    offset = 64 + 56 * len(parts)
    for address, content in parts:
        size = 0 if wrong == "unsaved" else len(content)
        claimed = 1 << 50 if wrong == "huge" else len(content)
        out += struct.pack("<IIQQQQQQ", 1, 7, offset, address, 0, claimed if wrong == "huge" else size, claimed, 4096)
        offset += len(content)
    for _, content in parts:
        out += content
    return out[: len(out) * 3 // 4] if wrong == "cut" else out


def main(*arguments):
    if arguments[0] == "--core":
        data = core(*load(arguments[1]), arguments[3] if len(arguments) > 3 else "")
    else:
        first, data = load(arguments[0])
        arguments = ("",) + arguments
        print(hex(first))
    with open(arguments[2], "wb") as file:
        file.write(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
