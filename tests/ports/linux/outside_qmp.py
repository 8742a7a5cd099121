# SPDX-License-Identifier: BSD-2-Clause
"""outside_qmp.py SOCKET COMMAND [ARGUMENTS] - sends a command to QEMU's monitor. ARGUMENTS is in JSON."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "images", "matrix"))
from witness import Qmp

Qmp(sys.argv[1]).ask(sys.argv[2], **json.loads(sys.argv[3] if len(sys.argv) > 3 else "{}"))
