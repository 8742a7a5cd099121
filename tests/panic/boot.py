# SPDX-License-Identifier: BSD-2-Clause
"""boot.py BOARD[-in-place] ELF FOLDER XY [RAM] - boots the kernel, makes it fail with the command "panic XY" (panic.c), and resets it.

At the fault, writes outside.profraw, which `bareprof pull --from qmp:` reads. Writes the console up to the reset to
fault.log. If X is K, resets the machine twice, and writes the console of these boots to boot-2.log and boot-3.log. On
the Cortex-M, also writes the RAM at the fault to the file ram. If RAM names such a file, this is the RAM at the first boot,
and boot.py ends after it has written the console of this boot to boot-1.log.
"""
import os
import re
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "images", "matrix"))
from witness import Qmp

RAM = 0x20000000, 4 << 20  # of mps2-an385
LIMIT = 60  # seconds for each step, much more than a busy machine needs


def command_line(board, elf, folder):
    text = open(f"qemu/{board.removesuffix('-in-place')}/board.conf").read().replace("\\\n", " ")
    line = re.search(r"^qemu = (.*)$", text, re.M)[1].replace("-no-reboot", "")
    # Some releases of QEMU clear the RAM of all sections of an ELF file at each reset. The PC can only load an ELF file.
    if board in ("mps2-an385", "aarch64-in-place"):
        subprocess.run(["llvm-objcopy-" + os.environ["LLVM"], "-O", "binary", elf, folder + "/kernel.bin"], check=True)
        line = line.replace("{elf}", folder + "/kernel.bin")
    line = line.replace("{elf}", elf).replace("{dump}", folder + "/dump")
    return line.split() + ["-qmp", f"unix:{folder}/qmp,server=on,wait=off"]


class Guest:
    def __init__(self, line):
        self.qemu = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.console = b""

    def wait(self, text):
        """Returns the console up to @text, and keeps the rest."""
        end = time.monotonic() + LIMIT
        while text not in self.console:
            if not select.select([self.qemu.stdout], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit(f"no {text} on the console:\n" + self.console.decode(errors="replace"))
            got = os.read(self.qemu.stdout.fileno(), 65536)
            if not got:
                sys.exit("QEMU ended:\n" + self.console.decode(errors="replace"))
            self.console += got
        at = self.console.index(text) + len(text)
        before, self.console = self.console[:at], self.console[at:]
        return before

    def type(self, text):
        self.qemu.stdin.write(text)
        self.qemu.stdin.flush()


def save(path, text):
    with open(path, "wb") as file:
        file.write(text)


def wait_for_end(path):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        qmp = Qmp(path)
        if not qmp.ask("query-status")["running"]:
            return
        qmp.stream.close()
        time.sleep(0.05)
    sys.exit("the machine does not stop")


def main(board, elf, folder, what, ram=None):
    os.makedirs(folder, exist_ok=True)
    line = command_line(board, elf, folder)
    if what[1:] == "t":
        line += ["-no-reboot", "-no-shutdown"]  # QEMU stops where the machine would be reset
    guest = Guest(line + ["-device", f"loader,file={ram},addr={RAM[0]},force-raw=on"] if ram else line)
    try:
        save(folder + "/boot-1.log", guest.wait(b"> "))
        if ram:
            return
        guest.type(b"test\n")
        guest.wait(b" passed, ")
        guest.wait(b"> ")
        guest.type(f"panic {what}\n".encode())
        if what[1:] == "t":
            wait_for_end(folder + "/qmp")
        else:
            save(folder + "/fault.log", guest.wait(b"panic: waiting for a reset"))
        subprocess.run([os.environ["BAREPROF"], "pull", "--from", f"qmp:{folder}/qmp", "--elf", elf, "-o",
                        folder + "/outside.profraw"], check=True)
        qmp = Qmp(folder + "/qmp")
        if board == "mps2-an385":
            qmp.ask("pmemsave", val=RAM[0], size=RAM[1], filename=folder + "/ram")
        qmp.ask("set-action", reboot="reset")
        for boot in (2, 3) if what[0] == "K" else ():
            qmp.ask("system_reset")
            qmp.ask("cont")
            save(f"{folder}/boot-{boot}.log", guest.wait(b"> "))
    finally:
        guest.qemu.kill()
        guest.qemu.wait()


main(*sys.argv[1:])
