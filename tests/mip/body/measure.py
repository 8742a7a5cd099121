# SPDX-License-Identifier: BSD-2-Clause
"""measure.py PLUGIN TARGET DIR: runs DIR/body, which build.sh built, in QEMU's user mode, and prints seven numbers:
bytes of the loaded image, bytes of the harness in it, number of functions of the foreign code, bytes of these functions,
number of instructions outside the harness between body_begin() and body_end(), the same between body_end() and
body_end_of_slow(), bytes of a map that is loaded. The output of the body is in DIR/out. If the body writes a machine
profile, the profile is in DIR/mipraw."""
import glob
import os
import subprocess
import sys


def readelf(option, paths):
    command = ["readelf", option, *paths]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def sections(paths):
    """Yields name, size and whether it is loaded for all sections of the files."""
    for line in readelf("-SW", paths):
        words = line.split("]", 1)[-1].split()
        if line.lstrip().startswith("[") and len(words) > 6 and words[0] not in ("Name", "NULL"):
            name, size, flags = words[0], words[4], words[6]
            yield name, int(size, 16), "A" in flags


def loaded(paths):
    return sum(size for _, size, alloc in sections(paths) if alloc)


def functions(paths):
    """Yields name, address without the Thumb bit, and size. Parts that gcc or clang split off from a function have no
    entry, so they are not functions."""
    for line in readelf("-sW", paths):
        words = line.split()
        if len(words) == 8 and words[3] in ("FUNC", "IFUNC") and words[6] != "UND" and ".cold" not in words[7]:
            yield words[7], int(words[1], 16), int(words[2], 0)


def main():
    plugin, target, folder = sys.argv[1:]
    objects = glob.glob(os.path.join(glob.escape(folder), "*.o"))
    foreign = {name for name, _, _ in functions(objects)}
    body = os.path.join(folder, "body")
    marks = os.path.join(folder, "marks")
    thumb = target == "thumb"
    code = [(name, address & ~1 if thumb else address, size) for name, address, size in functions([body])]
    at = {name: address for name, address, _ in code}
    harness = {name for name, _, _ in functions(glob.glob(os.path.join(glob.escape(folder), "own", "[snz]*.c.o")))}
    skipped = os.path.join(folder, "harness")
    with open(skipped, "w") as file:
        for name, address, size in code:
            if name in harness and name not in foreign:
                file.write(f"{address:x} {address + size:x}\n")
    with open(marks, "w") as file:
        file.write("".join(f"{at[name]:x}\n" for name in ("body_begin", "body_end", "body_end_of_slow")))
    qemu = "qemu-arm" if thumb else f"qemu-{target}"
    counted = os.path.join(folder, "counted")
    with open(os.path.join(folder, "out"), "wb") as out, open(os.path.join(folder, "mipraw"), "wb") as raw:
        command = ["sh", "-c", 'exec "$@" 3>&2', "sh", qemu, "-plugin", f"{plugin},functions={marks},out={counted},except={skipped}", body]
        status = subprocess.run(command, stdout=out, stderr=raw).returncode
    if status:
        sys.exit(f"measure.py: {body} ended with status {status}")
    instructions = {}
    with open(counted) as file:
        for line in file:
            words = line.split()
            if len(words) == 4:
                instructions[int(words[0], 16)] = int(words[3])
    own = glob.glob(os.path.join(glob.escape(folder), "own", "*.o"))
    sizes = [size for _, _, size in functions(objects)]
    map_bytes = sum(size for name, size, alloc in sections([body]) if alloc and name == "__llvm_mipmap")
    begin, end, slow = (instructions[at[name]] for name in ("body_begin", "body_end", "body_end_of_slow"))
    print(loaded([body]), loaded(own), len(sizes), sum(sizes), end - begin, slow - end, map_bytes)


main()
