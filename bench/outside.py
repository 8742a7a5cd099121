# SPDX-License-Identifier: BSD-2-Clause
"""outside.py BAREPROF GDB FOLDER RUNS - measures, and prints the table of outside.sh. FOLDER/kernel.elf is the guest.

`outside.py --proxy SOCKET FROM` listens on the socket FROM, and passes the packets of debuggers to the stub at SOCKET,
which then claims to take packets of 1 KB. gdb is much slower through a pipe than through a socket.
"""
import json
import os
import re
import select
import socket
import statistics
import subprocess
import sys
import time


def pass_packets(debugger, stub):
    while True:
        for ready in select.select([debugger, stub], [], [])[0]:
            content = ready.recv(65536)
            if not content:
                return
            if ready == debugger:
                stub.sendall(content)
                continue
            found = re.search(rb"\$(PacketSize=[0-9a-f]+[^#]*)#..", content)
            if found:
                text = re.sub(rb"PacketSize=[0-9a-f]+", b"PacketSize=400", found[1])
                content = content.replace(found[0], b"$%s#%02x" % (text, sum(text) & 255))
            debugger.sendall(content)


def proxy(path, own):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(own)
        listener.listen()
        while True:
            with listener.accept()[0] as debugger, socket.socket(socket.AF_UNIX) as stub:
                stub.connect(path)
                try:
                    pass_packets(debugger, stub)
                except ConnectionError:
                    pass  # the debugger has gone


class Monitor:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")
        self.lines.readline()
        self.events = []
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self.lines.readline())
            if "event" not in answer:
                assert "error" not in answer, answer
                return answer["return"]
            self.events.append(answer)

    def standstill(self):
        """Returns the seconds from the last event STOP to the last event RESUME."""
        self.ask("query-status")
        times = {e["event"]: e["timestamp"]["seconds"] + e["timestamp"]["microseconds"] / 1e6 for e in self.events}
        self.events = []
        return times["RESUME"] - times["STOP"]


def counters(path):
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    found = re.search(r"__llvm_prf_cnts\s+\w+\s+(\w+)\s+\w+\s+(\w+)", text)
    return int(found[1], 16), int(found[2], 16)


def wait_for(path):
    """Waits at most 20 seconds for a socket of QEMU, which makes all sockets before the guest starts."""
    for _ in range(200):
        if os.path.exists(path):
            return
        time.sleep(0.1)


def timed(command, folder):
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def measure(bareprof, gdb, folder, runs, monitor, address, size):
    script = (
        "import time, gdb\nstart = time.monotonic()\ngdb.execute('dump binary memory counters %d %d')\n"
        "open('seconds', 'w').write(str(time.monotonic() - start))" % (address, address + size)
    )
    with open(os.path.join(folder, "dump.py"), "w") as file:
        file.write(script)
    times = {"gdb": [], "pull gdb": [], "memsave": [], "pull qmp": [], "whole": []}
    for _ in range(runs):
        timed([gdb, "-batch", "-ex", "target remote s.proxy", "-x", "dump.py", "-ex", "detach"], folder)
        with open(os.path.join(folder, "seconds")) as file:
            times["gdb"].append(float(file.read()))
        times["pull gdb"].append(
            timed([bareprof, "pull", "--from", "gdb:unix:s.proxy", "--elf", "kernel.elf", "-o", "gdb.profraw"], folder)
        )
        monitor.ask("cont")
        monitor.events = []
        monitor.ask("stop")
        value = address - (1 << 64) if address >> 63 else address
        monitor.ask("memsave", val=value, size=size, filename=os.path.join(folder, "counters"))
        monitor.ask("cont")
        times["memsave"].append(monitor.standstill())
        times["whole"].append(
            timed([bareprof, "pull", "--from", "qmp:s.qmp", "--elf", "kernel.elf", "-o", "qmp.profraw"], folder)
        )
        times["pull qmp"].append(monitor.standstill())
    return {what: statistics.median(seconds) for what, seconds in times.items()}


def main(bareprof, gdb, folder, runs):
    folder = os.path.abspath(folder)
    address, size = counters(os.path.join(folder, "kernel.elf"))
    command = ["qemu-system-x86_64", "-machine", "microvm", "-m", "64", "-nodefaults", "-no-user-config", "-display", "none"]
    command += ["-serial", "null", "-kernel", "kernel.elf", "-gdb", "unix:s.gdb,server=on,wait=off"]
    command += ["-qmp", "unix:s.qmp,server=on,wait=off", "-qmp", "unix:events.qmp,server=on,wait=off"]
    # A run that was killed leaves its sockets.
    for name in ("s.gdb", "s.qmp", "events.qmp", "s.proxy"):
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    with subprocess.Popen(command, cwd=folder) as qemu:
        between = None
        try:
            wait_for(os.path.join(folder, "events.qmp"))
            between = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--proxy", "s.gdb", "s.proxy"], cwd=folder)
            wait_for(os.path.join(folder, "s.proxy"))
            # The guest makes its counts.
            time.sleep(1)
            monitor = Monitor(os.path.join(folder, "events.qmp"))
            seconds = measure(bareprof, gdb, folder, int(runs), monitor, address, size)
        finally:
            qemu.kill()
            if between:
                between.kill()
    print("%d bytes of counters, medians of %s runs, in milliseconds" % (size, runs))
    gdb_ratio = seconds["pull gdb"] / seconds["gdb"]
    qmp_ratio = seconds["pull qmp"] / seconds["memsave"]
    for what, name in (("gdb", "gdb: dump memory"), ("pull gdb", "bareprof pull --from gdb:"),
                       ("memsave", "QEMU: memsave, guest stands still"),
                       ("pull qmp", "bareprof pull --from qmp:, guest stands still"),
                       ("whole", "bareprof pull --from qmp:, whole program")):
        print("%-50s %9.1f" % (name, seconds[what] * 1000))
    print("ratios: %.2f of gdb (at most 1.5), %.2f of memsave (at most 1.2)" % (gdb_ratio, qmp_ratio))
    return gdb_ratio > 1.5 or qmp_ratio > 1.2


if sys.argv[1] == "--proxy":
    proxy(sys.argv[2], sys.argv[3])
else:
    sys.exit(main(*sys.argv[1:]))
