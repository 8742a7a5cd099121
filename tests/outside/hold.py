# SPDX-License-Identifier: BSD-2-Clause
"""hold.py ELF SOCKET COMMANDS SCRIPT [DUMP] - stops a guest directly before it dumps, runs SCRIPT, and lets it go on.

QEMU must be started with -S, -qmp on SOCKET.qmp and -gdb on SOCKET.gdb. When the guest listens, hold.py prints COMMANDS
to standard output, which is the guest's console. While SCRIPT runs, nobody is connected to QEMU. SCRIPT must leave the
guest stopped. The output of SCRIPT goes to standard error. DUMP is the function of the guest that dumps, normally cov_dump.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "images", "matrix"))
from witness import Elf, Gdb, Qmp, run_to_dump


def main(elf_path, path, commands, script, dump="cov_dump"):
    elf = Elf(elf_path)
    gdb = Gdb(path + ".gdb")
    run_to_dump(elf, gdb, commands, dump)
    gdb.stream.close()
    gdb.sock.close()
    subprocess.run(["sh", script], stdout=sys.stderr, check=False)
    qmp = Qmp(path + ".qmp")
    if qmp.ask("query-status")["running"]:
        qmp.ask("quit")
        sys.exit("the guest is running")
    qmp.ask("cont")


main(*sys.argv[1:])
