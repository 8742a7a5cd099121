# SPDX-License-Identifier: BSD-2-Clause
"""stub.py ELF WAY [LOG] - a stub of gdb's remote protocol on standard input and output, for a program that never ran.

WAY is how it behaves: sound, or the name of something that it does wrong. LOG gets all requests.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from memory import load


class Stub:
    def __init__(self, elf, way, log):
        self.first, self.memory = load(elf)
        self.way = way
        self.log = open(log, "w", encoding="ascii") if log else None
        self.quiet = False
        self.damaged = 0
        self.answers = 0

    def byte(self):
        byte = os.read(0, 1)
        if not byte:
            sys.exit()
        return byte

    def put(self, data):
        while data:
            data = data[os.write(1, data) :]

    def request(self):
        """Returns the next request."""
        while (byte := self.byte()) != b"$":
            if byte == b"\3":
                self.way = "sound"
                self.answer("T05")
            elif byte == b"-":
                self.put(self.last if self.way == "checksum-once" else self.damage(self.last))
        text = b""
        while (byte := self.byte()) != b"#":
            text += byte
        self.byte(), self.byte()
        if self.log:
            print(text.decode(), file=self.log, flush=True)
        if self.way != "running" and not self.quiet:
            self.put(b"+")
        return text.decode()

    def packed(self, text):
        """Returns the text with run lengths."""
        out, i = "", 0
        while i < len(text):
            n = 1
            while i + n < len(text) and text[i + n] == text[i] and n < 98:
                n += 1
            # A run of 7 or 8 would have the code # or $, which end and begin a packet.
            n = 6 if n in (7, 8) else n
            out += text[i] + ("*" + chr(n + 28) if n > 3 else text[i] * (n - 1))
            i += n
        return out

    @staticmethod
    def damage(packet):
        return packet[:-2] + b"%02x" % ((int(packet[-2:], 16) + 1) % 256)

    def answer(self, text):
        data = (self.packed(text) if self.way == "runs" else text).encode()
        packet = b"$%s#%02x" % (data, sum(data) % 256)
        self.last = packet
        self.answers += 1
        if self.way == "checksum" or (self.way == "checksum-once" and self.answers % 5 == 4):
            packet = self.damage(packet)
        if self.way == "noise":
            packet = b"%Stop:T05#a2" + b"console\r\n" + packet
        if self.way == "closes" and self.answers == 4:
            self.put(packet[: len(packet) // 2])
            sys.exit()
        self.put(packet)
        if self.way == "endless" and self.answers == 3:
            while True:
                self.put(b"$" + b"0" * 65536)

    def read(self, address, size):
        at = address - self.first
        part = self.memory[at : at + size] if 0 <= at < len(self.memory) else b""
        if not part or self.way == "nothing-there":
            return "E14"
        ways = {
            "long": part + b"\0" * 4,
            "short": part[: len(part) // 2 + 1],
            "none": b"",
        }
        text = ways.get(self.way, part).hex()
        return text[:-1] if self.way == "odd" else "xy" * size if self.way == "letters" else text

    def serve(self):
        if self.way == "silent":
            while True:
                self.byte()
        if self.way == "chatter":
            while True:
                self.put(b"no stub of gdb at all\r\n")
        while True:
            text = self.request()
            if self.way == "running":
                continue
            if text.startswith("qSupported"):
                size = {"packet": "ffffffffffffffff", "tiny": "1"}.get(self.way, "400")
                acknowledged = self.way in ("checksum-once", "checksum", "acknowledged")
                self.answer("" if self.way == "old" else f"PacketSize={size};" + ("" if acknowledged else "QStartNoAckMode+"))
            elif text == "QStartNoAckMode":
                self.answer("OK")
                self.quiet = True
            elif text == "?":
                self.answer("W00" if self.way == "ended" else "T05thread:01;")
            elif text.startswith("qRcmd") and self.way == "output":
                while True:
                    self.answer("O")
            elif text[0] == "m" and self.way == "notifications":
                while True:
                    self.put(b"%Stop:T05#a2" * 1000)
            elif text[0] == "m" and self.way == "burst":
                self.put(b"x" * 60000)
            elif text[0] == "m" and self.way == "slow":
                continue
            elif text[0] == "m":
                address, size = (int(n, 16) for n in text[1:].split(","))
                self.answer(self.read(address, size))
            elif text == "D":
                self.answer("OK")
                sys.exit()
            else:
                self.answer("")


Stub(*(sys.argv[1:] + [None])[:3]).serve()
