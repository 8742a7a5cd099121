# SPDX-License-Identifier: BSD-2-Clause
"""oracle.py list ELF OBJECT...: prints the addresses of all functions of the objects in the ELF file, for the plugin.

oracle.py blocks ELF: prints the addresses of all blocks in the table of blocks in the ELF file, for the plugin.

oracle.py compare ELF JSON COUNTED MODE OBJECT...: compares a machine profile with what QEMU saw. JSON is the output of
`bareprof mip show --json`, COUNTED the output of oracle_plugin.c, MODE is coverage, calls, blocks or calls,blocks. The functions that must be
in the profile come from the symbol tables of the compiler's objects, which the rewriter did not write."""
import json
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


def has_copies(elf, byte):
    """Returns whether several instructions write the byte, because the compiler copied the block. Only x86_64 instructions
    show the address; on other targets the answer is always true."""
    if Elf(elf).get("H", 18)[0] != 62:
        return True
    lines = subprocess.run(["objdump", "-d", "--no-show-raw-insn", elf], check=True, capture_output=True, text=True).stdout
    return len(re.findall(rf"(movb|shrb) .*# {byte:x} ", lines)) > 1


def compare_blocks(elf, profile, seen):
    """Compares the blocks that ran with what QEMU saw at their addresses."""
    functions = {int(function["address"], 16): function for function in profile["functions"]}
    wrong, ran, count, copies, predicated = [], 0, 0, 0, 0
    is_arm = Elf(elf).get("H", 18)[0] == 40
    for entries in table(elf):
        addresses = [at for at, _ in entries]
        function = functions.get(addresses[0])
        assert function and "blocks" in function["kinds"], f"the profile has no blocks of the function at {addresses[0]:x}"
        shown = {addresses[0] + block["offset"]: block["ran"] for block in function["blocks"]}
        inside = [(at, byte) for at, byte in entries[1:] if at and 0 <= at - addresses[0] < function["size"]]
        assert {at for at, _ in inside} == set(shown), f"{function['name']}: the blocks are not those of the table"
        for address, byte in [entries[0]] + inside:
            block = function["ran"] if address == addresses[0] else shown[address]
            count += 1
            ran += block is True
            # The compiler may copy a small block to the ends of other blocks. The table has only one address of it.
            if block and not seen[address][0] and has_copies(elf, byte):
                copies += 1
            # On Arm the block can be a few instructions with a condition. QEMU counts them also if the condition is false.
            # If the code generator deletes blocks, several of them can have the address of one that it kept.
            elif block is False and seen[address][0] and (is_arm or addresses.count(address) > 1):
                predicated += 1
            elif block is not None and block != (seen[address][0] > 0):
                wrong.append(f"{function['name']}+0x{address - addresses[0]:x}: ran {block}, but QEMU saw {seen[address][0]}")
            if block is None and seen[address][0] % 256:
                wrong.append(f"{function['name']}+0x{address - addresses[0]:x}: not known, but QEMU saw {seen[address][0]}")
    assert not wrong, "\n".join(wrong[:10])
    print(f"{count} blocks, {ran} ran, {copies} ran only as copies")
    assert copies <= count / 100, "too many blocks ran only as copies"
    assert predicated <= count / 50, f"{predicated} blocks did not run, but QEMU saw them"
    assert ran >= 5, "too few blocks ran"


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


if sys.argv[1] == "blocks":
    for address in sorted({at for entries in table(sys.argv[2]) for at, _ in entries if at}):
        print(f"{address:x}")
elif sys.argv[1] == "list":
    for address in sorted(expected(sys.argv[2], sys.argv[3:])):
        print(f"{address:x}")
else:
    try:
        compare(*sys.argv[2:6], sys.argv[6:])
    except AssertionError as error:
        sys.exit(f"oracle.py: {error}")
