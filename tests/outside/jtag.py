# SPDX-License-Identifier: BSD-2-Clause
"""jtag.py SOCKET CORE - a JTAG port whose chip has the memory of an ELF core, for the driver remote_bitbang of OpenOCD.

The chip is a debug port of Arm (ADIv5) with one access port for memory. Its TAP has 4 bits of instruction. Writes change
the memory, not the file. The port serves one connection after the other.
"""
import socket
import struct
import sys

IDCODE = 0x4BA00477
# The ADIv5 specification has the numbers of the instructions and registers.
ABORT, DPACC, APACC, IDCODE_IR, BYPASS = 0b1000, 0b1010, 0b1011, 0b1110, 0b1111
OK = 0b010
CTRL_STAT, SELECT, RDBUFF = 4, 8, 12
CSW, TAR, DRW, CFG, BASE, IDR = 0x00, 0x04, 0x0C, 0xF4, 0xF8, 0xFC

# The states of a TAP: (next state if TMS is 0, next state if TMS is 1).
STATES = {
    "reset": ("idle", "reset"),
    "idle": ("idle", "select-dr"),
    "select-dr": ("capture-dr", "select-ir"),
    "capture-dr": ("shift-dr", "exit1-dr"),
    "shift-dr": ("shift-dr", "exit1-dr"),
    "exit1-dr": ("pause-dr", "update-dr"),
    "pause-dr": ("pause-dr", "exit2-dr"),
    "exit2-dr": ("shift-dr", "update-dr"),
    "update-dr": ("idle", "select-dr"),
    "select-ir": ("capture-ir", "reset"),
    "capture-ir": ("shift-ir", "exit1-ir"),
    "shift-ir": ("shift-ir", "exit1-ir"),
    "exit1-ir": ("pause-ir", "update-ir"),
    "pause-ir": ("pause-ir", "exit2-ir"),
    "exit2-ir": ("shift-ir", "update-ir"),
    "update-ir": ("idle", "select-dr"),
}


class Memory:
    """The segments of an ELF core of either width, by physical address."""

    def __init__(self, path):
        with open(path, "rb") as file:
            core = file.read()
        wide = core[4] == 2
        offset, size, count = (
            struct.unpack_from("<Q", core, 32) + struct.unpack_from("<HH", core, 54)
            if wide
            else struct.unpack_from("<I", core, 28) + struct.unpack_from("<HH", core, 42)
        )
        self.parts = []
        for i in range(count):
            if wide:
                kind, _, at, _, address, length = struct.unpack_from("<IIQQQQ", core, offset + i * size)
            else:
                kind, at, _, address, length = struct.unpack_from("<IIIII", core, offset + i * size)
            if kind == 1:
                self.parts.append((address, bytearray(core[at : at + length])))

    def word(self, address, value=None):
        """Returns the word at an address, or writes it. There is no error in a bus without memory: the word is 0."""
        address &= ~3
        for start, content in self.parts:
            if start <= address <= start + len(content) - 4:
                if value is not None:
                    struct.pack_into("<I", content, address - start, value)
                return struct.unpack_from("<I", content, address - start)[0]
        return 0


class Port:
    """The debug port, and its access port 0."""

    def __init__(self, memory):
        self.memory = memory
        self.select = 0
        self.power = 0
        self.csw = 0x23000052
        self.tar = 0
        self.result = 0

    def debug(self, read, register, value):
        if read:
            self.result = {0: 0x4BA00477, CTRL_STAT: self.power, SELECT: self.select}.get(register, self.result)
        elif register == SELECT:
            self.select = value
        elif register == CTRL_STAT:
            # The chip grants each request for power at once.
            self.power = value & 0x50000000 | (value & 0x50000000) << 1

    def access(self, read, register, value):
        register |= self.select & 0xF0
        if self.select >> 24:
            self.result = 0
        elif register == DRW or (register & 0xF0) == 0x10:
            self.transfer(read, register, value)
        elif read:
            values = {CSW: self.csw | 0x40, TAR: self.tar, CFG: 0, BASE: 0xFFFFFFFF, IDR: 0x24770011}
            self.result = values.get(register, 0)
        elif register == CSW:
            self.csw = value
        elif register == TAR:
            self.tar = value

    def transfer(self, read, register, value):
        address = self.tar if register == DRW else self.tar & ~15 | register & 12
        size = 1 << (self.csw & 7)
        if read:
            self.result = self.memory.word(address)
        else:
            # A transfer of less than a word uses the byte lanes of its address.
            mask = ((1 << 8 * size) - 1) << 8 * (address & 3) & 0xFFFFFFFF
            self.memory.word(address, self.memory.word(address) & ~mask | value & mask)
        if register == DRW and self.csw & 0x30:
            self.tar = self.tar & ~0x3FF | (self.tar + size) & 0x3FF


class Tap:
    """The state machine between the wires and the debug port."""

    def __init__(self, port):
        self.port = port
        self.state = "reset"
        self.instruction = IDCODE_IR
        self.shift = 0
        self.length = 1
        self.output = 0

    def rise(self, tms, tdi):
        """The clock rises: the TAP reads its inputs."""
        if self.state == "reset":
            self.instruction = IDCODE_IR
        elif self.state == "capture-ir":
            self.shift, self.length = 1, 4
        elif self.state == "capture-dr":
            self.capture()
        elif self.state in ("shift-ir", "shift-dr"):
            self.shift = self.shift >> 1 | tdi << (self.length - 1)
        self.state = STATES[self.state][tms]
        if self.state == "update-ir":
            self.instruction = self.shift
        elif self.state == "update-dr":
            self.update()

    def fall(self):
        """The clock falls: the TAP changes its output."""
        if self.state in ("shift-ir", "shift-dr"):
            self.output = self.shift & 1

    def capture(self):
        if self.instruction == IDCODE_IR:
            self.shift, self.length = IDCODE, 32
        elif self.instruction in (DPACC, APACC, ABORT):
            self.shift, self.length = self.port.result << 3 | OK, 35
        else:
            self.shift, self.length = 0, 1

    def update(self):
        read, register, value = self.shift & 1, self.shift >> 1 & 3, self.shift >> 3
        if self.instruction == DPACC:
            self.port.debug(read, 4 * register, value)
        elif self.instruction == APACC:
            self.port.access(read, 4 * register, value)


def serve(connection, tap):
    clock = 0
    while True:
        requests = connection.recv(65536)
        if not requests:
            return
        answers = bytearray()
        for request in requests:
            if 0x30 <= request <= 0x37:
                wires = request - 0x30
                if wires & 4 and not clock:
                    tap.rise(wires >> 1 & 1, wires & 1)
                elif clock and not wires & 4:
                    tap.fall()
                clock = wires & 4
            elif request == ord("R"):
                answers += b"1" if tap.output else b"0"
        if answers:
            connection.sendall(answers)


def main(path, core):
    tap = Tap(Port(Memory(core)))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    while True:
        connection, _ = listener.accept()
        serve(connection, tap)
        connection.close()


main(*sys.argv[1:])
