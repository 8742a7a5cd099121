# SPDX-License-Identifier: BSD-2-Clause
"""oracle.py list ELF MODE OBJECT...: prints addresses in the ELF file, for the plugin: those of all functions of the
objects and, in the modes with blocks, also those of all blocks in the table of blocks.

oracle.py compare ELF JSON COUNTED MODE OBJECT...: compares a machine profile with what QEMU saw. JSON is the output of
`bareprof mip show --json`, and COUNTED is the output of oracle_plugin.c. At most ORACLE_EXCHANGED pairs of neighbours
in the order of first calls may be exchanged. The functions that must be in the profile come from the symbol tables of
the compiler's objects, which the rewriter did not write.

MODE is coverage, calls, blocks or calls,blocks."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capture"))
from elf import Elf  # noqa: E402


def symbols(path):
    """Yields name and address of all functions in the file. Parts that a compiler split off from a function have no entry."""
    lines = subprocess.run(["readelf", "-sW", path], check=True, capture_output=True, text=True).stdout.splitlines()
    machine = subprocess.run(["readelf", "-hW", path], check=True, capture_output=True, text=True).stdout
    mask = ~1 if re.search(r"Machine: +ARM$", machine, re.M) else ~0
    for line in lines:
        words = line.split()
        if len(words) == 8 and words[3] == "FUNC" and words[6] != "UND" and not re.search(r"\.cold(\.|$)", words[7]):
            yield words[7], int(words[1], 16) & mask


def expected(elf, objects):
    """Returns a dictionary from addresses to names: the functions of the objects which the linker kept."""
    names = {name for path in objects for name, _ in symbols(path)}
    return {address: name for name, address in symbols(elf) if name in names}


def table(path):
    """Returns the functions in the table of blocks: lists of the addresses of their blocks, which start with the entry,
    with the addresses of their bytes. None stands for a block that the compiler deleted."""
    elf = Elf(path)
    content = elf.section("__llvm_mippcs").content
    mask, functions = (~1 if elf.get("H", 18)[0] == 40 else ~0), []
    byte = elf.symbols["__start_bareprof_mip_blk"]
    for address, flags in struct.iter_unpack("<II" if elf.width == 4 else "<QQ", content):
        if flags & 1:
            functions.append([])
        functions[-1].append((None if address == 1 else address & mask, byte))
        byte += 1
    return functions


OBJDUMP = {62: "objdump", 183: "aarch64-linux-gnu-objdump", 40: "arm-none-eabi-objdump"}


def code(elf, *options):
    """Returns the lines of the disassembly."""
    command = [OBJDUMP[Elf(elf).get("H", 18)[0]], "-d", "--no-show-raw-insn", *options, elf]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def accesses(elf, byte):
    """Returns the mnemonics of all instructions that load, compare or store the byte. On AArch64, the address comes from
    an adrp before the instruction, perhaps with an add in between. Thumb-2 is not decoded."""
    lines = code(elf)
    if OBJDUMP[Elf(elf).get("H", 18)[0]] == "objdump":
        return re.findall(rf"\t(shrb|movb|incb|cmpb) .*# {byte:x} ", "\n".join(lines))
    names, known = [], {}
    for line in lines:
        page = re.search(r"\tadrp\t(x\d+), ([0-9a-f]+)", line)
        added = re.search(r"\tadd\t(x\d+), (x\d+), #(0x[0-9a-f]+)", line)
        access = re.search(r"\t(ldrb|strb)\tw\w+, \[(x\d+)(?:, #(\d+))?\]", line)
        if page:
            known[page.group(1)] = int(page.group(2), 16)
        elif added and added.group(2) in known:
            known[added.group(1)] = known[added.group(2)] + int(added.group(3), 16)
        elif access and known.get(access.group(2), 0) + int(access.group(3) or 0) == byte:
            names.append(access.group(1))
    return names


def has_copies(elf, byte):
    """Returns whether an instruction for the byte occurs several times, because the compiler copied the block."""
    names = accesses(elf, byte)
    return any(names.count(name) > 1 for name in names)


def is_shared_tail(elf, address):
    """Returns whether the first instruction after the address that stores a byte gets the address of this byte from the
    blocks before it. Then several blocks have this instruction in common, and each of them stores another byte."""
    names = r"(?:r\d+|x\d+|ip|lr)"
    written = set()
    for line in code(elf, f"--start-address={address}", f"--stop-address={address + 64}"):
        words = line.split("\t")
        if len(words) < 3:
            continue
        store = re.match(rf"[rw]\w+, \[({names})", words[2]) if words[1].startswith("strb") else None
        if store:
            return store.group(1) not in written
        written.update(re.findall(names, words[2].split(",")[0]))
    return False


def compare_blocks(elf, profile, seen):
    """Compares the blocks that ran with what QEMU saw at their addresses."""
    functions = {int(function["address"], 16): function for function in profile["functions"]}
    wrong, ran, count, copies, tails = [], 0, 0, 0, 0
    machine = OBJDUMP[Elf(elf).get("H", 18)[0]]
    for entries in table(elf):
        entry = entries[0][0]
        function = functions.get(entry)
        assert function and "blocks" in function["kinds"], f"the profile has no blocks of the function at {entry:x}"
        shown = {entry + block["offset"]: block["ran"] for block in function["blocks"]}
        assert len(shown) == len(function["blocks"]), f"{function['name']}: two blocks have one offset"
        # The code generator can give several blocks one address. They are one block then.
        inside = {}
        for at, byte in entries[1:]:
            if at and 0 < at - entry < function["size"]:
                inside.setdefault(at, []).append(byte)
        assert set(inside) == set(shown), f"{function['name']}: the blocks are not those of the table"
        for address, own in {entry: [entries[0][1]], **inside}.items():
            block = function["ran"] if address == entry else shown[address]
            entered = seen[address][0]
            count += 1
            ran += block is True
            # The compiler may copy a small block to the ends of other blocks. The table has only one address of it.
            if block and not entered and any(has_copies(elf, byte) for byte in own):
                copies += 1
            elif not block and entered and machine.startswith("arm") and is_shared_tail(elf, address):
                tails += 1
            elif block is None and entered % 256 or block is not None and block != (entered > 0):
                wrong.append(f"{function['name']}+0x{address - entry:x}: ran {block}, but QEMU saw {entered}")
    print(f"{count} blocks, {ran} ran, {copies} ran only as copies, {tails} have an address in code of several blocks")
    assert not wrong, "\n".join(wrong[:10])
    assert copies <= count / 200, "too many blocks ran only as copies"
    assert tails <= 1 + count / 1000, "too many blocks have an address in code of several blocks"
    assert ran >= 5, "too few blocks ran"


def exchange(own, other, most):
    """Exchanges at most `most` pairs of neighbours in own that are the other way round in other."""
    for i in range(len(own) - 1):
        if most and own[i] != other[i] and own[i:i + 2] == other[i:i + 2][::-1]:
            own[i:i + 2] = other[i:i + 2]
            most -= 1


def compare(elf, shown, counted, mode, objects):
    wanted = expected(elf, objects)
    with open(shown, encoding="utf-8") as file:
        profile = json.load(file)
    seen = {}
    with open(counted, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if len(words) == 4:
                seen[int(words[0], 16)] = int(words[1]), int(words[2])
    if "blocks" in mode:
        compare_blocks(elf, profile, seen)
    if mode == "blocks":
        return
    mode = mode.split(",")[0]
    functions = {}
    for function in profile["functions"]:
        address = int(function["address"], 16)
        assert address not in functions, f"two records of {function['name']}"
        functions[address] = function
    missing = [wanted[address] for address in wanted if address not in functions]
    assert not missing, f"the profile lacks {missing[:5]}"
    extra = [functions[address]["name"] for address in functions if address not in wanted]
    assert not extra, f"the profile has functions that are not in the image: {extra[:5]}"
    counted_functions = [address for address in functions if functions[address]["kinds"]]
    wrong = []
    for address in counted_functions:
        function, (entries, _) = functions[address], seen[address]
        if function["ran"] != (entries > 0):
            wrong.append(f"{function['name']}: ran {function['ran']}, but QEMU saw {entries} entries")
        if mode == "calls" and function["calls"] != entries:
            wrong.append(f"{function['name']}: {function['calls']} calls, but QEMU saw {entries}")
    if mode == "calls":
        ran = [address for address in counted_functions if seen[address][0]]
        by_profile = sorted(ran, key=lambda address: functions[address]["order_sum"])
        by_qemu = sorted(ran, key=lambda address: seen[address][1])
        exchange(by_profile, by_qemu, int(os.environ.get("ORACLE_EXCHANGED", "0")))
        if by_profile != by_qemu:
            at = next(i for i in range(len(ran)) if by_profile[i] != by_qemu[i])
            wrong.append(f"position {at + 1}: {functions[by_profile[at]]['name']} in the profile, "
                         f"{functions[by_qemu[at]]['name']} in QEMU")
        orders = sorted(functions[address]["order_sum"] for address in ran)
        if orders != list(range(1, len(ran) + 1)):
            wrong.append("the orders are not 1, 2, 3 and so on")
    assert not wrong, "\n".join(wrong[:10])
    calls = sum(seen[address][0] for address in counted_functions)
    ran = sum(seen[address][0] > 0 for address in counted_functions)
    print(f"{len(counted_functions)} functions, {len(functions) - len(counted_functions)} left out, {ran} ran, {calls} calls")
    assert ran >= 5, "too few functions ran"


def watched(elf, mode, objects):
    """Returns the addresses that the plugin must count in this mode."""
    blocks = {at for entries in table(elf) for at, _ in entries if at} if "blocks" in mode else set()
    return blocks.union(expected(elf, objects))


if sys.argv[1] == "list":
    for address in sorted(watched(*sys.argv[2:4], sys.argv[4:])):
        print(f"{address:x}")
else:
    try:
        compare(*sys.argv[2:6], sys.argv[6:])
    except AssertionError as error:
        sys.exit(f"oracle.py: {error}")
