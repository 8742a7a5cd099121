# SPDX-License-Identifier: BSD-2-Clause
"""witness.py ELF LLVM SOCKET COMMANDS OUT - reads a guest's counts from outside of the guest.

It shares no code with bareprof, and needs no help from the guest. QEMU's gdb stub stops the guest directly before the
dump. Then the script reads the memory with the guest's counters over QMP. The records and names in ELF show which
counters belong to which function.
QEMU must be started with -S, -qmp on SOCKET.qmp and -gdb on SOCKET.gdb. When the guest listens, the script prints
COMMANDS to standard output, which is the guest's console. In COMMANDS, a backslash and the letter n end a command.
LLVM is the release of the clang that compiled ELF. OUT gets a line for each function: name, hash, counts.
"""
import collections
import hashlib
import json
import socket
import struct
import sys
import time
import zlib

PATIENCE = 30  # seconds
EM_ARM = 40


class Elf:
    """The sections and symbols of a little-endian ELF file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.image = file.read()
        if self.image[:4] != b"\x7fELF" or self.image[5] != 1:
            sys.exit(f"{path}: not a little-endian ELF file")
        self.wide = self.image[4] == 2
        self.machine = struct.unpack_from("<H", self.image, 18)[0]
        table = self.unpack("<Q", 40)[0] if self.wide else self.unpack("<I", 32)[0]
        size, count, names = self.unpack("<3H", 58 if self.wide else 46)
        form = "<II4QII" if self.wide else "<10I"
        headers = [self.unpack(form, table + i * size) for i in range(count)]
        strings = headers[names][4]
        # Maps the name of each section to a tuple: type, address, offset, size, link.
        self.section = {self.string(strings + h[0]): (h[1],) + tuple(h[3:7]) for h in headers}
        self.strings = headers[self.section[".symtab"][4]][4]

    def unpack(self, form, offset):
        return struct.unpack_from(form, self.image, offset)

    def string(self, offset):
        return self.image[offset : self.image.index(b"\0", offset)].decode()

    def content(self, name):
        _, _, offset, size, _ = self.section[name]
        return self.image[offset : offset + size]

    def function(self, name):
        """Returns the address of the code of the function `name`."""
        _, _, offset, size, _ = self.section[".symtab"]
        step = 24 if self.wide else 16
        for at in range(offset, offset + size, step):
            word, value = self.unpack("<I4xQ" if self.wide else "<II", at)
            if self.string(self.strings + word) == name:
                return value & ~1 if self.machine == EM_ARM else value
        sys.exit(f"no function {name} in the ELF file")


def names(content):
    """Returns a dict that maps the name hash in the record of a function to the name of the function."""
    found = {}

    def number(at):
        value = shift = 0
        while True:
            value |= (content[at] & 127) << shift
            shift += 7
            at += 1
            if content[at - 1] < 128:
                return value, at

    at = 0
    while at < len(content):
        if content[at] == 0:
            at += 1
            continue
        plain, at = number(at)
        packed, at = number(at)
        piece = content[at : at + (packed or plain)]
        at += len(piece)
        for name in (zlib.decompress(piece) if packed else piece).split(b"\1"):
            found[hashlib.md5(name).digest()[:8]] = name.decode()
    return found


def counts(elf, llvm, memory):
    """Returns {(name, hash): counts}. Ends the program unless every counter in memory is used exactly once."""
    if llvm < 18:  # raw versions 7 and 8
        size, at_number = (48, 40) if elf.wide else (40, 28)
    else:  # 10
        size, at_number = (64, 48) if elf.wide else (48, 32)
    records = elf.content("__llvm_prf_data")
    records_address = elf.section["__llvm_prf_data"][1]
    counters_address = elf.section["__llvm_prf_cnts"][1]
    name_of = names(elf.content("__llvm_prf_names"))
    functions = {}
    unused = collections.Counter(range(len(memory) // 8))
    for at in range(0, len(records), size):
        reference, key = struct.unpack_from("<8sQ", records, at)
        (pointer,) = struct.unpack_from("<q" if elf.wide else "<i", records, at + 16)
        (number,) = struct.unpack_from("<I", records, at + at_number)
        # In raw version 7, the pointer to the counters is an address. In later versions, it is relative to the record.
        start = pointer - counters_address if llvm < 14 else records_address + at + pointer - counters_address
        start %= 1 << (64 if elf.wide else 32)
        values = struct.unpack_from(f"<{number}Q", memory, start)
        unused.subtract(range(start // 8, start // 8 + number))
        old = functions.get((name_of[reference], key), (0,) * number)
        functions[name_of[reference], key] = tuple(a + b for a, b in zip(old, values))
    if any(unused.values()):
        sys.exit("the records do not use each counter in the section exactly once")
    return functions


def connect(path):
    """Connects to a socket of QEMU. Waits if QEMU has not created the socket yet."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            sock = socket.socket(socket.AF_UNIX)
            sock.settimeout(PATIENCE)
            sock.connect(path)
            return sock
        except OSError as error:
            sock.close()
            if time.monotonic() > end:
                sys.exit(f"{path}: {error}")
            time.sleep(0.01)


class Qmp:
    def __init__(self, path):
        self.stream = connect(path).makefile("rw")
        self.answer("QMP")
        self.ask("qmp_capabilities")

    def answer(self, key):
        for line in self.stream:
            message = json.loads(line)
            if key in message:
                return message[key]
            if "error" in message:
                sys.exit(f"QMP: {message['error']['desc']}")
        sys.exit("QMP: QEMU has ended")

    def ask(self, command, **arguments):
        self.stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.stream.flush()
        return self.answer("return")


class Gdb:
    def __init__(self, path):
        self.sock = connect(path)
        self.stream = self.sock.makefile("rb")

    def ask(self, text):
        data = text.encode()
        self.sock.sendall(b"$%s#%02x" % (data, sum(data) % 256))
        while self.stream.read(1) not in (b"$", b""):
            pass  # the acknowledgement
        answer = b""
        while not answer.endswith(b"#"):
            byte = self.stream.read(1)
            if not byte:
                sys.exit(f"gdb stub: no answer to {text}")
            answer += byte
        self.stream.read(2)
        try:
            self.sock.sendall(b"+")
        except BrokenPipeError:
            pass  # QEMU may have ended together with a guest that was released
        return answer[:-1].decode()

    def must(self, text, answer):
        got = self.ask(text)
        if not got.startswith(answer):
            sys.exit(f"gdb stub: {text}: '{got}'")

    def run_to(self, address, before=lambda: None):
        self.must(f"Z0,{address:x},4", "OK")
        before()
        self.must("c", "T05")
        self.must(f"z0,{address:x},4", "OK")


def run_to_dump(elf, gdb, commands, dump="cov_dump"):
    """Prints the commands, and stops the guest directly before it dumps with the function dump."""
    gdb.run_to(elf.function("shell"))
    # If a page has a breakpoint, QEMU single-steps all code in it. The page of cov_dump() also has the code that
    # waits, so a breakpoint there would slow down every wait. Therefore the breakpoints are in other functions
    # until the last command before cov_dump().
    stops = ["do_sleep"] * commands.count("sleep") + [dump]
    gdb.run_to(elf.function(stops[0]), lambda: print(commands.replace("\\n", "\n"), end="", flush=True))
    for stop in stops[1:]:
        gdb.run_to(elf.function(stop))


def main(elf_path, llvm, path, commands, out):
    elf = Elf(elf_path)
    gdb = Gdb(path + ".gdb")
    qmp = Qmp(path + ".qmp")
    _, address, _, size, _ = elf.section["__llvm_prf_cnts"]
    try:
        run_to_dump(elf, gdb, commands)
        if qmp.ask("query-status")["running"]:
            sys.exit("QMP: the guest is running")
        # QMP takes addresses as signed numbers, so addresses in the upper half become negative.
        val = address - (1 << 64) if address >> 63 else address
        qmp.ask("memsave", val=val, size=size, filename=path + ".counters")
    except BaseException:
        qmp.ask("quit")
        raise
    with open(path + ".counters", "rb") as file:
        functions = counts(elf, int(llvm), file.read())
    gdb.must("D", "OK")
    with open(out, "w", encoding="utf-8") as file:
        for (name, key), values in functions.items():
            print(name, key, *values, file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])
