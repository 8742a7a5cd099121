# SPDX-License-Identifier: BSD-2-Clause
"""monitor.py PROGRAM SOCKET LOG HOW - a monitor of QEMU for a machine whose memory has PROGRAM, as memory.py makes it.

HOW names a fault. LOG gets the commands. The monitor serves one connection and ends.
"""
import json
import socket
import sys
import time

import memory


def main(program, path, log, how):
    first, content = memory.load(program)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    connection, _ = listener.accept()

    def say(text):
        connection.sendall(text.encode() + b"\r\n")

    def answer(**members):
        say(json.dumps(members))

    say("HTTP/1.1 400 Bad Request" if how == "web" else '{"QMP": {"version": {}, "capabilities": []}}')
    for line in connection.makefile("r"):
        command = json.loads(line)
        name = command["execute"]
        with open(log, "a", encoding="utf-8") as file:
            file.write(name + "\n")
        if name == "query-status":
            answer(**{"return": {"running": True, "status": "running"}})
        elif name == "stop" and how == "refuses":
            answer(error={"class": "GenericError", "desc": "not now"})
        elif name == "stop" and how == "closes":
            return
        elif name == "stop" and how == "endless":
            connection.sendall(b"{" * 200000)
        elif name == "stop" and how == "events":
            for _ in range(20000):
                answer(timestamp={"seconds": 1, "microseconds": 0}, event="RTC_CHANGE")
        elif name == "stop" and how == "trickle":
            while True:
                connection.sendall(b" ")
                time.sleep(1)
        elif name == "memsave":
            save(command["arguments"], first, content, how, answer)
        else:
            answer(timestamp={"seconds": 1, "microseconds": 0}, event="STOP")
            answer(**{"return": {}})


def save(arguments, first, content, how, answer):
    at = arguments["val"] - first
    if at < 0 or at + arguments["size"] > len(content) or arguments["cpu-index"]:
        answer(error={"class": "GenericError", "desc": "Invalid addr"})
        return
    part = content[at : at + arguments["size"]]
    if how == "short":
        part = part[:-1]
    if how != "nothing":
        with open(arguments["filename"], "wb") as file:
            file.write(part)
    answer(**{"return": {}})


try:
    main(*sys.argv[1:])
except (BrokenPipeError, ConnectionResetError):
    pass
