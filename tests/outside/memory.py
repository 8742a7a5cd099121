# SPDX-License-Identifier: BSD-2-Clause
"""memory.py - the memory of a program that never ran: the loaded segments of its ELF file, with counts.

`memory.py ELF FILE [sites]` writes it to FILE and prints its first address. `memory.py --core ELF FILE [WRONG]` writes an ELF core.
"""
import struct
import sys


def load(path, wrong=""):
    """Returns (first address, bytes). Each counter has its number, plus 1. WRONG is sites if records claim too many sites."""
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
        if wrong == "sites" and image[strings + name :].startswith(b"__llvm_prf_data\0"):
            for at in range(address - first + 52, address - first + size, 64):
                struct.pack_into("<HH", memory, at, 0xFFFF, 0xFFFF)
    return first, bytes(memory)


# 64 GiB, which a sparse file has on paper.
PAPER = 1 << 36


def core(first, memory, wrong):
    """Returns an ELF core. Unless WRONG is about segments, it has two of them."""
    half = len(memory) // 2 // 4096 * 4096
    parts = [(first, memory[:half]), (first + half, memory[half:])]
    if wrong == "missing":
        del parts[1]
    if wrong in ("twin", "other-twin"):
        parts.append((first, memory if wrong == "twin" else bytes(255 - byte for byte in memory)))
    if wrong == "overlap":
        parts += [(first + half // 2, memory[half // 2 : half + half // 2]), (first + 5, memory[5:])]
    if wrong == "pieces":
        parts = [(first + i, memory[i : i + 3]) for i in range(0, len(memory), 2)][::-1]
        parts += [parts[0]] * (60000 - len(parts))
    # Other addresses of the whole file.
    whole = [i << 44 for i in range(1, 100)] if wrong == "paper" else []
    kind = {"program": 2}.get(wrong, 4)
    count = {"segments": 0xFFFF}.get(wrong, len(parts) + len(whole))
    out = bytearray(struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", kind, 62, 1, 0, 64, 0, 0, 64, 56, count, 64, 0, 0))
    offset = 64 + 56 * (len(parts) + len(whole))
    for address, content in parts:
        claimed = 1 << 50 if wrong == "huge" else len(content)
        size = 0 if wrong == "unsaved" else claimed
        out += struct.pack("<IIQQQQQQ", 1, 7, offset, address, 0, size, claimed, 4096)
        offset += len(content)
    for address in whole:
        out += struct.pack("<IIQQQQQQ", 1, 7, 0, address, 0, PAPER, PAPER, 4096)
    out += b"".join(content for _, content in parts)
    return out[: len(out) * 3 // 4] if wrong == "cut" else out


def main(*arguments):
    if arguments[0] == "--core":
        data = core(*load(arguments[1]), arguments[3] if len(arguments) > 3 else "")
    else:
        first, data = load(arguments[0], *arguments[2:])
        arguments = ("",) + arguments
        print(hex(first))
    with open(arguments[2], "wb") as file:
        file.write(data)
        if arguments[3:] == ("paper",):
            file.truncate(PAPER)


if __name__ == "__main__":
    main(*sys.argv[1:])
